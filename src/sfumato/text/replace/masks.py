"""Masks and removal: cover what was found, or leave it out. Nothing is invented.

A mask has one length for everything, since a length narrows a name down; ``same_length`` keeps the layout of
tables and forms at that price. Dates are covered whatever the policy would show of them; a year that stands
alone stays where the policy shows years.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Secrets
from sfumato.text.kinds import Kind
from sfumato.text.note import Found
from sfumato.text.replace.ages import with_age
from sfumato.text.replace.contract import Change
from sfumato.text.replace.settled import Place, Settled, UnderPolicy

COVERED = 4
"""letters of a mask, however long that was which it covers"""


@dataclass(frozen=True)
class Masks(UnderPolicy):
    """Cover with ``****``.

    >>> from sfumato.text.note import Record
    >>> from sfumato.text.span import Span
    >>> found = Found(Record.of("Ada is 40"), ((Span(0, 3, Kind.NAME), Span(7, 9, Kind.AGE)),))
    >>> [change.after for change in Masks().changes(found, Secrets())[0]]
    ['****', '40']
    """

    character: Literal["*", "X", "█"] = "*"
    same_length: bool = False
    name: ClassVar[str] = "masks"
    invents: ClassVar[bool] = False
    needs_key: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _ = self.rules
        if self.character not in ("*", "X", "█"):
            raise BadInput("'character' of masks must be *, X or █", remedy="choose one of them")

    def describe(self) -> str:
        """Say in words what is done."""
        length = (
            "as long as what it covers, which narrows names down" if self.same_length else "of one length"
        )
        done = self.rules.describe("dates covered but for years that stand alone")
        return f"What was found is covered with {self.character}, {length}. {done}"

    def changes(self, found: Found, secrets: Secrets) -> tuple[tuple[Change, ...], ...]:
        """Return a change for every span."""

        def write(place: Place) -> Change:
            return Change(place.span, self._cover(place), "mask")

        return _settled(self, self.cut(found)).changes(write)

    def _cover(self, place: Place) -> str:
        if self.same_length:
            return "".join(self.character if not letter.isspace() else letter for letter in place.old)
        cover = self.character * COVERED
        return with_age(place.old, cover) if place.span.kind is Kind.AGE else cover


@dataclass(frozen=True)
class Removal(UnderPolicy):
    """Leave out what was found; the space around it stays.

    >>> from sfumato.text.note import Record
    >>> from sfumato.text.span import Span
    >>> found = Found(Record.of("Ada is 40"), ((Span(0, 3, Kind.NAME),),))
    >>> [change.after for change in Removal().changes(found, Secrets())[0]]
    ['']
    """

    name: ClassVar[str] = "removal"
    invents: ClassVar[bool] = False
    needs_key: ClassVar[bool] = False

    def describe(self) -> str:
        """Say in words what is done."""
        done = self.rules.describe("dates left out but for years that stand alone")
        return f"What was found is left out. {done}"

    def changes(self, found: Found, secrets: Secrets) -> tuple[tuple[Change, ...], ...]:
        """Return a change for every span."""
        return _settled(self, self.cut(found)).changes(lambda place: Change(place.span, "", "removed"))


def _settled(replacement: UnderPolicy, found: Found) -> Settled:
    """Apply a policy so that no date is moved: it is covered anyway, and no key is needed."""
    rules = replacement.rules
    dates = "year" if rules.dates == "shifted" else rules.dates
    return Settled(found, replace(rules, dates=dates), lambda: 0, replacement.language)
