"""The loop of tagging, correcting and training: a person's corrections outlive the next tagging.

A model tags notes, a person corrects the tags, the model learns from the corrected notes and tags again
(Gardner & Xiong, "HIDE: an integrated system for health information de-identification", 2008). What the
person said is kept as ``Corrections``: spans that were *added* (also those whose ends or kind were changed),
spans that were *removed*. Laid over any later tagging of the same text the person is always right: an added
span drives out every machine's span that it overlaps, and what was removed does not come back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sfumato.core.errors import BadInput
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.annotation.cover import Cover
from sfumato.text.span import Span


@dataclass(frozen=True, slots=True)
class Corrections:
    """What a person changed in one note; holds offsets and no text."""

    confirmed: tuple[Span, ...]
    added: tuple[Span, ...]
    removed: tuple[Span, ...]

    @property
    def changed(self) -> int:
        """How many spans the person had to touch."""
        return len(self.added) + len(self.removed)


def corrections(machine: Annotated, person: Annotated) -> Corrections:
    """Return what a person changed in the tags of a machine.

    >>> from sfumato.text.kinds import Kind
    >>> text = "Foley placed by Rose Foley"
    >>> tagged = Annotated(text, (Span(0, 5, Kind.NAME), Span(21, 26, Kind.NAME)))
    >>> right = Annotated(text, (Span(16, 26, Kind.NAME),))
    >>> said = corrections(tagged, right)
    >>> [span.of(text) for span in said.added], [span.of(text) for span in said.removed]
    (['Rose Foley'], ['Foley', 'Foley'])
    """
    _same_text(machine, person)
    tagged = {_what(span): span for span in machine.spans}
    right = {_what(span): span for span in person.spans}
    return Corrections(
        confirmed=tuple(right[key] for key in right if key in tagged),
        added=tuple(right[key] for key in right if key not in tagged),
        removed=tuple(tagged[key] for key in tagged if key not in right),
    )


def corrected(machine: Annotated, said: Corrections) -> Annotated:
    """Lay a person's corrections over the tags of a machine (the same that were corrected, or newer ones)."""
    by_person = (*said.confirmed, *said.added)
    removed = {_what(span) for span in said.removed}
    right = Cover(by_person)
    kept = [
        span for span in machine.spans if _what(span) not in removed and not right.over(span.start, span.end)
    ]
    return Annotated(machine.text, (*by_person, *kept), machine.id, machine.template)


def merged(machine: Iterable[Annotated], person: Iterable[Annotated]) -> tuple[Annotated, ...]:
    """Return the machine's notes, with those that a person has annotated put in their place (by id)."""
    by_hand = {note.id: note for note in person}
    notes = []
    for note in machine:
        right = by_hand.pop(note.id, None)
        if right is not None:
            _same_text(note, right)
        notes.append(right or note)
    return (*notes, *by_hand.values())


def _what(span: Span) -> tuple[int, int, str]:
    return span.start, span.end, span.kind


def _same_text(one: Annotated, other: Annotated) -> None:
    if one.text != other.text:
        raise BadInput(
            "the machine and the person did not see the same text",
            where=f"note '{one.id}'",
            remedy="correct tags in the program without touching the text, line ends included",
        )
