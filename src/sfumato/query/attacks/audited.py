"""The statistical database as mechanisms that can be audited: whole questions, and whole conversations.

Each question is understood, planned and run on two data sets of which one lacks a person: a person with as
many rows as count, and with values at a bound. What is audited is all of it together: the sensitivity
that was derived from metadata, the bounding of rows and groups in SQL, the noise, and what is made of noisy
numbers. A conversation is audited as one mechanism: all that an analyst is told until the budget is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import SfumatoError
from sfumato.dp.audit.auditor import Case, Claim, Draw
from sfumato.dp.audit.catalogue import SLOW
from sfumato.dp.budget import BASIC
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.price import Price
from sfumato.query.answer import Answer
from sfumato.query.ledger.contract import Asked, Budget, BudgetGone, Charged, Composition, Scope
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.plan import NoisePlan, plan
from sfumato.query.prepared import Prepared
from sfumato.query.run import Exact, exact, noisy
from sfumato.query.sql import understand

_SECRET = b"of data sets that nobody lives in"
_CITIES = ("x", "y", "z")
PUBLIC = Metadata(
    "clinic",
    {
        "visits": Table(
            "visits",
            {
                "age": Column("age", Type.INTEGER, Fraction(0), Fraction(10)),
                "ward": Column("ward", Type.CATEGORY, values=("a", "b", "c", "d")),
                "city": Column("city", Type.CATEGORY),
            },
            person="id",
            rows_per_person=4,
            max_rows=1000,
        )
    },
    max_delta=Fraction(1, 10),
)
Rows = Sequence[tuple[str, int, str, str]]
"""person, age, ward, city"""
OTHERS: Rows = (("p", 2, "a", "x"), ("q", 5, "a", "x"), ("r", 6, "b", "x"), ("r", 3, "a", "y"))
VICTIM: Rows = (("v", 10, "a", "y"), ("v", 10, "b", "z"), ("v", 10, "c", "y"), ("v", 10, "d", "y"))


def held_by(planned: NoisePlan, rows: Rows, public: Metadata = PUBLIC) -> Exact:
    """Register people and compute the exact numbers of a question about them."""
    names = ("id", "age", "ward", "city")
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})
    prepared = Prepared.register(public, {"visits": table}, secret=_SECRET)
    try:
        return exact(planned, prepared.cursor())
    finally:
        prepared.close()


def numbers_of(answer: Answer) -> list[float]:
    """Return the measures of an answer as numbers; of groups that were selected, all that might be told."""
    if answer.columns[0] != "city":
        return [float(value or 0) for row in answer.rows for value in row if not isinstance(value, str)]
    told = {row[0]: float(row[1] or 0) for row in answer.rows}
    return [figure for city in _CITIES for figure in (float(city in told), told.get(city, 0.0))]


def asked(sql: str, price: Price) -> Draw:
    """Run a question on people: exact numbers once, then noise again and again."""

    def draw(rows: Rows, runs: int) -> NDArray[np.float64]:
        planned = plan(understand(sql, PUBLIC), PUBLIC, price)
        held = held_by(planned, rows)
        return np.array([numbers_of(noisy(planned, held)) for _ in range(runs)], np.float64)

    return draw


def _case(name: str, title: str, sql: str, price: Price, victim: Rows = VICTIM) -> Case:
    return Case(name, title, asked(sql, price), (OTHERS, (*OTHERS, *victim)), Claim.of(price), samples=SLOW)


class MemoryLedger:
    """A ledger of one analyst in memory, for audits of conversations. It obeys the contract but forgets.

    Only a ledger that is durable may stand before real data.
    """

    def __init__(self, limit: Decimal) -> None:
        self.limit = limit
        self.spent = Decimal(0)
        self.paid: dict[str, int] = {}
        self.prices: dict[int, Price] = {}
        self.answers: dict[int, str] = {}

    def charge(self, asked: Sequence[Asked]) -> list[Charged | SfumatoError]:
        """Pay each question that was not paid yet, as long as the budget reaches."""
        return [self._charge(one) for one in asked]

    def _charge(self, one: Asked) -> Charged | SfumatoError:
        key = f"{one.question} {one.price}"
        if key in self.paid:
            return Charged(self.paid[key], False, self.answers.get(self.paid[key]))
        after = BASIC.pays(self.limit, Decimal(0), self.spent, Decimal(0), one.price)
        if after is None:
            return BudgetGone("the budget does not reach", where="ledger")
        self.spent, spend = after[0], len(self.prices) + 1
        self.paid[key] = spend
        self.prices[spend] = one.price
        return Charged(spend, True)

    def store(self, answers: Sequence[tuple[int, str]]) -> list[str]:
        """Keep answers; the first one counts."""
        return [self.answers.setdefault(spend, text) for spend, text in answers]

    def budgets(self, data_set: str, window: str, *, analyst: str, group: str) -> list[Budget]:
        """Return the one budget."""
        return [
            Budget(
                Scope.ANALYST,
                analyst,
                data_set,
                window,
                Composition.BASIC,
                self.limit,
                Decimal(0),
                self.spent,
            )
        ]


def conversation(
    ledger: Callable[[Decimal], MemoryLedger], questions: Sequence[str], each: str, limit: str
) -> Draw:
    """Ask questions of one count one after another, through a ledger, until it refuses.

    What was not answered is 0, as if the noise were told alone: a refusal tells nothing of the count.
    """
    price, noise = Price.pure(each), DiscreteLaplace.of(each)

    def once(fresh: Iterator[int]) -> list[int]:
        book, told = ledger(Decimal(limit)), []
        for question in questions:
            charged = book.charge([Asked("ann", "", "clinic", "", "v1", question, price)])[0]
            if isinstance(charged, SfumatoError):
                told.append(0)
            else:
                told.append(int(charged.answer or book.store([(charged.spend, str(next(fresh)))])[0]))
        return told

    def draw(count: int, runs: int) -> NDArray[np.int64]:
        fresh = iter(noise.add(np.full(runs * len(questions), count, np.int64)).tolist())
        return np.array([once(fresh) for _ in range(runs)], np.int64)

    return draw


_THREE, _SELECTED = Price.pure(3), Price.approximate(3, "0.05")

CASES: tuple[Case, ...] = (
    _case("database-count", "COUNT, four rows of one person", "SELECT COUNT(*) FROM visits", _THREE),
    _case("database-sum", "SUM within bounds", "SELECT SUM(age) FROM visits", _THREE),
    _case("database-mean", "AVG of few rows", "SELECT AVG(age) FROM visits", _THREE),
    _case("database-variance", "VARIANCE of few rows", "SELECT VARIANCE(age) FROM visits", _THREE),
    _case("database-median", "MEDIAN of few rows", "SELECT MEDIAN(age) FROM visits", _THREE),
    _case(
        "database-groups",
        "GROUP BY public groups",
        "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
        _THREE,
    ),
    _case(
        "database-persons",
        "people per group, each in one group",
        "SELECT ward, COUNT(DISTINCT id) FROM visits GROUP BY ward",
        _THREE,
    ),
    _case(
        "database-unknown-groups",
        "GROUP BY groups that are not public",
        "SELECT city, COUNT(*) FROM visits GROUP BY city",
        _SELECTED,
    ),
    Case(
        "database-conversation",
        "all that an analyst is told until the budget is gone",
        conversation(MemoryLedger, ["a", "a", "b", "a", "c", "d"], "1", "3"),
        (100, 101),
        Claim.of(3),
        samples=SLOW,
    ),
)

MECHANISMS: dict[str, Case] = {case.name: case for case in CASES}
"""questions and conversations by name"""
__all__ = ["CASES", "MECHANISMS", "OTHERS", "PUBLIC", "VICTIM", "MemoryLedger", "asked", "conversation"]
