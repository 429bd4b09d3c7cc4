"""What every additive mechanism on whole numbers offers."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import Random


class IntegerNoise(Protocol):
    """Noise on whole numbers: a frozen dataclass with its exact scale (in units of the grid).

    Reals are whole numbers of a grid that metadata fixes (hours of 0.1 are tenths); floats never meet noise.
    """

    name: ClassVar[str]

    @property
    def scale(self) -> Fraction:
        """The scale in units of the grid."""

    @property
    def variance(self) -> float:
        """The variance of one draw."""

    def within(self, confidence: float) -> int:
        """Return the smallest w with Pr[|noise| ≤ w] ≥ confidence: the error bar."""

    def add(self, values: NDArray[np.int64], random: Random | None = None) -> NDArray[np.int64]:
        """Return the values with independent noise, saturated at ±2⁶².

        Drawn from the operating system unless a test hands in a generator.
        """
