"""What an auditor tried against releases without interaction: how people enter, and what choices betray."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterator
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.randomness import Random, SeededRandom
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.coding import attribute_of, coded
from sfumato.query.metadata import Column, Table, Type
from sfumato.query.methods import METHODS
from sfumato.query.methods.contract import Attribute, Coded, Problem
from sfumato.query.methods.curator import DataCurator
from sfumato.query.methods.diffgen import Score, _Rules
from sfumato.query.methods.taxonomy import Cut

AGE = Column("age", Type.INTEGER, Fraction(0), Fraction(9))
VISITS = Table("visits", {"age": AGE}, person="who", rows_per_person=5, max_rows=1000)
PEOPLE = Table("people", {"age": AGE}, person=None, rows_per_person=1, max_rows=1000)
ROWS = st.lists(st.tuples(st.sampled_from(["a", "b", "c", None]), st.integers(0, 9)), max_size=12)


def _positions(rows: list[tuple[str | None, int]], random: Random | None = None) -> list[int]:
    data = pa.table(
        {
            "who": pa.array([who for who, _ in rows], pa.string()),
            "age": pa.array([age for _, age in rows], pa.int64()),
        }
    )
    return [int(code) for code in coded(data, VISITS, ["age"], random=random).codes[:, 0]]


@given(ROWS)
def test_people_count_once_and_rows_of_nobody_not_at_all(rows: list[tuple[str | None, int]]) -> None:
    """Rows without a name could all be the same person's, who would then count as often as there are."""
    names = {who for who, _ in rows} - {None}
    found = _positions(rows)
    assert len(found) == len(names)
    assert set(found) <= {age for who, age in rows if who is not None}


@given(st.lists(st.sampled_from([0, 1, 2, None]), min_size=1, max_size=8))
def test_a_name_that_a_dictionary_holds_twice_is_one_person(places: list[int | None]) -> None:
    names = pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(["p", "p", None]))
    data = pa.table({"who": names, "age": [1] * len(places)})
    assert len(coded(data, VISITS, ["age"]).codes) == int(bool({0, 1} & set(places)))


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (AGE, ["3", "three", None]),
        (Column("x", Type.NUMBER, Fraction(0), Fraction(1), Fraction(1, 10)), ["0.3", "0,3", None]),
        (Column("x", Type.BOOLEAN), ["true", "perhaps", None]),
        (Column("x", Type.DATE, Fraction(0), Fraction(9)), ["1970-01-03", "1970-02-30", None]),
    ],
)
def test_no_value_of_a_person_decides_whether_there_is_a_release(column: Column, values: list[str]) -> None:
    """A value that cannot be read is missing, for its own row alone: an error would tell that it is there."""
    table = Table("t", {"x": column}, None, 1, 100)
    attribute = attribute_of(column)
    first = coded(pa.table({"x": values[:1]}), table).codes[0, 0]
    absent = attribute.size - 1
    assert first != absent
    assert coded(pa.table({"x": values}), table).codes[:, 0].tolist() == [first, absent, absent]


def test_the_time_of_day_is_no_error() -> None:
    day = Column("x", Type.DATE, Fraction(0), Fraction(9))
    data = pa.table({"x": [datetime.datetime(1970, 1, 3, 0, 0), datetime.datetime(1970, 1, 3, 17, 5)]})
    assert coded(data, Table("t", {"x": day}, None, 1, 100)).codes[:, 0].tolist() == [2, 2]


@pytest.mark.filterwarnings("error")
def test_numbers_past_all_bounds_are_clamped_without_a_word() -> None:
    fine = Column("x", Type.NUMBER, Fraction(0), Fraction(1), Fraction(1, 10**6))
    found = coded(pa.table({"x": [1e308, -1e308]}), Table("t", {"x": fine}, None, 1, 100))
    assert found.codes[:, 0].tolist() == [99, 0]


def test_bins_may_end_with_the_calendar() -> None:
    last = (datetime.date.max - datetime.date(1970, 1, 1)).days
    labels = attribute_of(Column("x", Type.DATE, Fraction(0), Fraction(last))).labels
    assert len(labels) == 101
    assert len(set(labels)) == 101


SMALL = (
    Attribute("a", ("x", "y", "z")),
    Attribute("b", tuple("01234"), tuple(float(i) for i in range(6))),
    Attribute("c", ("no", "yes")),
)


@pytest.mark.parametrize("name", sorted(METHODS))
@pytest.mark.parametrize("price", [Price.pure(1), Price.approximate(1, "1e-9")], ids=str)
@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize("people", [0, 1])
def test_nobody_and_one_person_are_released_like_any_others(
    name: str, price: Price, neighbours: Neighbours, people: int
) -> None:
    codes = np.zeros((people, 3), np.int32)
    solution = METHODS[name]().protect(Problem(Coded(SMALL, codes), price, neighbours, "c"))
    assert solution.records is not None or solution.tables


def _data_sets(positions: int, most: int) -> Iterator[tuple[tuple[int, int], ...]]:
    rows = list(itertools.product(range(positions), range(2)))
    for people in range(most + 1):
        yield from itertools.combinations_with_replacement(rows, people)


def _neighbouring(
    data: tuple[tuple[int, int], ...], positions: int, neighbours: Neighbours
) -> Iterator[tuple[tuple[int, int], ...]]:
    for i in range(len(data)):
        rest = data[:i] + data[i + 1 :]
        if neighbours is Neighbours.ADD_REMOVE:
            yield rest
        else:
            yield from ((*rest, row) for row in itertools.product(range(positions), range(2)))


def _split_chances(
    data: tuple[tuple[int, int], ...], neighbours: Neighbours, score: Score, share: int
) -> list[NDArray[np.float64]]:
    """Return the exact distribution of each of the two choices that split the halves of a number."""
    edges = tuple(float(i) for i in range(7))
    attributes = (Attribute("n", tuple("012345"), edges), Attribute("c", ("0", "1")))
    codes = np.array(data, np.int32).reshape(-1, 2)
    curator = DataCurator(Problem(Coded(attributes, codes), Price.pure(8), neighbours))
    halves = Cut.top(attributes[0]).with_split(0, ((0, 1, 2), (3, 4, 5))).specialised(0)
    seen: list[NDArray[np.float64]] = []

    def choose(self: Exponential, scores: NDArray[np.int64], random: Random | None = None) -> int:
        seen.append(self.probabilities(scores))
        return 0

    with patch.object(Exponential, "choose", choose):
        _Rules(curator, 1, score, Fraction(share)).split(halves, 0, range(2))
    return seen


@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize("score", list(Score))
def test_two_choices_about_different_people_cost_no_more_than_one(
    neighbours: Neighbours, score: Score
) -> None:
    """Of all data sets of up to two people, no two neighbours are told apart by more than ε = 1."""

    def worst(share: int) -> float:
        found = 0.0
        chances = {d: _split_chances(d, neighbours, score, share) for d in _data_sets(6, 2)}
        for data, mine in chances.items():
            for other in _neighbouring(data, 6, neighbours):
                theirs = chances[tuple(sorted(other))]
                apart = [np.abs(np.log(p / q)).max() for p, q in zip(mine, theirs, strict=True)]
                found = max(found, sum(apart))
        return found

    assert 0.1 < worst(1) <= 1.0 + 1e-9
    # An eighth of the noise would be seen.
    assert worst(8) > 1.0


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 1)), min_size=1, max_size=8),
    st.integers(0, 7),
    st.sampled_from(sorted(METHODS)),
)
def test_rows_come_in_any_order_and_only_noise_tells(
    rows: list[tuple[int, int, int]], turn: int, name: str
) -> None:
    """With the same chance the same people in another order give the same release: no row has a place."""
    turned = rows[turn % len(rows) :] + rows[: turn % len(rows)]
    made = []
    for each in (rows, turned):
        problem = Problem(
            Coded(SMALL, np.array(each, np.int32)),
            Price.pure(2),
            Neighbours.ADD_REMOVE,
            "c",
            SeededRandom(turn),
        )
        made.append(METHODS[name]().protect(problem))
    one, other = made
    assert [t.counts.tolist() for t in one.tables] == [t.counts.tolist() for t in other.tables]
    if one.records is not None and other.records is not None:
        assert one.records.codes.tolist() == other.records.codes.tolist()
    assert (one.steps, one.published) == (other.steps, other.published)
