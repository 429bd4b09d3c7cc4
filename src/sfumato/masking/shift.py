"""Date shifting: all dates of a person move by the same number of days, so that intervals stay.

Each person has a shift s ∈ {−days, …, −1, 1, …, days}, computed from the key and the person; every date d
becomes d + s. (See Hripcsak et al., "Preserving temporal relations in clinical data while maintaining
privacy", 2016.) Intervals inside a person are exact; the order between people, seasons and days of the
week are lost. Who knows one true date of a person knows all of them.
"""

from __future__ import annotations

import datetime as dt
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Secrets
from sfumato.masking.repair import date_of

FIRST_YEAR, LAST_YEAR = 1500, 2199
"""years of dates that somebody lived through"""


@dataclass(frozen=True)
class DateShift:
    """Move dates by up to ``days`` days either way, never by 0."""

    days: int = 365
    name: ClassVar[str] = "date-shift"
    keeps_apart: ClassVar[bool] = False
    repeats: ClassVar[bool] = False
    invents: ClassVar[bool] = True
    partial: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 1 <= self.days <= 36525:
            raise BadInput("'days' of date-shift must lie between 1 and 36525", remedy="try 365")

    def describe(self) -> str:
        """Say in words what is done."""
        return f"moved by a secret number of days, up to {self.days}, the same for all dates of a person"

    def shifts(self, persons: Sequence[str], secrets: Secrets) -> list[int]:
        """Return the shift of each person in days."""
        key = secrets.derived(self.name)
        return [self._shift(key, person) for person in persons]

    def _shift(self, key: bytes, person: str) -> int:
        digest = hmac.digest(key, person.encode("utf-8", "surrogatepass"), "sha256")
        drawn = int.from_bytes(digest, "big") % (2 * self.days)
        return drawn - self.days if drawn < self.days else drawn - self.days + 1


def moved(text: str, days: int) -> str | None:
    """Move one ISO date or date-time; None when it cannot be read or is not of these centuries.

    A day such as 9999-12-31 stands for "open" or "unknown": everybody knows what it was, and moved it would
    betray by how much.

    >>> moved("2024-02-29", 1), moved("2024-02-29 10:30:00", -1), moved("9999-12-31", -1)
    ('2024-03-01', '2024-02-28 10:30:00', None)
    """
    read = date_of(text)
    if read is None or not FIRST_YEAR <= read.year <= LAST_YEAR:
        return None
    new = read + dt.timedelta(days=days)
    if len(text.strip()) <= len("2024-02-29"):
        return new.date().isoformat()
    return new.isoformat(sep="T" if "T" in text else " ")
