"""Floating-point attacks: they break numpy's and the textbook's noise, and find nothing in ours.

The false alarms of this file: two attacks on our noise, each at a confidence of 1 − 10⁻⁸.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dp.audit.broken import inverse_distribution_laplace, numpy_laplace
from sfumato.dp.mechanisms.laplace import Laplace
from sfumato.query.attacks import LeastSignificantBits, Precision
from sfumato.query.attacks.floating_point import Sampler

OURS = Laplace(epsilon=1, sensitivity=1, grid=Fraction(1, 1024))
ATTACKS = (
    LeastSignificantBits(confidence=1 - 1e-8, samples=20_000),
    Precision(confidence=1 - 1e-8, samples=20_000),
)


def ours(value: float, runs: int) -> NDArray[np.float64]:
    return np.array([OURS.add(value) for _ in range(runs)])


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
@pytest.mark.parametrize("sampler", [numpy_laplace, inverse_distribution_laplace])
def test_noise_on_floats_is_broken(attack: LeastSignificantBits | Precision, sampler: Sampler) -> None:
    found = attack.run(sampler)
    assert float(found.details["empirical epsilon"]) > 2.5
    assert str(found.details["verdict"]).startswith("refuted")
    assert found.success > 0.54


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_noise_on_a_grid_is_not_refuted(attack: LeastSignificantBits | Precision) -> None:
    found = type(attack)(confidence=1 - 1e-8, samples=1000).run(ours)
    assert found.details["verdict"] == "not refuted"


def test_two_answers_that_are_the_same_tell_nothing() -> None:
    with pytest.raises(BadInput, match="must differ"):
        Precision(answers=(1.0, 1.0))
