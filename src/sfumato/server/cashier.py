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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from sfumato.core.errors import SfumatoError
from sfumato.query.ledger.contract import Asked, Ledger, LedgerUnavailable
from sfumato.server.problems import Busy, failed

log = logging.getLogger("sfumato.server")
CROWD = 8
"""from so many questions under way it pays to linger: transactions cost more than what they hold"""
LINGER = 0.01
"""seconds"""
Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


class Payable(Protocol):
    """A question that was understood: what is to be paid, and whatever running it needs."""

    @property
    def asked(self) -> Asked:
        """What is charged."""


Ready = TypeVar("Ready", bound=Payable)


@dataclass
class _Job:
    """A question on its way, and who is to hear of it."""

    analyst: str
    prepare: Callable[[], Payable]
    run: Callable[[Any, int], str]
    loop: asyncio.AbstractEventLoop
    told: asyncio.Future[str]
    ready: Payable | None = None
    spend: int = 0
    text: str = ""
    left: bool = False
    """whoever asked is gone: what was not charged yet need not be"""


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
        self._in_all = 0
        self._paid = 0
        """questions that are being charged or run: what a worker will soon be free for"""
        self._charges: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._stores: deque[_Job] = deque()
        self._change = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._serve, name="sfumato-cashier", daemon=True)
        self._thread.start()

    async def answer(
        self, analyst: str, prepare: Callable[[], Ready], run: Callable[[Ready, int], str]
    ) -> str:
        """Return the answer to a question: all steps, in the only order there is.

        ``prepare`` understands the question without touching data; ``run`` is called after its charge is
        durable, and what it returns is handed over only as ``store`` returned it. A question that was
        charged is run and stored to the end, even when nobody waits for it any more.
        """
        with self.admitted(analyst):
            loop = asyncio.get_running_loop()
            job = _Job(analyst, prepare, run, loop, loop.create_future())
            if self._closing:
                raise Busy("the service is closing", remedy="come again in a moment")
            self.pool.submit(self._prepare, job)
            try:
                return await job.told
            finally:
                job.left = True

    def close(self) -> None:
        """Take no more questions, finish those that were charged, and end the threads."""
        with self._change:
            self._closing = True
            self._change.notify()
        self._thread.join()
        self.pool.shutdown()

    @contextmanager
    def admitted(self, analyst: str) -> Iterator[None]:
        """Count something of an analyst among what is under way, or refuse it because there is too much."""
        if self._under_way[analyst] >= self.most_waiting_of_one:
            raise Busy("too many of your questions wait already", remedy="come again when some are answered")
        if self._in_all >= self.most_waiting:
            raise Busy("too many questions wait already", remedy="come again in a moment")
        self._under_way[analyst] += 1
        self._in_all += 1
        try:
            yield
        finally:
            self._in_all -= 1
            self._under_way[analyst] -= 1
            if not self._under_way[analyst]:
                del self._under_way[analyst]

    def _prepare(self, job: _Job) -> None:
        """Understand a question and put it into the line of its analyst. In a worker's thread."""
        try:
            job.ready = job.prepare()
        except Exception as problem:
            _tell_all([(job, problem)])
            return
        with self._change:
            if not self._closing:
                self._charges.setdefault(job.analyst, deque()).append(job)
                self._change.notify()
                return
        _tell_all([(job, Busy("the service is closing", remedy="come again in a moment"))])

    def _run(self, job: _Job) -> None:
        """Run a question whose charge is durable, and hand its answer to be stored. In a worker's thread."""
        try:
            job.text = job.run(job.ready, job.spend)
        except Exception as problem:
            self._done([(job, problem)])
            return
        with self._change:
            self._stores.append(job)
            self._change.notify()

    def _serve(self) -> None:
        while True:
            with self._change:
                while not (self._stores or self._payable() or (self._closing and not self._paid)):
                    self._change.wait()
                crowded = self._in_all >= CROWD and not self._closing
            if crowded:
                time.sleep(LINGER)
            with self._change:
                stores = [self._stores.popleft() for _ in range(len(self._stores))]
                charges = self._next_charges()
                if self._closing and not (stores or charges or self._paid):
                    return
            if stores:
                self._store(stores)
            if charges:
                self._charge(charges)

    def _payable(self) -> bool:
        return bool(self._charges) and self._paid < self.batch

    def _next_charges(self) -> list[_Job]:
        """Take one of each analyst in turn, no more than can soon run."""
        taken: list[_Job] = []
        while self._payable():
            analyst, line = self._charges.popitem(last=False)
            job = line.popleft()
            if not job.left:
                self._paid += 1
                taken.append(job)
            if line:
                self._charges[analyst] = line
        return taken

    def _charge(self, jobs: list[_Job]) -> None:
        asked = [job.ready.asked for job in jobs if job.ready is not None]
        finished: list[tuple[_Job, str | Exception]] = []
        for job, outcome in zip(jobs, self._outcomes(asked, self.ledger.charge), strict=True):
            if isinstance(outcome, Exception):
                finished.append((job, outcome))
            elif outcome.answer is not None:
                finished.append((job, outcome.answer))
            else:
                job.spend = outcome.spend
                self.pool.submit(self._run, job)
        self._done(finished)

    def _store(self, jobs: list[_Job]) -> None:
        outcomes = self._outcomes([(job.spend, job.text) for job in jobs], self.ledger.store)
        self._done(list(zip(jobs, outcomes, strict=True)))

    def _done(self, finished: list[tuple[_Job, str | Exception]]) -> None:
        with self._change:
            self._paid -= len(finished)
            self._change.notify()
        _tell_all(finished)

    def _outcomes(
        self, items: list[Item], transact: Callable[[Sequence[Item]], Sequence[Outcome]]
    ) -> Sequence[Outcome | Exception]:
        try:
            return transact(items)
        except LedgerUnavailable as problem:
            return [problem] * len(items)
        except Exception as problem:
            # What one item does to a transaction must not fall on the others of its batch. Trying again is
            # safe: the same question of the same analyst is never paid twice, the first answer counts.
            log.error("the ledger failed: %s", type(problem).__name__)
            if len(items) == 1:
                return [problem if isinstance(problem, SfumatoError) else failed()]
            return [outcome for item in items for outcome in self._outcomes([item], transact)]


def _tell_all(finished: list[tuple[_Job, str | Exception]]) -> None:
    """Tell those who wait, with one call for each event loop: waking it is dear."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Job, str | Exception]]] = {}
    for job, outcome in finished:
        by_loop.setdefault(job.loop, []).append((job, outcome))
    for loop, those in by_loop.items():
        # A loop that was closed meanwhile has nobody waiting in it.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_tell, those)


def _tell(finished: list[tuple[_Job, str | Exception]]) -> None:
    for job, outcome in finished:
        if job.told.done():
            continue
        if isinstance(outcome, Exception):
            job.told.set_exception(outcome)
        else:
            job.told.set_result(outcome)
