"""Refusals are told in the log, but a flood of them does not fill the disk.

They are counted per day, analyst, data set and reason; the first, second, fourth, eighth … of each is an
entry of the log that holds who, when, what price, why, and the count so far. So n refusals cost log₂ n
entries. The table has the count that was told last, for which the chain vouches; those since are counted in
memory alone (``seen``), since nothing could vouch for them. A process that ends forgets them: the count is
always at least half of the truth, and never more than it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, and_, insert, select, update

from sfumato.query.ledger.chain import Kind, Pen
from sfumato.query.ledger.tables import REFUSALS

DAY = 86_400_000_000
"""microseconds"""


class Reason(StrEnum):
    """Why a question was refused."""

    ANALYST_SUSPENDED = "analyst suspended"
    DATA_SET_SUSPENDED = "data set suspended"
    OTHER_GROUP = "another group"
    NO_BUDGET = "no budget"
    BUDGET_GONE = "budget gone"
    WINDOWS_MIXED = "people of several windows"
    UNPAYABLE = "price not payable"


Counted = tuple[int, str, str, str]
"""day, analyst, data set, reason"""


class Refusals:
    """The refusals of one batch. ``seen`` are the counts that this process knows, told or not."""

    def __init__(self, seen: Mapping[Counted, int]) -> None:
        self.seen = dict(seen)
        """the counts after this batch, once it is durable"""
        self._those: dict[tuple[str, str, str], list[dict[str, Any]]] = {}

    def add(self, reason: Reason, charge: dict[str, Any]) -> None:
        """Remember a refusal; ``charge`` is the body that its entry would have had."""
        self._those.setdefault((charge["analyst"], charge["data_set"], str(reason)), []).append(charge)

    def record(self, connection: Connection, pen: Pen) -> None:
        """Count them all, and write those that are to be told."""
        day = pen.time // DAY
        for (analyst, data_set, reason), charges in self._those.items():
            here = and_(
                REFUSALS.c.day == day,
                REFUSALS.c.analyst == analyst,
                REFUSALS.c.data_set == data_set,
                REFUSALS.c.reason == reason,
            )
            before = connection.execute(select(REFUSALS.c.count).where(here)).scalar()
            key = (day, analyst, data_set, reason)
            counted = 0 if before is None else max(before, self.seen.get(key, 0))
            told = before
            for charge in charges:
                counted += 1
                if counted & (counted - 1) == 0:
                    body = {name: value for name, value in charge.items() if name != "question"}
                    pen.write(Kind.REFUSAL, {**body, "reason": reason, "count": counted})
                    told = counted
            self.seen[key] = counted
            if before is None:
                names = {"day": day, "analyst": analyst, "data_set": data_set, "reason": reason}
                connection.execute(insert(REFUSALS).values(**names, count=told))
            elif told != before:
                connection.execute(update(REFUSALS).where(here).values(count=told))
        self.seen = {key: count for key, count in self.seen.items() if key[0] >= day}
