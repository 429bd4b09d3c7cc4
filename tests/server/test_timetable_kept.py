"""The cashier keeps to the timetable: what was really fast waits, and nothing else can be seen before.

Real threads run here, so that only what must not happen *before* a moment is checked, never how soon.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

import pytest

from sfumato.query.cost import Cost
from sfumato.server.cashier import LEDGER, Cashier
from sfumato.server.timing import Raster, Reply
from tests.server.fakes import FakeLedger, Understood, asked

TICK = 2.0
"""seconds: a quarter of it is allowed for understanding, which even a busy machine keeps to"""


class Watched(FakeLedger):
    """A ledger that notes when something was stored."""

    def __init__(self) -> None:
        super().__init__()
        self.stored_at: list[float] = []

    def store(self, answers: Any) -> list[str]:
        self.stored_at.append(time.monotonic())
        return super().store(answers)


def answer(
    ledger: FakeLedger, cost: Cost, read: Callable[[Any, int], Any], times: int = 1
) -> tuple[list[Reply], list[Any]]:
    """Ask ``times`` questions at once, of as many analysts; one worker."""
    replies = []

    async def ask() -> list[Any]:
        cashier = Cashier(ledger, workers=1, raster=Raster(TICK))
        waiting = []
        for number in range(times):
            replies.append(Reply(time.monotonic()))
            question = Understood(asked(f"a{number}", "q"), cost)
            waiting.append(
                cashier.answer(f"a{number}", lambda q=question: q, read, reply=replies[-1], letters=0)
            )
        try:
            return list(await asyncio.gather(*waiting, return_exceptions=True))
        finally:
            for reply in replies:
                reply.until_left.close()
            cashier.close()

    return replies, asyncio.run(ask())


def test_the_end_of_a_question_is_a_sum_of_bounds_whatever_was_real() -> None:
    cost = Cost(reading=0.3, telling=0.02)
    wanted = TICK / 4 + LEDGER + cost.reading + cost.telling + LEDGER
    for took in (0.0, 0.15):
        replies, found = answer(FakeLedger(), cost, lambda *_, took=took: time.sleep(took) or "text")
        assert found == ["text"]
        assert replies[0].ends - replies[0].arrived == pytest.approx(wanted)


@pytest.mark.parametrize("how", ["stored before", "refused"])
def test_a_stored_answer_and_a_refusal_end_when_a_fresh_answer_would(how: str) -> None:
    ledger = FakeLedger()
    cost = Cost(reading=0.1, telling=0.02)
    if how == "stored before":
        answer(ledger, cost, lambda *_: "text")
    else:
        ledger.limit *= 0
    replies, found = answer(ledger, cost, lambda *_: "never")
    assert found == ["text"] or isinstance(found[0], Exception)
    assert replies[0].ends - replies[0].arrived == pytest.approx(TICK / 4 + 2 * LEDGER + 0.12)


def test_an_answer_that_was_found_early_is_stored_no_sooner_than_its_end() -> None:
    ledger = Watched()
    replies, _ = answer(ledger, Cost(reading=0.3), lambda *_: "text")
    assert ledger.stored_at[0] >= replies[0].ends - LEDGER


def test_the_worker_counts_as_busy_until_the_end_of_a_question_that_was_fast() -> None:
    replies, _ = answer(FakeLedger(), Cost(reading=0.2), lambda *_: "text", times=3)
    ends = sorted(reply.ends for reply in replies)
    assert [later - ends[0] for later in ends] == pytest.approx([0.0, 0.2, 0.4], abs=1e-6)


def test_a_run_beyond_its_cost_is_told_to_the_owner_without_data(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        answer(FakeLedger(), Cost(reading=0.01), lambda *_: time.sleep(0.2) or "secret")
    assert "took longer than their cost allows" in caplog.text
    assert "secret" not in caplog.text
    assert "a0" not in caplog.text


def test_who_looks_at_the_ledger_sees_what_was_charged_before_in_the_timetable_and_no_more() -> None:
    ledger = FakeLedger()
    ledger.gate.clear()
    seen: list[int] = []

    async def ask() -> None:
        cashier = Cashier(ledger, workers=1)
        first = asyncio.ensure_future(
            cashier.answer("ana", lambda: Understood(asked("ana", "1")), lambda *_: "")
        )
        while not ledger.charging.is_set():
            await asyncio.sleep(0.001)
        # The charge is under way and takes long: looking waits for it, whenever it is durable.
        look = asyncio.ensure_future(cashier.look(lambda: seen.append(len(ledger.spends))))
        await asyncio.sleep(0.05)
        assert not seen
        ledger.gate.set()
        await asyncio.gather(first, look)
        cashier.close()

    asyncio.run(ask())
    assert seen == [1]


def test_a_look_that_fails_is_told_to_who_looked() -> None:
    async def ask() -> None:
        cashier = Cashier(FakeLedger())
        try:
            with pytest.raises(ZeroDivisionError):
                await cashier.look(lambda: 1 // 0)
        finally:
            cashier.close()

    asyncio.run(ask())


def test_a_question_is_under_way_until_its_reply_has_left() -> None:
    async def ask() -> None:
        cashier = Cashier(FakeLedger(), most_waiting_of_one=1)
        reply = Reply(time.monotonic())
        try:
            await cashier.answer("ana", lambda: Understood(asked("ana", "q")), lambda *_: "", reply=reply)
            assert cashier._under_way["ana"] == 1
            reply.until_left.close()
            assert cashier._under_way["ana"] == 0
        finally:
            cashier.close()

    asyncio.run(ask())
