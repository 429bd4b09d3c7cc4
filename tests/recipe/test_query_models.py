"""Promises about releases under differential privacy: the money is added up exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.verdict import Basis
from sfumato.dp.conversions import epsilon_to_rho
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.models import MODELS, DpPromise, IdentifiabilityPromise
from sfumato.query.models.contract import Spending, price_for
from sfumato.query.risk import households, meanings

BOTH = [Neighbours.ADD_REMOVE, Neighbours.SUBSTITUTION]
UNIT = Decimal("0.000000000000000001")


def pure(*epsilons: object, spent: object = None, neighbours: Neighbours = Neighbours.ADD_REMOVE) -> Spending:
    """Steps in ε that come to ``spent``, or to their sum."""
    steps = tuple(("a step", Price.pure(str(epsilon))) for epsilon in epsilons)
    total = sum((Decimal(str(epsilon)) for epsilon in epsilons), Decimal(0)) if spent is None else spent
    return Spending(neighbours, Price.pure(str(total)), steps)


def concentrated(epsilon: str, delta: str, *rhos: Decimal) -> Spending:
    steps = tuple(("a step", Price.concentrated(rho)) for rho in rhos)
    spent = Price.approximate(epsilon, delta, rho=sum(rhos, Decimal(0)))
    return Spending(Neighbours.ADD_REMOVE, spent, steps)


def test_ten_tenths_are_one() -> None:
    assert DpPromise(1).check(pure(*["0.1"] * 10)).holds


def test_a_last_digit_more_is_too_much() -> None:
    spending = pure(*["0.1"] * 9, Decimal("0.1") + UNIT)
    verdict = DpPromise(1).check(spending)
    assert not verdict.holds
    assert "cost more" in str(verdict)


def test_a_sum_that_is_told_wrongly_does_not_hold_even_when_it_is_small() -> None:
    verdict = DpPromise(1).check(pure("0.1", "0.1", spent="0.3"))
    assert not verdict.holds
    assert "do not add up" in str(verdict)
    assert not DpPromise(1).check(Spending(Neighbours.ADD_REMOVE, Price.pure(1), ())).holds


@given(st.lists(st.integers(1, 10**18), min_size=1, max_size=20), st.integers(1, 4 * 10**18))
def test_it_holds_if_and_only_if_the_sum_is_no_more_than_promised(parts: list[int], limit: int) -> None:
    promise = DpPromise(str(Decimal(limit) * UNIT))
    spending = pure(*(format(Decimal(part) * UNIT, "f") for part in parts))
    exact = sum(Fraction(part) for part in parts) <= limit
    assert promise.check(spending).holds == exact


@given(
    st.decimals("0.01", "10", places=4), st.sampled_from(["1e-5", "1e-6", "1e-9", "1e-12"]), st.integers(1, 7)
)
def test_what_a_delta_buys_as_rho_keeps_the_promise_and_a_little_more_does_not(
    epsilon: Decimal, delta: str, parts: int
) -> None:
    rho = epsilon_to_rho(epsilon, delta)
    part = (rho / parts).quantize(UNIT, rounding="ROUND_DOWN")
    shares = [*[part] * (parts - 1), rho - part * (parts - 1)]
    promise = DpPromise(str(epsilon), delta)
    assert promise.check(concentrated(str(epsilon), delta, *shares)).holds
    more = [*shares[:-1], shares[-1] + rho / 1000]
    more[-1] = more[-1].quantize(UNIT)
    assert not promise.check(concentrated(str(epsilon), delta, *more)).holds


def test_steps_in_rho_do_not_keep_a_promise_without_delta() -> None:
    spending = concentrated("1", "1e-9", Decimal("0.01"))
    assert not DpPromise(1).check(spending).holds
    assert DpPromise(1, 1e-9).check(spending).holds


def test_an_epsilon_that_is_less_than_its_rho_does_not_add_up() -> None:
    """What people read is ε: told too small, it would be a promise that nobody kept."""
    honest = concentrated("1", "1e-9", epsilon_to_rho(1, "1e-9"))
    told_less = concentrated("0.99", "1e-9", epsilon_to_rho(1, "1e-9"))
    assert honest.adds_up
    assert not told_less.adds_up
    assert not DpPromise(1, 1e-9).check(told_less).holds


def test_a_larger_delta_than_promised_does_not_hold() -> None:
    assert not DpPromise(1, 1e-9).check(concentrated("1", "1e-6", Decimal("0.01"))).holds


def test_a_pure_price_keeps_a_promise_with_delta() -> None:
    assert DpPromise(1, 1e-9).check(pure(1)).holds


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("rho", "m"), [(0.5, 3), (0.05, 100), (0.75, 2), (0.011, 100)])
def test_the_price_of_identifiability_keeps_it_and_a_little_more_does_not(
    rho: float, m: int, neighbours: Neighbours
) -> None:
    promise = IdentifiabilityPromise(rho, m)
    price = promise.price(neighbours)
    assert price.epsilon is not None
    assert promise.check(pure(price.epsilon, neighbours=neighbours)).holds
    assert not promise.check(pure(price.epsilon + Decimal("1e-12"), neighbours=neighbours)).holds


def test_identifiability_costs_half_where_one_person_is_added_or_removed() -> None:
    promise = IdentifiabilityPromise(0.05, 100)
    added, replaced = (promise.price(neighbours).epsilon for neighbours in BOTH)
    assert added is not None
    assert replaced is not None
    assert abs(2 * added - replaced) <= 2 * UNIT


def test_identifiability_is_not_kept_with_a_delta() -> None:
    assert not IdentifiabilityPromise(0.9, 2).check(concentrated("0.1", "1e-9", Decimal("0.0001"))).holds


def test_several_promises_are_kept_by_the_smallest_price() -> None:
    price = price_for([DpPromise(2, 1e-6), DpPromise(1, 1e-9)], Neighbours.ADD_REMOVE)
    assert (price.epsilon, price.delta) == (Decimal(1), Decimal("1e-9"))
    price = price_for([DpPromise(2, 1e-6), IdentifiabilityPromise(0.5, 3)], Neighbours.SUBSTITUTION)
    assert price.delta == 0
    assert round(float(price.epsilon or 0), 6) == 0.693147


@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), float("inf"), "x", "1001", 1e-19, True])
def test_an_epsilon_that_is_none_is_refused(epsilon: float | str) -> None:
    with pytest.raises(BadInput):
        DpPromise(epsilon)


@pytest.mark.parametrize("delta", [1, -1e-9, float("nan"), "x", 2])
def test_a_delta_that_is_none_is_refused(delta: float | str) -> None:
    with pytest.raises(BadInput):
        DpPromise(1, delta)


def test_less_than_a_blind_guess_cannot_be_promised() -> None:
    with pytest.raises(PromiseNotMet):
        IdentifiabilityPromise(0.01, 100)
    with pytest.raises(BadInput):
        IdentifiabilityPromise(0.5, 1)


def test_every_model_says_what_it_is_checked_from_and_what_it_protects() -> None:
    for model in (DpPromise(1), IdentifiabilityPromise(0.5, 3)):
        assert MODELS[model.name] is type(model)
        assert model.basis is Basis.MECHANISM
        assert model.protects_from
        assert not model.in_words().endswith(".")


def test_households_pay_more_and_large_ones_are_promised_nothing() -> None:
    assert [home.price.epsilon for home in households(Price.pure("0.5")) if home.price] == [1, 2, 4]
    large = households(Price.approximate(5, "1e-6"))
    assert [home.price is None for home in large] == [False, False, True] or large[-1].price is None
    assert str(large[-1]) == "8 people together: nothing is promised"


def test_what_epsilon_means_depends_on_the_neighbours() -> None:
    added, replaced = (meanings(Price.pure(1), neighbours)[0].rho for neighbours in BOTH)
    assert added > replaced > 0.5
