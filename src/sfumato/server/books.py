"""The ledger's books as the service shows them: accounts, budgets, past answers, the log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy import func, select

from sfumato.core.errors import BadInput
from sfumato.dp.exact import as_decimal
from sfumato.query.ledger.accounts import Account, Accounts, Role
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.breach import breach_report
from sfumato.query.ledger.chain import ARRIVED, Head
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.expiry import expiry_of, moment_told
from sfumato.query.ledger.money import price_read
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import ANSWERS, LOG, SPENDS
from sfumato.query.metadata import Metadata
from sfumato.server.alerts import alerts_of
from sfumato.server.pages import LONGEST_PAGE, within
from sfumato.server.problems import NotKnown
from sfumato.server.wire import (
    AddAnalyst,
    AlertOut,
    AnalystOut,
    AuditOut,
    BreachOut,
    BudgetOut,
    HeadOut,
    KeyOut,
    LogEntry,
    PastAnswer,
    PriceOut,
    SetBudget,
)

PROVIDER = "identity provider"
SECOND = 1_000_000
"""microseconds"""


class Books:
    """A ledger's books.

    ``usual`` are the budgets that a new analyst is given, one for each data set that says so; their names
    are filled in.
    """

    def __init__(self, ledger: SqlLedger, usual: tuple[Budget, ...] = ()) -> None:
        self.ledger = ledger
        self.accounts = Accounts(ledger)
        self.usual = usual

    def by_key(self, key: str) -> Account | None:
        """Return whose key it is."""
        return self.accounts.by_key(key)

    def by_subject(self, subject: str) -> Account | None:
        """Return whose token it is."""
        return self.accounts.by_subject(subject)

    def welcome(self, subject: str, name: str, group: str, role: Role) -> Account:
        """Return the account of somebody whom the identity provider sent, made when there is none.

        The provider says the role; the group is that of the account.
        """
        account = self.accounts.by_subject(subject)
        if account is None:
            try:
                self.accounts.add(name, role, group, subject=subject, key=False, by=PROVIDER)
                self._give_usual(name, role, by=PROVIDER)
            except BadInput:
                # The name belongs to somebody else, or another request was faster.
                pass
            account = self.accounts.by_subject(subject)
        if account is None:
            raise NotKnown("the account cannot be made", where="Authorization", remedy="ask the owner")
        return replace(account, role=role)

    def analysts(self) -> list[AnalystOut]:
        """Return everybody."""
        return [_analyst(account) for account in self.accounts.all()]

    def add(self, body: AddAnalyst, *, by: str) -> KeyOut:
        """Add somebody, with the usual budgets."""
        expires = None if body.expires is None else expiry_of(body.expires, self.ledger.moment())
        key = self.accounts.add(
            body.name, body.role, body.group, subject=body.subject, expires=expires, by=by
        )
        self._give_usual(body.name, Role(body.role), by=by)
        return KeyOut(name=body.name, key=key, expires=self._named(body.name).expires)

    def _give_usual(self, name: str, role: Role, *, by: str) -> None:
        if role is not Role.ANALYST or not self.usual:
            return
        there = {(one.data_set, one.window) for one in self.ledger.all_budgets() if _of_analyst(one, name)}
        # Somebody who has a budget already keeps it: an account that is made again must not get a new one.
        given = [replace(one, name=name) for one in self.usual if (one.data_set, one.window) not in there]
        self.ledger.set_budgets(given, by=by)

    def rotate(self, name: str, *, expires: str | None = None, by: str) -> KeyOut:
        """Replace a key; the new one expires when the old one would have, unless it is said."""
        if expires is None:
            key = self.accounts.rotate(name, by=by)
        else:
            key = self.accounts.rotate(name, expires=expiry_of(expires, self.ledger.moment()), by=by)
        return KeyOut(name=name, key=key, expires=self._named(name).expires)

    def suspend(self, name: str, *, by: str) -> AnalystOut:
        """Stop somebody."""
        self.accounts.suspend(name, by=by)
        return self._named(name)

    def resume(self, name: str, *, by: str) -> AnalystOut:
        """Let somebody go on."""
        self.accounts.resume(name, by=by)
        return self._named(name)

    def _named(self, name: str) -> AnalystOut:
        account = self.accounts.named(name)
        assert account is not None
        return _analyst(account)

    def budgets_of(self, analyst: str, data_set: str, window: str) -> list[BudgetOut]:
        """Return the budgets that questions of an analyst are charged to."""
        found = self.ledger.budgets(data_set, window, analyst=analyst, group="")
        return [BudgetOut.of(one) for one in found]

    def all_budgets(self, data_set: str | None = None) -> list[BudgetOut]:
        """Return every budget."""
        return [BudgetOut.of(one) for one in self.ledger.all_budgets(data_set)]

    def set_budget(self, body: SetBudget, *, by: str) -> BudgetOut:
        """Set what somebody may spend; what was spent stays spent."""
        window = body.window or ""
        budget = Budget(
            Scope(body.scope),
            body.name,
            body.data_set,
            window,
            Composition(body.composition),
            as_decimal(body.limit, where="limit"),
            as_decimal(body.delta, where="delta"),
        )
        self.ledger.set_budget(budget, by=by)
        for one in self.ledger.all_budgets(body.data_set):
            if (one.scope, one.name, one.window) == (budget.scope, budget.name, window):
                return BudgetOut.of(one)
        raise AssertionError("a budget that was set is there")

    def answers_of(self, analyst: str, after: int, limit: int, before: int | None = None) -> list[PastAnswer]:
        """Return what an analyst asked, the oldest first: after so many, before a moment of the ledger."""
        page = (
            select(SPENDS.c.time, LOG.c.body, ANSWERS.c.answer)
            .select_from(SPENDS.join(LOG, LOG.c.sequence == SPENDS.c.spend).outerjoin(ANSWERS))
            .where(SPENDS.c.analyst == analyst)
            .order_by(SPENDS.c.spend)
            .offset(after)
            .limit(limit)
        )
        if before is not None:
            page = page.where(SPENDS.c.time < before)
        texts = [LOG.c.body, ANSWERS.c.answer]
        rows = self.ledger.read(lambda connection: within(connection, page, texts, LONGEST_PAGE))
        found = []
        for number, row in enumerate(rows, after + 1):
            body = json.loads(row.body)
            found.append(
                PastAnswer(
                    number=number,
                    when=moment(SECOND * body.get(ARRIVED, row.time // SECOND)),
                    data_set=body["data_set"],
                    question=body["question"],
                    price=PriceOut.of(price_read(body)),
                    answer=None if row.answer is None else json.loads(row.answer),
                )
            )
        return found

    def charged_since(self, analyst: str, since: int) -> int:
        """Return how many questions of an analyst were charged since a moment, in seconds since 1970."""
        those = SPENDS.c.analyst == analyst, SPENDS.c.time >= SECOND * since
        counted = select(func.count()).select_from(SPENDS).where(*those)
        return self.ledger.read(lambda connection: int(connection.execute(counted).scalar_one()))

    def head(self) -> HeadOut:
        """Return the end of the log."""
        return HeadOut(head=str(self.ledger.head()))

    def verify(self, head: str | None) -> AuditOut:
        """Recompute the chain and every budget."""
        return AuditOut.of(verify_chain(self.ledger, None if head is None else Head.read(head)))

    def breach(
        self, analyst: str | None, data_set: str | None, since: datetime | None, until: datetime | None
    ) -> BreachOut:
        """Return what was answered to whom."""
        report = breach_report(self.ledger, since=since, until=until, analyst=analyst, data_set=data_set)
        return BreachOut.of(report)

    def alerts(self, public: Mapping[str, Metadata]) -> list[AlertOut]:
        """Return what the log shows that the owner should look at."""
        return alerts_of(self.ledger, public)

    def log(self, after: int, limit: int) -> list[LogEntry]:
        """Return a page of the log; one that grows long ends early."""
        page = select(LOG).where(LOG.c.sequence > after).order_by(LOG.c.sequence).limit(limit)
        return [
            LogEntry(
                sequence=row.sequence,
                when=moment(row.time),
                time=row.time,
                kind=row.kind,
                body=row.body,
                previous=row.previous,
                hash=row.hash,
            )
            for row in self.ledger.read(
                lambda connection: within(connection, page, [LOG.c.body], LONGEST_PAGE)
            )
        ]


def moment(microseconds: int) -> datetime:
    """Return a time of the ledger.

    >>> moment(0).isoformat()
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC)


def budget_of_analysts(
    data_set: str, window: str, composition: Composition, limit: Decimal, delta: Decimal
) -> Budget:
    """Make a budget that is given to every new analyst; the name is filled in then."""
    return Budget(Scope.ANALYST, "", data_set, window, composition, limit, delta)


def _of_analyst(budget: Budget, name: str) -> bool:
    return budget.scope is Scope.ANALYST and budget.name == name


def _analyst(account: Account) -> AnalystOut:
    return AnalystOut(
        name=account.name,
        role=account.role.value,
        group=account.group,
        suspended=account.suspended,
        subject=account.subject,
        expires=None if account.expires is None else moment_told(account.expires),
    )
