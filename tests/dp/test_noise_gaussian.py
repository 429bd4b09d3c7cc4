"""Gaussian noise on whole numbers: its ρ and δ are what the definition says, and never less."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.mechanisms import normal_tails
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian, analytic_delta, analytic_sigma, delta_of
from tests.oracles import dp_noise as oracle

sigmas = st.fractions(Fraction(1, 4), 12, max_denominator=20)


class TestTails:
    @given(st.floats(-6, 12))
    def test_the_normal_tail_lies_between_its_bounds(self, x: float) -> None:
        low, high = normal_tails.normal_integral(Decimal(x))
        right = math.sqrt(math.pi / 2) * math.erfc(x / math.sqrt(2))
        assert float(low) <= right * (1 + 1e-13)
        assert float(high) >= right * (1 - 1e-13)
        assert high - low <= high * Decimal("1e-30")

    @given(st.fractions(50, 80, max_denominator=7), st.integers(-300, 900))
    @settings(max_examples=30)
    def test_bounds_of_long_sums_hold_against_the_sum(self, sigma: Fraction, start: int) -> None:
        """Euler and Maclaurin's bounds, taken from a smaller σ on than in use, against term by term."""
        low, high = by_formula(start, sigma**2)
        with localcontext(prec=50):
            terms = [
                (-(Decimal(y) ** 2) / (2 * oracle.decimal_of(sigma) ** 2)).exp() for y in range(start, 1500)
            ]
            right = sum(terms, Decimal(0))
            assert low <= right * (1 + Decimal("1e-30"))
            assert right <= high * (1 + Decimal("1e-30"))
        # Far out, where f'' is f · (y/σ²)² and the sum f · σ²/y, the bounds are 0.0162 (y/σ)³/σ³ apart.
        assert float(high - low) <= float(high) * 0.017 * ((max(start, 0) / sigma + 2) / sigma) ** 3


def by_formula(start: int, variance: Fraction) -> tuple[Decimal, Decimal]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normal_tails, "_DIRECT", 0)
        return normal_tails.gaussian_sum(start, variance)


class TestRho:
    def test_rho_of_a_scale_is_exact(self) -> None:
        assert DiscreteGaussian(Fraction(10)).rho() == Fraction(1, 200)
        assert DiscreteGaussian(Fraction(10)).rho(2, cells=3) == Fraction(12, 200)

    @given(
        st.fractions(Fraction(1, 10**9), 20, max_denominator=10**9),
        st.integers(1, 1000),
        st.integers(1, 50),
    )
    def test_the_noise_for_rho_spends_no_more_and_hardly_less(
        self, rho: Fraction, sensitivity: int, cells: int
    ) -> None:
        noise = DiscreteGaussian.of_rho(rho, sensitivity, cells=cells)
        assert rho * (1 - Fraction(1, 2**40)) <= noise.rho(sensitivity, cells=cells) <= rho
        assert float(noise.scale) == noise.scale


class TestDelta:
    @given(
        st.fractions(Fraction(1, 4), 5, max_denominator=20),
        st.fractions(Fraction(1, 20), 4, max_denominator=20),
        st.integers(1, 5),
    )
    @settings(max_examples=50)
    def test_delta_is_that_of_the_definition_rounded_up(
        self, sigma: Fraction, epsilon: Fraction, sensitivity: int
    ) -> None:
        reach = int(epsilon * sigma**2 / sensitivity + 14 * sigma) + 20
        right = oracle.hockey_stick(oracle.gaussian(sigma, reach), epsilon, sensitivity)
        found = delta_of(epsilon, sigma, sensitivity)
        assert Decimal(found) >= right * (1 - Decimal("1e-25"))
        assert found <= float(right) * (1 + 1e-12) + 1e-50

    @given(sigmas, st.fractions(Fraction(1, 20), 4, max_denominator=20))
    @settings(max_examples=30)
    def test_nearer_neighbours_are_never_worse(self, sigma: Fraction, epsilon: Fraction) -> None:
        steps = [delta_of(epsilon, sigma, distance) for distance in range(1, 8)]
        assert steps == sorted(steps)

    def test_a_large_scale_has_the_delta_of_real_numbers(self) -> None:
        """They differ by less than a thousandth at σ = 400, Δ = 100, and not to be seen at σ = 4 × 10⁶."""
        assert delta_of(1, 400, 100) == pytest.approx(analytic_delta(1, 400, 100), rel=1e-3)
        assert delta_of(1, 4 * 10**6, 10**6) == pytest.approx(analytic_delta(1, 4, 1), rel=1e-9)

    @pytest.mark.parametrize(
        ("epsilon", "delta", "sensitivity"),
        [
            (1, 1e-6, 1),
            (0.1, 1e-9, 3),
            (4, 1e-5, 1),
            (1e-9, 1e-6, 1),
            (50, 1e-6, 1),
            (1, 1e-30, 100),
            (1, 0.3, 1),
        ],
    )
    def test_the_analytic_scale_keeps_delta_and_is_the_smallest_that_does(
        self, epsilon: float, delta: float, sensitivity: int
    ) -> None:
        noise = DiscreteGaussian.analytic(epsilon, delta, sensitivity)
        assert noise.delta(epsilon, sensitivity) <= delta * (1 + 1e-15)
        assert delta_of(epsilon, noise.scale * (1 - Fraction(1, 10**6)), sensitivity) > delta
        assert float(noise.scale) == noise.scale

    def test_the_continuous_scale_would_break_the_promise_on_whole_numbers(self) -> None:
        """On whole numbers δ jumps where a threshold passes one: Balle and Wang's σ is not always enough."""
        broken = [
            epsilon
            for epsilon in (Fraction(k, 10) for k in range(2, 40, 3))
            if delta_of(epsilon, Fraction(analytic_sigma(epsilon, 1e-6))) > 1e-6
        ]
        assert broken

    @pytest.mark.parametrize("delta", [0, 1, 1e-101, float("nan")])
    def test_a_delta_that_makes_no_sense_is_refused(self, delta: float) -> None:
        with pytest.raises(BadInput):
            DiscreteGaussian.analytic(1, delta)

    def test_a_sensitivity_that_is_not_whole_is_refused(self) -> None:
        with pytest.raises(BadInput, match="whole number"):
            DiscreteGaussian.analytic(1, 1e-6, 1.5)


class TestErrors:
    @given(sigmas, st.floats(0.01, 0.9999))
    @settings(max_examples=40)
    def test_variance_and_error_bar_are_those_of_the_definition(
        self, sigma: Fraction, confidence: float
    ) -> None:
        noise = DiscreteGaussian(sigma)
        right = oracle.gaussian(sigma, int(16 * sigma) + 16)
        assert noise.within(confidence) == oracle.within(right, confidence)
        assert noise.variance == pytest.approx(float(oracle.mean_of(right, lambda x: x * x)), rel=1e-12)

    def test_the_error_bar_of_a_large_scale_is_that_of_the_normal_distribution(self) -> None:
        assert DiscreteGaussian(Fraction(10**9)).within(0.95) == pytest.approx(1.959963985e9, rel=1e-8)
