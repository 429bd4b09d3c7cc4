"""Swapping: values stay, people change."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.table.perturbation import RankSwapping, RecordSwapping, ValueSwapping
from sfumato.table.perturbation._kernels_swapping import partners

values = st.lists(st.one_of(st.none(), st.integers(-50, 50)), min_size=1, max_size=40)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.integers(0, 20), st.integers(0, 99))
def test_partners_are_mutual_near_and_never_missed(n: int, window: int, seed: int) -> None:
    partner = np.empty(n, np.int64)
    partners(SeededRandom(seed).uniform(n), window, partner)
    assert (partner[partner] == np.arange(n)).all()
    assert (abs(partner - np.arange(n)) <= window).all()
    alone = np.flatnonzero(partner == np.arange(n))
    # Who stays alone had nobody free within reach: two of them are always further apart.
    assert (np.diff(alone) > window).all()


def test_all_free_partners_are_equally_likely() -> None:
    random, seen = SeededRandom(5), Counter[int]()
    for _ in range(6000):
        partner = np.empty(8, np.int64)
        partners(random.uniform(8), 3, partner)
        seen[int(partner[0])] += 1
    assert set(seen) == {1, 2, 3}
    assert all(abs(count - 2000) < 200 for count in seen.values())


@settings(max_examples=40, deadline=None)
@given(values, st.sampled_from([0.1, 5.0, 12.5, 100.0]))
def test_rank_swapping_keeps_the_values_and_moves_none_further_than_told(
    column: list[int | None], percent: float
) -> None:
    step = RankSwapping(("x",), percent=percent)
    table = pa.table({"x": pa.array(column, pa.int64())})
    after = step.apply(table, SecretRandom()).records["x"].to_pylist()
    assert Counter(after) == Counter(column)
    assert [value is None for value in after] == [value is None for value in column]
    present = sorted(value for value in column if value is not None)
    window = step.window(len(present))
    for before, now in zip(column, after, strict=True):
        if before is not None and now is not None:
            # Equal values are ranked by chance: the nearest of their ranks counts.
            ranks = [[i for i, value in enumerate(present) if value == x] for x in (before, now)]
            assert min(abs(a - b) for a in ranks[0] for b in ranks[1]) <= window


def test_the_window_is_a_share_of_the_values_rounded_up() -> None:
    assert RankSwapping(("x",), percent=5.0).window(100) == 5
    assert RankSwapping(("x",), percent=0.1).window(3) == 1


def test_ranks_of_numbers_in_texts_are_those_of_the_numbers() -> None:
    table = pa.table({"x": ["9", "10", "11", "100"]})
    for _ in range(20):
        after = RankSwapping(("x",), percent=25.0).apply(table, SecretRandom()).records["x"].to_pylist()
        assert {after[0], after[1]} in ({"9", "10"}, {"9", "11"}) or after[0] == "9"
        assert after[0] != "100"


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from("ab")), max_size=30),
    st.booleans(),
)
def test_value_swapping_keeps_every_stratum(rows: list[tuple[int, int, str]], together: bool) -> None:
    table = pa.table(
        {name: [row[j] for row in rows] for j, name in enumerate("xys")},
        schema=pa.schema({"x": pa.int64(), "y": pa.int64(), "s": pa.string()}),
    )
    step = ValueSwapping(("x", "y"), strata=("s",), together=together)
    after = step.apply(table, SecretRandom()).records
    before, now = table.to_pylist(), after.to_pylist()
    for column in "xy":
        assert Counter((r[column], r["s"]) for r in before) == Counter((r[column], r["s"]) for r in now)
    if together:
        assert Counter((r["x"], r["y"]) for r in before) == Counter((r["x"], r["y"]) for r in now)


def test_only_a_share_of_each_stratum_takes_part() -> None:
    table = pa.table({"x": list(range(1000)), "s": ["a"] * 600 + ["b"] * 400})
    done = ValueSwapping(("x",), strata=("s",), share=0.1).apply(table, SeededRandom(1))
    moved = [i for i, value in enumerate(done.records["x"].to_pylist()) if value != i]
    assert done.details["changed_values"] == len(moved)
    # 60 and 40 take part; a few of them are dealt what they had.
    assert 50 <= sum(i < 600 for i in moved) <= 60
    assert 30 <= sum(i >= 600 for i in moved) <= 40


def test_record_swapping_exchanges_whole_keys_of_records_that_match() -> None:
    draw = np.random.default_rng(1)
    table = pa.table(
        {
            "town": list(range(500)),
            "region": [f"r{i}" for i in range(500)],
            "age": draw.integers(0, 4, 500),
            "ill": draw.integers(0, 9, 500),
        }
    )
    done = RecordSwapping(("town", "region"), match=("age",), share=0.2).apply(table, SeededRandom(2))
    after = done.records.to_pylist()
    swapped = [i for i, row in enumerate(after) if row["town"] != i]
    assert len(swapped) == 2 * int(done.details["swapped_pairs"])
    assert 90 <= len(swapped) <= 100
    for i in swapped:
        partner = after[i]["town"]
        assert after[partner]["town"] == i
        assert after[i]["region"] == f"r{partner}"
        assert after[i]["age"] == after[partner]["age"]
    assert done.records["ill"].equals(table["ill"])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RankSwapping(("x",), percent=0.0), "percent must lie between 0 and 100"),
        (lambda: ValueSwapping(("x",), share=1.5), "share must lie between 0 and 1"),
        (lambda: RecordSwapping(("x",), share=0.0), "share must lie between 0 and 1"),
        (lambda: ValueSwapping(("x",), strata=("x",)), "'x' is swapped and cannot be in 'strata' too"),
        (lambda: RecordSwapping(("x",), match=("x",)), "'x' is swapped and cannot be in 'match' too"),
        (lambda: RecordSwapping(()), "no column is named"),
    ],
)
def test_wrong_parameters_are_refused(make: Any, message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        make()


def test_ranks_need_numbers_and_columns_that_are_there() -> None:
    with pytest.raises(sf.BadInput, match="1 of 2 values are not numbers"):
        RankSwapping(("x",)).apply(pa.table({"x": ["1", "b"]}), SecretRandom())
    with pytest.raises(sf.BadInput, match="there is no column 'y'"):
        ValueSwapping(("x",), strata=("y",)).apply(pa.table({"x": [1]}), SecretRandom())
