"""What the owner should look at, found in the ledger alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import LOG, REFUSALS, SPENDS
from sfumato.query.metadata import Metadata
from sfumato.query.watch.scan import MANY_REFUSALS, Refused, scan
from sfumato.server.wire import AlertOut

LATEST = 20_000
"""questions that are scanned, the latest ones: a longer log is listed by the breach report"""


@dataclass(frozen=True)
class _Logged:
    spend: int
    analyst: str
    data_set: str
    question: str


def alerts_of(ledger: SqlLedger, public: Mapping[str, Metadata]) -> list[AlertOut]:
    """Return the patterns that a ledger shows; ``public`` is what is known of its data sets."""
    logged, refused = ledger.read(_log)
    return [
        AlertOut(
            pattern=alert.pattern,
            severity=alert.severity.name.lower(),
            analyst=alert.analyst,
            data_set=alert.data_set,
            spends=list(alert.spends),
            message=alert.message,
        )
        for alert in scan(logged, public, refused)
    ]


def _log(connection: Connection) -> tuple[list[_Logged], list[Refused]]:
    latest = (
        select(SPENDS.c.spend, LOG.c.body)
        .select_from(SPENDS.join(LOG, LOG.c.sequence == SPENDS.c.spend))
        .order_by(SPENDS.c.spend.desc())
        .limit(LATEST)
    )
    many = (
        select(REFUSALS.c.analyst, REFUSALS.c.data_set, REFUSALS.c.reason, func.sum(REFUSALS.c["count"]))
        .group_by(REFUSALS.c.analyst, REFUSALS.c.data_set, REFUSALS.c.reason)
        .having(func.sum(REFUSALS.c["count"]) >= MANY_REFUSALS)
        .order_by(REFUSALS.c.analyst, REFUSALS.c.data_set, REFUSALS.c.reason)
    )
    logged = []
    for spend, text in reversed(connection.execute(latest).all()):
        body = json.loads(text)
        logged.append(_Logged(spend, body["analyst"], body["data_set"], body["question"]))
    refused = [
        Refused(analyst, data_set, reason, int(count))
        for analyst, data_set, reason, count in connection.execute(many)
    ]
    return logged, refused
