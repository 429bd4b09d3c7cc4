"""The log as a chain of hashes: whoever changes an entry changes all that follow.

S. Haber & W. S. Stornetta, "How to time-stamp a digital document" (1991); B. Schneier & J. Kelsey, "Secure
audit logs to support computer forensics" (1999). With h_0 = 0…0,

    h_i = SHA-256(i, time_i, kind_i, body_i, h_{i−1}).

Who keeps one (i, h_i) outside, the *head*, can tell later that the first i entries are still the same. Who
holds the database and no head was kept could write the whole chain anew: keep heads.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select

from sfumato.core.errors import BadInput
from sfumato.query.ledger.spelt import Spelt
from sfumato.query.ledger.tables import LOG


class Kind(StrEnum):
    """What an entry of the log tells."""

    CHARGE = "charge"
    ANSWER = "answer"
    REFUSAL = "refusal"
    BUDGET = "budget"
    ACCOUNT = "account"
    DATA_SET = "data set"
    WINDOW = "window"


BEGINNING = "0" * 64
"""what stands for the hash before the first entry"""
CLOCK = "clock"
"""key of an entry that was written while the clock stood before the last entry"""
ARRIVED = "arrived"
"""key of a charge: when its question came, in seconds since 1970; all of its time that an analyst is told"""


def canonical(body: Mapping[str, Any]) -> str:
    """Write a body in the one way in which it is hashed.

    >>> canonical({"b": "é", "a": None})
    '{"a":null,"b":"é"}'
    """
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def entry_hash(sequence: int, time: int, kind: str, body: str, previous: str) -> str:
    """Return the hash of an entry; ``body`` is canonical JSON.

    >>> entry_hash(1, 0, "made", "{}", BEGINNING)[:16]
    '4afea4dcdd2d14cf'
    """
    whole = json.dumps([sequence, time, kind, body, previous], separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(whole.encode()).hexdigest()


def text_hash(text: str) -> str:
    """Return the hash under which an answer stands in the log."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Head:
    """The newest entry of a log. Kept outside, it proves later that nothing before it was changed.

    >>> Head.read("2:" + "ab" * 32).sequence
    2
    """

    sequence: int
    hash: str

    def __str__(self) -> str:
        return f"{self.sequence}:{self.hash}"

    @classmethod
    def read(cls, text: str) -> Head:
        """Read a head as it is printed."""
        number, _, value = text.strip().partition(":")
        known = number.isascii() and number.isdigit() and len(value) == 64
        if not known or set(value) - set("0123456789abcdef"):
            raise BadInput(
                "this is no head of a log", where="head", remedy="give it as it was printed: 12:3f…"
            )
        return cls(int(number), value)

    def seal(self, key: bytes) -> str:
        """Return a keyed anchor: who does not have the key cannot make one for another chain.

        >>> head = Head(0, BEGINNING)
        >>> head.is_sealed(b"k" * 32, head.seal(b"k" * 32)), head.is_sealed(b"k" * 32, "ab" * 32)
        (True, False)
        """
        if len(key) < 16:
            raise BadInput("the key is too short", where="key", remedy="use 32 random bytes")
        return hmac.new(key, str(self).encode(), hashlib.sha256).hexdigest()

    def is_sealed(self, key: bytes, seal: str) -> bool:
        """Say whether the anchor was made with this key for this head."""
        return hmac.compare_digest(self.seal(key).encode(), seal.encode())


_NEWEST = Spelt(select(LOG.c.sequence, LOG.c.hash, LOG.c.time).order_by(LOG.c.sequence.desc()).limit(1))
_ENTRY = Spelt(select(LOG.c.hash).where(LOG.c.sequence == bindparam("at")))
_APPEND = Spelt(insert(LOG))


def head_of(connection: Connection) -> tuple[Head, int]:
    """Return the newest entry of the log and its time."""
    for sequence, value, time in _NEWEST.rows(connection, {}):
        return Head(sequence, value), time
    return Head(0, BEGINNING), 0


def has_head(connection: Connection, head: Head) -> bool:
    """Say whether a log has this entry."""
    rows = _ENTRY.rows(connection, {"at": head.sequence})
    return head == Head(0, BEGINNING) or rows == [(head.hash,)]


class Pen:
    """Writes entries at the end of the log, in a transaction that alone may write.

    A clock that goes backwards changes nothing but the time written: the larger of now and the last
    entry's, and the entry says so.
    """

    def __init__(self, connection: Connection, now: int) -> None:
        self._connection = connection
        head, last = head_of(connection)
        self._sequence = head.sequence
        self._hash = head.hash
        self._back = now < last
        self.time = max(now, last)
        self._entries: list[dict[str, Any]] = []

    def write(self, kind: Kind, body: Mapping[str, Any]) -> int:
        """Add an entry and return its number; ``flush`` puts it into the database."""
        text = canonical({**body, CLOCK: "went back"} if self._back else body)
        sequence = self._sequence + 1
        value = entry_hash(sequence, self.time, kind, text, self._hash)
        entry = {
            "sequence": sequence,
            "time": self.time,
            "kind": str(kind),
            "body": text,
            "previous": self._hash,
        }
        self._entries.append({**entry, "hash": value})
        self._sequence, self._hash = sequence, value
        return sequence

    def flush(self) -> None:
        """Put what was written into the database."""
        if self._entries:
            _APPEND.many(self._connection, self._entries)
            self._entries = []
