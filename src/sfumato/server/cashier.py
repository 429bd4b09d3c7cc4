"""The cashier: charge, commit, then run, store, and only then hand over.

One thread speaks with the ledger. While one transaction is being made durable, others queue, and all of
them are paid in the next one (group commit; Gray & Reuter 1992): the disk is waited for once per batch.

The order of steps is the guarantee. At every point where the process may die, *answered ⊆ charged*:

====================================  ======================================================
it dies                               what holds
====================================  ======================================================
before the charge is durable          nothing was charged, no data were read
after it, before or while running     charged; nothing left; the same question runs again free
after running, before ``store``       the same; the noise that was drawn is gone
after ``store``, before the reply     charged and stored; the same question gets that answer
====================================  ======================================================

When several questions are under way the cashier also lingers a few milliseconds before a transaction, so that
more of them share it. Queues are fair: every analyst who waits is served once before anybody is served twice.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from sfumato.core.errors import SfumatoError
from sfumato.query.ledger.contract import Asked, Charged, Ledger
from sfumato.server.problems import Busy, failed

log = logging.getLogger("sfumato.server")
CROWD = 8
"""from so many questions under way it pays to linger: each transaction costs more than it adds per question"""
LINGER = 0.01
"""seconds"""
Result = TypeVar("Result")


class Payable(Protocol):
    """A question that was understood: what is to be paid, and whatever running it needs."""

    @property
    def asked(self) -> Asked:
        """What is charged."""


Ready = TypeVar("Ready", bound=Payable)


@dataclass
class _Waiting:
    """Something for the ledger, and who is to hear of it."""

    what: Any
    loop: asyncio.AbstractEventLoop
    told: asyncio.Future[Any]
    taken: bool = False
    """a charge that was taken has a place among those that run soon, until its question is through"""
    left: bool = False
    """whoever asked is gone"""


class Cashier:
    """Pays for questions and runs them. Made once for each ledger; used from one event loop.

    ``workers`` questions run at a time; ``most_waiting`` may be under way in all and
    ``most_waiting_of_one`` of one analyst; no more than ``batch`` share a transaction.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        workers: int = 2,
        most_waiting: int = 1000,
        most_waiting_of_one: int = 16,
        batch: int = 64,
    ) -> None:
        self.ledger = ledger
        self.most_waiting = most_waiting
        self.most_waiting_of_one = most_waiting_of_one
        self.batch = batch
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="sfumato-worker")
        self._under_way: Counter[str] = Counter()
        self._paid = 0
        self._charges: OrderedDict[str, deque[_Waiting]] = OrderedDict()
        self._stores: deque[_Waiting] = deque()
        self._change = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._serve, name="sfumato-cashier", daemon=True)
        self._thread.start()

    async def answer(
        self, analyst: str, prepare: Callable[[], Ready], run: Callable[[Ready, int], str]
    ) -> str:
        """Return the answer to a question: all four steps, in the only order there is.

        ``prepare`` understands the question without touching data; ``run`` is called after its charge is
        durable, and what it returns is handed over only as ``store`` returned it.
        """
        with self._admitted(analyst):
            ready = await self.work(prepare)
            charge = self._waiting(ready.asked)
            try:
                charged: Charged = await self._queued(charge, self._line(analyst))
                if charged.answer is not None:
                    return charged.answer
                text = await self.work(lambda: run(ready, charged.spend))
                stored: str = await self._queued(self._waiting((charged.spend, text)), self._stores.append)
                return stored
            finally:
                self._leave(charge)

    async def work(self, what: Callable[[], Result]) -> Result:
        """Do something in a worker's thread."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, what)

    def close(self) -> None:
        """Stop taking charges, finish what was begun, and end the threads."""
        with self._change:
            self._closing = True
            self._change.notify()
        self._thread.join()
        self.pool.shutdown()

    @contextmanager
    def _admitted(self, analyst: str) -> Iterator[None]:
        if self._under_way[analyst] >= self.most_waiting_of_one:
            raise Busy("too many of your questions wait already", remedy="come again when some are answered")
        if self._under_way.total() >= self.most_waiting:
            raise Busy("too many questions wait already", remedy="come again in a moment")
        self._under_way[analyst] += 1
        try:
            yield
        finally:
            self._under_way[analyst] -= 1
            if not self._under_way[analyst]:
                del self._under_way[analyst]

    def _waiting(self, what: Any) -> _Waiting:
        loop = asyncio.get_running_loop()
        return _Waiting(what, loop, loop.create_future())

    def _line(self, analyst: str) -> Callable[[_Waiting], None]:
        return lambda item: self._charges.setdefault(analyst, deque()).append(item)

    async def _queued(self, item: _Waiting, put: Callable[[_Waiting], None]) -> Any:
        with self._change:
            if self._closing and isinstance(item.what, Asked):
                raise Busy("the service is closing", remedy="come again in a moment")
            put(item)
            self._change.notify()
        return await item.told

    def _leave(self, charge: _Waiting) -> None:
        with self._change:
            charge.left = True
            self._paid -= charge.taken
            self._change.notify()

    def _serve(self) -> None:
        while True:
            with self._change:
                while not (self._stores or self._payable() or self._closing):
                    self._change.wait()
                crowded = self._under_way.total() >= CROWD and not self._closing
            if crowded:
                time.sleep(LINGER)
            with self._change:
                stores = [self._stores.popleft() for _ in range(len(self._stores))]
                charges = self._next_charges()
                if self._closing and not (stores or charges or self._paid):
                    return
                if self._closing and not (stores or charges):
                    self._change.wait(0.05)
            if stores:
                self._settle(stores, self.ledger.store)
            if charges:
                self._settle(charges, self.ledger.charge)

    def _payable(self) -> bool:
        return bool(self._charges) and self._paid < self.batch

    def _next_charges(self) -> list[_Waiting]:
        """Take one of each analyst in turn, no more than can soon run."""
        taken: list[_Waiting] = []
        while self._payable():
            analyst, line = self._charges.popitem(last=False)
            item = line.popleft()
            if not item.left:
                item.taken = True
                self._paid += 1
                taken.append(item)
            if line:
                self._charges[analyst] = line
        return taken

    def _settle(self, items: list[_Waiting], transact: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        outcomes = self._outcomes([item.what for item in items], transact)
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
        for item, outcome in zip(items, outcomes, strict=True):
            by_loop.setdefault(item.loop, []).append((item.told, outcome))
        for loop, told in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_tell, told)

    def _outcomes(
        self, items: list[Any], transact: Callable[[Sequence[Any]], Sequence[Any]]
    ) -> Sequence[Any]:
        try:
            return transact(items)
        except SfumatoError as problem:
            return [problem] * len(items)
        except Exception as problem:
            # What one item does to a transaction must not fall on the others of its batch. Trying again is
            # safe: the same question of the same analyst is never paid twice, the first answer counts.
            log.error("the ledger failed: %s", type(problem).__name__)
            if len(items) == 1:
                return [failed()]
            return [outcome for item in items for outcome in self._outcomes([item], transact)]


def _tell(told: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, outcome in told:
        if future.cancelled():
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
