"""The ledger on a SQL database: SQLite for one machine, Postgres for several.

>>> import tempfile
>>> from decimal import Decimal
>>> from sfumato.dp.price import Price
>>> folder = tempfile.TemporaryDirectory()
>>> ledger = SqlLedger.create(f"sqlite:///{folder.name}/ledger.db")
>>> for scope, name in [(Scope.DATA_SET, "clinic"), (Scope.ANALYST, "ann")]:
...     ledger.set_budget(Budget(scope, name, "clinic", "", Composition.BASIC, Decimal("0.3"), Decimal(0)))
>>> questions = [Asked("ann", "", "clinic", "", "v1", f"question {i}", Price.pure("0.1")) for i in range(4)]
>>> [type(each).__name__ for each in ledger.charge(questions)]
['Charged', 'Charged', 'Charged', 'BudgetGone']
>>> ledger.close(); folder.cleanup()
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, insert, select, update

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.query.ledger.audit import refuse_refuted
from sfumato.query.ledger.chain import Head, Kind, Pen, has_head, head_of, text_hash
from sfumato.query.ledger.charging import (
    account_group,
    charge_all,
    find_budgets,
    key_of,
    read_budget,
    scopes_of,
)
from sfumato.query.ledger.connect import Connections, make_file, read_url, sqlite_path
from sfumato.query.ledger.contract import Asked, Budget, Charged, Composition, LedgerUnavailable, Scope
from sfumato.query.ledger.kept_head import KeptHead
from sfumato.query.ledger.money import written
from sfumato.query.ledger.refusals import Counted, Refusals
from sfumato.query.ledger.revisions import (
    no_ledger,
    refuse_carelessness,
    refuse_other_revisions,
    revision_of,
    upgrade,
)
from sfumato.query.ledger.spelt import Spelt, SpeltOneOf
from sfumato.query.ledger.tables import ANALYSTS, ANSWERS, BUDGETS, SPENDS
from sfumato.query.ledger.words import name_checked, storable

T = TypeVar("T")

_AT_ONCE = 8
"""files of heads that are written side by side"""
_ANEW = "only if nothing was ever answered may you remove this file and begin anew"

_CHARGED = SpeltOneOf(
    SPENDS.c.spend,
    lambda those: (
        select(SPENDS.c.spend, ANSWERS.c.answer).select_from(SPENDS.outerjoin(ANSWERS)).where(those)
    ),
)
_ANSWER = Spelt(insert(ANSWERS))


def now() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000


class SqlLedger:
    """A ledger in SQLite (``sqlite:///ledger.db``) or Postgres (``postgresql://…``).

    Opening never makes one: a ledger that was lost and made anew would forget what was spent. Safe to use
    from several threads, processes and (on Postgres) machines at once. ``wait`` is how many seconds to wait
    for others before saying that the ledger is locked.

    Before the first write all of it is recomputed from its log, and what differs is refused. With every
    write the head of the log is kept outside (``kept_head``): on SQLite in a file beside the ledger
    (``ledger.db.head``), on Postgres where ``kept`` says, and wherever else ``keep_head`` was told to.
    """

    def __init__(
        self, url: str, *, wait: float = 10.0, clock: Callable[[], int] = now, kept: Path | None = None
    ) -> None:
        self._clock = clock
        self._refused: dict[Counted, int] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._checked = False
        self._checking = threading.Lock()
        self.connections = Connections(url, wait=wait)
        path = self.connections.path
        place = kept if kept is not None or path is None else head_beside(path)
        self._heads: tuple[KeptHead, ...] = () if place is None else (KeptHead(place),)
        if path is not None and not path.is_file():
            raise no_ledger()
        try:
            self.connections.read(_refuse_unfit)
        except BaseException:
            self.connections.close()
            raise

    @classmethod
    def create(
        cls, url: str, *, wait: float = 10.0, clock: Callable[[], int] = now, kept: Path | None = None
    ) -> SqlLedger:
        """Make a new, empty ledger and open it; where there is one already, or was, it is refused."""
        path = sqlite_path(read_url(url))
        if path is not None:
            if not path.exists():
                _refuse_lost(head_beside(path) if kept is None else kept)
            make_file(path)
        elif kept is not None:
            _refuse_lost(kept)
        connections = Connections(url, wait=wait)
        try:
            connections.write_long(_make)
        except BaseException:
            connections.close()
            if path is not None:
                with contextlib.suppress(OSError):
                    os.unlink(path)
            raise
        connections.close()
        return cls(url, wait=wait, clock=clock, kept=kept)

    @classmethod
    def migrate(cls, url: str, *, wait: float = 10.0) -> bool:
        """Bring the tables of an older version up to date; nothing that was spent is touched.

        Returns whether there was anything to do.
        """
        path = sqlite_path(read_url(url))
        if path is not None and not path.is_file():
            raise no_ledger()
        connections = Connections(url, wait=wait)
        try:
            return connections.write_long(_migrate)
        finally:
            connections.close()

    @classmethod
    def exists(cls, url: str) -> bool:
        """Say whether there is a ledger."""
        path = sqlite_path(read_url(url))
        if path is not None and not path.is_file():
            return False
        connections = Connections(url)
        try:
            return connections.read(revision_of) is not None
        finally:
            connections.close()

    def charge(self, asked: Sequence[Asked]) -> list[Charged | SfumatoError]:
        """Pay for several questions in one durable transaction; each is paid or refused on its own."""
        if not asked:
            return []

        def work(connection: Connection, moment: int) -> tuple[list[Charged | SfumatoError], Refusals]:
            refusals = Refusals(self._refused)
            return charge_all(connection, asked, moment, refusals), refusals

        found, refusals = self.write(work)
        self._refused = refusals.seen
        return found

    def store(self, answers: Sequence[tuple[int, str]]) -> list[str]:
        """Write answers under their spends, durably; return for each the one that counts (the first)."""
        if not answers:
            return []
        return self.write(lambda connection, moment: _store_all(connection, answers, moment))

    def budgets(self, data_set: str, window: str, *, analyst: str, group: str) -> list[Budget]:
        """Return the budgets that a question of this analyst would be charged to."""

        def find(connection: Connection) -> list[Budget]:
            account = connection.execute(select(ANALYSTS.c.team).where(ANALYSTS.c.name == analyst)).scalar()
            keys = scopes_of(analyst, account_group(group, account), data_set, window)
            found = find_budgets(connection, keys)
            return [found[key] for key in keys if key in found]

        return self.read(find)

    def all_budgets(self, data_set: str | None = None) -> list[Budget]:
        """Return every budget, or those of one data set."""
        rows = select(BUDGETS).order_by(*BUDGETS.primary_key.columns)
        if data_set is not None:
            rows = rows.where(BUDGETS.c.data_set == data_set)
        return self.read(lambda connection: [read_budget(row) for row in connection.execute(rows)])

    def set_budget(self, budget: Budget, *, by: str = "") -> None:
        """Set the limits of a budget; what was spent stays spent, whatever ``budget`` says of it.

        A limit below what was spent is allowed: it stops. How spends are added up can be changed only while
        nothing was spent.
        """
        self.set_budgets([budget], by=by)

    def set_budgets(self, budgets: Sequence[Budget], *, by: str = "") -> None:
        """Set the limits of several budgets, all of them or none."""
        self.write(lambda connection, moment: _set_budgets(connection, budgets, by, moment))

    def head(self) -> Head:
        """Return the newest entry of the log: keep it outside, ``verify_chain`` compares with it."""
        return self.read(lambda connection: head_of(connection)[0])

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run something that only reads, on one consistent state."""
        return self.connections.read(work)

    def write(self, work: Callable[[Connection, int], T]) -> T:
        """Run something that writes, alone and durably; it is handed the time.

        The steps, in the only order there is: the ledger has the head that was kept, or nothing is written;
        commit; the new head is kept outside; only then does this return, so that what was charged may run and
        what was stored may be handed over. ``kept_head`` has what holds when the process dies in between.
        """
        return self._kept(self.connections.write, work)

    def moment(self) -> int:
        """Return the time by the clock of the ledger."""
        return self._clock()

    def write_long(self, work: Callable[[Connection, int], T]) -> T:
        """Run something long that writes (see ``Connections.write_long``)."""
        return self._kept(self.connections.write_long, work)

    def check(self) -> None:
        """Refuse a ledger that differs from what its log adds up to, or that is older than what was kept.

        Before the first write it is done anyhow; a service does it before it listens.
        """
        with self._checking:
            if not self._checked:
                self.read(refuse_refuted)
                self._checked = True
        self.read(self._refuse_older)

    def keep_head(self, kept: KeptHead) -> None:
        """Keep the head in one more file, from the next write on; what does not have its head is refused."""
        self._heads = (*self._heads, kept)

    def keep_heads(self) -> None:
        """Keep the head as it is now: after a crash a ledger may be ahead of its files."""
        self.write(lambda _connection, _moment: None)

    def close(self) -> None:
        """Close all connections."""
        self.connections.close()
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()
        for kept in self._heads:
            kept.close()

    def _kept(
        self, run: Callable[[Callable[[Connection], Any]], Any], work: Callable[[Connection, int], T]
    ) -> T:
        if not self._checked:
            self.check()

        def whole(connection: Connection) -> tuple[T, Head]:
            self._refuse_older(connection)
            return work(connection, self._clock()), head_of(connection)[0]

        done, head = run(whole)
        # Also when nothing was written: what another process committed may be in what is handed over.
        self._keep(head)
        result: T = done
        return result

    def _keep(self, head: Head) -> None:
        if len(self._heads) < 2:
            for kept in self._heads:
                kept.keep(head)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="sfumato-heads")
        # Side by side, the disk is waited for once for all of them.
        for _ in self._pool.map(lambda kept: kept.keep(head), self._heads):
            pass

    def _refuse_older(self, connection: Connection) -> None:
        """Refuse a ledger that does not have the head that was kept: it was put back, or is another one."""
        for kept in self._heads:
            head = kept.read()
            if head is not None and not has_head(connection, head):
                raise LedgerUnavailable(
                    f"this is another ledger than before, or an old copy: its entry {head.sequence} is "
                    "missing or different",
                    where=str(kept.path),
                    remedy=f"put the newest ledger back, it knows what was spent; {_ANEW}",
                )


def head_beside(path: Path) -> Path:
    """Return the file that keeps the head of a ledger on SQLite."""
    return path.with_name(f"{path.name}.head")


def _refuse_lost(place: Path) -> None:
    if place.exists():
        raise BadInput(
            "there was a ledger here, and a new one would forget what was spent",
            where=str(place),
            remedy=f"put the ledger back; {_ANEW}",
        )


def _refuse_unfit(connection: Connection) -> None:
    refuse_other_revisions(connection)
    refuse_carelessness(connection)


def _make(connection: Connection) -> None:
    refuse_carelessness(connection)
    if revision_of(connection) is not None:
        raise BadInput("there is a ledger already", where="ledger", remedy="open it, or choose another place")
    upgrade(connection)


def _migrate(connection: Connection) -> bool:
    if revision_of(connection) is None:
        raise no_ledger()
    return upgrade(connection)


def _store_all(connection: Connection, answers: Sequence[tuple[int, str]], moment: int) -> list[str]:
    stored: dict[int, str | None] = dict(_CHARGED.rows(connection, (spend for spend, _ in answers)))
    pen = Pen(connection, moment)
    fresh = []
    counted = []
    for spend, answer in answers:
        if spend not in stored:
            raise BadInput("an answer needs a spend that was charged", where=f"spend {spend}")
        if not storable(answer):
            raise BadInput("the answer holds letters that cannot be stored", where=f"spend {spend}")
        first = stored[spend]
        if first is None:
            first = stored[spend] = answer
            pen.write(Kind.ANSWER, {"spend": spend, "hash": text_hash(answer)})
            fresh.append({"spend": spend, "answer": answer})
        counted.append(first)
    pen.flush()
    if fresh:
        _ANSWER.many(connection, fresh)
    return counted


def _set_budgets(connection: Connection, budgets: Sequence[Budget], by: str, moment: int) -> None:
    pen = Pen(connection, moment)
    present = find_budgets(connection, [key_of(budget) for budget in budgets])
    for budget in budgets:
        names = _budget_names(budget)
        limits = {
            "composition": str(Composition(budget.composition)),
            "limit": written(budget.limit, where="limit"),
            "delta": written(budget.delta, where="delta"),
        }
        if budget.delta >= 1:
            raise BadInput("delta must be less than 1", where="delta", remedy="try 1e-6")
        before = present.get(key_of(budget))
        if before is None:
            connection.execute(insert(BUDGETS).values(**names, **limits, spent="0", spent_delta="0"))
            present[key_of(budget)] = budget
        else:
            spent = before.spent or before.spent_delta
            if spent and before.composition != budget.composition:
                raise BadInput(
                    "something was spent already, so the composition cannot change",
                    where=f"{budget.scope} '{budget.name}'",
                    remedy="keep it, or begin a new window",
                )
            here = [BUDGETS.c[name] == value for name, value in names.items()]
            connection.execute(update(BUDGETS).where(*here).values(**limits))
        pen.write(Kind.BUDGET, {**names, **limits, "by": name_checked(by, "by", empty=True)})
    pen.flush()


def _budget_names(budget: Budget) -> dict[str, str]:
    scope = Scope(budget.scope)
    if scope is Scope.DATA_SET and budget.name != budget.data_set:
        raise BadInput(
            "the budget of a data set has the name of the data set", where="budget", remedy="name it so"
        )
    return {
        "data_set": name_checked(budget.data_set, "data set"),
        "window": name_checked(budget.window, "window", empty=True),
        "scope": str(scope),
        "name": name_checked(budget.name, str(scope)),
    }
