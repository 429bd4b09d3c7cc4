"""Choosing among candidates: exact distributions, ε over all neighbours, sampled frequencies."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.dp._opendp import noisy_max_i64
from sfumato.dp.mechanisms.exact_choice import MOST_HALVINGS, choose_exactly, coin, halvings_of, uniform_below
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.noisy_max import Noise, ReportNoisyMax
from sfumato.dp.mechanisms.permute_and_flip import PermuteAndFlip
from sfumato.dp.mechanisms.top_k import TopK
from tests.oracles.dp_selection import (
    agrees,
    exponential_distribution,
    neighbouring_scores,
    peeled_distribution,
    permute_and_flip_distribution,
    power,
    worst_log_ratio,
)

SCORES = st.lists(st.integers(-20, 20), min_size=1, max_size=5)
EPSILONS = st.fractions(Fraction(1, 20), Fraction(4), max_denominator=40)
ORACLES = {Exponential: exponential_distribution, PermuteAndFlip: permute_and_flip_distribution}


class Scripted(SecretRandom):
    """Hands out what a test lays down, so that every draw can be enumerated."""

    def __init__(self, *draws: int) -> None:
        object.__setattr__(self, "draws", iter(draws))

    def integers(self, below: int, size: int) -> np.ndarray:
        return np.array([next(self.draws) for _ in range(size)], np.int64)


@pytest.mark.parametrize("mechanism", ORACLES)
@given(scores=SCORES, epsilon=EPSILONS, monotonic=st.booleans())
def test_probabilities_are_those_of_the_enumeration(mechanism, scores, epsilon, monotonic) -> None:
    made = mechanism(epsilon, 2, monotonic)
    expected = ORACLES[mechanism](scores, epsilon / (2 if monotonic else 4))
    assert np.allclose(made.probabilities(np.array(scores)), [float(p) for p in expected], rtol=1e-9)


@pytest.mark.parametrize("mechanism", ORACLES)
@pytest.mark.parametrize("monotonic", [False, True])
def test_no_neighbours_are_further_apart_than_epsilon_and_some_are_nearly_so(mechanism, monotonic) -> None:
    epsilon, worst = Fraction(1, 2), 0.0
    rate = mechanism(epsilon, 1, monotonic).rate
    for scores in ((0, 0, 0), (3, 0, 1), (40, 0, 0), (0, 40, 40)):
        here = ORACLES[mechanism](scores, rate)
        for other in neighbouring_scores(scores, 1, monotonic):
            worst = max(worst, worst_log_ratio(here, ORACLES[mechanism](other, rate)))
    assert 0.95 * float(epsilon) < worst <= float(epsilon) + 1e-12


def test_scores_that_are_not_monotonic_break_the_monotonic_rate() -> None:
    here = exponential_distribution((40, 0, 0), Fraction(1))
    worst = max(
        worst_log_ratio(here, exponential_distribution(other, Fraction(1)))
        for other in neighbouring_scores((40, 0, 0), 1, monotonic=False)
    )
    assert worst > 1.9


@given(
    gaps=st.lists(st.integers(0, 2**62), min_size=1, max_size=20),
    rate=st.fractions(Fraction(1, 10**6), Fraction(50), max_denominator=10**6),
)
def test_envelopes_cover_what_they_stand_for_and_are_at_most_about_twice_too_large(gaps, rate) -> None:
    for gap, k in zip(gaps, halvings_of(np.array(gaps, np.int64), rate).tolist(), strict=True):
        if rate * gap < 1000:
            assert power(-rate * gap) * 2**k <= 1
        if k < MOST_HALVINGS:
            assert power(-rate * gap) * 2**k > Fraction(49, 100)


def test_tickets_are_shared_out_in_proportion_to_the_envelopes() -> None:
    gaps = np.array([3, 0, 1, 5, 0, 3])
    halvings = halvings_of(gaps, Fraction(1))
    deepest = int(halvings.max())
    total = sum(2 ** (deepest - int(k)) for k in halvings)
    # Words of 0 let every ticket pass, so that each ticket is seen with the candidate that it stands for.
    won = Counter(choose_exactly(gaps, Fraction(1), Scripted(ticket, 0, 0, 0, 0)) for ticket in range(total))
    assert won == {place: 2 ** (deepest - int(k)) for place, k in enumerate(halvings)}


def test_a_coin_is_decided_by_as_many_bits_as_it_takes() -> None:
    bits = int(Fraction(power(Fraction(-1))) * 2**128)
    first, rest = divmod(bits, 2**64)

    def halves(word: int) -> tuple[int, int]:
        return word >> 32, word & (2**32 - 1)

    below = coin(Fraction(1), 0, Scripted(*halves(first), *halves(rest - 10**6)))
    above = coin(Fraction(1), 0, Scripted(*halves(first), *halves(rest + 10**6)))
    assert (below, above) == (True, False)


@given(bound=st.integers(1, 2**200), seed=st.integers(0, 1000))
def test_large_numbers_are_drawn_below_their_bound(bound: int, seed: int) -> None:
    assert 0 <= uniform_below(bound, SeededRandom(seed)) < bound


def test_large_numbers_are_drawn_evenly() -> None:
    bound = 3 * 2**70
    drawn = [uniform_below(bound, SecretRandom()) * 3 // bound for _ in range(3000)]
    assert agrees(np.bincount(drawn, minlength=3), [1 / 3] * 3)
    assert not agrees(np.bincount(drawn, minlength=3), [0.25, 0.25, 0.5])


@pytest.mark.parametrize("mechanism", ORACLES)
@pytest.mark.parametrize("scores", [(4, 2, 1, 4, -30), (0, 0, 0), (1000, 1001, 998)])
def test_what_is_chosen_follows_the_distribution(mechanism, scores) -> None:
    made = mechanism(1)
    drawn = [made.choose(np.array(scores)) for _ in range(3000)]
    counts = np.bincount(drawn, minlength=len(scores))
    assert agrees(counts, [float(p) for p in ORACLES[mechanism](scores, Fraction(1, 2))])
    if len(set(scores)) > 1:
        assert not agrees(counts, [float(p) for p in ORACLES[mechanism](scores, Fraction(1))])


def test_a_candidate_far_below_is_chosen_as_seldom_as_many_bits_say() -> None:
    """With 2¹⁶ equal candidates 16 halvings below one, either side wins about half of the time."""
    scores = np.zeros(2**16, np.int64)
    scores[77] = 1
    rate = Fraction("11.090354888959125")  # 16 ln 2
    won = [Exponential(2 * rate).choose(scores) == 77 for _ in range(120)]
    assert agrees(np.bincount(won, minlength=2), [0.5, 0.5])
    assert not agrees(np.bincount(won, minlength=2), [0.9, 0.1])


def test_scores_too_large_for_a_word_are_cut_off_and_never_an_error() -> None:
    scores = np.array([-(2**63), 2**63 - 1, 2**63 - 2**10], np.int64)
    for mechanism in (Exponential(1), PermuteAndFlip(1)):
        assert mechanism.choose(scores) in (1, 2)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64])
def test_whole_numbers_of_any_width_are_scores(kind: type) -> None:
    scores = np.array([1, 120, 3], kind)
    assert Exponential(2).choose(scores) == PermuteAndFlip(2).choose(scores) == 1
    assert Exponential(2).choose(np.array([0, np.iinfo(kind).max], kind)) == 1


def noisy_winners(noise: Noise, scores: np.ndarray, scale: float, rng: np.random.Generator) -> np.ndarray:
    shape = (200_000, scores.size)
    drawn = rng.gumbel(size=shape) if noise is Noise.GUMBEL else rng.exponential(size=shape)
    return np.bincount((scores + scale * drawn).argmax(axis=1), minlength=scores.size)


@pytest.mark.parametrize("noise", list(Noise))
def test_the_winner_is_the_one_of_real_noise(noise: Noise) -> None:
    scores = np.array([5, 3, 4, 0])
    counts = noisy_winners(noise, scores, 2.0, np.random.default_rng(7))
    other = Noise.GUMBEL if noise is Noise.EXPONENTIAL else Noise.EXPONENTIAL
    assert agrees(counts, ReportNoisyMax(1, noise=noise).probabilities(scores).tolist())
    assert not agrees(counts, ReportNoisyMax(1, noise=other).probabilities(scores).tolist())


@pytest.mark.parametrize("noise", list(Noise))
def test_the_winner_is_the_one_of_the_library(noise: Noise) -> None:
    scores = np.array([5, 3, 4, 0])
    drawn = [noisy_max_i64(scores, Fraction(2), gumbel=noise is Noise.GUMBEL) for _ in range(3000)]
    counts = np.bincount(drawn, minlength=4)
    assert agrees(counts, ReportNoisyMax(1, noise=noise).probabilities(scores).tolist())
    assert not agrees(counts, ReportNoisyMax(2, noise=noise).probabilities(scores).tolist())


@pytest.mark.parametrize(
    ("noise", "oracle"),
    [(Noise.EXPONENTIAL, permute_and_flip_distribution), (Noise.GUMBEL, exponential_distribution)],
)
def test_the_top_two_are_peeled_with_half_of_epsilon_each(noise, oracle) -> None:
    scores, made = (3, 1, 0), TopK(2, 4, noise=noise)
    expected = peeled_distribution(scores, 2, lambda left: oracle(left, Fraction(1)))
    drawn = Counter(tuple(made.choose(np.array(scores)).tolist()) for _ in range(2000))
    orders = list(itertools.permutations(range(3), 2))
    counts = np.array([drawn[order] for order in orders])
    assert agrees(counts, [float(expected[order]) for order in orders])
    doubled = peeled_distribution(scores, 2, lambda left: oracle(left, Fraction(2)))
    assert not agrees(counts, [float(doubled[order]) for order in orders])


def test_prices_name_epsilon_and_rho() -> None:
    assert str(Exponential("0.2").price.rho) == "0.005"
    assert str(PermuteAndFlip("0.2").price.rho) == "0.02"
    assert str(TopK(4, "0.4", noise=Noise.GUMBEL).price.rho) == "0.005"
    assert str(TopK(4, "0.4").price.epsilon) == "0.4"
    assert Exponential(Fraction(1, 3)).price.epsilon >= Fraction(1, 3)


@settings(max_examples=30)
@given(scores=st.lists(st.integers(-5, 5), min_size=2, max_size=4), epsilon=EPSILONS)
def test_log_ratios_of_the_exponential_mechanism_lie_within_a_range_of_epsilon(scores, epsilon) -> None:
    """Bounded range, from which ρ = ε²/8 follows: max − min over outcomes of ln Pr − ln Pr′ is at most ε."""
    rate = Exponential(epsilon).rate
    here = exponential_distribution(scores, rate)
    for other in neighbouring_scores(scores, 1, monotonic=False):
        there = exponential_distribution(other, rate)
        ratios = [(p / q).ln() for p, q in zip(here, there, strict=True)]
        assert float(max(ratios) - min(ratios)) <= float(epsilon) + 1e-12


@pytest.mark.parametrize("mechanism", [Exponential, PermuteAndFlip, ReportNoisyMax])
def test_what_makes_no_sense_is_refused(mechanism) -> None:
    for bad in (0, -1, float("nan"), float("inf"), True):
        with pytest.raises(BadInput):
            mechanism(bad)
    with pytest.raises(BadInput, match="sensitivity"):
        mechanism(1, 0)
    with pytest.raises(BadInput, match="nothing to choose"):
        mechanism(1).choose(np.array([], np.int64))
    with pytest.raises(BadInput, match="whole numbers"):
        mechanism(1).choose(np.array([0.5, 1.0]))
    with pytest.raises(BadInput, match="fewer than k"):
        TopK(3, 1).choose(np.array([1, 2]))
    with pytest.raises(BadInput, match="k must be"):
        TopK(0, 1)
