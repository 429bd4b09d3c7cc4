"""Additive noise: what is kept on average, what is kept exactly, what is left alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.table.perturbation import Noise

MANY = 200_000


class Fixed:
    """Draws that are known: the standard normal numbers are those given."""

    secret = False

    def __init__(self, drawn: list[float]) -> None:
        self.drawn = drawn

    def normal(self, size: int) -> np.ndarray[Any, Any]:
        assert size == len(self.drawn)
        return np.array(self.drawn)


def columns(table: pa.Table) -> np.ndarray[Any, Any]:
    return np.column_stack([table[name].to_numpy() for name in table.column_names])


def people(rows: int = MANY) -> pa.Table:
    draw = np.random.default_rng(3)
    height = draw.normal(170, 10, rows)
    return pa.table({"height": height, "weight": 0.9 * (height - 100) + draw.normal(0, 5, rows)})


def test_uncorrelated_noise_is_the_drawn_number_times_the_root_of_alpha_times_the_variance() -> None:
    table = pa.table({"x": [0.0, 2.0]})
    after = Noise(("x",), alpha=0.5).apply(table, Fixed([1.0, -2.0])).records  # type: ignore[arg-type]
    assert after["x"].to_pylist() == [1.0, 0.0]


def test_uncorrelated_noise_adds_alpha_times_the_variances_and_no_covariance() -> None:
    before = people()
    after = columns(Noise(("height", "weight"), alpha=0.2).apply(before, SeededRandom(1)).records)
    added = np.cov(after - columns(before), rowvar=False)
    wanted = 0.2 * np.diag(np.cov(columns(before), rowvar=False))
    np.testing.assert_allclose(added, np.diag(wanted), atol=0.02 * wanted.max())
    np.testing.assert_allclose(after.mean(axis=0), columns(before).mean(axis=0), atol=0.05)


@pytest.mark.parametrize(("restore", "factor"), [("nothing", 1.3), ("expected", 1.0)])
def test_correlated_noise_scales_the_whole_covariance(restore: Any, factor: float) -> None:
    before = people()
    step = Noise(("height", "weight"), alpha=0.3, correlated=True, restore=restore)
    after = columns(step.apply(before, SeededRandom(2)).records)
    wanted = factor * np.cov(columns(before), rowvar=False)
    np.testing.assert_allclose(np.cov(after, rowvar=False), wanted, rtol=0.02)
    np.testing.assert_allclose(after.mean(axis=0), columns(before).mean(axis=0), atol=0.05)
    assert np.corrcoef(after.T)[0, 1] == pytest.approx(np.corrcoef(columns(before).T)[0, 1], abs=0.01)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-1000, 1000), min_size=3, max_size=30), st.booleans())
def test_exact_restoration_keeps_mean_and_variance(values: list[int], correlated: bool) -> None:
    table = pa.table({"x": values, "y": values[::-1]})
    step = Noise(("x", "y"), alpha=0.4, correlated=correlated, restore="exact")
    after = columns(step.apply(table, SecretRandom()).records)
    np.testing.assert_allclose(after.mean(axis=0), columns(table).mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(after.std(axis=0), columns(table).std(axis=0), atol=1e-9)


def test_columns_that_depend_on_each_other_get_noise_that_does_too() -> None:
    x = np.arange(100.0)
    after = Noise(("x", "y"), correlated=True).apply(pa.table({"x": x, "y": 2 * x}), SecretRandom()).records
    np.testing.assert_allclose(after["y"].to_numpy(), 2 * after["x"].to_numpy(), atol=1e-9)


def test_missing_values_stay_missing_and_other_columns_stay() -> None:
    table = pa.table({"x": [1, None, 3, 9], "other": ["a", "b", "c", "d"]})
    for correlated in (False, True):
        after = Noise(("x",), correlated=correlated).apply(table, SecretRandom())
        assert [value is None for value in after.records["x"].to_pylist()] == [False, True, False, False]
        assert after.records["other"].equals(table["other"])
        assert after.details["changed_values"] == 3
        assert not after.published


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "alpha must be a positive number"),
        ({"alpha": float("nan")}, "alpha must be a positive number"),
        ({"restore": "exactly"}, "did you mean 'exact'"),
    ],
)
def test_wrong_parameters_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        Noise(("x",), **options)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["a", "b"], r"column 'x': 2 of 2 values are not numbers \(first in row 1\)"),
        ([1.0, None], "fewer than two values"),
    ],
)
def test_columns_without_a_variance_are_refused(values: list[Any], message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        Noise(("x",)).apply(pa.table({"x": values}), SecretRandom())


def test_a_covariance_needs_two_whole_rows() -> None:
    table = pa.table({"x": [1.0, 2.0, None], "y": [None, 1.0, 2.0]})
    with pytest.raises(sf.BadInput, match="fewer than two rows have a value in all columns"):
        Noise(("x", "y"), correlated=True).apply(table, SecretRandom())
