"""Policies without a differential promise: answer all, hide rare alleles, flip some of them.

S. S. Shringarpure & C. D. Bustamante, "Privacy risks from genomic data-sharing beacons" (2015), look at
hiding rare alleles; M. M. Al Aziz, R. Ghasemi, M. Waliullah & N. Mohammed, "Aftermath of Bustamante attack on
genomic beacon service" (2017), flip answers about unique ones at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dna.beacon.contract import Account, Question
from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.exact_choice import source, uniform_below
from sfumato.dp.mechanisms.parameters import exact_share


class _NoBudget:
    """All askers get the same answers, as many as they like."""

    together: ClassVar[bool] = True

    def start(self, people: int, sites: int) -> None:
        """Every Beacon fits."""

    def spent(self, answered: int) -> dict[str, float]:
        """No ε is promised."""
        return {}


@dataclass(frozen=True)
class Open(_NoBudget):
    """Say the truth. Protects nobody: a few questions about rare alleles tell who is in the Beacon."""

    name: ClassVar[str] = "open"
    secret: ClassVar[bool] = False

    def answer(self, question: Question, account: Account, random: Random | None) -> bool | None:
        """Say whether anybody carries it."""
        account.answered += 1
        return question.carriers.size > 0


@dataclass(frozen=True)
class HideRare(_NoBudget):
    """Say yes only where at least ``least`` people carry the allele.

    **It measurably fails**, and is here to be compared with. Against somebody who asks for a person's rarest
    alleles first, hiding all alleles of one carrier leaves an area under the ROC curve of .98 (65 people),
    .94 (250) and .84 (1,000) after 100 questions, on simulated people; .5 would be a guess. Alleles of two or
    three carriers still tell.
    """

    least: int = 2
    name: ClassVar[str] = "hide-rare"
    secret: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check_least(self.least, self.name)

    def answer(self, question: Question, account: Account, random: Random | None) -> bool | None:
        """Say whether enough people carry it."""
        account.answered += 1
        return question.carriers.size >= self.least


@dataclass(frozen=True)
class FlipRare(_NoBudget):
    """Say no, with probability ``chance``, where an allele has carriers but fewer than ``least`` of them.

    Which alleles are flipped is drawn once, in secret, and then stays: asking again tells nothing. Common
    alleles are told truly, so this is **not** differential privacy: carriers of many rare alleles have some
    that were not flipped, and those tell. Use ``RandomisedResponse`` for a promise.
    """

    least: int = 2
    chance: Number = 0.5
    name: ClassVar[str] = "flip-rare"
    secret: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_least(self.least, self.name)
        exact_share(self.chance, "chance")

    def answer(self, question: Question, account: Account, random: Random | None) -> bool | None:
        """Tell the truth, or toss for it."""
        account.answered += 1
        carriers = question.carriers.size
        if carriers >= self.least or not carriers:
            return carriers > 0
        share = exact_share(self.chance, "chance")
        return uniform_below(share.denominator, source(random)) >= share.numerator


def _check_least(least: int, name: str) -> None:
    if isinstance(least, bool) or not isinstance(least, int) or least < 2:
        raise BadInput("least must be a whole number of at least 2", where=name, remedy="try 2")
