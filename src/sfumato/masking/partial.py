"""Leave a value out, or cover most of it: ``*``/``X``, the last letters kept, the domain of an e-mail kept.

What is left of a covered value still tells something: four last digits of a card and a ZIP code can be
enough to find a person. A covered column is no pseudonym: different values may look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Secrets

COVERED = 8
"""letters that stand for what is covered, however long it was: a length tells people apart"""


@dataclass(frozen=True)
class Remove:
    """The column is left out of the release."""

    name: ClassVar[str] = "remove"
    keeps_apart: ClassVar[bool] = False
    repeats: ClassVar[bool] = False
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = False

    def describe(self) -> str:
        """Say in words what is done."""
        return "left out"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Hide every value."""
        return [None] * len(values)


@dataclass(frozen=True)
class Cover:
    """Cover a value but for its first or last letters, or the domain of an e-mail address.

    A value that is not longer than what is kept twice over is covered altogether.

    >>> Cover(keep_last=4).labels(["4111111111111111", "12345"], Secrets())
    ['********1111', '********']
    >>> Cover(character="X", keep_domain=True).labels(["ada@example.org"], Secrets())
    ['XXXXXXXX@example.org']
    """

    character: Literal["*", "X"] = "*"
    keep_first: int = 0
    keep_last: int = 0
    keep_domain: bool = False
    name: ClassVar[str] = "mask"
    keeps_apart: ClassVar[bool] = False
    repeats: ClassVar[bool] = False
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.character not in ("*", "X"):
            raise BadInput("'character' of mask must be * or X", remedy="choose one of them")
        if self.keep_first < 0 or self.keep_last < 0:
            raise BadInput("'keep_first' and 'keep_last' of mask cannot be negative", remedy="give 0 or more")
        if self.keep_domain and (self.keep_first or self.keep_last):
            raise BadInput(
                "mask keeps either the domain or letters", remedy="leave 'keep_domain' or the others out"
            )

    @property
    def keeps_some(self) -> bool:
        """Whether a part of a value is shown."""
        return self.keep_domain or self.keep_first + self.keep_last > 0

    def describe(self) -> str:
        """Say in words what is done."""
        kept = [
            f"the {which} {number} letters" if number > 1 else f"the {which} letter"
            for which, number in (("first", self.keep_first), ("last", self.keep_last))
            if number
        ]
        if self.keep_domain:
            kept.append("the domain")
        return f"covered with {self.character}" + (f", {' and '.join(kept)} kept" if kept else "")

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Cover every value."""
        return [self._covered(value) for value in values]

    def _covered(self, value: str) -> str:
        cover = self.character * COVERED
        if self.keep_domain:
            _, at, domain = value.rpartition("@")
            return f"{cover}@{domain}" if at and domain else cover
        first, last = self.keep_first, self.keep_last
        if len(value) <= 2 * (first + last):
            return cover
        return value[:first] + cover + (value[-last:] if last else "")
