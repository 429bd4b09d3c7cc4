"""(k,1), (1,k) and (k,k): who agrees with whom."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.domain import Domain
from sfumato.table.models.covering import Labels
from tests.oracles.labels import covers
from tests.oracles.models import publish, table_of

ages = st.integers(20, 26)


def check(model: Any, originals: list[tuple[int, str]], labels: list[tuple[str, str]]) -> sf.Verdict:
    released = pd.DataFrame(labels, columns=["age", "sex"])
    original = table_of(pd.DataFrame(originals, columns=["age", "sex"]))
    found: sf.Verdict = model.check(publish(released, ["age", "sex"], original=original))
    return found


def test_records_that_are_generalised_one_by_one_are_2_2_but_not_2_anonymous() -> None:
    originals = [(20, "f"), (21, "f"), (22, "f")]
    labels = [("[20-21]", "f"), ("[20-22]", "f"), ("[21-22]", "f")]
    assert (
        sf.KAnonymity(2).check(publish(pd.DataFrame(labels, columns=["age", "sex"]), ["age", "sex"])).achieved
        == "k = 1"
    )
    assert check(sf.KKAnonymisation(2), originals, labels).holds
    assert not check(sf.KKAnonymisation(3), originals, labels).holds


def test_each_side_may_hold_without_the_other() -> None:
    originals = [(20, "f"), (21, "f")]
    # One wide record and one that gives itself away.
    labels = [("[20-21]", "f"), ("21", "f")]
    one_k = check(sf.OneKAnonymisation(2), originals, labels)
    k_one = check(sf.KOneAnonymisation(2), originals, labels)
    assert not one_k.holds, "the first person fits only the wide record"
    assert one_k.achieved == "k = 1"
    assert "somebody of the original agrees with only 1" in str(one_k)
    assert not k_one.holds
    assert k_one.witness is not None
    assert k_one.witness.rows == (2,)
    both = [("[20-21]", "f"), ("[20-21]", "f"), ("21", "f")]
    assert check(sf.OneKAnonymisation(2), originals, both).holds
    assert not check(sf.KOneAnonymisation(2), originals, both).holds


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(ages, st.sampled_from("fm"), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=9
    )
)
def test_agreement_is_what_reading_every_pair_gives(rows: list[tuple[int, str, int, int]]) -> None:
    originals = [(age, sex) for age, sex, _, _ in rows]
    labels = [
        (f"[{age - less}-{age + more}]" if less or more else str(age), "*" if more == 2 else sex)
        for age, sex, less, more in rows
    ]
    agree = [[all(map(covers, label, record)) for record in originals] for label in labels]
    with_released = min(map(sum, agree))
    with_originals = min(sum(column) for column in zip(*agree, strict=True))
    assert check(sf.KOneAnonymisation(1), originals, labels).achieved == f"k = {with_released}"
    assert check(sf.OneKAnonymisation(1), originals, labels).achieved == f"k = {with_originals}"
    assert (
        check(sf.KKAnonymisation(1), originals, labels).achieved
        == f"k = {min(with_released, with_originals)}"
    )


@pytest.mark.parametrize(
    ("values", "label", "covered"),
    [
        ([19, 20, 24, 25], "20-24", [20, 24]),
        ([0.4, 0.5, 1.0], "[0.5, 1)", [0.5]),
        ([0.5, 1.0, 2.0], "[0.5-1]", [0.5, 1.0]),
        ([-5, -1, 0], "-5 to -1", [-5, -1]),
        ([19, 20], "<20", [19]),
        ([89, 90, 91], "90+", [90, 91]),
        ([47677, 47602, 47905], "476**", [47677, 47602]),
        (["NW10", "NW15", "SE1"], "NW1*", ["NW10", "NW15"]),
        (["a", "b, c", "d"], r"{a, b\, c}", ["a", "b, c"]),
        (["a", None], "{a} or missing", ["a", None]),
        ([20, 30, None], "[20] or missing", [20, None]),
        (["2024-01-05", "2024-02-01"], "[2024-01-01 - 2024-01-31]", ["2024-01-05"]),
        (["a", None], "*", ["a", None]),
        (["a", None], None, [None]),
    ],
)
def test_labels_are_read_as_methods_write_them(values: list[Any], label: Any, covered: list[Any]) -> None:
    domain = Domain.of("column", values)
    flags = Labels(domain).covered(label)
    assert {value for value, flag in zip(domain.values, flags, strict=True) if flag} == set(covered)


def test_labels_of_a_hierarchy_are_read_with_it_and_refused_without() -> None:
    domain = Domain.of("country", ["France", "Spain", "Peru"])
    tree = sf.Tree({"any": {"Europe": ["France", "Spain"], "America": ["Peru"]}})
    assert Labels(domain, tree).covered("Europe").tolist() == [True, False, True]
    with pytest.raises(sf.BadInput, match="not understood"):
        Labels(domain).covered("Europe")


def test_without_the_original_only_classes_of_k_can_be_vouched_for() -> None:
    data = pd.DataFrame({"age": ["2*", "2*", "3*"]})
    with pytest.raises(sf.BadInput, match="only the original"):
        sf.KKAnonymisation(2).check(publish(data, ["age"]))
    verdict = sf.KKAnonymisation(2).check(publish(data[:2], ["age"]))
    assert verdict.holds
    assert verdict.note == "implied by k-anonymity"


@settings(max_examples=80)
@given(st.lists(st.tuples(st.integers(0, 3), ages, st.integers(0, 2)), min_size=1, max_size=9))
def test_people_with_several_rows_count_once_on_either_side(rows: list[tuple[int, int, int]]) -> None:
    who = [person for person, _, _ in rows]
    original = table_of(pd.DataFrame({"age": [age for _, age, _ in rows], "who": who}))
    labels = [f"[{age - wide}-{age + wide}]" for _, age, wide in rows]
    shown = pd.DataFrame({"age": labels, "who": who})
    published = publish(shown, ["age"], person="who", original=original)

    def fits(label: str, age: int) -> bool:
        low, high = label[1:-1].split("-")
        return int(low) <= age <= int(high)

    k_one = min(len({p for p, age, _ in rows if fits(label, age)}) for label in labels)
    one_k = min(
        len({p for p, label in zip(who, labels, strict=True) if fits(label, age)}) for _, age, _ in rows
    )
    assert sf.KOneAnonymisation(1).check(published).achieved == f"k = {k_one}"
    assert sf.OneKAnonymisation(1).check(published).achieved == f"k = {one_k}"


def test_one_person_with_two_rows_is_not_two_people() -> None:
    original = pd.DataFrame({"x": ["a", "b"], "who": [1, 1]})
    shown = pd.DataFrame({"x": ["{a, b}", "{a, b, c}"], "who": [1, 1]})
    models = [sf.KOneAnonymisation(2), sf.OneKAnonymisation(2), sf.KKAnonymisation(2)]
    verdicts = sf.check(shown, quasi="x", person="who", models=models, original=original)
    assert not any(verdict.holds for verdict in verdicts)
