"""Minimality: that nothing more precise was allowed tells why."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.hierarchy import Tree
from sfumato.table.attacks.classes.possible_worlds import worlds
from sfumato.table.attacks.classes.refused_node import read
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.minimality import Minimality, open_to_minimality
from sfumato.table.methods import METHODS
from sfumato.table.published import PublishedTable
from tests.oracles.minimality import Levels, Record, credences, shown, without
from tests.oracles.models import publish
from tests.table.attacks.class_tables import NOTHING

CODES = Tree({"*": {"a*": ["a1", "a2"], "b*": ["b1", "b2"]}})
SEXES = Tree({"*": ["m", "f"]})
HIERARCHIES = {"code": CODES, "sex": SEXES}
QUASI = ["code", "sex"]


def frame(records: list[Record], levels: Levels) -> pd.DataFrame:
    rows = [(*shown(record, levels), record[2]) for record in records]
    return pd.DataFrame(rows, columns=["code", "sex", "ill"])


def knowing(records: list[Record]) -> Knowledge:
    return Knowledge(hierarchies=HIERARCHIES, original=publish(frame(records, (0, 0)), QUASI, ["ill"]))


def release(records: list[Record], levels: Levels) -> PublishedTable:
    return publish(frame(records, levels), QUASI, ["ill"])


def people(*groups: tuple[str, str, str, int]) -> list[Record]:
    return [(code, sex, ill) for code, sex, ill, number in groups for _ in range(number)]


SEVEN = people(("a1", "m", "HIV", 2), ("a2", "m", "none", 5))


def test_the_two_of_the_paper_who_are_both_ill_are_found_out() -> None:
    """Two with q1, five with q2, two with HIV: only if both are of q1 was there a reason to generalise."""
    attack = Minimality(values=["HIV"])
    result = attack.run(release(SEVEN, (1, 0)), knowing(SEVEN))
    assert result.certain == 2
    assert result.highest == 1
    assert result.success == pytest.approx(2 / 7)
    assert result.details["without_minimality"] == pytest.approx(2 / 7)
    assert result.details["chance_of_failing_a_level_lower"] == pytest.approx(1 / 21)
    assert result.details["lower_in"] == "code"


def test_k_alone_tells_nothing_of_it() -> None:
    result = Minimality(values=["HIV"], k=3).run(release(SEVEN, (1, 0)), knowing(SEVEN))
    assert (result.success, result.certain) == (0, 0)
    assert result.highest == pytest.approx(2 / 7)
    assert "below k" in result.note


def test_it_fails_where_nothing_was_refused() -> None:
    fine = people(("a1", "m", "HIV", 1), ("a1", "m", "none", 1), ("b1", "f", "none", 2))
    found = Minimality(values=["HIV"]).run(release(fine, (0, 0)), knowing(fine))
    assert found.success == 0
    assert "nothing was generalised" in found.note


def test_it_fails_where_the_lower_level_is_fine_in_every_world() -> None:
    fine = people(("a1", "m", "HIV", 1), ("a1", "m", "none", 3), ("a2", "m", "none", 4))
    result = Minimality(values=["HIV"]).run(release(fine, (1, 0)), knowing(fine))
    assert result.success == 0
    assert "did not stop at the least" in result.note


def test_many_classes_tell_less_than_one() -> None:
    """That something somewhere broke the promise is less of a surprise when much could have."""
    more = people(
        *(("b1", "m", "HIV", 1), ("b1", "m", "none", 1)), *(("b2", "f", "HIV", 1), ("b2", "f", "none", 9))
    )
    both = [*SEVEN, *more, *people(("b1", "f", "HIV", 3), ("b2", "m", "none", 9))]
    alone = Minimality(values=["HIV"]).run(release(SEVEN, (1, 0)), knowing(SEVEN))
    together = Minimality(values=["HIV"]).run(release(both, (1, 0)), knowing(both))
    assert together.highest < alone.highest


records = st.lists(
    st.tuples(st.sampled_from(["a1", "a2", "b1"]), st.sampled_from("mf"), st.sampled_from(["s", "t", "u"])),
    min_size=1,
    max_size=5,
)
LEVELS = st.sampled_from([(1, 0), (2, 0), (1, 1), (0, 1), (2, 1)])
WATCHED = st.sampled_from([("s",), ("s", "t"), ()])


@settings(max_examples=60)
@given(records, LEVELS, WATCHED, st.sampled_from([2, 3]))
def test_credences_are_those_of_all_worlds(
    found: list[Record], levels: Levels, watched: tuple[str, ...], least: int
) -> None:
    if watched and not {value for _, _, value in found} & set(watched):
        return
    result = Minimality(l=least, values=watched, margin=0).run(release(found, levels), knowing(found))
    share, meant = Fraction(1, least), watched or ("s", "t", "u")
    told = []
    for lower in ((levels[0] - 1, levels[1]), (levels[0], levels[1] - 1)):
        if min(lower) >= 0:
            chance, own = credences(found, levels, lower, share, meant)
            if chance > 0:
                told.append((chance, own, lower))
    if not told:
        assert result.details["lower_in"] == ""
        return
    expected = []
    for chance, own, lower in told:
        hit = [i for i, r in enumerate(found) if r[2] in meant and own[i] > share]
        anyway = [
            i
            for i, r in enumerate(found)
            if r[2] in meant and without(found, i, levels, lower, share, meant) > share
        ]
        highest = max(own[i] for i, r in enumerate(found) if r[2] in meant)
        expected.append((len(hit), -chance, len(anyway), highest))
    most = max(one[:2] for one in expected)
    assert result.success == pytest.approx(most[0] / len(found))
    assert result.details["chance_of_failing_a_level_lower"] == pytest.approx(float(-most[1]))
    assert (result.baseline, result.highest) in [
        (pytest.approx(anyway / len(found)), pytest.approx(float(highest)))
        for *key, anyway, highest in expected
        if tuple(key) == most
    ]


def test_an_optimal_release_of_our_own_is_found_out(duck: Engine) -> None:
    data = frame(SEVEN, (0, 0)).assign(sex="m")
    protected = sf.protect(
        data,
        quasi=["code"],
        sensitive="ill",
        models=[sf.AlphaKAnonymity(0.5, 1, ("HIV",))],
        method=sf.OptimalLattice(),
        hierarchies={"code": CODES},
    )
    assert set(protected.data["code"]) == {"a*"}
    target = PublishedTable(duck.read(Frame(protected.data)), ("code",), ("ill",))
    original = PublishedTable(duck.read(Frame(data)), ("code",), ("ill",))
    knowledge = Knowledge(hierarchies={"code": CODES}, original=original)
    result = Minimality(values=["HIV"]).run(target, knowledge, victims=True)
    assert [(victim.row, victim.confidence) for victim in result.victims] == [(1, 1.0), (2, 1.0)]


def test_too_many_worlds_are_not_taken_for_no_risk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{read.__module__}.MOST_STEPS", 3)
    with pytest.raises(BadInput, match="too many worlds"):
        Minimality(values=["HIV"]).run(release(SEVEN, (1, 0)), knowing(SEVEN))


def test_worlds_of_a_class_with_nobody_who_is_ill_are_one() -> None:
    found = worlds([3, 4], [0], Fraction(1, 2))
    assert (found.total, found.allowed) == (1, 1)
    assert found.credence(3, 0, Fraction(1)) is None


@pytest.mark.parametrize(
    ("target", "match"),
    [
        (release(SEVEN[1:], (1, 0)), "other numbers of people"),
        (release([*SEVEN[:1], ("a1", "m", "none"), *SEVEN[2:]], (1, 0)), "other sensitive values"),
        (publish(frame(SEVEN, (1, 0)).assign(code=["a*"] * 6 + ["a1"]), QUASI, ["ill"]), "one level"),
        (release(SEVEN[:2], (0, 0)), "in no class of the release"),
    ],
)
def test_releases_that_it_cannot_judge_are_refused(target: PublishedTable, match: str) -> None:
    with pytest.raises(BadInput, match=match):
        Minimality(values=["HIV"]).run(target, knowing(SEVEN))


def test_what_is_missing_is_said() -> None:
    target = release(SEVEN, (1, 0))
    with pytest.raises(BadInput, match="original is not given"):
        Minimality().run(target, NOTHING)
    with pytest.raises(BadInput, match="none of the watched values"):
        Minimality(values=["x"]).run(target, knowing(SEVEN))
    with pytest.raises(BadInput):
        Minimality(l=1)
    with pytest.raises(BadInput):
        Minimality(margin=1)


OPEN = [sf.EntropyLDiversity(2), sf.TCloseness(0.2), sf.DistinctLDiversity(2), sf.AlphaKAnonymity(0.5, 2)]


@pytest.mark.parametrize("model", OPEN, ids=lambda model: model.name)
def test_deterministic_searches_for_promises_about_values_are_open_to_it(model: Any) -> None:
    said = open_to_minimality(sf.OptimalLattice(), [sf.KAnonymity(5), model])
    assert said is not None
    assert model.name in said
    assert "k-anonymity or" not in said
    assert open_to_minimality(sf.Mondrian(), [model]) is not None


def test_k_alone_and_methods_without_a_choice_are_not_open_to_it() -> None:
    assert open_to_minimality(sf.OptimalLattice(), [sf.KAnonymity(5)]) is None
    for name in ("keep", "safepub"):
        assert name in METHODS
        method = type("Method", (), {"name": name})()
        assert open_to_minimality(method, [sf.EntropyLDiversity(2)]) is None
