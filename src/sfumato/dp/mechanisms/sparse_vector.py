"""The sparse vector technique: ask many questions, pay only for those whose answer is above a threshold.

C. Dwork, M. Naor, O. Reingold, G. Rothblum & S. Vadhan (2009); AboveThreshold in C. Dwork & A. Roth (2014),
Algorithm 1. M. Lyu, D. Su & N. Li, "Understanding the sparse vector technique for differential privacy"
(2017) showed that four of six published variants are wrong; this is their Algorithm 1, which is right:

    threshold noise  Lap(Δ/ε₁), drawn once;    question noise  Lap(2cΔ/ε₂), drawn for each question;

with ε₁ + ε₂ = ε, and an end after c answers above (cΔ/ε₂ when all answers move in the same direction).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, decimal_above, exact
from sfumato.dp.mechanisms.exact_choice import LARGEST_SCORE, positive
from sfumato.dp.mechanisms.sampler import check_scale, exact_laplace
from sfumato.dp.price import Price


@dataclass(frozen=True)
class SparseVector:
    """Tell for each of many questions whether its answer is above a threshold, until c of them were.

    The price is ε for the whole conversation, however many answers are below. Answers are whole numbers
    that one person changes by at most Δ (``sensitivity``); thresholds are public. Noise is discrete Laplace:
    the proof needs only that it falls by at most e^(−1/scale) a step, so it stands on whole numbers.

    Only above or below is told. The noisy answer itself must be asked for apart, with its own ε: telling it
    with the same noise is one of the variants that are wrong.

    >>> svt = SparseVector(1)
    >>> svt.threshold_scale, svt.question_scale
    (Fraction(2, 1), Fraction(4, 1))
    >>> SparseVector(5).above(np.array([0, 10, 900, 2000]), 500).tolist()
    [False, False, True]
    """

    epsilon: Number
    sensitivity: int = 1
    c: int = 1
    monotonic: bool = False
    threshold_share: Number = Fraction(1, 2)
    """ε₁/ε, the part of ε that goes to the threshold"""
    name: ClassVar[str] = "sparse-vector"

    def __post_init__(self) -> None:
        positive(self.epsilon, "epsilon", self.name)
        for value, what in ((self.sensitivity, "sensitivity"), (self.c, "c")):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadInput(f"{what} must be a whole number of at least 1", where=self.name)
        if not 0 < exact(self.threshold_share) < 1:
            raise BadInput("threshold_share must lie between 0 and 1", where=self.name, remedy="try 0.5")
        check_scale(self.threshold_scale, where=self.name)
        check_scale(self.question_scale, where=self.name)

    @classmethod
    def with_least_error(
        cls, epsilon: Number, sensitivity: int = 1, c: int = 1, *, monotonic: bool = False
    ) -> SparseVector:
        """Share ε so that threshold and question noise together vary least: ε₁ : ε₂ = 1 : (2c)^(2/3).

        (c^(2/3) for monotonic answers; Lyu, Su & Li 2017, §4.2.)

        >>> SparseVector.with_least_error(1, c=4).threshold_share
        Fraction(1, 5)
        """
        ratio = float(c if monotonic else 2 * c) ** (2 / 3)
        share = Fraction(round(1000 / (1 + ratio)), 1000)
        return cls(epsilon, sensitivity, c, monotonic, min(max(share, Fraction(1, 1000)), Fraction(1, 2)))

    @property
    def threshold_scale(self) -> Fraction:
        """The scale of the noise on the threshold, Δ/ε₁."""
        return self.sensitivity / (exact(self.epsilon) * exact(self.threshold_share))

    @property
    def question_scale(self) -> Fraction:
        """The scale of the noise on each answer, 2cΔ/ε₂."""
        times = self.c if self.monotonic else 2 * self.c
        return times * self.sensitivity / (exact(self.epsilon) * (1 - exact(self.threshold_share)))

    @property
    def price(self) -> Price:
        """What the whole conversation costs."""
        return Price.pure(decimal_above(exact(self.epsilon)))

    def accuracy(self, questions: int, beta: float) -> float:
        """Return α so that with probability 1 − β all of k answers are right about T ± α.

        α = 2 max(b₁, b₂) (ln k + ln(2/β)), the union bound over all noise (Dwork & Roth 2014, Theorem 3.24);
        whole numbers of noise can add 2 to it.

        >>> round(SparseVector(1).accuracy(100, 0.05), 4)
        66.3524
        """
        if questions < 1 or not 0 < beta < 1:
            raise BadInput("there is at least one question, and β lies between 0 and 1", where=self.name)
        widest = max(self.threshold_scale, self.question_scale)
        return float(2 * widest) * (math.log(questions) + math.log(2 / beta))

    def open(self, random: Random | None = None) -> AboveThreshold:
        """Begin a conversation: the threshold's noise is drawn now. Open it once per price that was paid."""
        noise = int(exact_laplace(self.threshold_scale, 1, random)[0])
        return AboveThreshold(self, noise, random)

    def above(
        self, answers: NDArray[np.int64], threshold: int, random: Random | None = None
    ) -> NDArray[np.bool_]:
        """Go through answers until c are above; what comes back ends there."""
        return np.array(self.open(random).ask_all(np.asarray(answers).tolist(), threshold), np.bool_)


@dataclass
class AboveThreshold:
    """A conversation under way. Its noise is as secret as the data, and is never shown."""

    terms: SparseVector
    _noise: int = field(repr=False)
    _random: Random | None = field(repr=False)
    answered: int = 0
    above: int = 0

    @property
    def ended(self) -> bool:
        """Whether c answers were above, so that nothing more may be told."""
        return self.above >= self.terms.c

    def ask(self, answer: int, threshold: int) -> bool:
        """Say whether an exact answer lies above a public threshold, as far as noise lets it be seen."""
        if self.ended:
            raise PromiseNotMet(
                f"{self.terms.c} answers were above the threshold, and the price covers no more",
                where=self.terms.name,
                remedy="pay for a new conversation",
            )
        near = min(max(int(answer), -LARGEST_SCORE), LARGEST_SCORE)
        found = (
            near + int(exact_laplace(self.terms.question_scale, 1, self._random)[0])
            >= threshold + self._noise
        )
        self.answered += 1
        self.above += found
        return found

    def ask_all(self, answers: Iterable[int], threshold: int) -> list[bool]:
        """Ask several, until they or the conversation end."""
        told = []
        for answer in answers:
            if self.ended:
                break
            told.append(self.ask(answer, threshold))
        return told
