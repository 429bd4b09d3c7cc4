"""Populations are made of people: wherever one is given, somebody with several rows counts once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.engine import open_engine
from sfumato.engine.sources import Frame
from sfumato.table.count import count
from sfumato.table.judge import Judge
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
from tests.oracles.population_people import chances, fewest, presence

ONE = pd.DataFrame({"who": ["A"] * 5, "zip": ["1"] * 5, "visit": list("abcde")})
RELEASED = pd.DataFrame({"who": ["A"], "zip": ["1"]})
POPULATION = st.lists(st.tuples(st.sampled_from("ABCDEF"), st.sampled_from("1234")), min_size=1, max_size=14)
PAIRS = {"1": "1-2", "2": "1-2", "3": "3-4", "4": "3-4"}


def frame(rows: list[Any], names: tuple[str, str] = ("who", "zip")) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(names))


@pytest.mark.parametrize("named", [{"person": "who"}, {"population_person": "who"}], ids=str)
def test_one_person_in_five_rows_is_one_person(named: dict[str, str]) -> None:
    (verdict,) = sf.check(RELEASED, quasi="zip", models=sf.KMap(5), population=ONE, **named)
    assert (verdict.holds, verdict.achieved) == (False, "k = 1")
    (verdict,) = sf.check(RELEASED, quasi="zip", models=sf.DeltaPresence(0, 0.5), population=ONE, **named)
    assert (verdict.holds, verdict.achieved) == (False, "shares from 1 to 1")


@pytest.mark.parametrize("method", ["mondrian", {"optimal-lattice": {"suppress": 0.0}}, "keep"], ids=str)
@pytest.mark.parametrize("model", [sf.KMap(2), sf.DeltaPresence(0, 0.5)], ids=str)
def test_nothing_is_released_behind_one_person(method: Any, model: Any) -> None:
    for named in ({"person": "who"}, {"population_person": "who", "identifier": "who"}):
        with pytest.raises(sf.PromiseNotMet):
            sf.protect(RELEASED, quasi="zip", models=model, method=method, population=ONE, **named)


def test_a_person_column_is_found_however_it_is_written() -> None:
    listed = ONE.rename(columns={"who": "Who"})
    (verdict,) = sf.check(RELEASED, quasi="zip", models=sf.KMap(2), population=listed, person="who")
    assert verdict.achieved == "k = 1"


def test_rows_that_repeat_another_are_warned_of_with_their_number() -> None:
    asked: dict[str, Any] = {"quasi": "zip", "models": sf.KMap(2), "population": ONE[["who", "zip"]]}
    (verdict,) = sf.check(RELEASED, **asked)
    assert verdict.note.startswith("4 rows repeat another in every column of the population")
    release = sf.protect(RELEASED, identifier="who", **asked)
    told = [warning for warning in release.evidence.warnings if "repeat another" in warning]
    assert told[0].startswith("4 rows repeat another in every column of the population")
    assert any("4 rows repeat another" in said for said in release.evidence.risk_before.said)
    attacked = sf.attack(RELEASED[["zip"]], "membership", quasi="zip", population=ONE[["who", "zip"]])
    assert any("4 rows repeat another" in said for said in attacked.said)


def test_rows_that_are_taken_as_people_are_warned_of() -> None:
    release = sf.protect(RELEASED, quasi="zip", identifier="who", models=sf.KMap(2), population=ONE[["zip"]])
    assert "no column names the people of the population: each of its rows counts as one person" in (
        release.evidence.warnings
    )
    named = sf.protect(
        RELEASED, quasi="zip", identifier="who", models=sf.KMap(1), population=ONE, population_person="who"
    )
    assert not [warning for warning in named.evidence.warnings if "population" in warning]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"population_person": "whom"}, "the population has no column 'whom' to name its people"),
        ({"population_person": "zip"}, "'zip' is a quasi-identifier, and cannot name the people"),
        ({"population": None, "population_person": "who"}, "speaks of a population that is not there"),
        (
            {"population": ONE.assign(who=["A", None, None, "A", "A"]), "population_person": "who"},
            "2 of 5 rows of the population do not say whose they are",
        ),
    ],
)
def test_a_person_column_that_cannot_serve_is_refused(more: dict[str, Any], words: str) -> None:
    calls: list[Any] = [
        lambda **asked: sf.check(RELEASED, quasi="zip", models=sf.KAnonymity(1), **asked),
        lambda **asked: sf.protect(RELEASED, quasi="zip", models=sf.KAnonymity(1), identifier="who", **asked),
        lambda **asked: sf.risk(RELEASED, quasi="zip", **asked),
        lambda **asked: sf.attack(RELEASED, "membership", quasi="zip", **asked),
    ]
    for call in calls:
        with pytest.raises(sf.BadInput, match=words):
            call(**{"population": ONE, **more})


@settings(max_examples=150, deadline=None)
@given(POPULATION, st.lists(st.integers(0, 20), min_size=1, max_size=6))
def test_checkers_count_people(population: list[Any], chosen: list[int]) -> None:
    released = [population[i % len(population)] for i in chosen]
    found = sf.check(
        frame(released),
        quasi="zip",
        person="who",
        models=[sf.KMap(1), sf.DeltaPresence(0, 1), sf.DeltaPresence(0.3, 0.7)],
        population=frame(population),
    )
    assert found[0].achieved == f"k = {fewest(released, population, str)}"
    shares = presence(released, population, str)
    assert found[1].holds
    assert found[2].holds == all(Fraction(3, 10) <= share <= Fraction(7, 10) for share in shares)


@settings(max_examples=100, deadline=None)
@given(POPULATION, st.lists(st.integers(0, 20), min_size=1, max_size=6), st.sampled_from([1, 2, 3]))
def test_searches_count_people_also_those_who_lie_in_several_cells(
    population: list[Any], chosen: list[int], k: int
) -> None:
    released = [population[i % len(population)] for i in chosen]
    engine = open_engine("duckdb")
    try:
        cells = count(
            engine.read(Frame(frame(released))),
            ["zip"],
            population=engine.read(Frame(frame(population, ("one", "zip")))),
            population_person="one",
        ).cells
    finally:
        engine.close()
    rule = Rule(RuleKind.MIN_POPULATION, (k,), monotone=True)
    judge = Judge.of(Problem(cells, (None,), (rule,)))
    labels = [PAIRS[str(cells.domains[0].values[code])] for code in cells.codes[0]]
    classes = np.array([["1-2", "3-4"].index(label) for label in labels])
    inside = {PAIRS[value] for _, value in released}
    for at, label in enumerate(["1-2", "3-4"]):
        people = {who for who, value in population if PAIRS[value] == label}
        assert judge.satisfied(classes, 2)[at] == (label not in inside or len(people) >= k)


METHODS: list[Any] = [
    "mondrian",
    {"mondrian": {"output": "hierarchy"}},
    {"optimal-lattice": {"suppress": 0.0}},
    {"optimal-lattice": {"suppress": 0.3}},
    "datafly",
    "incognito",
    "local-recoding",
]


def cohort(seed: int) -> tuple[list[Any], list[Any]]:
    """Make a population whose people are listed up to four times, often elsewhere, and a sample of it."""
    rng = np.random.default_rng(seed)
    population = [
        (f"p{who}", int(rng.integers(20, 36))) for who in range(30) for _ in range(rng.integers(1, 5))
    ]
    taken = {f"p{who}" for who in rng.permutation(30)[:14]}
    first = dict(reversed(population))
    return [(who, first[who]) for who in sorted(taken)], population


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_what_is_released_is_shared_by_people_of_the_population(method: Any) -> None:
    hierarchies = {"age": {"intervals": {"widths": [2, 4, 8], "origin": 20}}}
    for seed in range(2):
        released, population = cohort(seed)
        data = frame(released, ("who", "age"))
        shown = sf.protect(
            data.assign(copy=data["who"], was=data["age"]),
            quasi="age",
            person="who",
            confirmed=["copy", "was"],
            models=sf.KMap(5),
            method=method,
            hierarchies=hierarchies,
            population=frame(population, ("one", "age")),
            population_person="one",
            order="kept",
        )
        labels = dict(zip(shown.data["was"].astype(int), shown.data["age"].astype(str), strict=True))
        for label in set(labels.values()):
            people = {who for who, age in population if _covers(label, age)}
            assert len(people) >= 5
        assert shown.verdicts[0].holds


def _covers(label: str, age: int) -> bool:
    """Read an age, a range of ages or all of them, as releases write them."""
    if label == "*":
        return True
    bounds = [int(part) for part in label.strip("[]").split("-")]
    return bounds[0] <= age <= bounds[-1]


def test_presence_of_people_in_several_cells_is_searched_as_it_is_checked() -> None:
    # Of {a, x} and of {b, x} one half is in the data, and of {a, b, x} two thirds.
    population = [("a", 1), ("x", 1), ("b", 2), ("x", 2), *((f"p{i}", 3 + i % 2) for i in range(8))]
    released = [("a", 1), ("b", 2), ("p0", 3), ("p1", 4)]
    asked: dict[str, Any] = {
        "quasi": "age",
        "person": "who",
        "hierarchies": {"age": {"intervals": {"widths": [2, 4], "origin": 1}}},
        "population": frame(population, ("who", "age")),
    }
    data, model = frame(released, ("who", "age")), sf.DeltaPresence(0, 0.5)
    # A node that breaks the promise does not speak against those below it.
    release = sf.protect(data, models=model, method={"optimal-lattice": {"suppress": 0.0}}, **asked)
    assert sorted(set(release.data["age"].astype(str))) == ["1", "2", "3", "4"]
    assert sf.protect(data, models=model, method="mondrian", **asked).verdicts[0].holds


@settings(max_examples=120, deadline=None)
@given(POPULATION, st.lists(st.integers(0, 20), min_size=1, max_size=4), st.booleans())
def test_an_adversary_knows_the_people_of_the_population(
    population: list[Any], chosen: list[int], generalised: bool
) -> None:
    released = [population[i % len(population)] for i in chosen]
    # Nobody is released twice: rows of a release without persons are people.
    released = list({who: (who, value) for who, value in released}.values())
    shown = (lambda value: f"[{PAIRS[value]}]") if generalised else str
    table = pd.DataFrame({"zip": [shown(value) for _, value in released]})
    expected = chances(released, population, shown)
    assume(len(released) <= len(expected))
    found = sf.attack(
        table,
        "membership",
        quasi="zip",
        population=frame([(who, int(value)) for who, value in population]),
        population_person="who",
    )[0]
    assert found.attempts == len(expected)
    assert found.details["greatest_probability"] == pytest.approx(float(max(expected.values())))
    assert found.details["least_probability"] == pytest.approx(float(min(expected.values())))
    right = sum(max(share, 1 - share) for share in expected.values()) / len(expected)
    assert found.success == pytest.approx(float(right))


def test_rows_of_one_person_in_the_release_are_no_several_chances() -> None:
    # Everybody has a row in both towns; half of the people are in, with both rows.
    everybody = [(f"p{i}", town) for i in range(8) for town in "12"]
    inside = frame([(who, town) for who, town in everybody if int(who[1:]) % 2])
    found = sf.attack(inside, "membership", quasi="zip", person="who", population=frame(everybody))[0]
    assert (found.attempts, found.highest, found.success) == (8, 0.5, 0.5)


def test_somebody_who_is_listed_five_times_hides_behind_nobody() -> None:
    listed = pd.DataFrame({"name": ["A"] * 5, "age": [20, 21, 22, 23, 24]})
    shown = pd.DataFrame({"age": ["[20-24]"]})
    by_rows = sf.attack(shown, "linkage", quasi="age", with_=listed)[0]
    assert by_rows.highest == pytest.approx(0.2)
    named = sf.attack(shown, "linkage", quasi="age", with_=listed, person="name")[0]
    assert (named.attempts, named.highest) == (1, 1.0)


def test_people_are_told_inside_and_outside_by_one_row_each() -> None:
    rng = np.random.default_rng(1)
    people = pd.DataFrame({"id": np.arange(60), "a": rng.normal(size=60), "b": rng.normal(size=60)})
    twice = pd.concat([people, people], ignore_index=True)
    inside = people[people["id"] < 20]
    asked: dict[str, Any] = {"quasi": ["a", "b"], "person": "id", "original": inside}
    once = sf.attack(inside, "membership-by-distance", population=people, **asked)[0]
    again = sf.attack(inside, "membership-by-distance", population=twice, **asked)[0]
    assert again.attempts == once.attempts
    assert again.success == once.success


@pytest.mark.parametrize("attack", ["membership", {"membership": {}}], ids=str)
def test_a_release_is_attacked_with_the_people_of_its_population(attack: Any) -> None:
    everybody = pd.DataFrame({"one": list("AAAAABBC"), "zip": list("11111223")})
    data = pd.DataFrame({"zip": ["1", "2"]})
    release = sf.protect(
        data,
        quasi="zip",
        models=sf.KMap(1),
        method="keep",
        population=everybody,
        population_person="one",
        attacks=attack,
    )
    found = next(one for one in release.attacks if one.name == "membership")
    assert found.after.attempts == 3
    assert found.after.highest == 1.0
