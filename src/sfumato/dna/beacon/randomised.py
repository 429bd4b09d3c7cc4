"""Answers by a coin: a Beacon with a differential promise.

S. Warner, "Randomized response" (1965); for unique alleles of Beacons: M. M. Al Aziz and others, "Aftermath
of Bustamante attack on genomic beacon service" (2017). A promise needs the coin for all alleles.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dna.beacon.contract import Account, Question
from sfumato.dp.exact import Number, decimal_above, exact
from sfumato.dp.mechanisms.randomised_response import KaryRandomisedResponse
from sfumato.dp.mechanisms.randomised_response import RandomisedResponse as Coin


@dataclass(frozen=True)
class RandomisedResponse:
    """Every answer is the truth with probability e^ε/(1 + e^ε), drawn once for all askers.

    One answer is ε-differentially private, whether one person is replaced or one more or less: they can turn
    yes into no and back. One person can turn **every** answer, so q different questions cost qε together;
    asking again, by whomever, gets the same answer and costs nothing. ``total`` is what all questions may
    cost: after ⌊total/ε⌋ of them the Beacon refuses all new ones.

    Protects membership from every attack, whatever the frequencies and however sites are linked. The price is
    in the figures: with ε = 1 every answer is wrong with probability .27, and a hundred of them cost 100.
    That is the honest cost of many answers that one person can turn. The list of sites must be public: one
    that was read from the people's own variants betrays them before the first question.

    >>> response = RandomisedResponse(epsilon="0.5", total=10)
    >>> response.questions, round(response.flip, 4)
    (20, 0.3775)
    """

    epsilon: Number
    total: Number | None = None
    name: ClassVar[str] = "randomised-response"
    together: ClassVar[bool] = True
    secret: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _ = self.coin
        if self.total is not None and exact(self.total, where="total") < exact(self.epsilon):
            raise BadInput(
                "the total is less than what one answer costs",
                where=self.name,
                remedy="raise total, or lower epsilon",
            )

    @property
    def coin(self) -> Coin:
        """The probabilities of both answers, rounded to the safe side."""
        return _coin(exact(self.epsilon, where="epsilon"))

    @property
    def flip(self) -> float:
        """The probability of a wrong answer, which is public."""
        return float(self.coin.matrix[0][1])

    @property
    def questions(self) -> int | None:
        """How many different questions are answered; None is without end."""
        return None if self.total is None else math.floor(exact(self.total) / exact(self.epsilon))

    def start(self, people: int, sites: int) -> None:
        """Every Beacon fits."""

    def answer(self, question: Question, account: Account, random: Random | None) -> bool | None:
        """Toss for it, while there is budget."""
        if self.questions is not None and account.answered >= self.questions:
            return None
        account.answered += 1
        truth = np.array([question.carriers.size > 0], np.int64)
        return bool(self.coin.answer(truth, random)[0])

    def spent(self, answered: int) -> dict[str, float]:
        """Return qε."""
        total = Fraction(decimal_above(answered * exact(self.epsilon)))
        return {"epsilon": float(total)} if answered else {}


@functools.lru_cache(maxsize=64)
def _coin(epsilon: Fraction) -> Coin:
    kary = KaryRandomisedResponse(2, epsilon)
    return Coin(((kary.truth, kary.other), (kary.other, kary.truth)))
