"""Uniform noise: how far values move, how evenly they are drawn, and what stays as it is."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.randomness import SecretRandom, SeededRandom


@settings(max_examples=80)
@given(
    st.lists(st.one_of(st.none(), st.integers(0, 120)), min_size=1, max_size=30),
    st.floats(1, 9),
    st.booleans(),
)
def test_no_value_moves_farther_than_the_bound_and_whole_numbers_stay_whole(
    ages: list[int | None], within: float, whole: bool
) -> None:
    column = pa.array(ages, pa.int64() if whole else pa.float64())
    step = sf.UniformNoise("age", within=within, low=0, high=120)
    after = step.apply(pa.table({"age": column}), SecretRandom()).records.column("age")
    assert after.type == column.type
    for before, now in zip(ages, after.to_pylist(), strict=True):
        assert (before is None) == (now is None)
        if before is not None:
            assert abs(now - before) <= within
            assert 0 <= now <= 120


def test_every_whole_number_within_the_bound_is_equally_likely() -> None:
    rows = 50_000
    table = pa.table({"age": pa.array([30] * rows)})
    drawn = sf.UniformNoise("age", within=2.9).apply(table, SeededRandom(5)).records.column("age")
    counted = Counter(drawn.to_pylist())
    assert set(counted) == {28, 29, 30, 31, 32}
    # Five sigma of a binomial: a false alarm is rarer than one in a million.
    for number in counted.values():
        assert abs(number - rows / 5) < 5 * (rows * 0.2 * 0.8) ** 0.5


def test_near_a_bound_only_what_is_possible_is_drawn() -> None:
    rows = 20_000
    table = pa.table({"age": pa.array([1] * rows)})
    drawn = sf.UniformNoise("age", within=2, low=0).apply(table, SeededRandom(6)).records.column("age")
    counted = Counter(drawn.to_pylist())
    assert set(counted) == {0, 1, 2, 3}
    for number in counted.values():
        assert abs(number - rows / 4) < 5 * (rows * 0.25 * 0.75) ** 0.5


def test_numbers_spread_evenly_and_their_variance_grows_as_it_is_said() -> None:
    table = pa.table({"x": pa.array(np.full(100_000, 10.0))})
    moved = sf.UniformNoise("x", within=3).apply(table, SeededRandom(7)).records.column("x").to_numpy() - 10
    assert np.abs(moved).max() <= 3
    assert moved.mean() == pytest.approx(0, abs=5 * (9 / 3 / 100_000) ** 0.5)
    assert moved.var() == pytest.approx(9 / 3, rel=0.03)


def test_dates_move_by_whole_days() -> None:
    days = [dt.date(2024, 2, 28), None, dt.date(2024, 12, 31)]
    table = pa.table({"day": pa.array(days)})
    after = sf.UniformNoise("day", within=3).apply(table, SecretRandom()).records.column("day").to_pylist()
    assert after[1] is None
    for before, now in ((days[0], after[0]), (days[2], after[2])):
        assert before is not None
        assert abs((now - before).days) <= 3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: sf.UniformNoise("age", within=0), "within must be a positive number"),
        (lambda: sf.UniformNoise("age", within=float("nan")), "within must be a positive number"),
        (lambda: sf.UniformNoise("age", within=True), "within must be a positive number"),
        (lambda: sf.UniformNoise((), within=1), "no column is named"),
        (lambda: sf.UniformNoise("age", within=1, low=3, high=3), "low must lie below high"),
    ],
)
def test_what_cannot_be_is_refused(make: Any, words: str) -> None:
    with pytest.raises(sf.BadInput, match=words):
        make()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (sf.UniformNoise("age", within=0.5), "its values are whole"),
        (sf.UniformNoise("age", within=2, low=35), "1 values lie beyond 'low' or 'high'"),
        (sf.UniformNoise("name", within=2), "2 of 2 values are not numbers"),
        (sf.UniformNoise("year", within=2), "there is no column 'year'"),
    ],
)
def test_columns_that_do_not_fit_are_refused(step: sf.UniformNoise, words: str) -> None:
    table = pa.table({"age": [30, 40], "name": ["a", "b"]})
    with pytest.raises(sf.BadInput, match=words):
        step.apply(table, SecretRandom())


def test_a_recipe_moves_all_ages_by_up_to_two_years() -> None:
    ages = pd.DataFrame({"age": [20, 31, 42, 53, 64, 75]})
    release = sf.protect(
        ages,
        quasi="age",
        models=sf.KAnonymity(1),
        method="keep",
        order="kept",
        perturb={"uniform-noise": {"columns": ["age"], "within": 2}},
    )
    assert ((release.data["age"].astype(int) - ages["age"]).abs() <= 2).all()
    assert release.public is not None
    assert not release.public.truthful
    assert release.public.perturbation[0].parameters["within"] == 2
