"""The breach report: what was answered to whom.

For the owner who learns that a key was stolen or an analyst colluded: every question that was charged in a
time, by an analyst or on a data set, with its price, whether an answer left, and the sums. Whom the answers
could concern is never listed: it would need the data, and everybody in the data set may be concerned.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import Connection, select

from sfumato.core.errors import BadInput
from sfumato.dp.budget import after_basic, after_zcdp
from sfumato.dp.price import Price
from sfumato.query.ledger.money import price_read
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import ANSWERS, LOG, SPENDS

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_CHUNK = 1000


@dataclass(frozen=True)
class Disclosed:
    """A question that was charged."""

    spend: int
    when: dt.datetime
    analyst: str
    group: str
    data_set: str
    window: str
    version: str
    question: str
    price: Price
    answered: bool
    """whether an answer was stored; without one nothing left the ledger's hands"""


@dataclass(frozen=True)
class Total:
    """What an analyst was charged on one window of a data set; None where some price is not known so."""

    analyst: str
    data_set: str
    window: str
    questions: int
    answered: int
    epsilon: Decimal | None
    delta: Decimal
    rho: Decimal | None


@dataclass(frozen=True)
class BreachReport:
    """What was answered to whom, oldest first, and the sums."""

    disclosed: tuple[Disclosed, ...]
    totals: tuple[Total, ...]


def breach_report(
    ledger: SqlLedger,
    *,
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
    analyst: str | None = None,
    data_set: str | None = None,
) -> BreachReport:
    """List what was charged from ``since`` to before ``until`` (with a time zone), by whom, on what."""
    rows = (
        select(SPENDS.c.spend, LOG.c.time, LOG.c.body, ANSWERS.c.spend.label("answered"))
        .select_from(SPENDS.join(LOG, LOG.c.sequence == SPENDS.c.spend).outerjoin(ANSWERS))
        .order_by(SPENDS.c.spend)
        .execution_options(yield_per=_CHUNK)
    )
    if since is not None:
        rows = rows.where(SPENDS.c.time >= _microseconds(since))
    if until is not None:
        rows = rows.where(SPENDS.c.time < _microseconds(until))
    if analyst is not None:
        rows = rows.where(SPENDS.c.analyst == analyst)
    if data_set is not None:
        rows = rows.where(SPENDS.c.data_set == data_set)

    def find(connection: Connection) -> tuple[Disclosed, ...]:
        return tuple(
            _disclosed(row.spend, row.time, row.body, row.answered is not None)
            for row in connection.execute(rows)
        )

    disclosed = ledger.read(find)
    return BreachReport(disclosed, tuple(_totals(disclosed)))


def _microseconds(moment: dt.datetime) -> int:
    if moment.tzinfo is None:
        raise BadInput("a time without a time zone", where="time", remedy="write it like 2026-05-01T00:00Z")
    return (moment - _EPOCH) // dt.timedelta(microseconds=1)


def _disclosed(spend: int, time: int, body: str, answered: bool) -> Disclosed:
    said = json.loads(body)
    return Disclosed(
        spend,
        _EPOCH + dt.timedelta(microseconds=time),
        said["analyst"],
        said["group"],
        said["data_set"],
        said["window"],
        said["version"],
        said["question"],
        price_read(said),
        answered,
    )


def _totals(disclosed: Iterable[Disclosed]) -> Iterable[Total]:
    parts: dict[tuple[str, str, str], list[Disclosed]] = {}
    for each in disclosed:
        parts.setdefault((each.analyst, each.data_set, each.window), []).append(each)
    for key, those in sorted(parts.items()):
        epsilon = rho = delta = Decimal(0)
        for each in those:
            filled = Price(each.price.epsilon or Decimal(0), each.price.delta, each.price.rho or Decimal(0))
            epsilon, delta = after_basic(epsilon, delta, filled)
            rho, _ = after_zcdp(rho, Decimal(0), filled)
        yield Total(
            *key,
            questions=len(those),
            answered=sum(each.answered for each in those),
            epsilon=None if any(each.price.epsilon is None for each in those) else epsilon,
            delta=delta,
            rho=None if any(each.price.rho is None for each in those) else rho,
        )
