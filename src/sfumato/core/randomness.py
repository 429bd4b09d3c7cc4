"""Where chance comes from.

What a guarantee rests on (noise, swaps, randomised answers, samples) is drawn from the operating
system's cryptographic source: whoever knows a seed could undo it. Tests inject a seeded generator,
and what was drawn from one is marked and never published.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

_MANTISSA = 53


class Random(Protocol):
    """The draws that perturbations make."""

    @property
    def secret(self) -> bool:
        """Whether nobody can draw the same again."""

    def uniform(self, size: int) -> NDArray[np.float64]:
        """Draw numbers from [0, 1), multiples of 2⁻⁵³."""

    def integers(self, below: int, size: int) -> NDArray[np.int64]:
        """Draw whole numbers from {0, …, below − 1}, each equally likely."""

    def normal(self, size: int) -> NDArray[np.float64]:
        """Draw numbers from the standard normal distribution."""

    def permutation(self, size: int) -> NDArray[np.int64]:
        """Draw an order of {0, …, size − 1}, each equally likely (but for ties of 64-bit keys)."""


@dataclass(frozen=True)
class SecretRandom:
    """Draws from the operating system.

    >>> SecretRandom().integers(3, 1000).max()
    np.int64(2)
    """

    secret: bool = field(default=True, init=False)

    def _words(self, size: int) -> NDArray[np.uint64]:
        return np.frombuffer(os.urandom(8 * size), np.uint64)

    def uniform(self, size: int) -> NDArray[np.float64]:
        """Draw numbers from [0, 1)."""
        return (self._words(size) >> np.uint64(64 - _MANTISSA)).astype(np.float64) * 2.0**-_MANTISSA

    def integers(self, below: int, size: int) -> NDArray[np.int64]:
        """Draw whole numbers; words past the last full multiple of ``below`` are drawn again."""
        if not 1 <= below < 2**63:
            raise ValueError("below must lie between 1 and 2^63 - 1")
        limit = np.uint64(2**64 - 1 - (2**64 % below))
        words = self._words(size).copy()
        while (again := np.flatnonzero(words > limit)).size:
            words[again] = self._words(again.size)
        return (words % np.uint64(below)).astype(np.int64)

    def normal(self, size: int) -> NDArray[np.float64]:
        """Draw normal numbers in pairs, by Box and Muller (1958)."""
        half = (size + 1) // 2
        radius = np.sqrt(-2.0 * np.log1p(-self.uniform(half)))
        angle = 2.0 * np.pi * self.uniform(half)
        return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:size]

    def permutation(self, size: int) -> NDArray[np.int64]:
        """Draw an order by sorting random keys."""
        return np.argsort(self._words(size), kind="stable").astype(np.int64)


@dataclass(frozen=True)
class SeededRandom:
    """Draws that can be repeated: for tests only.

    >>> SeededRandom(1).uniform(2).round(3)
    array([0.512, 0.95 ])
    """

    seed: int
    secret: bool = field(default=False, init=False)
    _generator: np.random.Generator = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_generator", np.random.default_rng(self.seed))

    def uniform(self, size: int) -> NDArray[np.float64]:
        """Draw numbers from [0, 1)."""
        return self._generator.random(size)

    def integers(self, below: int, size: int) -> NDArray[np.int64]:
        """Draw whole numbers."""
        return self._generator.integers(below, size=size)

    def normal(self, size: int) -> NDArray[np.float64]:
        """Draw normal numbers."""
        return self._generator.standard_normal(size)

    def permutation(self, size: int) -> NDArray[np.int64]:
        """Draw an order."""
        return self._generator.permutation(size)
