"""Which columns hold the text, the person, and what is known about the person."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.errors import BadInput, nearest
from sfumato.text.kinds import Kind

OURS = "sfumato:"
ROW = "sfumato:row"
PERSON = "sfumato:person"
WRITTEN = "sfumato:written"
KNOWN = "sfumato:known"
"""columns beside those of the table, while notes are being handled: values as they came, before any mask"""


@dataclass(frozen=True)
class KnownColumn:
    """A column whose values are searched for in the notes of their person."""

    column: str
    kind: Kind
    label: str = ""

    @classmethod
    def of(cls, column: str, spec: str) -> KnownColumn:
        """Read how recipes spell it: a kind, perhaps with a label.

        >>> KnownColumn.of("mother", "NAME/relative")
        KnownColumn(column='mother', kind=<Kind.NAME: 'NAME'>, label='relative')
        """
        kind, _, label = str(spec).partition("/")
        kinds = [one.value for one in Kind if one.identifies]
        if kind not in kinds:
            raise BadInput(
                f"there is no kind '{kind}' of thing in a text",
                where=f"known: {column}",
                remedy=nearest(kind, kinds),
            )
        return cls(column, Kind(kind), label or ("patient" if kind == Kind.NAME else ""))


@dataclass(frozen=True)
class Layout:
    """The columns of a table of notes."""

    text: str
    released: tuple[str, ...]
    """the columns of the release in their order, the text among them"""
    person: str | None = None
    written: str | None = None
    known: tuple[KnownColumn, ...] = ()

    @property
    def raw(self) -> dict[str, str]:
        """The columns that are kept as they came, by the names that they have meanwhile."""
        found = {f"{KNOWN}:{place}": known.column for place, known in enumerate(self.known)}
        if self.person is not None:
            found[PERSON] = self.person
        if self.written is not None:
            found[WRITTEN] = self.written
        return found
