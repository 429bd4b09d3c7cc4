"""What was worked out is kept within bounds, by its key, and never when it failed."""

from __future__ import annotations

import threading
from fractions import Fraction

import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price
from sfumato.query import database as room
from sfumato.query.database import Database
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.prepared import Prepared
from sfumato.query.remembered import Remembered


def test_the_longest_unused_goes_first() -> None:
    made: list[int] = []

    def get(number: int) -> int:
        return held.get(number, lambda: made.append(number) or number * number)

    held = Remembered[int, int](most=3, weight=lambda number, square: 1)
    assert [get(number) for number in (1, 2, 3, 1, 4)] == [1, 4, 9, 1, 16]
    assert [get(number) for number in (1, 2)] == [1, 4]
    assert made == [1, 2, 3, 4, 2]
    assert len(held) == 3


def test_what_weighs_too_much_is_not_kept_and_pushes_nothing_out() -> None:
    held = Remembered[str, str](most=10, weight=lambda key, value: len(value))
    held.get("small", lambda: "x" * 9)
    assert held.get("large", lambda: "y" * 11) == "y" * 11
    assert held.get("small", lambda: "made again") == "x" * 9
    held.get("other", lambda: "z" * 5)
    assert len(held) == 1


def test_what_failed_is_tried_again() -> None:
    held = Remembered[str, str](most=10, weight=lambda key, value: 1)

    def fail() -> str:
        raise BadInput("no")

    for _ in range(2):
        with pytest.raises(BadInput):
            held.get("key", fail)
    assert held.get("key", lambda: "value") == "value"


def test_threads_that_ask_at_once_keep_the_bound() -> None:
    held = Remembered[int, int](most=50, weight=lambda key, value: 3)
    wrong: list[int] = []

    def work(start: int) -> None:
        for i in range(2000):
            key = (start + i) % 97
            if held.get(key, lambda key=key: key + 1) != key + 1:
                wrong.append(key)

    threads = [threading.Thread(target=work, args=(i * 13,)) for i in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert not wrong
    assert len(held) == 16


@pytest.fixture
def clinic() -> Database:
    age = Column("age", Type.INTEGER, Fraction(0), Fraction(100))
    public = Metadata("clinic", {"visits": Table("visits", {"age": age}, None, 1, 1000)})
    held = Prepared.register(public, {"visits": pa.table({"age": [5, 30]})}, secret=b"s" * 16)
    return Database(public, held, ledger=None)


def test_a_question_is_understood_once_and_planned_once_for_each_price(
    clinic: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(room, "understand", _told(seen, "understand", room.understand))
    monkeypatch.setattr(room, "plan", _told(seen, "plan", room.plan))
    monkeypatch.setattr(room, "check", _told(seen, "check", room.check))
    sql = "SELECT COUNT(*) FROM visits WHERE age > 17"
    first, again, dearer = (clinic.prepare("ann", sql, Price.pure(e)) for e in ("0.1", "0.10", "0.2"))
    assert seen == ["understand", "plan", "check", "plan"]
    assert again == first
    assert (first.asked.price, dearer.asked.price) == (Price.pure("0.1"), Price.pure("0.2"))
    assert clinic.quote(sql, epsilon="0.1").measures[0].error == 30.0
    assert clinic.quote(sql, epsilon="0.2").measures[0].error == 15.0


def test_a_refused_question_stays_refused(clinic: Database) -> None:
    for _ in range(2):
        with pytest.raises(BadInput):
            clinic.prepare("ann", "SELECT age FROM visits", Price.pure(1))
        with pytest.raises(BadInput, match="true or false"):
            clinic.quote("SELECT COUNT(*) FROM visits", epsilon=1, delta=False)


def _told(seen, name, work):  # type: ignore[no-untyped-def]  # wraps whatever it is given
    def told(*arguments):  # type: ignore[no-untyped-def]  # the same
        seen.append(name)
        return work(*arguments)

    return told
