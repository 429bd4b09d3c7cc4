"""What all attacks on tables share: what the adversary holds, what is attacked, what comes out.

An attack is an adversary that is really run. It returns how often it is right, how often it would have been
right anyway, and only if asked who was hit. What is not known it never reports as zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.engine.contract import Table
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.table.published import PublishedTable

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

    def __post_init__(self) -> None:
        for share in (self.success, self.baseline, self.guessing, self.highest):
            if not 0.0 <= share <= 1.0 + 1e-12:
                raise AssertionError(f"{self.attack}: a share of people lies between 0 and 1")
        if not 0 <= self.certain <= self.attempts:
            raise AssertionError(f"{self.attack}: more people were hit than attacked")

    @property
    def advantage(self) -> float:
        """What is due to the target's own data."""
        return self.success - self.baseline

    def __str__(self) -> str:
        of = f" on '{self.column}'" if self.column else ""
        note = f" ({self.note})" if self.note else ""
        people = "1 person" if self.attempts == 1 else f"{self.attempts:,} people"
        verb = "claims about" if self.scored is Scored.CLAIMED else "of"
        return (
            f"{self.attack}{of}: {in_per_cent(self.success)} {verb} {people}, "
            f"{in_per_cent(self.baseline)} without their data (a blind guess: {in_per_cent(self.guessing)}); "
            f"sure of {self.certain:,}{note}"
        )


@dataclass(frozen=True)
class People:
    """An identified file: who the people are, and which of its columns say what a release says.

    ``columns`` leads from a column of the release to the column of this file that holds the same fact, as
    precisely as the adversary knows it. ``person`` holds the same ids as the person column of the target,
    when that is known: then claims can be compared with the truth.
    """

    table: Table
    columns: Mapping[str, str]
    person: str | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            raise BadInput(
                "the identified file has no column in common with the release",
                remedy="say which belong together, such as birth_date=birthday",
            )
        for name in (*self.columns.values(), *((self.person,) if self.person else ())):
            if name not in self.table.names:
                raise BadInput(f"the identified file has no column '{name}'", remedy="check the names")


@dataclass(frozen=True)
class Knowledge:
    """What the adversary holds, and what the house knows to tell who was right."""

    people: People | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """how values were generalised, by column of the release: public, as a rule"""
    original: PublishedTable | None = None
    """the table before it was protected: the truth"""
    others: tuple[PublishedTable, ...] = ()
    """other releases about some of the same people"""
    population: People | None = None
    """everybody whom the release was drawn from"""
    truthful: bool = False
    """whether values were only generalised or hidden: who fits no record of the release is not in it"""


class Attack(Protocol):
    """An adversary. A frozen dataclass whose fields are its parameters, checked when it is made.

    Attacks on a sensitive column have a field ``column: str | None = None``; a caller that leaves it open
    runs the attack once for every sensitive column of the target.
    """

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def title(self) -> str:
        """What the adversary does, in a few words."""

    @property
    def threat(self) -> Threat:
        """What is learned when it succeeds."""

    @property
    def needs(self) -> frozenset[Need]:
        """What must be at hand."""

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Attack a release; with ``victims`` also say which rows were hit."""


def sensitive_column(attack: str, column: str | None, target: PublishedTable) -> str:
    """Return the sensitive column to attack: the one that was named, or the only one that there is."""
    if column is None and len(target.sensitive) == 1:
        return target.sensitive[0]
    if column is None or column not in target.table.names:
        known = ", ".join(f"'{name}'" for name in target.sensitive) or "none"
        what = "a sensitive column must be named" if column is None else f"there is no column '{column}'"
        raise BadInput(what, where=attack, remedy=f"sensitive columns of the release: {known}")
    return column
