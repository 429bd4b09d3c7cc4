"""Pages of the ledger's books: as many rows as fit, and the rest never fetched."""

from __future__ import annotations

import pytest
from sqlalchemy import event

from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.server import books
from sfumato.server.books import Books
from tests.query.ledger.ask import asked, give, one

LETTER = "é"
"""of two bytes"""
ANSWER = '{"columns":["' + LETTER * 1000 + '"],"rows":[],"errors":[]}'


def answered(ledger: SqlLedger, count: int) -> Books:
    give(ledger, "9")
    for number in range(count):
        spend = one(ledger, asked(f"question {number}"))
        ledger.store([(spend.spend, ANSWER)])
    return Books(ledger)


def test_a_page_of_answers_holds_as_many_bytes_as_it_may(
    ledger: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    those = answered(ledger, 5)
    whole = those.answers_of("ann", 0, 100)
    assert [one.number for one in whole] == [1, 2, 3, 4, 5]
    (body,) = ledger.read(lambda c: c.exec_driver_sql("SELECT body FROM ledger_log WHERE sequence = 3").one())
    both = len(ANSWER.encode()) + len(body.encode())
    for most, fit in ((1, 1), (both, 1), (2 * both - 1, 1), (2 * both, 2), (5 * both - 1, 4), (5 * both, 5)):
        monkeypatch.setattr(books, "LONGEST_PAGE", most)
        assert those.answers_of("ann", 0, 100) == whole[:fit], most
        assert those.answers_of("ann", 2, 100) == whole[2 : 2 + fit], most
    assert those.answers_of("ann", 5, 100) == []


def test_answers_beyond_a_page_are_not_fetched(ledger: SqlLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    those = answered(ledger, 5)
    monkeypatch.setattr(books, "LONGEST_PAGE", 5000)
    limits: list[object] = []
    engine = ledger.read(lambda connection: connection.engine)

    def seen(_c: object, _cursor: object, text: str, given: object, _x: object, _many: bool) -> None:
        if "ledger_answers.answer" in text and "length(" not in text:
            limits.append(given)

    event.listen(engine, "before_cursor_execute", seen)
    assert len(those.answers_of("ann", 0, 100)) == 2
    event.remove(engine, "before_cursor_execute", seen)
    assert len(limits) == 1
    assert 100 not in (limits[0].values() if isinstance(limits[0], dict) else limits[0])  # type: ignore[operator] # a tuple


def test_a_page_of_the_log_ends_early_too(ledger: SqlLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    those = answered(ledger, 5)
    whole = those.log(0, 100)
    monkeypatch.setattr(books, "LONGEST_PAGE", 1)
    seen = []
    while page := those.log(seen[-1].sequence if seen else 0, 100):
        assert len(page) == 1
        seen += page
    assert seen == whole
