"""The scribe: writes one note, keeps the places of what identifies, and remembers who is in it.

Grammars call ``say`` for what may stay and ``mark`` for what points at a person. People, places and numbers
are made when they are first mentioned and stay the same to the end of the note.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sfumato.text.kinds import Kind
from sfumato.text.span import Span

T = TypeVar("T")

Writer = Callable[["Scribe"], None]
"""what a grammar is compiled to: it writes something"""

_CASES: tuple[Callable[[str], str] | None, ...] = (*(None,) * 26, *(str.upper,) * 2, *(str.lower,) * 3)
"""names are written in lower case or capitals in some notes"""
_SEPARATORS = (*(": ",) * 12, ":  ", ":", ":\t", " - ", ":    ", " : ", "\t", " = ", "; ", " ")
_GAPS = ("  ", "    ", "\t", " | ", "; ", ", ", "\n", "  |  ", " / ", "\t\t", "     ")


class Scribe:
    """One note in the making."""

    __slots__ = ("at", "case", "dice", "gap", "memory", "parts", "random", "separator", "spans")

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.random = dice.random
        self.parts: list[str] = []
        self.at = 0
        self.spans: list[Span] = []
        self.memory: dict[str, Any] = {}
        self.case = self.pick(_CASES)
        self.separator = self.pick(_SEPARATORS)
        self.gap = self.pick(_GAPS)

    def pick(self, things: Sequence[T]) -> T:
        """Draw one of several things."""
        return things[int(self.random() * len(things))]

    def between(self, least: int, most: int) -> int:
        """Draw a whole number, both ends included."""
        return least + int(self.random() * (most - least + 1))

    def chance(self, share: float) -> bool:
        """Say yes in a share of cases."""
        return self.random() < share

    def digits(self, pattern: str) -> str:
        """Fill a pattern: ``#`` is a digit, ``%`` a digit that is not zero, ``$`` a capital, ``~`` either."""
        draw = self.random
        return "".join(
            [
                "0123456789"[int(draw() * 10)]
                if sign == "#"
                else "123456789"[int(draw() * 9)]
                if sign == "%"
                else "ABCDEFGHJKLMNPRSTUVWXYZ"[int(draw() * 23)]
                if sign == "$"
                else "0123456789ABCDEFGHJKLMNPRSTUVWXYZ"[int(draw() * 33)]
                if sign == "~"
                else sign
                for sign in pattern
            ]
        )

    def say(self, text: str) -> None:
        """Write what may stay."""
        self.parts.append(text)
        self.at += len(text)

    def mark(self, text: str, kind: Kind, label: str) -> None:
        """Write what identifies."""
        start = self.at
        self.parts.append(text)
        self.at = start + len(text)
        self.spans.append(Span(start, self.at, kind, label))

    def recall(self, key: str, make: Callable[[Scribe], T]) -> T:
        """Return what was made under this key in this note, or make it now."""
        memory = self.memory
        if key not in memory:
            memory[key] = make(self)
        made: T = memory[key]
        return made
