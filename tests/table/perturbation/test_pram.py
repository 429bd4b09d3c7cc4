"""PRAM: exact probabilities, exact invariance."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.table.perturbation import Pram
from sfumato.table.perturbation.pram import product, second_stage


@st.composite
def matrices(draw: st.DrawFn) -> tuple[tuple[tuple[Fraction, ...], ...], list[int]]:
    size = draw(st.integers(1, 5))
    rows = []
    for _ in range(size):
        parts = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any))
        rows.append(tuple(Fraction(part, sum(parts)) for part in parts))
    return tuple(rows), draw(st.lists(st.integers(0, 50), min_size=size, max_size=size))


@settings(max_examples=100)
@given(matrices())
def test_two_stages_leave_expected_frequencies_as_they_are(found: Any) -> None:
    first, frequencies = found
    second = second_stage(first, np.array(frequencies))
    both = product(first, second)
    size = len(first)
    assert all(sum(row) == 1 and min(row) >= 0 for row in (*second, *both))
    assert [sum(frequencies[u] * both[u][v] for u in range(size)) for v in range(size)] == frequencies


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=60), st.sampled_from([0.0, 0.5, 0.8, 1.0]))
def test_the_matrix_that_is_published_is_invariant_for_the_column(column: list[str], retain: float) -> None:
    step = Pram(("x",), retain=retain, invariant=True)
    (mechanism,) = step.apply(pa.table({"x": column}), SecretRandom()).mechanisms
    counts = [column.count(str(value)) for value in mechanism.values]
    size = len(counts)
    assert [sum(counts[u] * mechanism.matrix[u][v] for u in range(size)) for v in range(size)] == counts


def test_the_default_matrix_keeps_or_deals_out_evenly() -> None:
    done = Pram(("x",), retain=0.7).apply(pa.table({"x": ["c", "a", "b", "a"]}), SecretRandom())
    (mechanism,) = done.mechanisms
    assert mechanism.values == ("a", "b", "c")
    stay, leave = Fraction(7, 10), Fraction(3, 20)
    assert mechanism.matrix == ((stay, leave, leave), (leave, stay, leave), (leave, leave, stay))


def test_draws_follow_the_matrix() -> None:
    step = Pram(("x",), values=("a", "b", "c"), matrix=((0.5, 0.3, 0.2), (0, 1, 0), ("1/3", "1/3", "1/3")))
    column = ["a"] * 20_000 + ["b"] * 100 + ["c"] * 30_000
    after = step.apply(pa.table({"x": column}), SeededRandom(4)).records["x"].to_pylist()
    assert {value: round(count / 20_000, 2) for value, count in Counter(after[:20_000]).items()} == {
        "a": 0.5,
        "b": 0.3,
        "c": 0.2,
    }
    assert set(after[20_000:20_100]) == {"b"}
    assert all(abs(count - 10_000) < 400 for count in Counter(after[20_100:]).values())


def test_each_draw_of_the_source_decides_a_value() -> None:
    """Tenths: 0 to 6 stay, 7 and 8 become b, 9 becomes c."""

    class Tenths:
        secret = False

        def integers(self, below: int, size: int) -> np.ndarray[Any, Any]:
            assert (below, size) == (10, 10)
            return np.arange(10)

    step = Pram(("x",), values=("a", "b", "c"), matrix=((0.7, 0.2, 0.1), (0, 1, 0), (0, 0, 1)))
    after = step.apply(pa.table({"x": ["a"] * 10}), Tenths()).records["x"].to_pylist()  # type: ignore[arg-type]
    assert "".join(after) == "aaaaaaabbc"


def test_missing_values_stay_missing_unless_they_are_listed() -> None:
    table = pa.table({"x": ["a", None, "b", None]})
    for options in ({}, {"invariant": True}, {"values": ("a", "b"), "matrix": ((0, 1), (1, 0))}):
        done = Pram(("x",), **options).apply(table, SecretRandom())  # type: ignore[arg-type]
        assert [value is None for value in done.records["x"].to_pylist()] == [False, True, False, True]
        assert done.mechanisms[0].values == ("a", "b", None)
        assert done.mechanisms[0].matrix[2] == (0, 0, 1)
    swap = Pram(("x",), values=("a", "b", None), matrix=((0, 0, 1), (0, 1, 0), (1, 0, 0)))
    assert swap.apply(table, SecretRandom()).records["x"].to_pylist() == [None, "a", "b", "a"]


def test_numbers_and_truth_values_keep_their_type() -> None:
    table = pa.table({"n": [1, 2, 2], "b": [True, False, False]})
    done = Pram(("n", "b"), retain=0.0).apply(table, SecretRandom())
    assert done.records["n"].to_pylist() == [2, 1, 1]
    assert done.records["b"].to_pylist() == [False, True, True]
    assert done.details["changed_values"] == 6
    given = Pram(("n",), values=("1", "2", "3"), matrix=((0, 0, 1), (0, 0, 1), (0, 0, 1)))
    assert given.apply(table, SecretRandom()).records["n"].to_pylist() == [3, 3, 3]


def test_one_value_stays_what_it_is() -> None:
    for invariant in (False, True):
        done = Pram(("x",), retain=0.2, invariant=invariant).apply(
            pa.table({"x": ["a", "a"]}), SecretRandom()
        )
        assert done.records["x"].to_pylist() == ["a", "a"]
        assert done.mechanisms[0].matrix == ((Fraction(1),),)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"retain": 1.2}, "retain must lie between 0 and 1"),
        ({"values": ("a", "b")}, "'values' and 'matrix' need each other"),
        ({"values": ("a", "a"), "matrix": ((1, 0), (0, 1))}, "a value is named twice"),
        (
            {"values": ("a", "b"), "matrix": ((0.9, 0.1), (0.2, 0.7))},
            "row 2 of the matrix: its entries sum to 0.9",
        ),
        (
            {"values": ("a", "b"), "matrix": ((1.5, -0.5), (0, 1))},
            "row 1 of the matrix: an entry is negative",
        ),
        ({"values": ("a", "b"), "matrix": ((1, 0),)}, "it has 2 entries of 1 rows, and there are 2 values"),
        ({"values": ("a", "b"), "matrix": ((1, 0, 0), (0, 1, 0))}, "it has 3 entries of 2 rows"),
        ({"values": ("a",), "matrix": (("one",),)}, "an entry is not a number"),
    ],
)
def test_wrong_matrices_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        Pram(("x",), **options)


def test_tenths_that_sum_to_one_as_written_are_accepted() -> None:
    assert 0.1 + 0.2 + 0.7 != 1 or 0.7 + 0.2 + 0.1 != 1
    Pram(("x",), values=("a", "b", "c"), matrix=((0.7, 0.2, 0.1), (0.1, 0.2, 0.7), (0.2, 0.1, 0.7)))


@pytest.mark.parametrize(
    ("column", "options", "message"),
    [
        (
            ["a", "b"],
            {"values": ("a",), "matrix": ((1,),)},
            r"1 rows have a value that .* \(first in row 2\)",
        ),
        ([1, 2], {"values": ("1", "2", "x"), "matrix": ((1, 0, 0),) * 3}, "'values' are not of the type"),
        ([None, None], {}, "it has no values"),
        (
            [str(i) for i in range(200)],
            {"invariant": True},
            "200 values are too many for an invariant matrix",
        ),
    ],
)
def test_columns_that_the_matrix_does_not_fit_are_refused(
    column: list[Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(sf.BadInput, match=message):
        Pram(("x",), **options).apply(pa.table({"x": column}), SecretRandom())
