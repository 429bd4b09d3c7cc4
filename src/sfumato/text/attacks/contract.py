"""What all attacks on notes share: what is attacked, what the adversary holds, what the house knows.

What comes out is the same for every kind of data: see ``core/attack.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.text.note import Known


@dataclass(frozen=True)
class ReleasedNotes:
    """Released notes as anybody reads them.

    ``groups`` says which of them the release itself shows as one person's (a pseudonym beside them): notes
    with the same word belong together, and an adversary reads them together.
    """

    texts: tuple[str, ...] = field(repr=False)
    groups: tuple[str | None, ...] | None = field(default=None, repr=False)
    language: str = "en"
    moved_by: int = 365
    """days by which dates are moved at most, as the public recipe says"""

    def __post_init__(self) -> None:
        if self.groups is not None and len(self.groups) != len(self.texts):
            raise BadInput("every note needs to say whose it is", remedy="give None where nobody knows")

    @cached_property
    def records(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the notes that belong together, in the order of their first."""
        if self.groups is None:
            return tuple((note,) for note in range(len(self.texts)))
        found: dict[object, list[int]] = {}
        for note, group in enumerate(self.groups):
            found.setdefault(("alone", note) if group is None else group, []).append(note)
        return tuple(tuple(notes) for notes in found.values())

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True)
class Identified:
    """A table of people whom the adversary knows by name: of each, what its columns say.

    ``ids`` are the words by which the house tells who is who; they are needed for scoring alone.
    """

    rows: tuple[tuple[Known, ...], ...] = field(repr=False)
    ids: tuple[str, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.ids is not None and len(self.ids) != len(self.rows):
            raise BadInput("every person of the identified file needs an id", remedy="give all, or none")

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class OtherNotes:
    """Texts from elsewhere that are known to be about certain people: letters, abstracts, posts."""

    texts: tuple[str, ...] = field(repr=False)
    persons: tuple[str, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.persons):
            raise BadInput("every text from elsewhere needs to say whose it is", remedy="leave others out")


@dataclass(frozen=True)
class Knowledge:
    """What the adversary holds (``people``, ``others``), and what the house knows to tell who was right."""

    people: Identified | None = None
    others: OtherNotes | None = None
    persons: tuple[str | None, ...] | None = field(default=None, repr=False)
    """for each note whose it is"""
    offsets: tuple[int | None, ...] | None = field(default=None, repr=False)
    """for each note by how many days its dates were moved; None where none was"""
    left: tuple[tuple[tuple[int, int], ...], ...] | None = field(default=None, repr=False)
    """for each note where real names still stand in the released text, first to after last"""

    def check(self, target: ReleasedNotes, where: str) -> None:
        """Refuse truths that are about other notes."""
        for known in (self.persons, self.offsets, self.left):
            if known is not None and len(known) != len(target):
                raise BadInput(
                    f"the truth is about {len(known):,} notes and the release has {len(target):,}",
                    where=where,
                    remedy="give the notes that the release was made from, in its order",
                )


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
        self,
        target: ReleasedNotes,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Attack released notes; with ``victims`` also say which rows of the file were hit."""


def notes_to_attack(target: ReleasedNotes, where: str) -> None:
    """Refuse a release without notes."""
    if not len(target):
        raise BadInput("there are no notes to attack", where=where, remedy="give a release with notes")


def people_to_attack(knowledge: Knowledge, where: str) -> Identified:
    """Return the identified file; refuse to attack nobody."""
    if knowledge.people is None or not len(knowledge.people):
        raise BadInput(
            "there is nobody to attack", where=where, remedy="give a file of people whom the adversary knows"
        )
    return knowledge.people


def surest(found: Sequence[Victim]) -> tuple[Victim, ...]:
    """Return the people about whom an adversary is most sure, the surest first."""
    return tuple(sorted(found, key=lambda one: (-one.confidence, one.row)))[:MOST_VICTIMS]
