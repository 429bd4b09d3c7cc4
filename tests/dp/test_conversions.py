"""Conversions against a dense search, and always to the safe side."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.conversions import (
    allowance,
    cost,
    epsilon_to_rho,
    for_group,
    gaussian_rho,
    pure_to_rho,
    rho_to_delta,
    rho_to_epsilon,
    rho_to_epsilon_simple,
    sampled,
)
from sfumato.dp.price import Price
from tests.oracles.dp_accounting import delta_of_gaussian, epsilon_of_rho

UNIT = Decimal("1e-18")
RHOS = st.integers(-40, 10).map(lambda tenths: round(Decimal(10 ** (tenths / 10)), 6))
DELTAS = st.integers(2, 12).map(lambda places: Decimal(1).scaleb(-places))


@settings(max_examples=40, deadline=None)
@given(RHOS, DELTAS)
def test_the_tight_epsilon_is_the_least_over_all_orders(rho: Decimal, delta: Decimal) -> None:
    found = rho_to_epsilon(rho, delta)
    assert float(found) == pytest.approx(epsilon_of_rho(float(rho), float(delta)), rel=1e-8, abs=1e-8)
    assert found <= rho_to_epsilon_simple(rho, delta)


@settings(max_examples=40, deadline=None)
@given(RHOS, DELTAS)
def test_epsilon_and_delta_of_rho_are_each_others_inverse_on_the_safe_side(
    rho: Decimal, delta: Decimal
) -> None:
    epsilon = rho_to_epsilon(rho, delta)
    assert rho_to_delta(rho, epsilon) <= delta
    if epsilon > Decimal("0.01"):
        assert rho_to_delta(rho, epsilon - Decimal("1e-6")) > delta


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 10**7).map(lambda n: Decimal(n).scaleb(-6)), DELTAS)
def test_the_rho_of_a_budget_is_the_largest_that_stays_within_it(epsilon: Decimal, delta: Decimal) -> None:
    rho = epsilon_to_rho(epsilon, delta)
    assert rho_to_epsilon(rho, delta) <= epsilon
    assert rho_to_epsilon(rho + UNIT, delta) > epsilon


def test_a_gaussian_within_its_rho_keeps_the_promise_it_was_converted_to() -> None:
    # The exact δ of Gaussian noise is below what its ρ gives, and by less than a factor of ten.
    for sigma, epsilon in ((1.0, 5), (2.0, 2), (10.0, 0.5)):
        bound = float(rho_to_delta(gaussian_rho(sigma), epsilon))
        true = delta_of_gaussian(sigma, epsilon)
        assert true < bound < 10 * true


def test_what_costs_is_rounded_up_and_what_is_allowed_down() -> None:
    third = Decimal(1) / 3
    assert cost(third) == Decimal("0.333333333333333334")
    assert allowance(third) == Decimal("0.333333333333333333")
    assert allowance(Decimal(1)) == 1 - UNIT
    assert cost(Decimal(-1)) == 0
    assert pure_to_rho("1e-9") == Decimal("1e-18")
    assert Fraction(gaussian_rho("4.2", 4)) >= 4 / (2 * Fraction("4.2") ** 2)


def test_a_budget_too_small_for_rho_is_refused() -> None:
    with pytest.raises(BadInput, match="too small"):
        epsilon_to_rho("1e-18", "1e-18")


def test_an_endless_epsilon_gives_no_delta_and_no_epsilon_gives_nearly_all() -> None:
    assert rho_to_delta("0.5", 1000) == UNIT
    assert 0 < rho_to_delta("100", 0) <= 1
    assert rho_to_epsilon("1e-9", "0.5") == Decimal("0") or rho_to_epsilon("1e-9", "0.5") < Decimal("1e-3")


def test_for_a_household_epsilon_grows_with_its_size_and_rho_with_the_square() -> None:
    together = for_group(Price.pure("0.1"), 4)
    assert (together.epsilon, together.delta, together.rho) == (Decimal("0.4"), 0, Decimal("0.08"))
    assert for_group(Price.pure("0.1"), 1) == Price.pure("0.1")
    assert for_group(Price.concentrated("0.01"), 3).rho == Decimal("0.09")


def test_a_delta_grows_step_by_step_in_a_group() -> None:
    together = for_group(Price.approximate("0.5", "1e-9"), 3)
    steps = 1 + 2.718281828459045**0.5 + 2.718281828459045
    assert float(together.delta) == pytest.approx(1e-9 * steps, rel=1e-9)
    with pytest.raises(BadInput, match="nothing is promised"):
        for_group(Price.approximate(10, "1e-9"), 10)
    with pytest.raises(BadInput, match="group"):
        for_group(Price.concentrated("0.1", delta="1e-9"), 2)


def test_sampling_makes_a_price_smaller_and_never_larger() -> None:
    price = Price.approximate(1, "1e-6")
    tenth = sampled(price, "0.1")
    assert tenth.delta == Decimal("1e-7")
    assert tenth.epsilon is not None
    assert Decimal("0.1585") < tenth.epsilon < Decimal("0.1586")
    assert sampled(price, 1) == price


@pytest.mark.parametrize(
    "broken",
    [
        lambda: rho_to_epsilon(0, "1e-6"),
        lambda: rho_to_epsilon("0.1", 0),
        lambda: rho_to_epsilon("0.1", 1),
        lambda: rho_to_delta("0.1", -1),
        lambda: rho_to_epsilon(float("nan"), "1e-6"),
        lambda: epsilon_to_rho(float("inf"), "1e-6"),
        lambda: gaussian_rho(0),
        lambda: sampled(Price.pure(1), 0),
        lambda: sampled(Price.concentrated(1), "0.1"),
        lambda: for_group(Price.pure(1), 0),
    ],
)
def test_nonsense_is_refused(broken: object) -> None:
    with pytest.raises(BadInput):
        broken()  # type: ignore[operator]  # each is a call without arguments
