"""Randomised response: exact draws by enumeration, ε by brute force, estimators without bias."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SecretRandom
from sfumato.dp.local import OptimisedUnaryEncoding, better_for
from sfumato.dp.mechanisms.randomised_response import (
    GRID,
    CoinFlip,
    KaryRandomisedResponse,
    RandomisedResponse,
)
from tests.oracles.dp_selection import agrees, power

EPSILONS = st.fractions(Fraction(1, 10**4), Fraction(30), max_denominator=10**4)


class Laid(SecretRandom):
    """Hands out one array after another, so that every draw can be enumerated."""

    def __init__(self, *draws: list[int]) -> None:
        object.__setattr__(self, "draws", iter(draws))

    def integers(self, below: int, size: int) -> np.ndarray:
        drawn = np.array(next(self.draws), np.int64)
        assert drawn.size == size
        assert size == 0 or drawn.max() < below
        return drawn


@st.composite
def matrices(draw, most: int = 4):
    k = draw(st.integers(2, most))
    rows = []
    for _ in range(k):
        weights = draw(st.lists(st.integers(1, 9), min_size=k, max_size=k))
        rows.append(tuple(Fraction(w, sum(weights)) for w in weights))
    return tuple(rows)


def test_the_coin_is_three_quarters_and_one_quarter_exactly() -> None:
    """All four equally likely outcomes of the two tosses, for a no and for a yes."""
    told = CoinFlip().answer(np.array([0] * 4 + [1] * 4), Laid([0, 1, 2, 3], [0, 1, 2, 3]))
    assert np.bincount(told[:4]).tolist() == [3, 1]
    assert np.bincount(told[4:]).tolist() == [1, 3]
    assert CoinFlip().gamma == 3
    assert CoinFlip().price.epsilon >= Fraction("1.098612288668109691")


@given(matrix=matrices())
def test_every_row_is_drawn_with_its_exact_probabilities(matrix) -> None:
    made = RandomisedResponse(matrix)
    for u, row in enumerate(matrix):
        whole = math.lcm(*(p.denominator for p in row))
        draws = [[] for _ in matrix]
        draws[u] = list(range(whole))
        told = made.answer(np.full(whole, u), Laid(*draws))
        assert [Fraction(int(n), whole) for n in np.bincount(told, minlength=len(row))] == list(row)


@given(matrix=matrices())
def test_epsilon_is_the_worst_ratio_rounded_up(matrix) -> None:
    worst = max(
        matrix[a][v] / matrix[b][v]
        for v in range(len(matrix))
        for a, b in itertools.product(range(len(matrix)), repeat=2)
    )
    made = RandomisedResponse(matrix)
    assert made.gamma == worst
    assert power(Fraction(made.epsilon)) >= worst * (1 - Fraction(1, 10**40))
    assert math.isclose(made.epsilon, math.log(worst), rel_tol=1e-12, abs_tol=1e-15)
    if worst > 1:
        assert power(Fraction(made.price.epsilon)) >= worst


def test_an_answer_that_proves_something_has_no_epsilon() -> None:
    made = RandomisedResponse.of([[1, 0], ["1/2", "1/2"]])
    assert made.gamma is None
    assert made.epsilon == math.inf
    with pytest.raises(BadInput, match="proves something"):
        assert made.price


def test_an_answer_that_nobody_gives_does_not_count() -> None:
    assert RandomisedResponse.of([["1/2", "1/2", 0], ["1/4", "3/4", 0]]).gamma == 2


@given(k=st.integers(2, 10**6), epsilon=EPSILONS)
def test_k_ary_answers_never_cost_more_than_epsilon_and_hardly_less(k: int, epsilon: Fraction) -> None:
    made = KaryRandomisedResponse(k, epsilon)
    assert made.truth + (k - 1) * made.other == 1
    assert 1 <= made.gamma <= Fraction(power(epsilon))
    # One unit of 2⁻⁶² on q moves p/q by at most this share of itself.
    assert made.gamma >= Fraction(power(epsilon)) * (1 - 2 * Fraction(k, GRID) / made.other / made.truth)


@given(epsilon=EPSILONS)
def test_unary_reports_never_cost_more_than_epsilon(epsilon: Fraction) -> None:
    made = OptimisedUnaryEncoding(3, epsilon)
    chances = []
    for value in range(3):
        bit = [Fraction(1, 2) if place == value else made.flip for place in range(3)]
        chances.append(
            [
                math.prod(p if one else 1 - p for p, one in zip(bit, report, strict=True))
                for report in itertools.product((False, True), repeat=3)
            ]
        )
    worst = max(a / b for first in chances for second in chances for a, b in zip(first, second, strict=True))
    assert worst == made.gamma <= Fraction(power(epsilon))


def test_k_ary_answers_are_cut_at_exactly_their_probabilities() -> None:
    made = KaryRandomisedResponse(5, 1)
    whole = made.truth.denominator
    edge = int(made.truth * whole)
    told = made.answer(np.array([3] * 6), Laid([edge - 1] + [edge] * 5, [0, 0, 1, 2, 3, 0]))
    assert told.tolist() == [3, 4, 0, 1, 2, 4]


def test_bits_are_cut_at_exactly_their_probabilities() -> None:
    made = OptimisedUnaryEncoding(2, 1)
    flip = int(made.flip * GRID)
    bits = made.answer(np.array([0, 1]), Laid([GRID // 2 - 1, flip - 1, flip, GRID // 2]))
    assert bits.tolist() == [[True, True], [False, False]]


def test_k_ary_answers_follow_their_distribution() -> None:
    made = KaryRandomisedResponse(4, 1)
    told = made.answer(np.full(200_000, 2))
    expected = [float(made.truth) if v == 2 else float(made.other) for v in range(4)]
    assert agrees(np.bincount(told, minlength=4), expected)
    assert not agrees(np.bincount(told, minlength=4), [0.17, 0.17, 0.49, 0.17])


def by_enumeration(matrix, truth: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of the estimated counts over everything that these people may tell."""
    made, k = RandomisedResponse(matrix), len(matrix)
    mean, square = np.zeros(k), np.zeros(k)
    for told in itertools.product(range(k), repeat=len(truth)):
        chance = float(math.prod(matrix[u][v] for u, v in zip(truth, told, strict=True)))
        counts = made.estimate(np.bincount(told, minlength=k)).counts
        mean += chance * counts
        square += chance * counts**2
    return mean, square - mean**2


@pytest.mark.parametrize(
    "matrix",
    [
        CoinFlip().matrix,
        RandomisedResponse.retention("0.4", 3).matrix,
        tuple(tuple(Fraction(w, 10) for w in row) for row in ((6, 3, 1), (2, 7, 1), (2, 2, 6))),
    ],
)
def test_estimates_are_right_on_average_and_their_errors_are_the_true_ones(matrix) -> None:
    k = len(matrix)
    truth = [0, 0, 1, k - 1, 0]
    mean, variance = by_enumeration(matrix, truth)
    counts = np.bincount(truth, minlength=k)
    assert np.allclose(mean, counts)
    expected = np.array([float(sum(int(c) * matrix[u][v] for u, c in enumerate(counts))) for v in range(k)])
    assert np.allclose(RandomisedResponse(matrix).estimate(expected).count_errors ** 2, variance)


def test_k_ary_estimates_are_those_of_its_matrix() -> None:
    made, observed = KaryRandomisedResponse(3, 1), np.array([500, 300, 200])
    matrix = RandomisedResponse(
        tuple(tuple(made.truth if u == v else made.other for v in range(3)) for u in range(3))
    )
    here, there = made.estimate(observed), matrix.estimate(observed)
    for name in ("counts", "count_errors", "shares", "share_errors"):
        assert np.allclose(getattr(here, name), getattr(there, name))


def test_shares_of_a_population_err_as_often_as_their_standard_error_says() -> None:
    made, rng, n = CoinFlip(), np.random.default_rng(5), 400
    found = [
        made.estimate(np.bincount(made.answer((rng.random(n) < 0.3).astype(np.int64)), minlength=2))
        for _ in range(500)
    ]
    within = sum(abs(one.shares[1] - 0.3) <= 2 * one.share_errors[1] for one in found)
    # Two standard errors cover about 95 %; half of them, 68 %.
    assert agrees(np.array([500 - within, within]), [0.05, 0.95])
    half = sum(abs(one.shares[1] - 0.3) <= one.share_errors[1] for one in found)
    assert not agrees(np.array([500 - half, half]), [0.05, 0.95])


def test_unary_estimates_and_their_errors_are_those_of_the_bits() -> None:
    made, people, true = OptimisedUnaryEncoding(4, 1), 1000, np.array([600, 250, 150, 0])
    flip = float(made.flip)
    expected_ones = true / 2 + (people - true) * flip
    found = made.estimate(expected_ones, people)
    variance = (true * 0.25 + (people - true) * flip * (1 - flip)) / (0.5 - flip) ** 2
    assert np.allclose(found.counts, true)
    assert np.allclose(found.count_errors**2, variance)
    assert math.isclose(variance[3] / people, made.variance, rel_tol=1e-9)
    sent = made.answer(np.repeat(np.arange(4), true))
    estimate = made.estimate(sent.sum(axis=0), people)
    # Hoeffding: 1000 independent bits stray by 105 with at most 2 e^(−22); less than 1e-8 for all four.
    assert np.all(np.abs(estimate.counts - true) <= 105 / (0.5 - flip))


@given(k=st.integers(2, 5000), epsilon=st.fractions(Fraction(1, 10), Fraction(6), max_denominator=100))
def test_the_better_protocol_has_the_smaller_variance(k: int, epsilon: Fraction) -> None:
    grown = math.exp(epsilon)
    kary = (k - 2 + grown) / (grown - 1) ** 2
    unary = 4 * grown / (grown - 1) ** 2
    assert isinstance(better_for(k, epsilon), KaryRandomisedResponse) == (kary < unary)


def test_the_same_person_is_never_asked_for_a_raw_value_in_an_error() -> None:
    with pytest.raises(BadInput) as refused:
        CoinFlip().answer(np.array([0, 7777]))
    assert "7777" not in str(refused.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: RandomisedResponse.of([["0.5", "0.4"], ["0.5", "0.5"]]),
        lambda: RandomisedResponse.of([["1.5", "-0.5"], ["0.5", "0.5"]]),
        lambda: RandomisedResponse.of([["1"], ["0.5", "0.5"]]),
        lambda: RandomisedResponse.of([[Fraction(1, 3**50), 1 - Fraction(1, 3**50)]] * 2),
        lambda: RandomisedResponse.retention(0, 3).estimate(np.array([1, 2, 3])),
        lambda: RandomisedResponse.retention(0, 3).price,
        lambda: RandomisedResponse(((0.75, 0.25), (0.25, 0.75))),
        lambda: RandomisedResponse.of([["0.5", "0.25", "0.25"]] * 2).estimate(np.array([1, 2])),
        lambda: CoinFlip().estimate(np.array([0, 0])),
        lambda: CoinFlip().estimate(np.array([1, 2, 3])),
        lambda: KaryRandomisedResponse(1, 1),
        lambda: KaryRandomisedResponse(3, 0),
        lambda: KaryRandomisedResponse(3, 41),
        lambda: OptimisedUnaryEncoding(10**8, 1).answer(np.array([0, 1])),
        lambda: OptimisedUnaryEncoding(3, 1).estimate(np.array([1, 2, 3]), 0),
    ],
)
def test_what_makes_no_sense_is_refused(call) -> None:
    with pytest.raises(BadInput):
        call()
