"""Exact bounds on beliefs, against beliefs that were enumerated."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.table.perturbation.randomisation import RetentionReplacement
from sfumato.table.perturbation.randomisation_bounds import (
    amplification,
    exactly,
    gamma_for_beliefs,
    gamma_for_growth,
    grows_at_most,
    highest_belief,
    largest_growth,
    lowest_belief,
)
from tests.oracles.randomisation import Matrix, all_beliefs, two_point_beliefs

weights = st.integers(1, 9)
shares = st.integers(1, 19).map(lambda part: Fraction(part, 20))


@st.composite
def matrices(draw: st.DrawFn) -> Matrix:
    size = draw(st.integers(2, 3))
    rows = [draw(st.lists(weights, min_size=size, max_size=size)) for _ in range(size)]
    return tuple(tuple(Fraction(part, sum(row)) for part in row) for row in rows)


@settings(max_examples=40)
@given(matrices(), shares)
def test_no_belief_passes_the_bounds_and_some_belief_reaches_them(matrix: Matrix, prior: Fraction) -> None:
    gamma = amplification(matrix).gamma
    for before, after in all_beliefs(matrix, 8):
        assert lowest_belief(gamma, before) <= after <= highest_belief(gamma, before)
    assert max(two_point_beliefs(matrix, prior)) == highest_belief(gamma, prior)
    assert min(two_point_beliefs(matrix, prior)) == lowest_belief(gamma, prior)


@settings(max_examples=40)
@given(matrices(), shares, shares)
def test_growth_is_bounded_exactly_when_no_belief_grows_more(
    matrix: Matrix, delta: Fraction, prior: Fraction
) -> None:
    gamma = amplification(matrix).gamma
    grown = max(after - before for before, after in all_beliefs(matrix, 12) if before <= prior)
    if grows_at_most(gamma, delta, prior):
        assert grown <= delta
    else:
        fine = [prior * Fraction(i, 60) for i in range(61)]
        largest = max(max(two_point_beliefs(matrix, x)) - x for x in fine)
        assert float(largest) <= largest_growth(gamma, prior) + 1e-12
        # Between two points of the grid the curve rises by less than γ times their distance.
        assert largest + gamma * prior / 60 > delta  # type: ignore[operator]


def test_the_worst_pair_is_named() -> None:
    matrix = (
        (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
        (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
        (Fraction(1, 4), Fraction(2, 3), Fraction(1, 12)),
    )
    found = amplification(matrix)
    assert (found.gamma, found.likely, found.unlikely, found.result) == (Fraction(6), 1, 2, 2)


def test_a_value_that_only_one_value_becomes_betrays_it() -> None:
    matrix = ((Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(1, 2)))
    assert amplification(matrix).gamma is None
    assert highest_belief(None, Fraction(1, 100)) == 1
    assert not grows_at_most(None, Fraction(99, 100), Fraction(1))


def test_a_result_that_never_occurs_does_not_count() -> None:
    matrix = ((Fraction(1), Fraction(0)), (Fraction(1), Fraction(0)))
    assert amplification(matrix).gamma == 1


@given(shares, shares)
def test_the_amplification_for_two_beliefs_is_the_largest_that_keeps_them(
    one: Fraction, other: Fraction
) -> None:
    assume(one != other)
    rho1, rho2 = sorted((one, other))
    gamma = gamma_for_beliefs(rho1, rho2)
    assert highest_belief(gamma, rho1) == rho2
    assert lowest_belief(gamma, rho2) == rho1
    assert highest_belief(gamma + Fraction(1, 10**9), rho1) > rho2


@given(shares, shares)
def test_the_amplification_for_growth_is_the_largest_that_keeps_it(delta: Fraction, prior: Fraction) -> None:
    gamma = gamma_for_growth(delta, prior)
    assert gamma is not None
    assert largest_growth(gamma, prior) == pytest.approx(float(delta), abs=1e-12)
    assert grows_at_most(gamma, delta, prior)
    assert not grows_at_most(gamma + Fraction(1, 10**9), delta, prior)


@given(shares)
def test_a_narrower_range_of_beliefs_never_allows_less(delta: Fraction) -> None:
    limits = [gamma_for_growth(delta, Fraction(i, 20)) for i in range(1, 21)]
    assert all(above <= below for below, above in pairwise(limits))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("rho1", "rho2", "gamma"), [(0.1, 0.5, 9), (0.2, 0.6, 6), (0.05, 0.3, Fraction(57, 7))]
)
def test_the_figures_of_the_literature(rho1: float, rho2: float, gamma: Fraction) -> None:
    """The three calibrations that were worked out beforehand, in exact fractions."""
    step = RetentionReplacement("x", rho1=rho1, rho2=rho2)
    for values in (2, 5, 100):
        matrix = step.mechanism(tuple(map(str, range(values)))).matrix
        assert amplification(matrix).gamma == gamma
        assert step.retention(values) == (gamma - 1) / (Fraction(gamma) + values - 1)


def test_numbers_are_read_as_they_are_written() -> None:
    assert exactly(0.1, "x") == Fraction(1, 10)
    assert exactly("2/3", "x") == Fraction(2, 3)
    for wrong in (True, "much", None, "1/0", float("nan")):
        with pytest.raises(BadInput):
            exactly(wrong, "x")
