"""Fuzzy linkage: it finds people behind noise and misspellings, and nobody behind shuffled columns."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.fuzzy_linkage import FuzzyLinkage
from sfumato.table.attacks.linkage import Linkage
from sfumato.table.attacks.matching._kernels_fuzzy import assign, jaro_winkler
from sfumato.table.attacks.matching.blocking import Keys, passes
from sfumato.table.attacks.matching.fellegi_sunter import estimate, weigh
from sfumato.table.attacks.matching.similarity_scores import Kind, comparison, kind_of
from sfumato.table.published import PublishedTable
from tests.oracles import fellegi_sunter as oracle
from tests.table.attacks.files import table


def score(a: str, b: str) -> float:
    scores = np.zeros(1)
    sides = [
        (np.array([ord(c) for c in text], np.int64), np.array([0, len(text)], np.int64)) for text in (a, b)
    ]
    first = np.zeros(1, np.int64)
    jaro_winkler(*sides[0], *sides[1], first, first.copy(), scores)
    return float(scores[0])


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("martha", "marhta", 0.961), ("dwayne", "duane", 0.84), ("dixon", "dicksonx", 0.813)],
)
def test_jaro_winkler_gives_the_values_of_the_textbook(a: str, b: str, expected: float) -> None:
    assert score(a, b) == pytest.approx(expected, abs=0.0005)


@settings(max_examples=200)
@given(st.text("abc", max_size=9), st.text("abc", max_size=9))
def test_jaro_winkler_follows_its_definition(a: str, b: str) -> None:
    assert score(a, b) == pytest.approx(oracle.jaro_winkler(a, b))


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 2)), min_size=3, max_size=25),
    st.floats(0.01, 0.5),
)
def test_the_estimate_is_that_of_expectation_maximisation_pair_by_pair(
    pairs: list[tuple[int, int, int]], share: float
) -> None:
    known = [2, 3, 2]
    start = [np.full(number, 1 / number) for number in known]
    levels = [np.array(column, np.int8) for column in zip(*pairs, strict=True)]
    found = estimate(levels, [number + 1 for number in known], start, share)
    matches, m, u = oracle.maximise(pairs, known, [part.tolist() for part in start], share)
    assert found.matches == pytest.approx(matches, abs=1e-4)
    for ours, theirs in zip((*found.m, *found.u), (*m, *u), strict=True):
        assert ours.tolist() == pytest.approx(theirs, abs=1e-3)
    expected = [
        oracle.weight(pair, [p.tolist() for p in found.m], [p.tolist() for p in found.u]) for pair in pairs
    ]
    assert weigh(levels, found.m, found.u).tolist() == pytest.approx(expected)


def level(known: Any, released: Any, kind: Kind | None = None, others: tuple[Any, ...] = ()) -> int:
    found, _ = comparison("it", [known, *others], [released], kind=kind)
    return int(found.levels(np.zeros(1, np.int64), np.zeros(1, np.int64))[0])


def test_levels_tell_near_from_far() -> None:
    tens = tuple(range(0, 100, 10))
    assert [level(50, other, others=tens) for other in (50, 50.1, 51, 55, 62, 70, 99, None)] == list(range(8))
    assert level(50, "[45-55]", others=tens) == 0, "inside an interval"
    assert level(50, "[51-55]", others=tens) == 2, "as far as its nearest end"
    day = dt.date(1961, 4, 3)
    released = ["1961-04-03", "1961-03-04", "1961-04-20", "1961-12-01", "1964-04-03", "1990-01-01", "*"]
    assert [level(day, other) for other in released] == list(range(7))
    assert level(day, "1961") == 0
    names = ["Martha ", "marhta", "marta x", "marxyz", "zzz", None]
    assert [level("martha", other, Kind.TEXT) for other in names] == [0, 1, 2, 3, 4, 5]
    assert [level("f", other, others=("m",)) for other in ("f", "{f, m}", "m", "*")] == [0, 0, 1, 2]


def test_generalised_codes_are_compared_by_what_they_cover() -> None:
    codes = ("81702", "81711")
    assert [level("81705", other, others=codes) for other in ("[81702-81709]", "8171*", "*")] == [0, 1, 2]


def test_kinds_are_recognised_by_what_is_known() -> None:
    assert kind_of([dt.date(2000, 1, 1), None]) is Kind.DATE
    assert kind_of([f"name {i}" for i in range(40)]) is Kind.TEXT
    assert kind_of(["17", "4", "103"]) is Kind.NUMBER


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=25, unique=True))
def test_assignment_gives_each_person_and_each_record_at_most_once_from_the_first_pair_on(
    pairs: list[tuple[int, int]],
) -> None:
    left, right = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    chosen = np.full(6, -1, np.int64)
    assign(np.arange(len(pairs)), left, right, np.full(6, -1, np.int64), np.full(6, -1, np.int64), chosen)
    expected: dict[int, int] = {}
    for i, (person, record) in enumerate(pairs):
        if person not in expected and record not in {pairs[p][1] for p in expected.values()}:
            expected[person] = i
    assert {person: int(pair) for person, pair in enumerate(chosen) if pair >= 0} == expected


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 2)), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 2)), min_size=1, max_size=12),
)
def test_a_key_brings_together_those_who_have_it_and_nobody_unknown(
    known: list[tuple[int, int]], released: list[tuple[int, int]]
) -> None:
    keys = [
        Keys(name, np.array([row[j] for row in known]), np.array([row[j] for row in released]))
        for j, name in enumerate("ab")
    ]
    found = passes(keys, [["a", "b"]])[0]
    expected = {(i, j) for i, x in enumerate(known) for j, y in enumerate(released) if x == y and -1 not in x}
    assert set(zip(found.left.tolist(), found.right.tolist(), strict=True)) == expected
    assert len(found.left) == len(expected)


def attack(
    duck: Engine, known: pd.DataFrame, released: pd.DataFrame, how: Any, *, ids: bool = True, **more: Any
) -> AttackResult:
    quasi = tuple(name for name in known.columns if name != "id")
    person = "id" if ids else None
    target = PublishedTable(table(duck, released), quasi, person=person)
    people = People(table(duck, known), {name: name for name in quasi}, person)
    found: AttackResult = how.run(target, Knowledge(people), **more)
    return found


def measurements(people: int) -> pd.DataFrame:
    random = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "id": np.arange(people),
            "income": random.lognormal(10, 0.6, people),
            "age": random.normal(45, 15, people),
            "height": random.normal(170, 10, people),
            "sex": random.choice(["f", "m"], people),
        }
    )


def with_noise(data: pd.DataFrame, share: float) -> pd.DataFrame:
    random = np.random.default_rng(6)
    noisy = data.copy()
    for name in ("income", "age", "height"):
        noisy[name] = data[name] + random.normal(0, share * data[name].std(), len(data))
    return noisy.sample(frac=1, random_state=1)


def test_noise_stops_exact_linkage_and_not_fuzzy_linkage(duck: Engine) -> None:
    known = measurements(600)
    released = with_noise(known, 0.03)
    assert attack(duck, known, released, Linkage()).success == 0.0
    result = attack(duck, known, released, FuzzyLinkage())
    assert result.success > 0.95
    assert result.scored is Scored.MEASURED
    assert int(result.details["right links"]) > 0.9 * int(result.details["links"])
    assert result.certain > 300


def test_blocks_keep_a_larger_file_from_being_compared_in_full(duck: Engine) -> None:
    known = measurements(6000)
    result = attack(duck, known, with_noise(known, 0.02), FuzzyLinkage())
    assert result.success > 0.8
    assert int(result.details["pairs compared"]) < 6000 * 6000 / 100
    assert result.details["blocking"] == "nearness"


def test_shuffled_columns_leave_nothing_to_find(duck: Engine) -> None:
    known = measurements(600)
    random = np.random.default_rng(7)
    shuffled = known.assign(
        **{name: random.permutation(known[name]) for name in known.columns if name != "id"}
    )
    result = attack(duck, known, shuffled, FuzzyLinkage())
    assert result.success < 0.02
    assert result.certain < 5


def test_microaggregation_leaves_one_of_the_group(duck: Engine) -> None:
    known = measurements(600)
    released = known.copy()
    for sex in ("f", "m"):
        order = known[known["sex"] == sex].sort_values("income").index
        for some in np.array_split(order, len(order) // 3):
            for name in ("income", "age", "height"):
                released.loc[some, name] = known.loc[some, name].mean()
    assert attack(duck, known, released, Linkage()).success == 0.0
    result = attack(duck, known, released, FuzzyLinkage())
    # Three records are alike: each group that is found gives one of three, by a coin.
    assert 0.15 < result.success < 0.3333
    assert result.success > 100 * result.baseline


def misspelt(people: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return people, and the same with one error each: a letter, a digit, or day and month exchanged."""
    random = np.random.default_rng(8)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    born = [
        dt.date(1930 + int(y), 1 + int(m), 1 + int(d))
        for y, m, d in random.integers(0, [60, 12, 12], (people, 3))
    ]
    known = pd.DataFrame(
        {
            "id": np.arange(people),
            "name": ["".join(random.choice(letters, 8)) for _ in range(people)],
            "born": born,
            "zip": [f"{number:05}" for number in random.integers(1000, 1200, people)],
            "sex": random.choice(["f", "m"], people),
        }
    )
    wrong = known.copy()
    for i in range(people):
        if i % 3 == 0:
            name = str(wrong.at[i, "name"])
            wrong.at[i, "name"] = name[:3] + name[4] + name[3] + name[5:]
        elif i % 3 == 1:
            wrong.at[i, "born"] = dt.date(born[i].year, born[i].day, born[i].month)
        else:
            zip_code = str(wrong.at[i, "zip"])
            wrong.at[i, "zip"] = zip_code[:3] + str((int(zip_code[3]) + 1) % 10) + zip_code[4]
    return known, wrong.sample(frac=1, random_state=2)


def test_people_are_found_in_spite_of_an_error_in_each_record(duck: Engine) -> None:
    known, released = misspelt(1500)
    exact = attack(duck, known, released, Linkage())
    assert exact.success < 0.1, "only where day and month are the same number"
    result = attack(duck, known, released, FuzzyLinkage(), victims=True)
    assert result.success > 0.97
    assert result.certain > 0.95 * 1500
    assert "name" in str(result.details["blocking"])
    assert len(result.victims) == 1000
    assert all(0.5 < victim.confidence <= 1.0 for victim in result.victims)


def test_a_blocking_key_that_is_wanted_is_used_alone(duck: Engine) -> None:
    known, released = misspelt(900)
    result = attack(duck, known, released, FuzzyLinkage(blocking=[["zip"]]))
    assert result.details["blocking"] == "zip"
    assert 0.6 < result.success < 0.7, "those whose ZIP code is misspelt never meet themselves"


def test_equal_records_are_a_tie_that_is_told(duck: Engine) -> None:
    known = measurements(200)
    released = pd.concat([known, known.assign(id=known["id"] + 1000)])
    result = attack(duck, known, released, FuzzyLinkage())
    assert result.details["best records that are a tie"] == 200
    assert 0.35 < result.success < 0.65
    assert result.certain == 0, "a coin is not sure"


def test_without_ids_there_are_only_claims(duck: Engine) -> None:
    known = measurements(300)
    result = attack(duck, known, with_noise(known, 0.01), FuzzyLinkage(), ids=False)
    assert result.scored is Scored.CLAIMED
    assert "claims that nobody could compare with a truth" in str(result)
    assert result.victims == ()


def test_the_seed_alone_decides_ties(duck: Engine) -> None:
    known = measurements(100)
    released = pd.concat([known, known.assign(id=known["id"] + 1000)])
    once, again = (attack(duck, known, released, FuzzyLinkage(seed=3), victims=True) for _ in range(2))
    assert once == again


def test_bad_input_is_named(duck: Engine) -> None:
    known = measurements(20)
    with pytest.raises(
        BadInput, match="fuzzy-linkage, column 'zip': there is no kind 'txt'; did you mean 'text'"
    ):
        FuzzyLinkage(kinds={"zip": "txt"})
    with pytest.raises(BadInput, match="blocking must be a list of keys"):
        FuzzyLinkage(blocking=[[]])
    with pytest.raises(BadInput, match="'zip' is not a common column"):
        attack(duck, known, known, FuzzyLinkage(blocking=[["zip"]]))
    with pytest.raises(BadInput, match="column 'sex': no known value is a number"):
        attack(duck, known, known, FuzzyLinkage(kinds={"sex": "number"}))
    with pytest.raises(BadInput, match="nobody of the identified file is in the data"):
        attack(duck, known, known.assign(id=known["id"] + 50), FuzzyLinkage())
    with pytest.raises(BadInput, match="seed must be a whole number from 0 on"):
        FuzzyLinkage(seed=-1)
    with pytest.raises(BadInput, match="threshold must be a number"):
        FuzzyLinkage(threshold=float("nan"))


def test_keys_that_leave_too_many_pairs_are_refused() -> None:
    everybody = Keys("sex", np.zeros(10_000, np.int64), np.zeros(10_000, np.int64))
    with pytest.raises(BadInput, match="the key sex leaves 100,000,000 pairs to compare"):
        passes([everybody], [["sex"]])
    assert passes([everybody], None) == [], "left open, the nearest records are weighed instead"
