"""Partition selection: the inequalities of (ε, δ) for the very numbers that are drawn with."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SecretRandom
from sfumato.dp.mechanisms.partition_selection import GRID, LaplaceThreshold, PartitionSelection
from sfumato.dp.neighbours import Neighbours
from tests.oracles.dp_selection import agrees, discrete_laplace_tail, optimal_selection, power

EPSILONS = st.fractions(Fraction(1, 20), Fraction(5), max_denominator=100)
DELTAS = st.integers(1, 12).map(lambda exponent: Fraction(1, 10**exponent))


class Laid(SecretRandom):
    """Hands out what a test lays down."""

    def __init__(self, draws: list[int]) -> None:
        object.__setattr__(self, "draws", draws)

    def integers(self, below: int, size: int) -> np.ndarray:
        assert below == GRID
        assert size == len(self.draws)
        return np.array(self.draws, np.int64)


def chances(made: PartitionSelection) -> list[Fraction]:
    return [Fraction(int(limit), GRID) for limit in made._limits()]


@settings(max_examples=50)
@given(epsilon=EPSILONS, delta=DELTAS, groups=st.integers(1, 3))
def test_every_step_keeps_epsilon_and_delta_exactly(epsilon, delta, groups) -> None:
    made = PartitionSelection(epsilon, delta, groups)
    one, share = epsilon / groups, delta / groups
    grown = Fraction(power(one)) * (1 - Fraction(1, 10**45))
    pi = chances(made)
    assert pi[0] == 0
    assert pi[-1] == 1
    for fewer, more in zip(pi, [*pi[1:], Fraction(1)], strict=True):
        assert fewer <= more <= grown * fewer + share
        assert 1 - fewer <= grown * (1 - more) + share


@settings(max_examples=50)
@given(epsilon=EPSILONS, delta=DELTAS)
def test_nothing_more_could_be_told(epsilon, delta) -> None:
    made = PartitionSelection(epsilon, delta)
    best = optimal_selection(float(epsilon), float(delta), made.always_told_from)
    assert np.allclose([made.probability(n) for n in range(len(best))], best, rtol=1e-6, atol=1e-12)


def test_a_group_is_told_when_the_draw_lies_below_its_limit() -> None:
    made = PartitionSelection(1, "0.01")
    limits = [int(made._limits()[n]) for n in (1, 3, 5)]
    people = np.repeat([1, 3, 5], 2)
    told = made.keep(people, Laid([edge for limit in limits for edge in (limit - 1, limit)]))
    assert told.tolist() == [True, False] * 3


def test_an_empty_group_is_never_told_and_a_large_one_always() -> None:
    for made in (PartitionSelection(1, "0.3"), LaplaceThreshold(1, "0.3")):
        assert not made.keep(np.zeros(2000, np.int64)).any()
        assert made.keep(np.full(2000, 10**6)).all()


@pytest.mark.parametrize("mechanism", [PartitionSelection, LaplaceThreshold])
def test_groups_are_told_as_often_as_they_should(mechanism) -> None:
    made = mechanism(1, "0.05")
    for people in (1, 2, 4, 6):
        told = made.keep(np.full(20_000, people))
        counts = np.bincount(told, minlength=2)
        assert agrees(counts, [1 - made.probability(people), made.probability(people)])
        wrong = min(0.99, 1.3 * made.probability(people) + 0.02)
        if made.probability(people) < 0.9:
            assert not agrees(counts, [1 - wrong, wrong])


@settings(max_examples=50)
@given(epsilon=EPSILONS, delta=DELTAS, groups=st.integers(1, 5), neighbours=st.sampled_from(Neighbours))
def test_the_threshold_hides_who_is_alone_and_is_no_higher_than_that(
    epsilon, delta, groups, neighbours
) -> None:
    made = LaplaceThreshold(epsilon, delta, groups, neighbours)
    share, scale = float(delta) / groups, float(made.scale)
    assert discrete_laplace_tail(scale, made.threshold - 1) <= share * (1 + 1e-9)
    if made.threshold > 2:
        assert discrete_laplace_tail(scale, made.threshold - 2) > share * (1 - 1e-9)
    changed = groups * (2 if neighbours is Neighbours.SUBSTITUTION else 1)
    assert made.scale == changed / epsilon


@given(people=st.integers(1, 60), epsilon=EPSILONS)
def test_the_probability_of_the_threshold_is_a_tail_of_the_noise(people: int, epsilon) -> None:
    made = LaplaceThreshold(epsilon, "1e-4")
    tail = discrete_laplace_tail(float(made.scale), made.threshold - people)
    assert math.isclose(made.probability(people), tail, rel_tol=1e-9)


def test_replacing_a_person_changes_twice_as_many_groups() -> None:
    made = PartitionSelection(1, "1e-6", 3, Neighbours.SUBSTITUTION)
    assert made.per_group == (Fraction(1, 6), Fraction(1, 6 * 10**6))
    assert made.price == PartitionSelection(1, "1e-6").price


def test_noisy_counts_come_with_the_told_groups_alone() -> None:
    told, counts = LaplaceThreshold(1, "1e-6").counts(np.array([1000, 1, 0, 500]))
    assert told.tolist() == [True, False, False, True]
    assert counts[[1, 2]].tolist() == [0, 0]
    assert abs(counts[0] - 1000) < 60


def test_the_optimal_rule_tells_more_than_the_threshold() -> None:
    optimal, classic = PartitionSelection(1, "1e-5"), LaplaceThreshold(1, "1e-5")
    assert all(optimal.probability(n) >= classic.probability(n) - 1e-15 for n in range(40))
    assert optimal.probability(12) > 1.5 * classic.probability(12)


def test_the_price_is_known_as_rho_with_delta_beside_it() -> None:
    price = PartitionSelection("0.2", "1e-6").price
    assert (str(price.epsilon), f"{price.delta:f}", str(price.rho)) == ("0.2", "0.000001", "0.02")
    assert price.rho_delta == price.delta


@pytest.mark.parametrize("mechanism", [PartitionSelection, LaplaceThreshold])
def test_what_makes_no_sense_is_refused(mechanism) -> None:
    for bad in ((0, "1e-6"), (1, 0), (1, 1), (1, "1e-6", 0), (1, "1e-6", True), (100, "1e-6"), ("x", "1e-6")):
        with pytest.raises(BadInput):
            mechanism(*bad)
    with pytest.raises(BadInput, match="distinct people"):
        mechanism(1, "1e-6").keep(np.array([1.5]))


def test_promises_too_fine_to_be_kept_are_refused_before_any_data() -> None:
    with pytest.raises(BadInput, match="so small"):
        PartitionSelection(1, Fraction(1, 10**19))
