"""Differential identifiability: the bound by brute force over worlds and answers, and what ε means."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dp.group_privacy import NOT_PROMISED, group_privacy
from sfumato.dp.identifiability import (
    DifferentialIdentifiability,
    at_most,
    composed_rho,
    epsilon_to_rho,
    rho_to_epsilon,
    sensitive_range,
    what_epsilon_means,
)
from sfumato.dp.neighbours import Neighbours
from tests.oracles.dp_selection import discrete_laplace, power

WORLDS = st.lists(st.integers(0, 12), min_size=2, max_size=6).filter(lambda answers: len(set(answers)) > 1)


def highest_posterior(answers: list[int], scale: float) -> float:
    """The largest Pr[world | R] over all worlds and all answers R: beyond both ends it does not change."""
    noise = discrete_laplace(scale, 40)
    worst = 0.0
    for told in range(min(answers) - 1, max(answers) + 2):
        weights = [noise[told - answer] for answer in answers]
        worst = max(worst, max(weights) / sum(weights))
    return worst


@given(answers=WORLDS, share=st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100))
def test_no_world_is_believed_with_more_than_rho(answers: list[int], share: Fraction) -> None:
    m = len(answers)
    rho = Fraction(1, m) + share * (1 - Fraction(1, m))
    promise = DifferentialIdentifiability(rho, m)
    scale = promise.scale(max(answers) - min(answers))
    assert highest_posterior(answers, float(scale)) <= float(rho) + 1e-12
    assert promise.noise(max(answers) - min(answers)).scale == scale


@given(m=st.integers(2, 6), rho=st.fractions(Fraction(52, 100), Fraction(9, 10), max_denominator=100))
def test_the_bound_is_reached_when_one_world_stands_against_all_others(m: int, rho: Fraction) -> None:
    scale = DifferentialIdentifiability(rho, m).scale(7)
    assert math.isclose(highest_posterior([0] * (m - 1) + [7], float(scale)), float(rho), rel_tol=1e-9)
    assert highest_posterior([0] * (m - 1) + [7], 0.9 * float(scale)) > float(rho)


@given(
    m=st.integers(2, 10**6),
    share=st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000),
    width=st.integers(1, 1000),
)
def test_scales_are_rounded_up_and_rho_never_down(m: int, share: Fraction, width: int) -> None:
    rho = Fraction(1, m) + share * (1 - Fraction(1, m))
    promise = DifferentialIdentifiability(rho, m)
    spent = width / promise.scale(width)
    reached = 1 / (1 + (m - 1) * Fraction(power(-spent)))
    assert reached <= rho
    assert rho - reached < Fraction(1, 10**12)
    assert Fraction(composed_rho([(width, promise.scale(width))], m)) >= reached
    assert promise.kept_by([(width, promise.scale(width))])
    assert not promise.kept_by([(width, promise.scale(width) * (1 - Fraction(1, 10**6)))])


def test_answers_add_up_before_they_are_turned_into_rho() -> None:
    promise = DifferentialIdentifiability(0.5, 10)
    half = 2 * promise.scale(1)
    assert promise.kept_by([(1, half), (1, half)])
    assert not promise.kept_by([(1, half), (1, half), (1, 1000)])
    assert composed_rho([(1, half), (3, 3 * half)], 10) == pytest.approx(0.5, rel=1e-12)
    assert composed_rho([], 10) == 0.1


@pytest.mark.parametrize(("rho", "m"), [("0.1", 10), ("0.25", 4), ("0.005", 100), (Fraction(1, 3), 3)])
def test_less_than_a_blind_guess_cannot_be_promised(rho, m: int) -> None:
    with pytest.raises(PromiseNotMet, match="a blind guess among"):
        DifferentialIdentifiability(rho, m)


@given(epsilon=st.fractions(Fraction(1, 100), Fraction(12), max_denominator=100), m=st.integers(2, 10**5))
def test_epsilon_and_rho_turn_into_each_other(epsilon: Fraction, m: int) -> None:
    for neighbours, times in ((Neighbours.SUBSTITUTION, 1), (Neighbours.ADD_REMOVE, 2)):
        rho = epsilon_to_rho(epsilon, m, neighbours=neighbours)
        assert rho == pytest.approx(1 / (1 + (m - 1) * math.exp(-times * epsilon)), rel=1e-12)
        if rho < 1:
            back = rho_to_epsilon(Fraction(rho), m, neighbours=neighbours)
            assert float(back) == pytest.approx(float(epsilon), rel=1e-3 if epsilon > 8 else 1e-6)


def test_one_person_more_or_less_counts_twice_between_two_people() -> None:
    """A histogram with Laplace(1/ε) noise on each cell: ε for one more or less, 2ε for one replaced."""
    epsilon, m = 1.0, 4
    noise = discrete_laplace(1 / epsilon, 30)
    worlds = np.eye(m, dtype=int)
    worst = 0.0
    for told in itertools.product(range(-1, 3), repeat=m):
        weights = [math.prod(noise[t - int(w)] for t, w in zip(told, world, strict=True)) for world in worlds]
        worst = max(worst, max(weights) / sum(weights))
    assert worst > epsilon_to_rho(epsilon, m)
    assert worst <= epsilon_to_rho(epsilon, m, neighbours=Neighbours.ADD_REMOVE) + 1e-12
    assert worst == pytest.approx(epsilon_to_rho(epsilon, m, neighbours=Neighbours.ADD_REMOVE))


def test_what_epsilon_means_takes_the_careful_reading_unless_told() -> None:
    careful, plain = (
        what_epsilon_means(1, [100]),
        what_epsilon_means(1, [100], neighbours=Neighbours.SUBSTITUTION),
    )
    assert careful[0].rho > plain[0].rho
    assert "100 people" in str(plain[0])
    assert "at most 2.7 % (1 in 100 before)" in str(plain[0])


@given(share=st.fractions(Fraction(1, 10**9), Fraction(1), max_denominator=10**9))
def test_per_cents_of_bounds_are_never_rounded_down(share: Fraction) -> None:
    shown = Fraction(at_most(share).removesuffix(" %")) / 100
    assert share <= shown <= share * Fraction(11, 10) + Fraction(1, 10**16)


def test_the_sensitive_range_comes_from_declared_bounds() -> None:
    assert sensitive_range(0, 1) == 1
    assert sensitive_range("-5", "94.5") == Fraction(199, 2)
    assert sensitive_range(0, 100, Fraction(1, 50)) == 2
    with pytest.raises(BadInput):
        sensitive_range(3, 3)


def test_the_promise_is_said_in_words() -> None:
    said = DifferentialIdentifiability("0.015", 20_000).in_words()
    assert "20,000 people" in said
    assert "at most 1.5 %" in said


@pytest.mark.parametrize(("rho", "m"), [(0, 5), (1, 5), (2, 5), ("0.5", 1), ("0.5", True), ("x", 5)])
def test_what_makes_no_sense_is_refused(rho, m) -> None:
    with pytest.raises(BadInput):
        DifferentialIdentifiability(rho, m)


def test_ranges_and_scales_must_be_positive() -> None:
    for pair in ((0, 1), (1, 0), (1, -1)):
        with pytest.raises(BadInput):
            composed_rho([pair], 5)
    with pytest.raises(BadInput):
        epsilon_to_rho(-1, 5)


@given(
    people=st.integers(1, 12),
    epsilon=st.decimals(Decimal("0.01"), Decimal(2), places=3),
    delta=st.decimals(Decimal("1e-12"), Decimal("1e-11"), places=15),
)
def test_a_group_pays_step_by_step(people: int, epsilon: Decimal, delta: Decimal) -> None:
    """From D to D′ one person at a time: Pr ≤ e^ε (e^ε (…) + δ) + δ."""
    factor, extra = Fraction(1), Fraction(0)
    for _ in range(people):
        factor, extra = (
            factor * Fraction(power(Fraction(epsilon))),
            extra * Fraction(power(Fraction(epsilon))) + Fraction(delta),
        )
    together = group_privacy(people, epsilon, delta).together
    assert together.epsilon == people * epsilon
    assert extra * (1 - Fraction(1, 10**40)) <= together.delta <= extra + Fraction(2, 10**18)


def test_a_household_is_told_beside_one_person_with_what_is_not_promised() -> None:
    assert str(group_privacy(4, "0.5")) == "for one person ε = 0.5, for 4 people together ε = 2"
    assert "relatives" in NOT_PROMISED
