"""Differential privacy of statistics: what is checked, and how well any attacker can do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.contract import Figure, Published, Statistics, Study
from sfumato.dna.models.private import NOT_SECRET, DifferentialPrivacy, auc_bound, power_bound
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory

STUDY = Study(InMemory(np.zeros((1, 3), np.int8), numbered(1)))


def made(details: Mapping[str, Figure] = MappingProxyType({}), /, **spent: float) -> Published:
    return Published(Statistics(numbered(1), {}), np.arange(1), spent, details)


class TestCheck:
    def test_the_comparison_is_exact_and_the_boundary_holds(self) -> None:
        assert DifferentialPrivacy("0.3").check(made(epsilon=0.3), STUDY).holds
        assert not DifferentialPrivacy("0.3").check(made(epsilon=0.1 + 0.2), STUDY).holds
        assert DifferentialPrivacy(1, "1e-6").check(made(epsilon=1, delta=1e-6), STUDY).holds
        assert not DifferentialPrivacy(1).check(made(epsilon=1, delta=1e-9), STUDY).holds

    @pytest.mark.parametrize("spent", [{}, {"delta": 0.1}, {"epsilon": 0.0}, {"epsilon": math.inf}])
    def test_what_names_no_epsilon_holds_no_promise(self, spent: dict[str, float]) -> None:
        verdict = DifferentialPrivacy(1).check(made(**spent), STUDY)
        assert not verdict.holds
        assert verdict.violations == 1

    def test_noise_of_a_generator_holds_no_promise(self) -> None:
        verdict = DifferentialPrivacy(1).check(made({NOT_SECRET: "seeded"}, epsilon=1), STUDY)
        assert not verdict.holds
        assert "not to be published" in str(verdict)

    @pytest.mark.parametrize(("epsilon", "delta"), [(0, 0), (-1, 0), (1001, 0), (1, 1), (1, -1), ("x", 0)])
    def test_parameters_that_promise_nothing_are_refused(self, epsilon: float, delta: float) -> None:
        with pytest.raises(BadInput):
            DifferentialPrivacy(epsilon, delta)


class TestBound:
    @given(st.floats(0, 8), st.floats(0, 1))
    def test_the_area_is_that_below_the_best_power(self, epsilon: float, delta: float) -> None:
        """The best power is concave and piecewise linear with these corners: trapezia are exact."""
        meet = (1 - delta) / (1 + math.exp(epsilon))
        corners = sorted({0.0, meet, 1 - delta, 1.0})
        power = [power_bound(epsilon, delta, x) for x in corners]
        assert auc_bound(epsilon, delta) == pytest.approx(np.trapezoid(power, corners), abs=1e-9)

    @given(st.floats(0.01, 8))
    def test_randomised_response_reaches_it(self, epsilon: float) -> None:
        """Telling the truth with probability t = e^ε/(1 + e^ε): ROC (0,0), (1 − t, t), (1, 1) has area t."""
        truth = math.exp(epsilon) / (1 + math.exp(epsilon))
        assert auc_bound(epsilon) == pytest.approx(truth, rel=1e-12)
        assert auc_bound(epsilon) >= truth - 1e-15

    def test_nothing_spent_leaves_a_coin_and_everything_spent_no_bound(self) -> None:
        assert auc_bound(0) == pytest.approx(0.5)
        assert auc_bound(10_000) == 1.0
        assert auc_bound(0, 1) == 1.0
        with pytest.raises(BadInput):
            auc_bound(-1)
