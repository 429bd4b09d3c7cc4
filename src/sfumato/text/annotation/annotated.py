"""A text with what somebody says is in it: the gold that models learn from and finders are measured by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sfumato.core.errors import BadInput, nearest
from sfumato.text.kinds import Kind
from sfumato.text.span import Span

Labels = Mapping[str, Kind | None] | Callable[[str], Kind | None]
"""what the labels of annotators mean; ``None`` says that a label points at nobody and is left out"""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A note and its annotated spans in their order. ``template`` says what it was generated from, if it was.

    >>> note = Annotated("Seen by Ada.", (Span(8, 11, Kind.NAME),), id="1")
    >>> [span.of(note.text) for span in note.spans]
    ['Ada']
    """

    text: str = field(repr=False)
    spans: tuple[Span, ...]
    id: str = ""
    template: str = ""

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.spans))
        if ordered and max(span.end for span in ordered) > len(self.text):
            raise BadInput("an annotation reaches beyond the text", where=f"note '{self.id}'")
        object.__setattr__(self, "spans", ordered)


def kind_of(label: str, labels: Labels | None = None) -> Kind | None:
    """Return the kind that a label means: by ``labels``, otherwise a kind of the same name.

    >>> kind_of("name"), kind_of("TERRITORIO", {"TERRITORIO": Kind.LOCATION})
    (<Kind.NAME: 'NAME'>, <Kind.LOCATION: 'LOCATION'>)
    """
    if labels is None:
        if label.upper() in Kind.__members__:
            return Kind[label.upper()]
        raise _unknown(label, Kind.__members__)
    if callable(labels):
        return labels(label)
    if label not in labels:
        raise _unknown(label, labels)
    return labels[label]


def _unknown(label: str, known: Mapping[str, object]) -> BadInput:
    return BadInput(
        f"nobody says which kind the label '{label}' is",
        remedy=f"give label_to_kind an entry for it, or None to leave it out ({nearest(label, known)})",
    )
