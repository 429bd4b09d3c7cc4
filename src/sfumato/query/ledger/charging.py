"""Paying: every scope has a budget and can pay, or the question is refused and nobody pays.

For each question, in this order: a suspended data set or analyst is refused; the same question (canonical
text, price, data version, window) that the same analyst paid for before is not charged again; where another
window of the data set was paid from, both must have had their people admitted (``windows``); the budgets of
the data set, of the group and of the analyst must all exist and all reach. What is decided here rests on the
ledger alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, and_, bindparam, insert, or_, select, update

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.dp.budget import FILTERS
from sfumato.query.ledger.chain import ARRIVED, Kind, Pen, canonical
from sfumato.query.ledger.contract import (
    Asked,
    Budget,
    BudgetGone,
    Charged,
    Composition,
    Scope,
    Suspended,
)
from sfumato.query.ledger.money import price_written, written
from sfumato.query.ledger.refusals import Reason, Refusals
from sfumato.query.ledger.spelt import Spelt, SpeltOneOf
from sfumato.query.ledger.tables import ANALYSTS, ANSWERS, BUDGETS, DATA_SETS, SPENDS, WINDOWS
from sfumato.query.ledger.words import name_checked, question_checked

Key = tuple[str, str, str, str]
"""(data set, window, scope, name) of a budget"""

_KNOWN = SpeltOneOf(
    SPENDS.c.fingerprint,
    lambda those: (
        select(SPENDS.c.fingerprint, SPENDS.c.spend, ANSWERS.c.answer)
        .select_from(SPENDS.outerjoin(ANSWERS))
        .where(those)
    ),
)
_ACCOUNTS = SpeltOneOf(
    ANALYSTS.c.name,
    lambda those: select(ANALYSTS.c.name, ANALYSTS.c.team, ANALYSTS.c.suspended).where(those),
)
_PLACES = SpeltOneOf(
    DATA_SETS.c.name,
    lambda those: (
        select(DATA_SETS.c.name, DATA_SETS.c.suspended, WINDOWS.c.name, WINDOWS.c.complete)
        .select_from(DATA_SETS.outerjoin(WINDOWS))
        .where(those)
    ),
)
_BUDGETS = SpeltOneOf(
    BUDGETS.c.name,
    lambda those: select(BUDGETS).where(
        BUDGETS.c.data_set == bindparam("place"),
        or_(and_(BUDGETS.c.window == bindparam("time"), those), BUDGETS.c.scope == bindparam("whole")),
    ),
)
_SPEND = Spelt(insert(SPENDS))
_PAY = Spelt(
    update(BUDGETS)
    .where(
        BUDGETS.c.data_set == bindparam("of_data_set"),
        BUDGETS.c.window == bindparam("of_window"),
        BUDGETS.c.scope == bindparam("of_scope"),
        BUDGETS.c.name == bindparam("of_name"),
    )
    .values(spent=bindparam("new_spent"), spent_delta=bindparam("new_delta"))
)


def read_budget(row: Sequence[Any]) -> Budget:
    """Read a row of the table of budgets."""
    data_set, window, scope, name, composition, *money = row
    return Budget(
        Scope(scope), name, data_set, window, Composition(composition), *(Decimal(text) for text in money)
    )


def key_of(budget: Budget) -> Key:
    """Return what names a budget."""
    return budget.data_set, budget.window, str(budget.scope), budget.name


def scopes_of(analyst: str, group: str, data_set: str, window: str) -> list[Key]:
    """Return the budgets that pay for a question; each must exist."""
    names = [(Scope.DATA_SET, data_set), (Scope.GROUP, group), (Scope.ANALYST, analyst)]
    return [(data_set, window, str(scope), name) for scope, name in names if name or scope is not Scope.GROUP]


def fingerprint_of(charge: dict[str, Any]) -> str:
    """Return what is the same for the same question by the same analyst, from the body of a charge.

    Not the group: who changes groups has still paid for the answer. Nor when the question came.
    """
    same = {name: value for name, value in charge.items() if name not in ("group", "clock", ARRIVED)}
    return hashlib.sha256(canonical(same).encode()).hexdigest()


def charge_body(asked: Asked) -> dict[str, Any]:
    """Check what comes from outside and write it as the body of an entry."""
    return {
        "analyst": name_checked(asked.analyst, "analyst"),
        "group": name_checked(asked.group, "group", empty=True),
        "data_set": name_checked(asked.data_set, "data set"),
        "window": name_checked(asked.window, "window", empty=True),
        "version": name_checked(asked.version, "version", empty=True),
        "question": question_checked(asked.question),
        **price_written(asked.price),
        **({} if asked.arrived is None else {ARRIVED: asked.arrived}),
    }


def account_group(asked: str, account: str | None) -> str:
    """Return the group that pays: the one in the analyst's account, where there is an account."""
    if account is None or asked == account:
        return asked
    if asked:
        raise BadInput(
            "the analyst's account names another group",
            where="group",
            remedy="leave it out or mend the account",
        )
    return account


@dataclass
class _Desk:
    """The state that a batch of questions sees and changes."""

    known: dict[str, tuple[int, str | None]]
    accounts: dict[str, tuple[str, bool]]
    stopped: set[str]
    complete: set[tuple[str, str]]
    """(data set, window) whose people were all admitted to it"""
    budgets: dict[Key, Budget]


def charge_all(
    connection: Connection, asked: Sequence[Asked], now: int, refusals: Refusals | None = None
) -> list[Charged | SfumatoError]:
    """Charge several questions, in a transaction that alone may write."""
    bodies: list[dict[str, Any] | SfumatoError] = []
    for each in asked:
        try:
            bodies.append(charge_body(each))
        except BadInput as problem:
            bodies.append(problem)
    fingerprints = [fingerprint_of(body) if isinstance(body, dict) else "" for body in bodies]
    desk = _desk(connection, [body for body in bodies if isinstance(body, dict)], filter(None, fingerprints))
    pen = Pen(connection, now)
    refusals = Refusals({}) if refusals is None else refusals
    spends: list[dict[str, Any]] = []
    paid: dict[Key, Budget] = {}
    found: list[Charged | SfumatoError] = []
    for each, body, fingerprint in zip(asked, bodies, fingerprints, strict=True):
        if isinstance(body, SfumatoError):
            found.append(body)
            continue
        try:
            outcome = _decide(desk, each, body, fingerprint)
        except _Refused as refused:
            refusals.add(refused.reason, body)
            found.append(refused.problem)
            continue
        if isinstance(outcome, Charged):
            found.append(outcome)
            continue
        spend = pen.write(Kind.CHARGE, body)
        spends.append(
            {"spend": spend, "fingerprint": fingerprint, "time": pen.time}
            | {name: body[name] for name in ("analyst", "data_set")}
        )
        desk.known[fingerprint] = (spend, None)
        desk.budgets.update(outcome)
        paid.update(outcome)
        found.append(Charged(spend, fresh=True))
    refusals.record(connection, pen)
    pen.flush()
    if spends:
        _SPEND.many(connection, spends)
        _PAY.many(connection, [_payment(key, budget) for key, budget in sorted(paid.items())])
    return found


class _Refused(Exception):
    def __init__(self, reason: Reason, problem: SfumatoError) -> None:
        super().__init__(reason)
        self.reason = reason
        self.problem = problem


def _decide(desk: _Desk, asked: Asked, body: dict[str, Any], fingerprint: str) -> Charged | dict[Key, Budget]:
    """Return the earlier spend of the same question, or the budgets as they are after paying."""
    problem: SfumatoError
    if asked.data_set in desk.stopped:
        problem = Suspended(
            "the data set was suspended by its owner", where=f"data set '{asked.data_set}'", remedy="ask them"
        )
        raise _Refused(Reason.DATA_SET_SUSPENDED, problem)
    group, suspended = desk.accounts.get(asked.analyst, (None, False))
    if suspended:
        problem = Suspended(
            "the key was suspended by the owner", where=f"analyst '{asked.analyst}'", remedy="ask them"
        )
        raise _Refused(Reason.ANALYST_SUSPENDED, problem)
    try:
        body["group"] = account_group(asked.group, group)
    except BadInput as mismatch:
        raise _Refused(Reason.OTHER_GROUP, mismatch) from None
    earlier = desk.known.get(fingerprint)
    if earlier is not None:
        return Charged(earlier[0], fresh=False, answer=earlier[1])
    if mixed_windows(asked.data_set, asked.window, desk.complete, desk.budgets):
        problem = BudgetGone(
            "people of this window may have been asked about in another, and a budget follows the person",
            where=f"data set '{asked.data_set}'",
            remedy="keep to one window, or admit people to each window before asking (ledger.windows.admit)",
        )
        raise _Refused(Reason.WINDOWS_MIXED, problem)
    after = {}
    for key in scopes_of(asked.analyst, body["group"], asked.data_set, asked.window):
        after[key] = _paid(desk.budgets.get(key), key, asked)
    return after


def mixed_windows(
    data_set: str, window: str, complete: Set[tuple[str, str]], budgets: Mapping[Key, Budget]
) -> bool:
    """Say whether another window was paid from already and the two are not known to share nobody."""
    spent = {
        key[1]
        for key, budget in budgets.items()
        if key[0] == data_set and key[2] == Scope.DATA_SET and (budget.spent or budget.spent_delta)
    }
    windows = spent | {window}
    return len(windows) > 1 and any((data_set, each) not in complete for each in windows)


def _paid(budget: Budget | None, key: Key, asked: Asked) -> Budget:
    where = f"{key[2]} '{key[3]}'"
    if budget is None:
        problem = BudgetGone("there is no budget for this", where=where, remedy="ask the owner to set one")
        raise _Refused(Reason.NO_BUDGET, problem)
    try:
        left = FILTERS[budget.composition].pays(
            budget.limit, budget.delta, budget.spent, budget.spent_delta, asked.price
        )
    except BadInput as unpayable:
        raise _Refused(Reason.UNPAYABLE, unpayable) from None
    if left is None:
        problem = BudgetGone(
            "the budget does not reach", where=where, remedy="ask for less, or ask the owner for more"
        )
        raise _Refused(Reason.BUDGET_GONE, problem)
    return replace(budget, spent=left[0], spent_delta=left[1])


def _payment(key: Key, budget: Budget) -> dict[str, str]:
    names = dict(zip(("of_data_set", "of_window", "of_scope", "of_name"), key, strict=True))
    return names | {"new_spent": written(budget.spent), "new_delta": written(budget.spent_delta)}


def _desk(connection: Connection, bodies: Sequence[dict[str, Any]], fingerprints: Iterable[str]) -> _Desk:
    known = {
        fingerprint: (spend, answer) for fingerprint, spend, answer in _KNOWN.rows(connection, fingerprints)
    }
    accounts = {
        name: (team, bool(suspended))
        for name, team, suspended in _ACCOUNTS.rows(connection, (body["analyst"] for body in bodies))
    }
    stopped: set[str] = set()
    complete: set[tuple[str, str]] = set()
    for name, suspended, window, whole in _PLACES.rows(connection, (body["data_set"] for body in bodies)):
        if suspended:
            stopped.add(name)
        if whole:
            complete.add((name, window))
    wanted = set()
    for body in bodies:
        group = body["group"] or accounts.get(body["analyst"], ("", False))[0]
        wanted.update(scopes_of(body["analyst"], group, body["data_set"], body["window"]))
    return _Desk(known, accounts, stopped, complete, find_budgets(connection, wanted))


def find_budgets(connection: Connection, keys: Iterable[Key]) -> dict[Key, Budget]:
    """Return those of the named budgets that exist, and those of their data sets in other windows."""
    wanted = set(keys)
    found = {}
    for pair in sorted({key[:2] for key in wanted}):
        given = {"place": pair[0], "time": pair[1], "whole": str(Scope.DATA_SET)}
        for row in _BUDGETS.rows(connection, (key[3] for key in wanted if key[:2] == pair), given):
            budget = read_budget(row)
            found[key_of(budget)] = budget
    return found
