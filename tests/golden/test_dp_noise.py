"""Golden cases of noise: scales, variances, probabilities, quantiles, σ and δ, at 40 digits."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sfumato.dp.exact import exact
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian, analytic_delta, analytic_sigma, delta_of
from sfumato.dp.mechanisms.geometric import Geometric
from sfumato.dp.mechanisms.laplace import DiscreteLaplace, Laplace
from sfumato.dp.mechanisms.staircase import Staircase, continuous_abs_noise, optimal_gamma
from sfumato.dp.price import Price
from tests.oracles import dp_noise as oracle

pytestmark = pytest.mark.golden


def cases(shared: Path, kind: str) -> list[dict[str, Any]]:
    every = json.loads((shared / "golden" / "query.json").read_text(encoding="utf-8"))["cases"]
    found = [case for case in every if case["kind"] == kind]
    assert found, kind
    return found


def test_laplace_scales_variances_and_quantiles(shared: Path) -> None:
    """On a fine grid the noise is that of real numbers, to a part in 10⁴."""
    for case in cases(shared, "laplace"):
        if "epsilon" not in case["input"]:
            continue
        noise = Laplace(case["input"]["epsilon"], case["input"]["sensitivity"], 1e-4)
        expected = case["expected"]
        assert noise.scale == exact(expected["scale"])
        assert noise.variance == pytest.approx(expected["variance"], rel=1e-6)
        for confidence, width in expected["abs_quantiles"].items():
            assert noise.within(float(confidence)) == pytest.approx(width, abs=2e-4)


def test_laplace_ratios(shared: Path) -> None:
    (case,) = (case for case in cases(shared, "laplace") if "z" in case["input"])
    half = oracle.laplace(Fraction(2), 200)  # the grid is 1/2: answers 0 and 1 are 0 and 2
    for z, ratio in zip(case["input"]["z"], case["expected"]["log_pdf_ratio"], strict=True):
        place = int(2 * exact(z))
        assert float((half[place] / half[place - 2]).ln()) == pytest.approx(ratio, abs=1e-12)


def test_discrete_laplace_probabilities(shared: Path) -> None:
    for case in cases(shared, "discrete_laplace"):
        noise = Geometric(case["input"]["epsilon"], case["input"]["sensitivity"])
        right = oracle.laplace(noise.scale, 200)
        for x, probability in case["expected"]["pmf"].items():
            assert float(right[int(x)]) == pytest.approx(probability, rel=1e-12)
        assert noise.variance == pytest.approx(case["expected"]["variance"], rel=1e-12)
        for width, inside in case["expected"]["P(|X|<=k)"].items():
            assert noise.within(inside - 1e-12) == int(width)
            assert noise.within(inside + 1e-12) == int(width) + 1


def test_gaussian_rho(shared: Path) -> None:
    for case in cases(shared, "gaussian_zcdp"):
        noise = DiscreteGaussian(exact(case["input"]["sigma"]))
        sensitivity, rho = case["input"]["l2_sensitivity"], case["expected"]["rho"]
        assert float(noise.rho(sensitivity)) == pytest.approx(rho, rel=1e-15)
        assert float(DiscreteGaussian.of_rho(noise.rho(sensitivity), sensitivity).scale) == pytest.approx(
            float(noise.scale), rel=1e-13
        )


def test_gaussian_analytic_sigma(shared: Path) -> None:
    for case in cases(shared, "gaussian_analytic"):
        asked = (case["input"]["epsilon"], case["input"]["delta"], case["input"]["l2_sensitivity"])
        assert analytic_sigma(*asked) == pytest.approx(case["expected"]["sigma"], rel=1e-12)
        discrete = DiscreteGaussian.analytic(*asked)
        assert discrete.delta(asked[0], asked[2]) <= asked[1]
        assert float(discrete.scale) == pytest.approx(case["expected"]["sigma"], rel=0.03)
        assert float(discrete.scale) < case["expected"]["sigma_classic"]


def test_gaussian_delta(shared: Path) -> None:
    for case in cases(shared, "gaussian_delta"):
        asked = (case["input"]["epsilon"], case["input"]["sigma"])
        assert analytic_delta(*asked) == pytest.approx(case["expected"]["delta"], rel=1e-12)
        assert delta_of(*asked) == pytest.approx(case["expected"]["delta"], rel=0.2)


def test_pure_epsilon_as_rho(shared: Path) -> None:
    for case in cases(shared, "pure_to_zcdp"):
        price = Price.pure(case["input"]["epsilon"])
        assert price.rho is not None
        assert exact(price.rho) == exact(case["expected"]["rho"])


def test_staircase_error(shared: Path) -> None:
    """On a grid of 2000 to one, staircase noise has the error of real numbers to a part in a million."""
    for case in cases(shared, "staircase"):
        epsilon, expected = case["input"]["epsilon"], case["expected"]
        assert optimal_gamma(epsilon) == pytest.approx(expected["gamma_opt_l1"], rel=1e-12)
        assert continuous_abs_noise(epsilon) == pytest.approx(expected["expected_abs_noise"], rel=1e-12)
        fine = Staircase(epsilon, 2000)
        assert fine.first / 2000 == pytest.approx(expected["gamma_opt_l1"], abs=1e-3)
        assert fine.expected_abs_noise / 2000 == pytest.approx(expected["expected_abs_noise"], rel=1e-6)
        assert fine.expected_abs_noise / 2000 < expected["laplace_abs_noise"]


def test_scales_of_the_lecture(shared: Path) -> None:
    for case in cases(shared, "sensitivity"):
        expected = case["expected"]
        for epsilon, name in ((1, "laplace_scale_at_eps_1"), (0.1, "laplace_scale_at_eps_0.1")):
            if name in expected:
                assert DiscreteLaplace.of(epsilon, expected["l1_sensitivity"]).scale == exact(expected[name])
