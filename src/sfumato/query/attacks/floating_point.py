"""Floating-point attacks on any sampler: the last bits of one noisy answer tell which answer it was added to.

I. Mironov, "On significance of the least significant bits for differential privacy" (2012); S. Haney et al.,
"Precision-based attacks and interval refining" (2022). Both look at single answers: no averaging, no
budget, and no larger ε helps against them, only noise on whole numbers of a grid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dp.audit.auditor import CONFIDENCE, audit
from sfumato.dp.audit.floating_point import least_significant_bits
from sfumato.dp.audit.readings import fineness
from sfumato.dp.exact import Number

Sampler = Callable[[float, int], NDArray[np.float64]]
"""adds noise to an exact answer, so many times"""


@dataclass(frozen=True)
class _Bits(ABC):
    """What both attacks share: two exact answers that differ by one person, and a guess from each output."""

    answers: tuple[float, float] = (0.0, 1.0)
    epsilon: Number = 1
    """what the sampler claims"""
    scale: float = 1.0
    samples: int = 20_000
    confidence: float = CONFIDENCE
    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    threat: ClassVar[Threat] = Threat.MEMBERSHIP

    def __post_init__(self) -> None:
        if self.answers[0] == self.answers[1]:
            raise BadInput("the two exact answers must differ", where=self.name, remedy="try 0 and 1")

    @abstractmethod
    def read(self, outputs: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return more than 0 where the first answer is betrayed, less where the second is."""

    def run(self, target: Sampler, knowledge: None = None) -> AttackResult:
        """Guess from each noisy answer which exact one it was, and bound the sampler's ε from below.

        What the bits do not betray is guessed by a coin. ``empirical epsilon`` in the details holds with the
        confidence of the attack; at most the claimed ε means "not refuted".
        """
        half = self.samples // 2
        votes = [np.sign(self.read(target(answer, half))) for answer in self.answers]
        sure = [int(np.sum(votes[0] > 0)), int(np.sum(votes[1] < 0))]
        unsure = sum(int(np.sum(vote == 0)) for vote in votes)
        found = audit(
            lambda answer, runs: self.read(target(answer, runs)),
            self.answers,
            self.epsilon,
            samples=self.samples,
            confidence=self.confidence,
            name=self.name,
        )
        tried = 2 * half
        return AttackResult(
            self.name,
            self.threat,
            attempts=tried,
            success=(sum(sure) + unsure / 2) / tried,
            baseline=0.5,
            guessing=0.5,
            scored=Scored.MEASURED,
            details={
                "empirical epsilon": found.epsilon,
                "claimed epsilon": float(found.claim.epsilon),
                "right by their bits": sum(sure),
                "verdict": found.verdict,
            },
            note="attempts are noisy answers, half of each exact one",
        )


@dataclass(frozen=True)
class LeastSignificantBits(_Bits):
    """Test which of the two exact answers can have led to the float that was told at all.

    Knows samplers that invert the distribution function, as textbooks and numpy do, with this ``scale``.
    """

    name: ClassVar[str] = "least-significant-bits"
    title: ClassVar[str] = "which floats a sampler can reach"

    def read(self, outputs: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return 1 if only the first answer allows it, −1 if only the second."""
        read = least_significant_bits(self.answers, self.scale).read
        return np.asarray(read(np.asarray(outputs, np.float64)), np.int64)


@dataclass(frozen=True)
class Precision(_Bits):
    """Look at the lowest bit: noise added to 1 near 0 is a multiple of 2⁻⁵³, noise added to 0 is finer.

    Knows nothing of the sampler but that it adds floats.
    """

    name: ClassVar[str] = "precision"
    title: ClassVar[str] = "how fine the last bit is"

    def read(self, outputs: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return 1 where the output is finer than a sum with the larger answer can be."""
        exponents = [int(np.frexp(answer)[1]) for answer in self.answers]
        larger = int(np.argmax(np.abs(self.answers)))
        # A sum with a is a multiple of half the last place of a, or of what cancelled it.
        finer = fineness(np.asarray(outputs, np.float64)) < exponents[larger] - 54
        return np.where(finer, 1 if larger == 1 else -1, 0).astype(np.int64)
