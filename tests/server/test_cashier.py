"""Charge, commit, run, store, hand over: in this order, whatever happens in between."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest

from sfumato.query.ledger.contract import Asked, BudgetGone, LedgerUnavailable
from sfumato.server.cashier import Cashier
from sfumato.server.problems import Busy, ServiceFailed
from sfumato.server.timing import Raster
from tests.server.fakes import FakeLedger, Understood, asked


@contextmanager
def cashier_of(ledger: FakeLedger, **settings: int) -> Iterator[Cashier]:
    cashier = Cashier(ledger, **settings)
    try:
        yield cashier
    finally:
        ledger.gate.set()
        cashier.close()


def one(
    cashier: Cashier, question: Asked, run: Callable[[int], str] = lambda spend: f"answer {spend}"
) -> Any:
    return cashier.answer(question.analyst, lambda: Understood(question), lambda _, spend: run(spend))


async def settled(*waiting: Any) -> list[Any]:
    return list(await asyncio.gather(*waiting, return_exceptions=True))


def test_a_question_is_charged_then_run_then_stored_and_the_stored_answer_is_handed_over() -> None:
    ledger = FakeLedger()

    def run(spend: int) -> str:
        ledger.events.append(f"ran {spend}")
        return "noisy"

    with cashier_of(ledger) as cashier:
        assert asyncio.run(one(cashier, asked("ana", "q"), run)) == "noisy"
    assert ledger.events == ["charged 1", "ran 1", "stored 1"]


def test_the_answer_that_was_stored_first_is_the_one_that_is_handed_over() -> None:
    ledger = FakeLedger()

    def run(spend: int) -> str:
        ledger.answers[spend] = "somebody was faster"
        return "noisy"

    with cashier_of(ledger) as cashier:
        assert asyncio.run(one(cashier, asked("ana", "q"), run)) == "somebody was faster"


def test_a_stored_answer_is_handed_over_without_running() -> None:
    ledger = FakeLedger()

    def never(spend: int) -> str:
        raise AssertionError("ran")

    with cashier_of(ledger) as cashier:
        first = asyncio.run(one(cashier, asked("ana", "q")))
        assert asyncio.run(one(cashier, asked("ana", "q"), never)) == first
    assert ledger.spent["ana"] == Decimal("0.1")


def test_a_question_that_is_refused_is_never_run() -> None:
    ran = []
    with cashier_of(FakeLedger(limit=Decimal("0.05"))) as cashier, pytest.raises(BudgetGone):
        asyncio.run(one(cashier, asked("ana", "q"), lambda spend: ran.append(spend) or "x"))  # type: ignore[func-returns-value]
    assert not ran


def test_a_question_that_is_not_understood_is_never_charged() -> None:
    ledger = FakeLedger()

    def prepare() -> Understood:
        raise BudgetGone("any problem of the user")

    with cashier_of(ledger) as cashier, pytest.raises(BudgetGone):
        asyncio.run(cashier.answer("ana", prepare, lambda _, spend: "x"))
    assert not ledger.batches


@pytest.mark.parametrize("step", ["charge", "run", "store"])
def test_a_failure_at_any_step_hands_nothing_over_and_the_question_can_be_repeated(step: str) -> None:
    ledger = FakeLedger()
    getattr(ledger, "fail_charge" if step == "charge" else "fail_store").append(LedgerUnavailable("locked"))
    runs = []

    def run(spend: int) -> str:
        runs.append(spend)
        if step == "run" and len(runs) == 1:
            raise MemoryError
        return f"run {len(runs)}"

    if step == "run":
        ledger.fail_store.clear()
    with cashier_of(ledger) as cashier:
        with pytest.raises(LedgerUnavailable if step != "run" else MemoryError):
            asyncio.run(one(cashier, asked("ana", "q"), run))
        assert ledger.spent.get("ana", Decimal(0)) == (Decimal(0) if step == "charge" else Decimal("0.1"))
        text = asyncio.run(one(cashier, asked("ana", "q"), run))
    assert text == ledger.answers[1]
    assert ledger.spent["ana"] == Decimal("0.1")


@pytest.mark.parametrize("tick", [0, 0.001])
@pytest.mark.parametrize("pool", ["pool", "telling"])
def test_a_machine_that_has_no_more_threads_lets_nobody_wait_for_ever(pool: str, tick: float) -> None:
    ledger = FakeLedger()
    cashier = Cashier(ledger, raster=Raster(tick))
    threads = getattr(cashier, pool)
    start = threads._adjust_thread_count
    failing = [RuntimeError("can't start new thread")]

    def adjust() -> None:
        # The work is in the queue already, and is found there by the next thread that can be started.
        if failing:
            raise failing.pop()
        start()

    threads._adjust_thread_count = adjust

    async def ask() -> str:
        return str(await asyncio.wait_for(one(cashier, asked("ana", "q")), 10))

    try:
        with pytest.raises(ServiceFailed):
            asyncio.run(ask())
        assert asyncio.run(ask()) == "answer 1"
        assert ledger.spent["ana"] == Decimal("0.1")
    finally:
        closing = threading.Thread(target=cashier.close, daemon=True)
        closing.start()
        closing.join(10)
    assert not closing.is_alive()


def test_an_unforeseen_failure_of_the_ledger_falls_on_one_question_of_its_batch_alone() -> None:
    ledger = FakeLedger()
    ledger.gate.clear()
    # The whole batch fails, then its first question alone; the others go through.
    ledger.fail_charge += [RuntimeError("a value"), RuntimeError("a value")]

    async def all_at_once() -> list[Any]:
        with cashier_of(ledger) as cashier:
            waiting = asyncio.ensure_future(
                settled(*(one(cashier, asked(name, "q")) for name in ("ana", "ben", "cy")))
            )
            await asyncio.sleep(0.2)
            ledger.gate.set()
            return await waiting

    found = asyncio.run(all_at_once())
    assert sum(isinstance(outcome, ServiceFailed) for outcome in found) <= 2
    assert sum(isinstance(outcome, str) for outcome in found) >= 1
    assert "a value" not in " ".join(map(str, found))


def test_questions_that_come_while_a_transaction_is_made_durable_share_the_next_one() -> None:
    ledger = FakeLedger()
    ledger.gate.clear()

    async def many() -> None:
        with cashier_of(ledger) as cashier:
            first = asyncio.ensure_future(one(cashier, asked("ana", "first")))
            while not ledger.charging.is_set():
                await asyncio.sleep(0.001)
            rest = [asyncio.ensure_future(one(cashier, asked(f"a{i}", "q"))) for i in range(20)]
            await asyncio.sleep(0.2)
            ledger.gate.set()
            await asyncio.gather(first, *rest)

    asyncio.run(many())
    assert [len(batch) for batch in ledger.batches] == [1, 20]


def test_everybody_is_served_once_before_anybody_is_served_twice() -> None:
    ledger = FakeLedger(limit=Decimal(100))
    ledger.gate.clear()

    async def many() -> None:
        with cashier_of(ledger, batch=3, most_waiting_of_one=50) as cashier:
            flood = [asyncio.ensure_future(one(cashier, asked("flood", f"q{i}"))) for i in range(30)]
            await asyncio.sleep(0.1)
            quiet = asyncio.ensure_future(one(cashier, asked("quiet", "q")))
            await asyncio.sleep(0.1)
            ledger.gate.set()
            await quiet
            done = sum(task.done() for task in flood)
            await asyncio.gather(*flood)
            assert done <= 12

    asyncio.run(many())
    order = [item for batch in ledger.batches for item in batch]
    assert order.index("quiet:q") <= 5


def test_queues_are_bounded_in_all_and_for_each_analyst() -> None:
    ledger = FakeLedger(limit=Decimal(100))
    ledger.gate.clear()

    async def many() -> tuple[list[Any], list[Any]]:
        with cashier_of(ledger, most_waiting=5, most_waiting_of_one=3) as cashier:
            mine = asyncio.ensure_future(settled(*(one(cashier, asked("ana", f"q{i}")) for i in range(5))))
            await asyncio.sleep(0.1)
            others = asyncio.ensure_future(settled(*(one(cashier, asked(f"o{i}", "q")) for i in range(5))))
            await asyncio.sleep(0.1)
            ledger.gate.set()
            found = await mine, await others
            assert isinstance(await one(cashier, asked("ana", "later")), str)
            return found

    mine, others = asyncio.run(many())
    assert sum(isinstance(outcome, Busy) for outcome in mine) == 2
    assert sum(isinstance(outcome, Busy) for outcome in others) == 3
    assert len(ledger.spends) == 6, "who was told to come again was not charged"


def test_somebody_who_goes_away_blocks_nobody() -> None:
    ledger = FakeLedger(limit=Decimal(100))

    async def many() -> None:
        with cashier_of(ledger, batch=1) as cashier:
            for number in range(5):
                ledger.gate.clear()
                gone = [asyncio.ensure_future(one(cashier, asked("gone", f"{number}-{i}"))) for i in range(3)]
                await asyncio.sleep(0.05)
                for task in gone:
                    task.cancel()
                ledger.gate.set()
                await settled(*gone)
            assert (
                await asyncio.wait_for(one(cashier, asked("ana", "q")), 5)
                == ledger.answers[ledger.spends["ana", "q"]]
            )

    asyncio.run(many())


def test_the_same_question_asked_twice_at_once_has_one_charge_and_one_answer() -> None:
    ledger = FakeLedger()
    both = threading.Barrier(2, timeout=10)

    def run(spend: int) -> str:
        both.wait()
        return f"noise of {threading.get_ident()}"

    async def twice() -> list[Any]:
        with cashier_of(ledger, workers=2) as cashier:
            return await settled(*(one(cashier, asked("ana", "q"), run) for _ in range(2)))

    first, second = asyncio.run(twice())
    assert first == second == ledger.answers[1]
    assert ledger.spent["ana"] == Decimal("0.1")
