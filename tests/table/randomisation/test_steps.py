"""Randomising a column: what is drawn, with which probabilities, and what is refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.table.perturbation.randomisation import MatrixRandomisation, RetentionReplacement, drawn_from
from sfumato.table.perturbation.randomisation_bounds import amplification

ILLS = ("flu", "HIV", "cancer")
WAYS: list[dict[str, float]] = [
    {"keep": 0.3},
    {"gamma": 4},
    {"rho1": 0.1, "rho2": 0.5},
    {"delta": 0.2},
    {"delta": 0.1, "prior": 0.2},
]


def far_off(found: np.ndarray[Any, Any], expected: np.ndarray[Any, Any], trials: int) -> bool:
    """Whether shares lie further than five standard deviations from their probabilities."""
    spread = np.sqrt(expected * (1 - expected) / trials)
    return bool((np.abs(found - expected) > 5 * spread + 1e-9).any())


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_values_change_as_the_published_matrix_says(way: dict[str, float]) -> None:
    step = RetentionReplacement("ill", ILLS, replacement=(2, 1, 1), **way)
    for value, row in zip(ILLS, step.mechanism(ILLS).matrix, strict=True):
        assert sum(row) == 1
        outcome = step.apply(pa.table({"ill": [value] * 40_000}), SeededRandom(7))
        drawn = outcome.records.column("ill").to_pylist()
        found = np.array([drawn.count(ill) for ill in ILLS]) / len(drawn)
        assert not far_off(found, np.array(row, float), len(drawn))


def test_a_matrix_of_ones_own_is_drawn_from() -> None:
    matrix = (("1/3", "1/3", "1/3"), (0.1, 0.8, 0.1), (0, 0.5, 0.5))
    step = MatrixRandomisation("ill", ILLS, matrix)
    records = pa.table({"ill": [*ILLS] * 30_000, "other": list(range(90_000))})
    outcome = step.apply(records, SeededRandom(3))
    assert outcome.records.column("other").equals(records.column("other"))
    before = np.array(records.column("ill").to_pylist())
    after = np.array(outcome.records.column("ill").to_pylist())
    for u, one in enumerate(ILLS):
        found = np.array([(after[before == one] == other).mean() for other in ILLS])
        assert not far_off(found, np.array([float(Fraction(p)) for p in matrix[u]]), 30_000)
    assert outcome.published["gamma"] == "unbounded"


@settings(max_examples=30)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any), st.integers(0, 2**32))
def test_draws_never_show_what_has_probability_zero(weights: list[int], seed: int) -> None:
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    drawn = drawn_from(shares, 50, SeededRandom(seed))
    assert all(weights[position] for position in drawn)


def test_keeping_everything_changes_nothing_and_keeping_nothing_forgets_the_value() -> None:
    records = pa.table({"ill": ["flu", "HIV", None, "cancer"]})
    kept = RetentionReplacement("ill", (*ILLS, None), keep=1).apply(records, SecretRandom())
    assert kept.records.equals(records)
    assert kept.details["changed rows"] == 0
    forgotten = RetentionReplacement("ill", ILLS, keep=0).mechanism(ILLS)
    assert len(set(forgotten.matrix)) == 1
    assert amplification(forgotten.matrix).gamma == 1


def test_the_domain_is_said_to_come_from_the_data_when_it_does() -> None:
    records = pa.table({"ill": ["flu", None, "HIV"]})
    outcome = RetentionReplacement("ill", gamma=2).apply(records, SecretRandom())
    assert outcome.published["domain"] == "taken from the data"
    assert "which of them occur" in str(outcome.published["warning"])
    assert outcome.mechanisms[0].values == ("HIV", "flu", None)
    stated = RetentionReplacement("ill", (*ILLS, None), gamma=2).apply(records, SecretRandom())
    assert stated.published["domain"] == "from metadata"
    assert "warning" not in stated.published


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([1, 2, 2], pa.int64()), (1, 2, 3)),
        (pa.array([1.5, 2.0, None]), (1.5, 2, None)),
        (pa.array([True, False, True]), (True, False)),
        (pa.array([dt.date(2024, 2, 29)] * 3), ("2024-02-29", "2024-03-01")),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ("a", "b")),
    ],
    ids=["integers", "numbers", "truth values", "dates", "categories"],
)
def test_columns_keep_their_type(column: pa.Array, values: tuple[Any, ...]) -> None:
    step = RetentionReplacement("x", values, keep=0.5)
    outcome = step.apply(pa.table({"x": column}), SeededRandom(5)).records.column("x")
    plain = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    assert outcome.type == plain.type
    everything = RetentionReplacement("x", values, keep=0).apply(
        pa.table({"x": pa.concat_arrays([plain] * 60)}), SeededRandom(5)
    )
    assert len(set(everything.records.column("x").to_pylist())) == len(values)


def test_parameters_of_many_digits_keep_a_little_less_than_allowed() -> None:
    step = RetentionReplacement("x", ILLS, rho1=0.12345678912345678, rho2=0.5123456789123456)
    gamma = amplification(step.mechanism(ILLS).matrix).gamma
    assert gamma is not None
    rho1, rho2 = Fraction("0.12345678912345678"), Fraction("0.5123456789123456")
    limit = rho2 * (1 - rho1) / (rho1 * (1 - rho2))
    assert limit - Fraction(1, 10**15) < gamma <= limit
    step.apply(pa.table({"x": ["flu"]}), SecretRandom())


MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: RetentionReplacement("x"), "one way"),
    (lambda: RetentionReplacement("x", keep=0.5, gamma=3), "one way"),
    (lambda: RetentionReplacement("x", gamma=3, prior=0.5), "one way"),
    (lambda: RetentionReplacement("x", keep=1.5), "between 0 and 1"),
    (lambda: RetentionReplacement("x", gamma=0.5), "at least 1"),
    (lambda: RetentionReplacement("x", rho1=0.1), "go together"),
    (lambda: RetentionReplacement("x", rho1=0.5, rho2=0.1), "smaller than rho2"),
    (lambda: RetentionReplacement("x", rho1=0.0, rho2=0.5), "between 0 and 1"),
    (lambda: RetentionReplacement("x", delta=1.0), "between 0 and 1"),
    (lambda: RetentionReplacement("x", delta=0.1, prior=0.0), "prior"),
    (lambda: RetentionReplacement("x", ("a", "a"), keep=0.5), "twice"),
    (lambda: RetentionReplacement("x", (), keep=0.5), "empty"),
    (lambda: RetentionReplacement("x", "ab", keep=0.5), "one text"),  # type: ignore[arg-type]
    (lambda: RetentionReplacement("x", tuple(map(str, range(3000))), keep=0.5), "too many"),
    (lambda: RetentionReplacement("x", ("a", "b"), keep=0.5, replacement=(1,)), "one weight"),
    (lambda: RetentionReplacement("x", ("a", "b"), keep=0.5, replacement=(1, -1)), "negative"),
    (lambda: RetentionReplacement("x", ("a", "b"), keep=0.5, replacement=(0, 0)), "all weights"),
    (lambda: RetentionReplacement("x", ("a", "b"), gamma=3, replacement=(1, 0)), "never drawn"),
    (lambda: MatrixRandomisation("x", ("a", "b"), ((1, 0),)), "a row and a column"),
    (lambda: MatrixRandomisation("x", ("a", "b"), ((1, 0), (0.3, 0.6))), "row 2"),
    (lambda: MatrixRandomisation("x", ("a", "b"), ((1, 0), (1.5, -0.5))), "row 2"),
    (lambda: MatrixRandomisation("x", ("a", "b"), (("much", 0), (1, 0))), "not a number"),
]


@pytest.mark.parametrize(("mistake", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_parameters_that_make_no_sense_are_refused(mistake: Callable[[], Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        mistake()


def test_values_outside_the_domain_are_counted_and_never_shown() -> None:
    step = RetentionReplacement("ill", ("flu", "HIV"), keep=0.5)
    with pytest.raises(BadInput) as caught:
        step.apply(pa.table({"ill": ["flu", "cancer", None, "cancer"]}), SecretRandom())
    assert "3 rows" in str(caught.value)
    assert "first in row 2" in str(caught.value)
    assert "null" in str(caught.value)
    assert "cancer" not in str(caught.value)


def test_a_column_that_is_not_there_and_a_value_of_another_type_are_refused() -> None:
    with pytest.raises(BadInput, match="did you mean 'ill'"):
        RetentionReplacement("il", keep=0.5).apply(pa.table({"ill": ["flu"]}), SecretRandom())
    with pytest.raises(BadInput, match="int64"):
        RetentionReplacement("x", ("1", "one"), keep=0.5).apply(pa.table({"x": [1]}), SecretRandom())


def test_an_empty_table_stays_empty() -> None:
    records = pa.table({"ill": pa.array([], pa.string())})
    assert RetentionReplacement("ill", ILLS, keep=0.5).apply(records, SecretRandom()).records.num_rows == 0
