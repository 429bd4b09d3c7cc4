"""What the owner should look at, found in the ledger alone."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import func, select

from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import REFUSALS
from sfumato.query.metadata import Metadata
from sfumato.server.wire import AlertOut

MANY_REFUSALS = 100
"""of one analyst for one reason: a program that goes on asking after it was told to stop"""


def alerts_of(ledger: SqlLedger, public: Mapping[str, Metadata]) -> list[AlertOut]:
    """Return the patterns that a ledger shows; ``public`` is what is known of its data sets."""
    many = (
        select(REFUSALS.c.analyst, REFUSALS.c.data_set, REFUSALS.c.reason, func.sum(REFUSALS.c["count"]))
        .group_by(REFUSALS.c.analyst, REFUSALS.c.data_set, REFUSALS.c.reason)
        .having(func.sum(REFUSALS.c["count"]) >= MANY_REFUSALS)
        .order_by(REFUSALS.c.analyst, REFUSALS.c.data_set, REFUSALS.c.reason)
    )
    rows = ledger.read(lambda connection: connection.execute(many).all())
    return [
        AlertOut(
            pattern="many refusals",
            analyst=analyst,
            data_set=data_set,
            message=f"was refused {int(count)} times ({reason}) and went on asking",
        )
        for analyst, data_set, reason, count in rows
    ]
