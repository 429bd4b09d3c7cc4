"""Rules of composition against all outcomes of many coins."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dp.composition import (
    advanced,
    best_of,
    concentrated,
    optimal,
    optimal_delta,
    parallel,
    sequential,
    simplified_optimal,
)
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from tests.oracles.dp_accounting import delta_of_randomised_responses

EPSILONS = st.integers(1, 200).map(lambda n: Decimal(n).scaleb(-2))


@settings(max_examples=60, deadline=None)
@given(EPSILONS, st.integers(1, 8), st.integers(0, 40))
def test_the_optimal_delta_is_that_of_all_outcomes(epsilon: Decimal, times: int, tenths: int) -> None:
    total = Decimal(tenths) / 10
    found = optimal_delta(Price.pure(epsilon), times, total)
    tried = delta_of_randomised_responses([float(epsilon)] * times, float(total))
    assert float(found) == pytest.approx(tried, rel=1e-9, abs=1e-13)


@settings(max_examples=60, deadline=None)
@given(EPSILONS, st.integers(1, 60), st.integers(1, 12), st.sampled_from([0, 1]))
def test_the_optimal_epsilon_is_the_least_with_that_delta(
    epsilon: Decimal, times: int, places: int, own: int
) -> None:
    delta = Decimal(1).scaleb(-places)
    price = Price.approximate(epsilon, own * delta / 1000)
    found = optimal(price, times, delta).epsilon
    assert found is not None
    assert found <= times * epsilon
    assert optimal_delta(price, times, found) <= delta
    if found:
        assert optimal_delta(price, times, found - min(found, Decimal("1e-9"))) > delta


@settings(max_examples=40, deadline=None)
@given(st.lists(EPSILONS, min_size=1, max_size=8), st.integers(2, 9))
def test_no_rule_promises_more_than_the_worst_mechanism_keeps(epsilons: list[Decimal], places: int) -> None:
    delta = Decimal(1).scaleb(-places)
    prices = [Price.pure(epsilon) for epsilon in epsilons]
    plain = [float(epsilon) for epsilon in epsilons]
    for rule in (advanced, simplified_optimal, concentrated):
        total = rule(prices, delta).epsilon
        assert total is not None
        assert delta_of_randomised_responses(plain, float(total)) <= float(delta) * (1 + 1e-9) + 1e-14
    best = best_of(prices, delta).price.epsilon
    assert best is not None
    assert delta_of_randomised_responses(plain, float(best)) <= float(delta) * (1 + 1e-9) + 1e-14
    assert best <= sum(epsilons)


def test_a_broken_rule_would_be_caught_by_the_worst_mechanism() -> None:
    # √k instead of the drift beside it: what is often quoted, and wrong.
    total = 8**0.5 * 2.0
    assert delta_of_randomised_responses([2.0] * 8, total) > 1e-2


def test_prices_add_up_exactly() -> None:
    together = sequential([Price.approximate("0.1", "1e-9"), Price.pure("0.2")])
    assert (together.epsilon, together.delta, together.rho) == (Decimal("0.3"), Decimal("1e-9"), None)
    assert sequential([Price.pure("0.1"), Price.concentrated("0.1")]).rho == Decimal("0.105")
    with pytest.raises(BadInput, match="do not add up"):
        sequential([Price.approximate(1, "1e-9"), Price.concentrated("0.1")])
    with pytest.raises(BadInput, match="nothing"):
        sequential([])


def test_disjoint_parts_cost_the_dearest_and_twice_that_when_a_person_may_move() -> None:
    parts = [Price.pure("0.1"), Price.pure("0.5"), Price.pure("0.3")]
    assert parallel(parts) == Price.pure("0.5")
    moved = parallel(parts, Neighbours.SUBSTITUTION)
    assert (moved.epsilon, moved.rho) == (1, Decimal("0.5"))


def test_disjoint_parts_with_delta_pay_for_two_changes() -> None:
    parts = [Price.approximate(1, "1e-9", rho="0.1", rho_delta="1e-10")] * 2
    moved = parallel(parts, Neighbours.SUBSTITUTION)
    assert moved.epsilon == 2
    assert moved.rho is None
    assert float(moved.delta) == pytest.approx(1e-9 * (1 + 2.718281828459045))


def test_delta_that_is_gone_is_said_to_be_gone() -> None:
    prices = [Price.approximate("0.1", "1e-6")] * 10
    for rule in (advanced, simplified_optimal, best_of):
        with pytest.raises(PromiseNotMet, match="δ"):
            rule(prices, "1e-6")
    with pytest.raises(PromiseNotMet, match="δ"):
        optimal(prices[0], 10, "1e-6")
    with pytest.raises(PromiseNotMet, match="δ"):
        concentrated([Price.concentrated("0.1", delta="1e-6")], "1e-6")


def test_the_best_rule_is_named() -> None:
    few = best_of([Price.pure("0.3"), Price.pure("0.2")], "1e-12")
    many = best_of([Price.pure("0.01"), *[Price.pure("0.02")] * 500], "1e-6")
    gauss = best_of([Price.concentrated("0.001")] * 10, "1e-6")
    assert [few.rule, many.rule, gauss.rule] == ["sequential", "concentrated", "concentrated"]
    assert str(few) == "ε = 0.5 (sequential composition)"


def test_ten_thousand_questions_are_composed_optimally() -> None:
    price = Price.pure("0.005")
    found = optimal(price, 10_000, "1e-6").epsilon
    assert found is not None
    assert 0 < found < 50
    assert optimal_delta(price, 10_000, found) <= Decimal("1e-6")
    with pytest.raises(BadInput, match="questions"):
        optimal(price, 10**7, "1e-6")
