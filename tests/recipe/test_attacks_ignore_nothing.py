"""What is given to an attack is used, or refused: an answer about everybody is none about one person."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.attack import Need, Scored
from sfumato.table.attacks import ATTACKS
from sfumato.table.attacks.contract import used_by

SHOWN = pd.DataFrame(
    {"zip": ["476**"] * 3 + ["479**"] * 3, "ill": ["flu", "flu", "flu", "cold", "flu", "hiv"]}
)
ASKED: dict[str, Any] = {"quasi": "zip", "sensitive": "ill"}


@pytest.mark.parametrize(("zip_code", "learned"), [("47677", 1), ("47999", 0)])
def test_homogeneity_answers_of_the_person_who_is_asked_about(zip_code: str, learned: int) -> None:
    person = pd.DataFrame({"name": ["Alice"], "zip": [zip_code]})
    found = sf.attack(SHOWN, "homogeneity", with_=person, **ASKED)[0]
    assert (found.attempts, found.success, found.certain) == (1, float(learned), learned)
    assert found.scored is Scored.CLAIMED
    everybody = sf.attack(SHOWN, "homogeneity", **ASKED)[0]
    assert (everybody.attempts, everybody.success) == (6, 0.5)


def test_somebody_who_fits_no_record_is_not_learned_of_and_is_counted() -> None:
    people = pd.DataFrame({"name": ["Alice", "Zoe"], "zip": ["47677", "10000"]})
    found = sf.attack(SHOWN, "homogeneity", with_=people, **ASKED)[0]
    assert (found.attempts, found.success) == (2, 0.5)
    assert found.details["people_who_fit_no_record"] == 1
    assert "1 of 2 people of the file fit no record" in found.note


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["[1-2]", "[1-3]", "3", "[3-4]"]), st.sampled_from("xyz")),
        min_size=1,
        max_size=8,
    ),
    st.lists(st.tuples(st.sampled_from("ABC"), st.integers(1, 4)), min_size=1, max_size=5),
)
def test_all_records_that_may_be_somebodys_have_one_value(
    records: list[tuple[str, str]], people: list[tuple[str, int]]
) -> None:
    def covers(label: str, age: int) -> bool:
        bounds = [int(part) for part in label.strip("[]").split("-")]
        return bounds[0] <= age <= bounds[-1]

    candidates = {(who, age): {ill for label, ill in records if covers(label, age)} for who, age in people}
    hit = {who for (who, _), values in candidates.items() if len(values) == 1}
    shown = pd.DataFrame(records, columns=["age", "ill"])
    known = pd.DataFrame(people, columns=["who", "age"])
    if not any(candidates.values()):
        return
    found = sf.attack(shown, "homogeneity", quasi="age", sensitive="ill", with_=known, person="who")[0]
    assert found.attempts == len({who for who, _ in people})
    assert found.certain == len(hit)


def test_background_knowledge_answers_of_the_file_also_where_the_original_is_at_hand() -> None:
    original = pd.DataFrame({"zip": ["47601", "47602", "47603", "47901", "47902", "47903"]})
    original = original.assign(ill=SHOWN["ill"])
    person = pd.DataFrame({"name": ["Alice"], "zip": ["47677"]})
    found = sf.attack(SHOWN, "background-knowledge", with_=person, original=original, **ASKED)[0]
    assert (found.attempts, found.success) == (1, 1.0)
    assert "rules are looked for in the original only where everybody in it is attacked" in found.note


GIVEN: dict[Need, dict[str, Any]] = {
    Need.PEOPLE: {"with_": pd.DataFrame({"zip": ["47677"]})},
    Need.OTHERS: {"others": SHOWN},
    Need.POPULATION: {"population": pd.DataFrame({"zip": ["47677"] * 9})},
}


@pytest.mark.parametrize("need", GIVEN, ids=str)
@pytest.mark.parametrize("name", ["homogeneity", "skewness", "similarity", "attribute-inference", "linkage"])
def test_what_a_named_attack_does_not_look_at_is_refused(name: str, need: Need) -> None:
    if need in used_by(ATTACKS[name]()):
        return
    with pytest.raises(sf.BadInput, match=f"{name} does not look at {need}"):
        sf.attack(SHOWN, name, **ASKED, **GIVEN[need])


def test_every_attack_on_tables_says_what_it_looks_at() -> None:
    reading = {name for name, kind in ATTACKS.items() if Need.PEOPLE in used_by(kind)}  # type: ignore[arg-type]
    assert reading == {
        "background-knowledge",
        "composition",
        "fuzzy-linkage",
        "homogeneity",
        "linkage",
        "search-logs",
        "sparse-matching",
    }


@pytest.mark.parametrize("key", ["with", "others"])
def test_recipes_refuse_it_too(key: str) -> None:
    with pytest.raises(sf.BadInput, match=rf"skewness does not look at .*, which '{key}' gives"):
        sf.protect(SHOWN, **ASKED, models=sf.KAnonymity(3), attacks={"skewness": {key: SHOWN}})


def test_of_several_attacks_those_about_everybody_are_named() -> None:
    found = sf.attack(SHOWN, ["linkage", "skewness"], with_=pd.DataFrame({"zip": ["47677"]}), **ASKED)
    assert "not about the people of the file, but about everybody: skewness" in found.said
