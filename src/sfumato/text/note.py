"""Notes and records: what is read, and what was found in it.

A *record* is all that is held about one person: their notes, and what other columns say (``known``: the name,
the date of birth, the record number), which is searched for in every note.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sfumato.core.errors import BadInput
from sfumato.text.kinds import Kind
from sfumato.text.span import Span, disjoint


@dataclass(frozen=True, slots=True)
class Note:
    """One text, as it came: nothing is normalised, so that offsets stay right."""

    text: str = field(repr=False)
    id: str = ""
    written: str | None = None
    """the day it was written, as an ISO date, where a column says so: it gives dates without a year theirs"""


@dataclass(frozen=True, slots=True)
class Known:
    """Something that a column says about the person: ``Known(Kind.NAME, "Whitfield", "patient")``."""

    kind: Kind
    value: str = field(repr=False)
    label: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """The notes of one person in their order, and what is known about the person from elsewhere."""

    notes: tuple[Note, ...]
    person: str = field(default="", repr=False)
    known: tuple[Known, ...] = ()

    @classmethod
    def of(cls, *texts: str, person: str = "") -> Record:
        """Make a record of texts."""
        return cls(tuple(Note(text, str(place)) for place, text in enumerate(texts, 1)), person)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a record: for each note its spans, apart from each other and in their order."""

    record: Record
    spans: tuple[tuple[Span, ...], ...]

    def __post_init__(self) -> None:
        if len(self.spans) != len(self.record.notes):
            raise BadInput("every note needs its list of spans", remedy="give an empty one where nothing is")
        for note, spans in zip(self.record.notes, self.spans, strict=True):
            if not disjoint(spans) or (spans and spans[-1].end > len(note.text)):
                raise BadInput("spans overlap, or reach beyond the text", where=f"note '{note.id}'")
