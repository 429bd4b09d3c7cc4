"""Many at once, for the last bit of a budget."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from decimal import Decimal

from sfumato.core.errors import SfumatoError
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import BudgetGone, Charged, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.query.ledger.ask import asked, budget

THREADS = 50
FITS = 17
"""tenths that 1.75 pays for"""


def race(work: list[Callable[[], Charged | SfumatoError]]) -> list[Charged | SfumatoError]:
    """Begin everything at the same moment."""
    ready = threading.Barrier(len(work))

    def begin(each: Callable[[], Charged | SfumatoError]) -> Charged | SfumatoError:
        ready.wait(60)
        return each()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(begin, work))


def warm(ledger: SqlLedger, connections: int) -> None:
    """Check out connections at the same time, so that the race does not begin with connecting."""
    with ExitStack() as stack:
        for _ in range(connections):
            stack.enter_context(ledger.connections.engine.connect())


def check(ledger: SqlLedger, outcomes: list[Charged | SfumatoError]) -> None:
    paid = [each for each in outcomes if isinstance(each, Charged)]
    assert len(paid) == FITS
    assert len({each.spend for each in paid}) == FITS
    assert all(isinstance(each, BudgetGone) for each in outcomes if not isinstance(each, Charged))
    (shared,) = [each for each in ledger.all_budgets() if each.scope is Scope.DATA_SET]
    assert shared.spent == Decimal("1.7")
    result = verify_chain(ledger)
    assert result.holds, result
    assert result.charges == FITS


def prepare(ledger: SqlLedger) -> None:
    ledger.set_budget(budget(Scope.DATA_SET, "clinic", "1.75"))
    ledger.set_budgets([budget(Scope.ANALYST, f"a{i}", "1") for i in range(THREADS)])


def test_fifty_threads_racing_through_one_pool_cannot_overspend(ledger: SqlLedger) -> None:
    prepare(ledger)
    warm(ledger, THREADS)
    work = [lambda i=i: ledger.charge([asked(f"q{i}", analyst=f"a{i}")])[0] for i in range(THREADS)]
    check(ledger, race(work))


def test_fifty_ledgers_racing_for_one_database_cannot_overspend(ledger: SqlLedger, url: str) -> None:
    """Each thread has a ledger of its own: only the database stands between them."""
    prepare(ledger)
    others = [SqlLedger(url, wait=60.0) for _ in range(THREADS)]
    for other in others:
        warm(other, 1)
    work = [lambda i=i: others[i].charge([asked(f"q{i}", analyst=f"a{i}")])[0] for i in range(THREADS)]
    check(ledger, race(work))
    for other in others:
        other.close()


def test_the_same_question_asked_at_once_is_paid_once_and_has_one_answer(ledger: SqlLedger, url: str) -> None:
    prepare(ledger)
    others = [SqlLedger(url, wait=60.0) for _ in range(10)]

    def ask(i: int) -> Charged | SfumatoError:
        (charged,) = others[i].charge([asked("q", analyst="a0")])
        assert isinstance(charged, Charged)
        (answer,) = others[i].store([(charged.spend, f"answer {i}")])
        return Charged(charged.spend, charged.fresh, answer)

    outcomes = race([lambda i=i: ask(i) for i in range(10)])
    assert len({(each.spend, each.answer) for each in outcomes if isinstance(each, Charged)}) == 1
    assert [each.fresh for each in outcomes if isinstance(each, Charged)].count(True) == 1
    assert verify_chain(ledger).holds
    for other in others:
        other.close()
