"""Whom attacks are run against: services, and two databases that are not safe, to compare with.

What an attack reaches on a sound database means something only beside what it reaches on exact answers, and
on noise that nobody adds up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from sfumato.core.errors import BadInput, nearest
from sfumato.dp.exact import Number
from sfumato.dp.price import Price
from sfumato.query.answer import Answer
from sfumato.query.database import Database
from sfumato.query.plan import NoisyNumbers
from sfumato.query.run import exact


@dataclass(frozen=True)
class ExactAnswers:
    """Answers the counts of a database without noise, as many as are asked."""

    database: Database

    def ask(self, analyst: str, sql: str, *, epsilon: Number | None = None) -> Answer:
        """Answer exactly: counts only."""
        price = Price.pure(1)
        planned = self.database.prepare(analyst, sql, price).planned
        cursor = self.database.prepared.cursor()
        try:
            held = exact(planned, cursor)
        finally:
            cursor.close()
        rows = []
        for place, group in enumerate(held.groups):
            counts = [
                int(numbers[0, place]) * measure.numbers.divisor
                for numbers, measure in zip(held.numbers, planned.measures, strict=True)
                if numbers is not None and isinstance(measure, NoisyNumbers)
            ]
            rows.append((*group, *counts))
        names = tuple(measure.name for measure in planned.question.measures)
        keys = tuple(key.name for key in planned.question.keys)
        return Answer((*keys, *names), tuple(rows), tuple((0.0,) * len(names) for _ in rows), price)


@dataclass(frozen=True)
class WithoutLedger:
    """Answers with the right noise for every price, and never says stop: ε for each question alone."""

    database: Database

    def ask(self, analyst: str, sql: str, *, epsilon: Number | None = None) -> Answer:
        """Answer with fresh noise."""
        pending = self.database.prepare(analyst, sql, Price.pure(1 if epsilon is None else epsilon))
        return self.database.answer_of(self.database.run(pending))


class OneClient(Protocol):
    """A service, as one analyst sees it."""

    def ask(self, sql: str, *, epsilon: Number | None = None) -> Answer:
        """Answer, or refuse with an error."""


@dataclass(frozen=True)
class Clients:
    """A service that is attacked from outside, through the clients of one or several analysts."""

    of: Mapping[str, OneClient]

    def ask(self, analyst: str, sql: str, *, epsilon: Number | None = None) -> Answer:
        """Ask as one of the analysts."""
        if analyst not in self.of:
            raise BadInput(
                f"there is no client of '{analyst}'", where="attack", remedy=nearest(analyst, self.of)
            )
        return self.of[analyst].ask(sql, epsilon=epsilon)
