"""What was answered to whom."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price
from sfumato.query.ledger.breach import BreachReport, Total, breach_report
from sfumato.query.ledger.contract import Asked
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.query.ledger.ask import asked, give, one

DAY = 86_400_000_000


def on(day: int) -> dt.datetime:
    return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(days=day)


def asked_of(report: BreachReport) -> list[str]:
    return [each.question for each in report.disclosed]


@pytest.fixture
def used(url: str) -> SqlLedger:
    """A question a day, by Ann and Bo in turn; the last was not answered."""
    today = [0]
    ledger = SqlLedger.create(url, clock=lambda: today[0] * DAY)
    give(ledger, "1", "ann", "bo", delta="1e-6")
    give(ledger, "1", "bo", data_set="ward")
    for day in range(1, 5):
        today[0] = day
        question = asked(
            f"q{day}", analyst="ann" if day % 2 else "bo", data_set="ward" if day == 4 else "clinic"
        )
        spend = one(ledger, question).spend
        if day < 4:
            ledger.store([(spend, "s3cr3t")])
    return ledger


def test_a_breach_report_lists_what_was_answered_to_whom(used: SqlLedger) -> None:
    report = breach_report(used)
    assert asked_of(report) == ["q1", "q2", "q3", "q4"]
    first, last = report.disclosed[0], report.disclosed[-1]
    assert (first.analyst, first.when, first.price, first.answered) == ("ann", on(1), Price.pure("0.1"), True)
    assert last.answered is False
    assert report.totals == (
        Total("ann", "clinic", "", 2, 2, Decimal("0.2"), Decimal(0), Decimal("0.010")),
        Total("bo", "clinic", "", 1, 1, Decimal("0.1"), Decimal(0), Decimal("0.005")),
        Total("bo", "ward", "", 1, 0, Decimal("0.1"), Decimal(0), Decimal("0.005")),
    )
    assert "s3cr3t" not in str(report)
    used.close()


def test_a_breach_report_is_of_a_time_an_analyst_or_a_data_set(used: SqlLedger) -> None:
    assert asked_of(breach_report(used, since=on(2), until=on(4))) == ["q2", "q3"]
    assert asked_of(breach_report(used, analyst="bo")) == ["q2", "q4"]
    assert asked_of(breach_report(used, analyst="bo", data_set="ward")) == ["q4"]
    assert breach_report(used, analyst="nobody") == BreachReport((), ())
    with pytest.raises(BadInput, match="a time without a time zone"):
        breach_report(used, since=dt.datetime(2024, 1, 1))
    used.close()


def test_a_sum_that_is_not_known_is_not_told(used: SqlLedger) -> None:
    one(used, Asked("ann", "", "clinic", "", "1", "q", Price.approximate("0.1", "1e-9")))
    (total,) = breach_report(used, analyst="ann").totals
    assert (total.epsilon, total.delta, total.rho) == (Decimal("0.3"), Decimal("1e-9"), None)
    used.close()
