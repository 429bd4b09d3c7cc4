"""What a Beacon asks of a policy: how a question is answered, and what is remembered for whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import Random

EVERYBODY = "*"
"""whose memory and budget all askers share; no asker may be called so"""


@dataclass(frozen=True)
class Question:
    """Whether anybody carries an allele, as the policy sees it."""

    site: int
    """the number of a site with this allele, from 0"""
    reference: bool
    """whether it is the site's reference allele"""
    carriers: NDArray[np.int64] = field(repr=False)
    """the people who carry it, as numbers from 0: never told to anybody"""


@dataclass
class Account:
    """What is remembered for an asker, or for all of them together."""

    spent: NDArray[np.float64] = field(repr=False)
    """what of each person's budget is used up"""
    answered: int = 0
    """different questions answered so far"""


class Policy(Protocol):
    """How a Beacon answers. A frozen dataclass; what changes lies in accounts."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def together(self) -> bool:
        """Whether all askers share one account and get the same answers."""

    @property
    def secret(self) -> bool:
        """Whether what it protects rests on chance that nobody else knows."""

    def start(self, people: int, sites: int) -> None:
        """Refuse a Beacon that the policy does not fit."""

    def answer(self, question: Question, account: Account, random: Random | None) -> bool | None:
        """Answer a question that was not asked before on this account; None is a refusal."""

    def spent(self, answered: int) -> dict[str, float]:
        """Return ε and δ of so many answers; nothing where the policy is not differentially private."""
