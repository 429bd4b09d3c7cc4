"""What all attacks on sets share: what the adversary holds and what is attacked.

What comes out is the same for every kind of data: see ``core/attack.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets, Visits, read_only
from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat

Target = PublishedSets | Disassociated
CHOICES = ("worst", "random")
"""which of a person's codes the adversary has come to know"""


@dataclass(frozen=True)
class Identified:
    """A file of people whom the adversary knows by name, each with the codes that are known of them.

    ``rows`` says for each which record of the original is theirs, −1 for none, where the house knows it:
    then claims can be compared with the truth.
    """

    sets: CodeSets
    rows: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if self.rows is not None:
            object.__setattr__(self, "rows", read_only(self.rows, np.int64))


@dataclass(frozen=True)
class Knowledge:
    """What the adversary holds, and what the house knows to tell who was right.

    What the items of a release stand for is public and comes with the release.
    """

    original: CodeSets | None = None
    """the sets before they were protected: the truth, and what may be known of people"""
    aligned: bool = False
    """whether record r of the release is record r of the original, as it is in the house"""
    visits: Visits | None = None
    """the original by visit"""
    people: Identified | None = None


class Attack(Protocol):
    """An adversary. A frozen dataclass whose fields are its parameters, checked when it is made."""

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
        self, target: Target, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Attack a release; with ``victims`` also say which rows were hit."""


def check_known(m: int, choose: str, seed: int, where: str) -> None:
    """Refuse parameters of an adversary who knows some codes of a person."""
    if isinstance(m, bool) or not isinstance(m, int) or m < 1:
        raise BadInput("m must be a whole number of at least 1", where=where, remedy="try m: 2")
    if choose not in CHOICES:
        raise BadInput(
            "there is no such choice of known codes", where=where, remedy=nearest(str(choose), CHOICES)
        )
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise BadInput("seed must be a whole number of at least 0", where=where, remedy="try seed: 0")


def people_to_attack(knowledge: Knowledge, where: str) -> CodeSets:
    """Return the people of the original; refuse to attack nobody."""
    if knowledge.original is None:
        raise BadInput("the attack needs the original", where=where, remedy="give the original")
    if not len(knowledge.original):
        raise BadInput("there is nobody to attack", where=where, remedy="give an original with people")
    return knowledge.original


def records_of(target: Target, where: str) -> int:
    """Return how many records a release has; refuse one without any."""
    if not len(target):
        raise BadInput("there are no records to attack", where=where, remedy="give a release with records")
    return len(target)


def as_records(target: Target, where: str) -> PublishedSets:
    """Refuse a release that shows records in parts."""
    if isinstance(target, PublishedSets):
        return target
    raise BadInput(
        "it reads whole records, and this release shows them in parts",
        where=where,
        remedy="attack chunks with known-codes or cover",
    )


def check_alignment(target: Target, knowledge: Knowledge, where: str) -> None:
    """Refuse records that are said to belong together and are not as many."""
    if knowledge.aligned and knowledge.original is not None and len(target) != len(knowledge.original):
        raise BadInput(
            f"the release has {len(target)} records and the original {len(knowledge.original)} people",
            where=where,
            remedy="give the original that the release was made from",
        )
