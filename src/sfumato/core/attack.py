"""What attacks on every kind of data share: what an adversary needs, how it is scored, what comes out.

An attack is an adversary that is really run. It returns how often it is right, how often it would have been
right anyway, and only if asked who was hit. What is not known it never reports as zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sfumato.core.verdict import Threat

MOST_VICTIMS = 1000
"""rows that are told when victims are asked for"""


class Need(StrEnum):
    """What an adversary must hold, beside the release, before the attack can be run."""

    PEOPLE = "an identified file"
    ORIGINAL = "the original, to tell who was right"
    SENSITIVE = "a sensitive column in the release"
    OTHERS = "another release about some of the same people"
    MECHANISM = "a column that was randomised by a known mechanism"
    POPULATION = "a list of the population"


class Scored(StrEnum):
    """How it is known whether the adversary was right."""

    MEASURED = "measured"
    """every claim was compared with the truth"""
    EXPECTED = "expected"
    """the adversary picks among candidates by chance, and the person's own record is taken to be one"""
    CLAIMED = "claimed"
    """claims that nobody could compare with a truth: not a success rate"""


def in_per_cent(share: float) -> str:
    """Write a share for a table; nothing but nothing is 0 %.

    >>> in_per_cent(0.125), in_per_cent(0.0001), in_per_cent(0), in_per_cent(0.9999)
    ('12.5 %', '< 0.1 %', '0.0 %', '> 99.9 %')
    """
    if 0 < share < 0.001:
        return "< 0.1 %"
    if 0.999 < share < 1:
        return "> 99.9 %"
    return f"{100 * share:.1f} %"


@dataclass(frozen=True)
class Victim:
    """Somebody who was hit: the row of the adversary's file (from 1), how sure the adversary is."""

    row: int
    confidence: float
    candidates: int = 1


@dataclass(frozen=True)
class AttackResult:
    """What an attack found. Prints as a sentence, and never shows a value.

    ``success`` is the share of the attacked people about whom the adversary's best claim is right.
    ``baseline`` is the share about whom the same adversary is right without the target's data: for identity
    a pick at random, for sensitive values **the same attack on a release without the target**, so that
    ``advantage = success − baseline`` is what taking part costs. ``guessing`` is a blind guess: for sensitive
    values the most frequent one of the release, for everybody. ``certain`` counts people about whom the
    adversary is sure (one candidate, one value left) and ``highest`` is the greatest confidence about
    anybody.

    >>> print(AttackResult("homogeneity", Threat.ATTRIBUTE, 200, 0.25, 0.2, 0.1, certain=50, column="ill"))
    homogeneity on 'ill': 25.0 % of 200 people, 20.0 % without their data (a blind guess: 10.0 %); sure of 50
    """

    attack: str
    threat: Threat
    attempts: int
    success: float
    baseline: float
    guessing: float
    certain: int = 0
    highest: float = 0.0
    column: str | None = None
    """the sensitive column that was attacked"""
    scored: Scored = Scored.EXPECTED
    details: Mapping[str, int | float | str] = field(default_factory=dict)
    """figures of this attack alone, for the steward"""
    note: str = ""
    """what a reader must know to take the figures rightly, in one sentence without its full stop"""
    victims: tuple[Victim, ...] = ()
    not_compared: int | None = None
    """people of ``attempts`` whom a limit of the adversary (a block, a cap, a sample) kept from being looked
    at: no success counts them, and every bound takes them as found; None where there is no such limit"""
    left_out: int = 0
    """people beyond ``attempts`` whom a sample left out: ``success`` says nothing of them, and every bound
    takes them as found"""
    certain_at_most: int | None = None
    """of how many the adversary may be sure, where searches were cut and ``certain`` may be too low"""

    def __post_init__(self) -> None:
        for share in (self.success, self.baseline, self.guessing, self.highest):
            if not 0.0 <= share <= 1.0 + 1e-12:
                raise AssertionError(f"{self.attack}: a share of people lies between 0 and 1")
        if not 0 <= self.certain <= self.attempts:
            raise AssertionError(f"{self.attack}: more people were hit than attacked")
        if not 0 <= (self.not_compared or 0) <= self.attempts or self.left_out < 0:
            raise AssertionError(f"{self.attack}: more people were not compared than attacked")

    @property
    def advantage(self) -> float:
        """What is due to the target's own data."""
        return self.success - self.baseline

    @property
    def unproven(self) -> int:
        """People of whom nobody can say that they are not found: not compared, or claims without a truth."""
        found = self.attempts if self.scored is Scored.CLAIMED else self.not_compared or 0
        return found + self.left_out

    @property
    def compared(self) -> float | None:
        """The share of the people who were compared at all; None where no limit keeps anybody out."""
        if self.not_compared is None and not self.left_out:
            return None
        people = self.attempts + self.left_out
        return (self.attempts - (self.not_compared or 0)) / people if people else 0.0

    def __str__(self) -> str:
        of = f" on '{self.column}'" if self.column else ""
        note = f" ({self.note})" if self.note else ""
        people = "1 person" if self.attempts == 1 else f"{self.attempts:,} people"
        compared = "" if self.compared is None else f"; compared {in_per_cent(self.compared)}"
        verb = "claims about" if self.scored is Scored.CLAIMED else "of"
        return (
            f"{self.attack}{of}: {in_per_cent(self.success)} {verb} {people}, "
            f"{in_per_cent(self.baseline)} without their data (a blind guess: {in_per_cent(self.guessing)}); "
            f"sure of {self.certain:,}{compared}{note}"
        )
