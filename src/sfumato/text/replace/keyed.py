"""Draws that depend on the key, the person and what is drawn for, and on nothing else.

draw(what) = HMAC-SHA-256(key, person ‖ what), each part preceded by its length. Two runs with one key agree;
without the key neither the draw nor the value behind it can be computed. A record without a person is taken
as a person of its own, told apart by its texts: two such records never share a surrogate or a shift by
design, since one known date would then open all of them.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar

from sfumato.masking.contract import Secrets
from sfumato.text.note import Record

_USE = "text-replacement"
_MOST_TRIES = 32
"""draws, before a list is gone through in its order"""
T = TypeVar("T")


def identity(record: Record) -> str:
    """Return what stands for the person of a record inside keyed draws; never shown to anybody."""
    if record.person:
        return record.person
    digest = sha256()
    for note in record.notes:
        encoded = note.text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return f"no person {digest.hexdigest()}"


@dataclass(frozen=True)
class Draws:
    """Draws for one person."""

    key: bytes = field(repr=False)
    person: str = field(repr=False)

    @classmethod
    def of(cls, record: Record, secrets: Secrets) -> Draws:
        """Derive the key of this use, and take the person of a record."""
        return cls(secrets.derived(_USE), identity(record))

    def number(self, *what: str) -> int:
        """Return a number of 256 bits."""
        return int.from_bytes(self._block(what), "big")

    def stream(self, length: int, *what: str) -> bytes:
        """Return so many bytes."""
        blocks = range(-(-length // 32))
        return b"".join(self._block((*what, f"block {block}")) for block in blocks)[:length]

    def _block(self, what: Sequence[str]) -> bytes:
        parts = [part.encode("utf-8", "surrogatepass") for part in (self.person, *what)]
        message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return hmac.digest(self.key, message, "sha256")

    def below(self, bound: int, *what: str) -> int:
        """Return a number from 0 on and below a bound.

        >>> Draws(b"k" * 32, "p").below(10, "age") == Draws(b"k" * 32, "p").below(10, "age")
        True
        """
        return self.number(*what) % bound

    def tried(self, values: Sequence[T], fits: Callable[[T], bool], *what: str) -> T | None:
        """Return a value that fits, or None if a few draws found none."""
        for attempt in range(_MOST_TRIES):
            value = values[self.below(len(values), *what, str(attempt))]
            if fits(value):
                return value
        return None

    def choose(self, values: Sequence[T], fits: Callable[[T], bool], *what: str) -> T | None:
        """Return a value that fits, or None if none does."""
        drawn = self.tried(values, fits, *what)
        if drawn is not None:
            return drawn
        start = self.below(len(values), *what)
        return next((value for value in (*values[start:], *values[:start]) if fits(value)), None)
