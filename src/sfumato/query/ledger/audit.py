"""Auditing a ledger: read everything, believe nothing, recompute all of it from the log.

The chain shows entries that were changed, removed or put in another order; a head that was kept outside shows
that the end was cut off or that the whole chain was written anew. Then the log is played again: no charge was
beyond the limits of its time, every running total is the sum of its charges, every answer belongs to a charge
and is the one that was stored first. An audit that finds nothing says that, and no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, select

from sfumato.core.errors import SfumatoError
from sfumato.dp.budget import FILTERS
from sfumato.query.ledger.accounts import key_vouched
from sfumato.query.ledger.chain import BEGINNING, Head, Kind, canonical, entry_hash, text_hash
from sfumato.query.ledger.charging import Key, fingerprint_of, mixed_windows, read_budget, scopes_of
from sfumato.query.ledger.charging import key_of as key_of_budget
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.money import price_read
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import ANALYSTS, ANSWERS, BUDGETS, DATA_SETS, LOG, SPENDS, WINDOWS

MOST_PROBLEMS = 100
"""an audit stops telling after so many; one is enough not to trust a ledger"""
_CHUNK = 1000


@dataclass(frozen=True)
class Problem:
    """Something that does not fit: an entry of the log (None: the ledger as a whole) and what is wrong."""

    entry: int | None
    what: str

    def __str__(self) -> str:
        return self.what if self.entry is None else f"entry {self.entry}: {self.what}"


@dataclass(frozen=True)
class AuditResult:
    """What an audit found."""

    entries: int
    charges: int
    answers: int
    head: Head
    problems: tuple[Problem, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def __str__(self) -> str:
        seen = f"{self.entries} entries, {self.charges} charges, {self.answers} answers, head {self.head}"
        if self.holds:
            return f"not refuted: chain, totals and answers fit together ({seen})"
        return "\n".join([f"refuted ({seen})", *(f"- {problem}" for problem in self.problems)])


def verify_chain(ledger: SqlLedger, head: Head | None = None) -> AuditResult:
    """Check the chain, against a head that was kept outside where one is given, and recompute every total."""
    return ledger.read(lambda connection: _verify(connection, head))


@dataclass
class _Audit:
    """What the log tells, played again from the beginning."""

    problems: list[Problem] = field(default_factory=list)
    budgets: dict[Key, Budget] = field(default_factory=dict)
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    complete: set[tuple[str, str]] = field(default_factory=set)
    charged: set[tuple[str, str]] = field(default_factory=set)
    """(data set, window) whose people were admitted before the first charge, and those with a charge"""
    windows: set[tuple[str, str]] = field(default_factory=set)
    """those to which people were admitted at all"""
    charges: dict[int, tuple[str, str, str, int]] = field(default_factory=dict)
    """entry → fingerprint, analyst, data set, time"""
    answers: dict[int, str] = field(default_factory=dict)
    """spend → hash"""

    def found(self, entry: int | None, what: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(entry, what))

    def play(self, row: Row[Any]) -> None:
        try:
            body = json.loads(row.body)
            if canonical(body) != row.body:
                self.found(row.sequence, "it is not written in the canonical way")
            _PLAY[Kind(row.kind)](self, row.sequence, row.time, body)
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            ArithmeticError,
            RecursionError,
            SfumatoError,
        ):
            self.found(row.sequence, "it cannot be understood")

    def _charge(self, sequence: int, time: int, body: dict[str, Any]) -> None:
        fingerprint = fingerprint_of(body)
        self.charges[sequence] = (fingerprint, body["analyst"], body["data_set"], time)
        if mixed_windows(body["data_set"], body["window"], self.complete, self.budgets):
            self.found(sequence, "it may concern people of another window")
        self.charged.add((body["data_set"], body["window"]))
        account = self.accounts.get(body["analyst"])
        if body["data_set"] in self.stopped or (account is not None and account["suspended"]):
            self.found(sequence, "a charge while the analyst or the data set was suspended")
        if account is not None and account["group"] != body["group"]:
            self.found(sequence, "a charge past the group of the analyst")
        price = price_read(body)
        for key in scopes_of(body["analyst"], body["group"], body["data_set"], body["window"]):
            budget = self.budgets.get(key)
            if budget is None:
                self.found(sequence, f"a charge without a budget of its {key[2]}")
                continue
            adds_up = FILTERS[budget.composition]
            spent = adds_up.after(budget.spent, budget.spent_delta, price)
            if adds_up.pays(budget.limit, budget.delta, budget.spent, budget.spent_delta, price) is None:
                self.found(sequence, f"the budget of its {key[2]} was overspent")
            self.budgets[key] = replace(budget, spent=spent[0], spent_delta=spent[1])

    def _answer(self, sequence: int, _time: int, body: dict[str, Any]) -> None:
        if body["spend"] not in self.charges:
            self.found(sequence, "an answer without a charge before it")
        if body["spend"] in self.answers:
            self.found(sequence, "a second answer to the same spend")
        self.answers[body["spend"]] = body["hash"]

    def _budget(self, sequence: int, _time: int, body: dict[str, Any]) -> None:
        budget = Budget(
            Scope(body["scope"]),
            body["name"],
            body["data_set"],
            body["window"],
            Composition(body["composition"]),
            Decimal(body["limit"]),
            Decimal(body["delta"]),
        )
        before = self.budgets.get(key_of_budget(budget), budget)
        if before.composition != budget.composition and (before.spent or before.spent_delta):
            self.found(sequence, "how a budget adds up was changed after something was spent")
        self.budgets[key_of_budget(budget)] = replace(
            budget, spent=before.spent, spent_delta=before.spent_delta
        )

    def _account(self, _sequence: int, _time: int, body: dict[str, Any]) -> None:
        self.accounts[body["name"]] = body

    def _data_set(self, _sequence: int, _time: int, body: dict[str, Any]) -> None:
        (self.stopped.add if body["suspended"] else self.stopped.discard)(body["data_set"])

    def _window(self, _sequence: int, _time: int, body: dict[str, Any]) -> None:
        place = (body["data_set"], body["window"])
        self.windows.add(place)
        if place not in self.charged:
            self.complete.add(place)

    def _nothing(self, _sequence: int, _time: int, _body: dict[str, Any]) -> None:
        """Entries from which nothing follows."""


_PLAY = {
    Kind.CHARGE: _Audit._charge,
    Kind.ANSWER: _Audit._answer,
    Kind.BUDGET: _Audit._budget,
    Kind.ACCOUNT: _Audit._account,
    Kind.DATA_SET: _Audit._data_set,
    Kind.REFUSAL: _Audit._nothing,
    Kind.WINDOW: _Audit._window,
}


def _verify(connection: Connection, kept: Head | None) -> AuditResult:
    audit = _Audit()
    head = _check_chain(connection, audit, kept)
    _check_spends(connection, audit)
    _check_answers(connection, audit)
    _check_budgets(connection, audit)
    _check_accounts(connection, audit)
    _check_windows(connection, audit)
    return AuditResult(head.sequence, len(audit.charges), len(audit.answers), head, tuple(audit.problems))


def _rows(connection: Connection, table: Any, order: Any) -> Iterator[Row[Any]]:
    streamed = select(table).order_by(order).execution_options(yield_per=_CHUNK)
    yield from connection.execute(streamed)


def _check_chain(connection: Connection, audit: _Audit, kept: Head | None) -> Head:
    head, last = Head(0, BEGINNING), 0
    met = kept is None or kept == head
    for row in _rows(connection, LOG, LOG.c.sequence):
        texts = (row.kind, row.body, row.previous, row.hash)
        if not (isinstance(row.time, int) and all(isinstance(each, str) for each in texts)):
            # SQLite keeps anything in any column.
            audit.found(row.sequence, "it cannot be understood")
            continue
        if row.sequence != head.sequence + 1:
            audit.found(row.sequence, f"the entries {head.sequence + 1} to {row.sequence - 1} are missing")
        elif row.previous != head.hash:
            audit.found(row.sequence, "it does not follow the entry before it")
        if entry_hash(row.sequence, row.time, row.kind, row.body, row.previous) != row.hash:
            audit.found(row.sequence, "it was changed after it was written")
        if row.time < last:
            audit.found(row.sequence, "it is older than the entry before it")
        head, last = Head(row.sequence, row.hash), max(last, row.time)
        met = met or head == kept
        audit.play(row)
    if not met and kept is not None:
        where = "the log ends before" if head.sequence < kept.sequence else "the log has another entry at"
        audit.found(None, f"{where} the head that was kept, entry {kept.sequence}")
    return head


def _check_spends(connection: Connection, audit: _Audit) -> None:
    seen = set()
    for row in _rows(connection, SPENDS, SPENDS.c.spend):
        seen.add(row.spend)
        if audit.charges.get(row.spend) != (row.fingerprint, row.analyst, row.data_set, row.time):
            audit.found(row.spend, "the table of spends has something else than the log")
    for spend in sorted(audit.charges.keys() - seen):
        audit.found(spend, "the charge is missing from the table of spends")


def _check_answers(connection: Connection, audit: _Audit) -> None:
    seen = set()
    for row in _rows(connection, ANSWERS, ANSWERS.c.spend):
        seen.add(row.spend)
        if row.spend not in audit.charges:
            audit.found(row.spend, "an answer that was never charged")
        elif row.spend not in audit.answers:
            audit.found(row.spend, "an answer that the log does not know")
        elif not isinstance(row.answer, str) or text_hash(row.answer) != audit.answers[row.spend]:
            audit.found(row.spend, "the answer was changed after it was stored")
    for spend in sorted(audit.answers.keys() - seen):
        audit.found(spend, "the answer of this charge is missing")


def _check_budgets(connection: Connection, audit: _Audit) -> None:
    found = {}
    for row in connection.execute(select(BUDGETS)):
        try:
            budget = read_budget(row)
            found[key_of_budget(budget)] = budget
        except (ValueError, TypeError, ArithmeticError):
            audit.found(None, "a budget cannot be understood")
    for key in sorted(found.keys() | audit.budgets.keys()):
        name = f"the budget of {key[2]} '{key[3]}' for data set '{key[0]}'"
        if key not in found or key not in audit.budgets:
            where = "missing from the table" if key not in found else "unknown to the log"
            audit.found(None, f"{name} is {where}")
        elif found[key] != audit.budgets[key]:
            audit.found(None, f"{name} differs from what the log adds up to")


def _check_accounts(connection: Connection, audit: _Audit) -> None:
    found = {}
    for row in connection.execute(select(ANALYSTS)):
        found[row.name] = {"role": row.role, "group": row.team, "subject": row.subject}
        found[row.name] |= {"key_id": row.key_id, "suspended": row.suspended}
        found[row.name] |= {"key": key_vouched(row.key_hash), "expires": row.expires}
    for name in sorted(found.keys() | audit.accounts.keys()):
        # Entries from before keys could expire do not say that theirs does not.
        told = {"expires": None, **audit.accounts.get(name, {})}
        if name not in found or any(told.get(part, ...) != value for part, value in found[name].items()):
            audit.found(None, f"the account '{name}' differs from what the log tells")
    stopped = set(connection.execute(select(DATA_SETS.c.name).where(DATA_SETS.c.suspended)).scalars())
    for name in sorted(stopped ^ audit.stopped):
        audit.found(None, f"data set '{name}' was suspended or resumed past the log")


def _check_windows(connection: Connection, audit: _Audit) -> None:
    rows = select(DATA_SETS.c.name, WINDOWS.c.name, WINDOWS.c.complete).join_from(WINDOWS, DATA_SETS)
    found = {(data_set, window): complete for data_set, window, complete in connection.execute(rows)}
    for place in sorted(found.keys() | audit.windows):
        if place not in audit.windows or found.get(place) is not (place in audit.complete):
            audit.found(None, f"window '{place[1]}' of data set '{place[0]}' differs from what the log tells")
