"""Batches against closed forms: never too small, and hardly too large."""

from __future__ import annotations

import sys
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, MissingPart, PromiseNotMet
from sfumato.dp import accounting
from sfumato.dp.accounting import PRECISION, Batch
from sfumato.dp.composition import optimal_delta
from sfumato.dp.events import (
    ApproximateEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomisedResponseEvent,
)
from sfumato.dp.price import Price
from tests.oracles.dp_accounting import (
    delta_of_gaussian,
    delta_of_laplace,
    delta_of_randomised_responses,
)


def tight(found: float, true: float) -> bool:
    """Never below the truth, and above it by less than the promised precision."""
    return true <= found * (1 + 1e-9) and found <= true * (1 + PRECISION) + 1e-11


@settings(max_examples=8, deadline=None)
@given(st.integers(1, 30), st.integers(20, 150), st.integers(0, 30))
def test_many_gaussians_are_one_gaussian(times: int, tenths: int, epsilon_tenths: int) -> None:
    sigma, epsilon = Fraction(tenths, 10), Fraction(epsilon_tenths, 10)
    found = Batch([(GaussianEvent(sigma), times)]).delta_at(epsilon)
    assert tight(float(found.delta), delta_of_gaussian(float(sigma) / times**0.5, float(epsilon)))


@pytest.mark.parametrize("epsilon", ["0", "0.25", "0.5", "0.999"])
def test_one_laplace_has_its_closed_form(epsilon: str) -> None:
    found = Batch([(LaplaceEvent(Fraction(3), Fraction(3)), 1)]).delta_at(epsilon)
    assert tight(float(found.delta), delta_of_laplace(1.0, float(epsilon)))


@pytest.mark.parametrize("times", [1, 7, 100])
@pytest.mark.parametrize(
    ("event", "price"),
    [
        (PureEvent(Fraction("0.137")), Price.pure("0.137")),
        (ApproximateEvent(Fraction("0.137"), Fraction("1e-7")), Price.approximate("0.137", "1e-7")),
        # On whole numbers that change by one, discrete Laplace noise tells no more than a coin does.
        (DiscreteLaplaceEvent(Fraction(8)), Price.pure("0.125")),
    ],
)
def test_coins_compose_as_the_optimal_rule_says(event: Event, price: Price, times: int) -> None:
    asked = str(round(1.5 * times**0.5 * float(price.epsilon or 0), 3))
    found = Batch([(event, times)]).delta_at(asked)
    assert tight(float(found.delta), float(optimal_delta(price, times, asked)))


@pytest.mark.parametrize("asked", ["5.6", "6", "6.6"])
def test_floats_never_take_a_small_delta_of_many_coins_below_the_truth(asked: str) -> None:
    found = Batch([(PureEvent(Fraction("0.02")), 2500)]).delta_at(asked).delta
    true = optimal_delta(Price.pure("0.02"), 2500, asked)
    assert Decimal("1e-12") < true < Decimal("1e-7")
    assert true <= found <= true * Decimal("1.005") + Decimal("1e-10")


def test_different_coins_compose_as_all_outcomes_say() -> None:
    batch = Batch(
        [(PureEvent(Fraction("0.3")), 4), (PureEvent(Fraction("0.71")), 3), (PureEvent(Fraction("1.1")), 1)]
    )
    tried = delta_of_randomised_responses([0.3] * 4 + [0.71] * 3 + [1.1], 1.5)
    assert tight(float(batch.delta_at("1.5").delta), tried)


def test_randomised_response_over_two_values_is_a_coin() -> None:
    # Kept half of the time, a yes is told by a yes three times as often as by a no: ε = ln 3.
    event = RandomisedResponseEvent(Fraction(1, 2))
    price = event.price().epsilon
    assert price is not None
    assert 1.0986122886681096 < float(price) < 1.0986122886681099
    found = Batch([(event, 5)]).delta_at(2)
    assert tight(float(found.delta), delta_of_randomised_responses([float(price)] * 5, 2))


def test_a_discrete_gaussian_is_close_to_a_gaussian() -> None:
    found = Batch([(DiscreteGaussianEvent(Fraction(10)), 100)]).epsilon_at("1e-6")
    real = Batch([(GaussianEvent(Fraction(10)), 100)]).epsilon_at("1e-6")
    assert float(found.epsilon) == pytest.approx(float(real.epsilon), rel=1e-4)


def test_a_hundred_laplace_answers_cost_less_than_half_of_their_sum() -> None:
    batch = Batch([(LaplaceEvent(Fraction(10)), 100)])
    found = batch.epsilon_at("1e-6")
    assert 4.69 < found.epsilon <= Fraction("4.70")
    assert found.excess <= PRECISION
    assert found.epsilon < batch.renyi_epsilon_at("1e-6") < 5
    assert batch.delta_at(found.epsilon).delta <= Fraction("1e-6")


def test_epsilon_and_delta_are_each_others_inverse() -> None:
    batch = Batch(
        [
            (LaplaceEvent(Fraction(2)), 3),
            (GaussianEvent(Fraction(4)), 5),
            (ApproximateEvent(Fraction(1, 10), Fraction("1e-9")), 2),
        ]
    )
    found = batch.epsilon_at("1e-5")
    assert Fraction("0.99e-5") <= Fraction(batch.delta_at(found.epsilon).delta) <= Fraction("1e-5")


def test_a_secret_sample_costs_less() -> None:
    alone = Batch([(GaussianEvent(Fraction(2)), 5)])
    drawn = Batch([(GaussianEvent(Fraction(2), share=Fraction("0.01")), 5)])
    assert drawn.epsilon_at("1e-5").epsilon < alone.epsilon_at("1e-5").epsilon / 10
    assert drawn.renyi_epsilon_at("1e-5") < alone.renyi_epsilon_at("1e-5")


def test_the_step_is_made_finer_until_delta_hardly_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch([(RandomisedResponseEvent(Fraction(1, 20)), 100)])
    with monkeypatch.context() as patched:
        patched.setattr(accounting, "PRECISION", 1.0)
        first = batch.delta_at(4)
    fine = batch.delta_at(4)
    assert first.excess > PRECISION >= fine.excess
    assert fine.step < first.step
    assert fine.delta < first.delta


def test_mechanisms_for_different_neighbours_do_not_mix() -> None:
    drawn, told = GaussianEvent(Fraction(1), share=Fraction(1, 2)), RandomisedResponseEvent(Fraction(1, 2))
    with pytest.raises(BadInput, match="apart"):
        Batch([(drawn, 1), (told, 1)])
    assert Batch([(GaussianEvent(Fraction(1)), 1), (told, 1)]).epsilon_at("1e-6").epsilon > 1


def test_a_delta_beyond_floats_or_already_spent_is_refused() -> None:
    with pytest.raises(BadInput, match="at least"):
        Batch([(PureEvent(Fraction(1)), 1)]).epsilon_at("1e-12")
    with pytest.raises(PromiseNotMet, match="δ"):
        Batch([(ApproximateEvent(Fraction(1), Fraction("1e-6")), 2)]).epsilon_at("1e-6")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting.pld.privacy_loss_distribution", None)
    with pytest.raises(MissingPart, match=r"sfumato\[accounting\]"):
        Batch([(LaplaceEvent(Fraction(1)), 1)]).epsilon_at("1e-6")


@pytest.mark.parametrize(
    "broken",
    [
        lambda: Batch([]),
        lambda: Batch([(PureEvent(Fraction(1)), 0)]),
        lambda: Batch([(PureEvent(Fraction(1)), 1)]).delta_at(-1),
        lambda: Batch([(ApproximateEvent(Fraction(1), Fraction("1e-9")), 1)]).renyi_epsilon_at("1e-6"),
        lambda: PureEvent(Fraction(0)),
        lambda: LaplaceEvent(Fraction(1), share=Fraction(2)),
        lambda: LaplaceEvent(0.1),  # type: ignore[arg-type]  # a float is not exact
        lambda: GaussianEvent(Fraction(-1)),
        lambda: RandomisedResponseEvent(Fraction(1)),
        lambda: ApproximateEvent(Fraction(1), Fraction(1)),
    ],
)
def test_nonsense_is_refused(broken: object) -> None:
    with pytest.raises(BadInput):
        broken()  # type: ignore[operator]  # each is a call without arguments
