"""Laplace, geometric and staircase noise: calibrated exactly, error bars as small as they can be."""

from __future__ import annotations

import math
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.dp import _opendp
from sfumato.dp.contract import IntegerNoise
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.geometric import Geometric
from sfumato.dp.mechanisms.laplace import FEW, DiscreteLaplace, Laplace, _to_grid
from sfumato.dp.mechanisms.staircase import Staircase
from tests.oracles import dp_noise as oracle

EVERY: list[IntegerNoise] = [
    DiscreteLaplace.of(0.1, 3),
    Geometric(0.5),
    DiscreteGaussian(Fraction(7)),
    Staircase(2, 9),
]
REFUSED = ["0", -1, float("nan"), float("inf"), "many", True, 0]


class TestEveryNoise:
    @pytest.mark.parametrize("noise", EVERY, ids=lambda noise: noise.name)
    @pytest.mark.parametrize("shape", [(), (0,), (1,), (FEW + 1,), (3, 4), (20, 30)])
    def test_noise_keeps_the_shape_and_the_type(self, noise: IntegerNoise, shape: tuple[int, ...]) -> None:
        noisy = noise.add(np.zeros(shape, np.int64))
        assert noisy.shape == shape
        assert noisy.dtype == np.int64

    @pytest.mark.parametrize("noise", EVERY, ids=lambda noise: noise.name)
    @pytest.mark.parametrize("cells", [5, 5000])
    def test_the_largest_values_saturate_instead_of_failing(self, noise: IntegerNoise, cells: int) -> None:
        for extreme in (2**63 - 1, -(2**63)):
            noisy = noise.add(np.full(cells, extreme, np.int64))
            assert np.abs(noisy).max() <= 2**62
            assert np.abs(noisy).min() >= 2**62 - 100 * noise.scale

    @pytest.mark.parametrize("noise", EVERY, ids=lambda noise: noise.name)
    def test_the_error_bar_covers_as_often_as_it_says(self, noise: IntegerNoise) -> None:
        """Hoeffding: 200,000 draws are off by more than 0.0065 with probability below 5e-8."""
        drawn = np.abs(noise.add(np.zeros(200_000, np.int64)))
        for confidence in (0.5, 0.95, 0.999):
            width = noise.within(confidence)
            assert (drawn <= width).mean() >= confidence - 0.0065
            assert (drawn <= width - 1).mean() < confidence + 0.0065

    @pytest.mark.parametrize("noise", EVERY, ids=lambda noise: noise.name)
    def test_noise_is_secret_unless_a_test_says_otherwise(self, noise: IntegerNoise) -> None:
        zeros = np.zeros(60, np.int64)
        assert noise.add(zeros).tolist() != noise.add(zeros).tolist()
        assert noise.add(zeros, SeededRandom(1)).tolist() == noise.add(zeros, SeededRandom(1)).tolist()

    @pytest.mark.parametrize("noise", EVERY, ids=lambda noise: noise.name)
    @pytest.mark.parametrize("confidence", [0, 1, -0.1, float("nan")])
    def test_an_impossible_confidence_is_refused(self, noise: IntegerNoise, confidence: float) -> None:
        with pytest.raises(BadInput):
            noise.within(confidence)

    @pytest.mark.parametrize("wrong", REFUSED)
    def test_parameters_that_make_no_sense_are_refused(self, wrong: object) -> None:
        for make in (
            lambda x: DiscreteLaplace(x),
            lambda x: DiscreteLaplace.of(x, 1),
            lambda x: DiscreteLaplace.of(1, x),
            lambda x: Laplace(x, 1, 1),
            lambda x: Laplace(1, x, 1),
            lambda x: Laplace(1, 1, x),
            lambda x: Geometric(x),
            lambda x: Geometric(1, x),
            lambda x: Staircase(x, 1),
            lambda x: Staircase(1, x),
            lambda x: DiscreteGaussian(x),
            lambda x: DiscreteGaussian.of_rho(x),
            lambda x: DiscreteGaussian.of_rho(1, x),
            lambda x: DiscreteGaussian.analytic(x, 1e-6),
            lambda x: DiscreteGaussian.analytic(1, x),
            lambda x: DiscreteGaussian.analytic(1, 1e-6, x),
        ):
            with pytest.raises(BadInput):
                make(wrong)

    @pytest.mark.parametrize("epsilon", [1e-9, 50])
    def test_tiny_and_huge_epsilon_work(self, epsilon: float) -> None:
        for noise in (DiscreteLaplace.of(epsilon), Geometric(epsilon), Staircase(epsilon, 5)):
            for cells in (3, 3000):
                assert noise.add(np.zeros(cells, np.int64)).size == cells
            assert noise.within(0.95) >= 0
            assert noise.variance >= 0


class TestDiscreteLaplace:
    def test_the_scale_is_the_exact_quotient(self) -> None:
        assert DiscreteLaplace.of(0.1, 1).scale == 10
        assert DiscreteLaplace.of("0.3", 7).scale == Fraction(70, 3)
        assert DiscreteLaplace.of(0.3, 7).epsilon(7) == Fraction(3, 10)

    @given(st.fractions(Fraction(1, 20), 30, max_denominator=50), st.floats(0.01, 0.999))
    @settings(max_examples=40)
    def test_variance_and_error_bar_are_those_of_the_definition(
        self, scale: Fraction, confidence: float
    ) -> None:
        noise = DiscreteLaplace(scale)
        right = oracle.laplace(scale, int(50 * scale) + 50)
        assert noise.within(confidence) == oracle.within(right, confidence)
        assert noise.variance == pytest.approx(float(oracle.mean_of(right, lambda x: x * x)), rel=1e-12)

    def test_an_error_bar_at_the_edge_of_a_step_is_not_one_too_large(self) -> None:
        """Pr[|x| ≤ 0] is just above 0.46 for ε = 1 (the golden cases), and 0.4622 needs one more."""
        noise = DiscreteLaplace.of(1)
        assert [noise.within(c) for c in (0.46, 0.4621, 0.4622)] == [0, 0, 1]

    def test_few_cells_are_drawn_by_the_library_and_many_by_us(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[int] = []

        def library(values: np.ndarray, scale: Fraction) -> np.ndarray:
            asked.append(values.size)
            return values

        monkeypatch.setattr(_opendp, "laplace_i64", library)
        noise = DiscreteLaplace.of(1)
        noise.add(np.zeros(FEW, np.int64))
        noise.add(np.zeros(FEW + 1, np.int64))
        noise.add(np.zeros(1, np.int64), SeededRandom(1))
        assert asked == [FEW]


class TestLaplaceOnAGrid:
    @given(
        st.floats(-1e9, 1e9),
        st.fractions(-100, 100, max_denominator=1000),
        st.fractions(Fraction(1, 1000), 10, max_denominator=1000),
    )
    def test_rounding_moves_neighbours_apart_by_no_more_than_the_adjusted_sensitivity(
        self, value: float, change: Fraction, grid: Fraction
    ) -> None:
        other = float(Fraction(value) + change)
        distance = abs(Fraction(other) - Fraction(value))
        assume(distance > 0)
        assert abs(_to_grid(value, grid) - _to_grid(other, grid)) <= math.ceil(distance / grid)

    def test_halves_to_even_would_not_keep_it(self) -> None:
        assert abs(round(Fraction(1, 2)) - round(Fraction(3, 2))) == 2
        assert _to_grid(1.5, Fraction(1)) - _to_grid(0.5, Fraction(1)) == 1

    def test_a_grid_that_divides_the_sensitivity_costs_nothing(self) -> None:
        assert Laplace(0.1, 1, 0.25).scale == 10
        assert Laplace(0.1, 1, 0.3).scale == 12

    def test_answers_are_multiples_of_the_grid_around_the_value(self) -> None:
        noise = Laplace(1, 1, 0.125)
        answers = np.array([noise.add(3.3) for _ in range(500)])
        assert np.all(answers * 8 == np.round(answers * 8))
        assert abs(answers.mean() - 3.3) < 1

    def test_whole_numbers_fractions_and_short_floats_are_taken_exactly(self) -> None:
        grid = Fraction(1, 10)
        assert _to_grid(2**58 + 1, grid) == 10 * (2**58 + 1)
        assert _to_grid(Fraction(1, 20), grid) == 1
        assert _to_grid(np.float32(0.5), grid) == 5
        assert _to_grid(10**400, grid) == 2**62

    @pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), 1e308, 5e-324])
    def test_no_value_is_an_error(self, value: float) -> None:
        assert math.isfinite(Laplace(1, 1, 0.1).add(value))

    def test_the_error_bar_covers_rounding(self) -> None:
        """Hoeffding: 2000 draws fall short by 0.07 with probability below 1e-8."""
        noise = Laplace(4, 1, 1)
        errors = np.array([abs(noise.add(0.5) - 0.5) for _ in range(2000)])
        assert (errors <= noise.within(0.95)).mean() > 0.88


class TestGeometric:
    def test_answers_stay_within_public_bounds(self) -> None:
        noisy = Geometric(0.1, lower=0, upper=20).add(np.full(2000, 10))
        assert noisy.min() == 0
        assert noisy.max() == 20

    def test_the_inside_is_not_changed_by_clamping(self) -> None:
        zeros = np.full(500, 10)
        free = Geometric(0.5).add(zeros, SeededRandom(3))
        clamped = Geometric(0.5, lower=9, upper=12).add(zeros, SeededRandom(3))
        assert clamped.tolist() == np.clip(free, 9, 12).tolist()

    @pytest.mark.parametrize("bounds", [(5, 4), (0.5, 4), (0, 2**63)])
    def test_bounds_that_make_no_sense_are_refused(self, bounds: tuple[int, int]) -> None:
        with pytest.raises(BadInput):
            Geometric(1, 1, *bounds)


class TestStaircase:
    @pytest.mark.parametrize(("epsilon", "width"), [(Fraction(1, 2), 1), (Fraction(1), 7), (Fraction(4), 12)])
    def test_it_is_private_and_as_defined(self, epsilon: Fraction, width: int) -> None:
        noise = Staircase(epsilon, width)
        reach = int(60 * width / epsilon)
        right = oracle.staircase(epsilon, width, noise.first, reach)
        assert oracle.worst_ratio(right, width, reach // 2) <= float(epsilon) * (1 + 1e-12)
        assert noise.expected_abs_noise == pytest.approx(float(oracle.mean_of(right, abs)), rel=1e-12)
        assert noise.variance == pytest.approx(float(oracle.mean_of(right, lambda x: x * x)), rel=1e-12)
        for confidence in (0.1, 0.5, 0.95, 0.999):
            assert noise.within(confidence) == oracle.within(right, confidence)
        drawn = noise.add(np.zeros(200_000, np.int64))
        assert oracle.looks_like(drawn, right)
        if width > 1:
            wrong = oracle.staircase(epsilon, width, noise.first + 1, reach)
            assert not oracle.looks_like(drawn, wrong)

    @pytest.mark.parametrize(
        ("epsilon", "width"), [(Fraction(1, 4), 5), (Fraction(2), 12), (Fraction(6), 30)]
    )
    def test_no_other_first_step_has_a_smaller_error(self, epsilon: Fraction, width: int) -> None:
        best = Staircase(epsilon, width).expected_abs_noise
        for first in range(1, width + 1):
            other = oracle.staircase(epsilon, width, first, int(40 * width / epsilon))
            assert float(oracle.mean_of(other, abs)) >= best * (1 - 1e-12)

    def test_it_beats_laplace_noise(self) -> None:
        laplace = oracle.laplace(Fraction(100, 5), 1200)
        assert Staircase(5, 100).expected_abs_noise < 0.5 * float(oracle.mean_of(laplace, abs))


class TestTheLibrary:
    @given(st.fractions(Fraction(1, 10**6), 10**18, max_denominator=10**9))
    def test_scales_are_rounded_up_to_the_next_float(self, scale: Fraction) -> None:
        above = _opendp.float_above(scale)
        assert Fraction(above) >= scale
        assert Fraction(math.nextafter(above, 0)) < scale

    @pytest.mark.parametrize("gumbel", [False, True])
    def test_the_largest_score_is_chosen_most_often(self, gumbel: bool) -> None:
        """The exponential mechanism chooses 1 of (0, 4, 0) at scale 2 with probability 0.787, others more."""
        scores = np.array([0, 4, 0])
        whole = [_opendp.noisy_max_i64(scores, Fraction(2), gumbel=gumbel) for _ in range(1000)]
        assert 600 < whole.count(1) < 980

    def test_threads_draw_at_once(self) -> None:
        drawn: list[np.ndarray] = []

        def work() -> None:
            for _ in range(20):
                drawn.append(_opendp.laplace_i64(np.zeros(50, np.int64), Fraction(1000)))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(drawn) == 80
        assert len({tuple(noise.tolist()) for noise in drawn}) == 80
