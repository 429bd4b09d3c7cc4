"""The statistical database in one process: understand, plan, charge, run, store, answer.

The order is what keeps it honest. A question is understood, planned and priced from metadata alone; it is
then charged, durably, before a single row is read; only then is it run; the answer is stored under the
charge, and what was stored is sent. Whatever stops the process in between, nothing was answered that was not
charged.

``ask`` does all of it. A server that batches charges takes the steps: ``prepare`` → ``ledger.charge`` →
``read`` → ``tell`` → ``ledger.store`` → ``answer_of``. Only ``read`` takes a time that depends on data; a
bound on it is known from ``prepare`` (``Pending.cost``), so that a server can let all else wait for it.

What was worked out before is remembered for each analyst alone: how fast a question is understood tells an
analyst what they themselves asked, and of others at the most that very many of them asked since.
"""

from __future__ import annotations

import logging
import secrets
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number
from sfumato.dp.price import Price
from sfumato.query.answer import Answer, AnswerLimits, Quote
from sfumato.query.answer_text import answer_of, text_of, with_columns
from sfumato.query.cost import Cost, cost_of
from sfumato.query.dummy import DUMMY_ROWS
from sfumato.query.ledger.contract import Asked, Ledger
from sfumato.query.metadata import Metadata
from sfumato.query.plan import NoisePlan, plan, quote_of
from sfumato.query.prepared import Prepared
from sfumato.query.question import Question
from sfumato.query.remembered import Remembered
from sfumato.query.run import (
    Exact,
    Parsed,
    check,
    names_of,
    noisy,
    parsed_statements,
    read,
    run,
    statements,
    unanswered,
)
from sfumato.query.size import limited
from sfumato.query.sql import understand
from sfumato.query.statement import without_numbers

if TYPE_CHECKING:
    import duckdb

_LOG = logging.getLogger("sfumato.query")
_REMEMBERED = 100_000
"""letters and values of keys of all questions of an analyst that are remembered: some 10 MB at the most"""
_ANALYSTS = 128
"""for whom something is remembered, those who asked last: an identity provider may send any number of them"""
_LEAST = 1_000
"""what a remembered question weighs besides"""


def price_of(*, epsilon: Number | None = None, delta: Number = 0, rho: Number | None = None) -> Price:
    """Read the price that somebody offers: ε, ε with δ, or ρ (with δ where groups are not public).

    >>> str(price_of(epsilon=0.1)), str(price_of(rho="0.01"))
    ('ε = 0.1', 'ρ = 0.01')
    """
    if (epsilon is None) == (rho is None):
        raise BadInput(
            "a question is paid either with epsilon or with rho", where="price", remedy="give one of them"
        )
    if rho is not None:
        # Through `approximate` for its check of delta, which `concentrated` leaves to the caller.
        return Price.concentrated(rho, delta=Price.approximate(1, delta).delta)
    assert epsilon is not None
    asked = None if type(delta) is int and delta == 0 else Price.approximate(epsilon, delta)
    return asked if asked is not None and asked.delta else Price.pure(epsilon)


@dataclass(frozen=True)
class Pending:
    """A question that is understood and planned; no data were touched. ``asked`` is what is charged."""

    asked: Asked
    planned: NoisePlan = field(repr=False)
    cost: Cost
    """seconds that it can take at the most, from metadata alone"""


@dataclass(frozen=True)
class _Memory:
    """What was worked out for one analyst; never looked at for another."""

    understood: Remembered[str, Question] = field(
        default_factory=lambda: Remembered[str, Question](_REMEMBERED, _weight)
    )
    planned: Remembered[tuple[str, Price], NoisePlan] = field(
        default_factory=lambda: Remembered[tuple[str, Price], NoisePlan](
            _REMEMBERED, lambda key, planned: _weight(key[0], planned.question)
        )
    )
    checked: Remembered[tuple[str, ...], bool] = field(
        default_factory=lambda: Remembered[tuple[str, ...], bool](
            _REMEMBERED, lambda spelt, _: sum(len(text) for text in spelt)
        )
    )
    parsed: Parsed = field(default_factory=lambda: parsed_statements(_REMEMBERED))


def _weight(sql: str, question: Question) -> int:
    """Return about how much a question takes to remember: its texts, and the public values of its keys."""
    values = sum(len(key.values or ()) for key in question.keys)
    return _LEAST + len(sql) + len(question.canonical) + values


class Database:
    """A data set that answers.

    >>> import pyarrow as pa
    >>> from fractions import Fraction
    >>> from sfumato.query.metadata import Column, Table, Type
    >>> age = Column("age", Type.INTEGER, Fraction(0), Fraction(100))
    >>> public = Metadata("clinic", {"visits": Table("visits", {"age": age}, None, 1, 1000)})
    >>> held = Prepared.register(public, {"visits": pa.table({"age": [5, 30]})}, secret=b"s" * 16)
    >>> database = Database(public, held, ledger=None)
    >>> database.quote("SELECT COUNT(*) FROM visits", epsilon=0.5).measures[0].error
    6.0
    """

    def __init__(
        self,
        metadata: Metadata,
        prepared: Prepared,
        ledger: Ledger | None,
        *,
        window: str = "",
        limits: AnswerLimits | None = None,
    ) -> None:
        if prepared.metadata != metadata:
            raise BadInput(
                "the data were registered with other metadata", remedy="register them again with these"
            )
        self.metadata = metadata
        self.prepared = prepared
        self.ledger = ledger
        self.window = window
        self.limits = AnswerLimits() if limits is None else limits
        # Not in the metadata: these are part of the data's version, and a new version is charged anew.
        # More groups than cells are refused while a question is read, before their keys are listed.
        self._bounded = replace(metadata, max_groups=min(metadata.max_groups, self.limits.cells))
        self._lock = threading.Lock()
        self.pace = 1.0
        """how many times slower this machine is than that of ``cost``; a service measures it"""
        self._memories = Remembered[str, _Memory](_ANALYSTS, lambda analyst, memory: 1)
        self._dummy: Prepared | None = None
        self._idle: list[duckdb.DuckDBPyConnection] = []
        """cursors that nobody uses: never more than questions that ran at the same time"""

    def quote(
        self,
        sql: str,
        *,
        epsilon: Number | None = None,
        delta: Number = 0,
        rho: Number | None = None,
        analyst: str = "",
    ) -> Quote:
        """Return price and expected error of a question. Free: it is made from metadata alone."""
        return quote_of(self._plan(analyst, sql, price_of(epsilon=epsilon, delta=delta, rho=rho)))

    def ask(
        self,
        analyst: str,
        sql: str,
        *,
        epsilon: Number | None = None,
        delta: Number = 0,
        rho: Number | None = None,
        group: str = "",
    ) -> Answer:
        """Charge a question and answer it. The same question again gets the stored answer, for nothing."""
        if self.ledger is None:
            raise BadInput("the database has no ledger to charge", remedy="open it with one")
        price = price_of(epsilon=epsilon, delta=delta, rho=rho)
        pending = self.prepare(analyst, sql, price, group=group)
        charged = self.ledger.charge([pending.asked])[0]
        if isinstance(charged, SfumatoError):
            raise charged
        if charged.answer is not None:
            return answer_of(self.told(pending, charged.answer))
        text = self.run(pending)
        return answer_of(self.told(pending, self.ledger.store([(charged.spend, text)])[0]))

    def prepare(
        self, analyst: str, sql: str, price: Price, *, group: str = "", arrived: int | None = None
    ) -> Pending:
        """Understand and plan a question, or refuse it. No data are touched, nothing is charged.

        ``arrived`` is when it came, in whole seconds since 1970: kept with its charge.
        """
        planned = self._plan(analyst, sql, price)
        asked = Asked(
            analyst,
            group,
            self.metadata.data_set,
            self.window,
            self.prepared.version,
            planned.question.canonical,
            planned.price,
            arrived,
        )
        return Pending(asked, planned, cost_of(planned, self.metadata, self.pace))

    def run(self, pending: Pending, random: Random | None = None) -> str:
        """Run a question that was charged; return the answer as text, to be stored under its charge.

        Once data are read there is always a text, and so only one run. What raised instead could be asked
        again for nothing, with new noise each time, and how often it raises may hang on the data.
        """
        return self.tell(pending, self.read(pending), random)

    def read(self, pending: Pending) -> Exact | None:
        """Return the exact numbers of a question that was charged: for ``tell``, and nobody else.

        None where they could not be found. How long this takes depends on the data.
        """
        try:
            # The first question on a new cursor takes a third longer than the next ones.
            cursor = self._idle.pop()
        except IndexError:
            cursor = self.prepared.cursor()
        try:
            held = read(pending.planned, cursor, self._memory(pending.asked.analyst).parsed)
        except Exception as problem:
            _LOG.error("a question was not answered: %s", type(problem).__name__)
            cursor.close()
            return None
        self._idle.append(cursor)
        return held

    def tell(self, pending: Pending, held: Exact | None, random: Random | None = None) -> str:
        """Return the answer as text: exact numbers with noise."""
        try:
            if held is not None:
                return text_of(self._signed(noisy(pending.planned, held, random)))
        except Exception as problem:
            _LOG.error("a question was not answered: %s", type(problem).__name__)
        return text_of(self._signed(unanswered(pending.planned)))

    def told(self, pending: Pending, text: str) -> str:
        """Return a stored answer under the names that this question gives to its columns.

        Other spellings of a question have the same columns in the same places, but may call them otherwise.
        """
        return with_columns(text, names_of(pending.planned.question))

    def answer_of(self, text: str) -> Answer:
        """Read an answer that was stored."""
        return answer_of(text)

    def try_out(
        self,
        sql: str,
        *,
        epsilon: Number | None = None,
        delta: Number = 0,
        rho: Number | None = None,
        analyst: str = "",
    ) -> Answer:
        """Answer a question from made-up data: free, true of nobody, with the noise it would have."""
        planned = self._plan(analyst, sql, price_of(epsilon=epsilon, delta=delta, rho=rho))
        cursor = self._dummies().cursor()
        try:
            answer = run(planned, cursor)
        finally:
            cursor.close()
        return replace(
            answer,
            window=self.window,
            dummy=True,
            note="made from dummy data: nothing was charged, nothing is true",
        )

    def cost(self, analyst: str, sql: str, price: Price, *, dummy: bool = False) -> Cost:
        """Return how long a question takes at the most, on the data or on made-up rows: from metadata."""
        planned = self._plan(analyst, sql, price)
        return cost_of(planned, self.metadata, self.pace, DUMMY_ROWS if dummy else None)

    def close(self) -> None:
        """Let go of the data. The ledger belongs to whoever opened it."""
        while self._idle:
            self._idle.pop().close()
        self.prepared.close()
        if self._dummy is not None:
            self._dummy.close()

    def _memory(self, analyst: str) -> _Memory:
        return self._memories.get(analyst, _Memory)

    def _plan(self, analyst: str, sql: str, price: Price) -> NoisePlan:
        """Plan a question, or remember how it was planned: from text, price and metadata alone."""
        memory = self._memory(analyst)
        return memory.planned.get((sql, price), lambda: self._plan_anew(memory, sql, price))

    def _plan_anew(self, memory: _Memory, sql: str, price: Price) -> NoisePlan:
        question = memory.understood.get(sql, lambda: understand(sql, self._bounded))
        planned = limited(plan(question, self._bounded, price), self.limits, self.window)
        # Whole numbers are handed over beside the statement: what the engine accepts, it accepts with others.
        shapes = tuple(without_numbers(statement)[0] for statement in statements(planned))
        memory.checked.get(shapes, lambda: self._accepted(planned, memory.parsed))
        return planned

    def _accepted(self, planned: NoisePlan, parsed: Parsed) -> bool:
        with self._lock:
            check(planned, self.prepared.shape, parsed)
        return True

    def _signed(self, answer: Answer) -> Answer:
        return replace(answer, reference=secrets.token_hex(8), window=self.window)

    def _dummies(self) -> Prepared:
        from sfumato.query.dummy import dummy_tables

        with self._lock:
            if self._dummy is None:
                tables = dummy_tables(self.metadata)
                self._dummy = Prepared.register(self.metadata, tables, secret=secrets.token_bytes(32))
            return self._dummy


__all__ = ["Database", "Pending", "answer_of", "price_of"]
