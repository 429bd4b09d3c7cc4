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

When a question is charged and when its answer is stored follows from a timetable (``schedule``), which knows
arrivals and costs but nothing of how long anything really took. Exact numbers that were found early wait
until the end of their question in it; noise, text, store and reply come after, so that neither the ledger nor
a busy interpreter tells when they were found. Questions are understood by other threads than those that
read data, and answers are written by others again: none of them waits for data.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from sfumato.core.errors import SfumatoError
from sfumato.query.cost import Cost
from sfumato.query.ledger.contract import Asked, Ledger, LedgerUnavailable
from sfumato.server.aside import stand_aside
from sfumato.server.problems import Busy, closing, failed
from sfumato.server.schedule import Schedule, Turn
from sfumato.server.timing import Raster, Reply
from sfumato.server.waiting import tell_all

log = logging.getLogger("sfumato.server")
CROWD = 8
"""from so many questions under way it pays to linger: transactions cost more than what they hold"""
LINGER = 0.01
"""seconds"""
QUIET = 60.0
"""seconds between two lines of the log about the same"""
LEDGER = 0.004
"""seconds in the timetable for a charge, and again for a store"""
Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Result = TypeVar("Result")


class Payable(Protocol):
    """A question that was understood: what is to be paid, and whatever running it needs."""

    @property
    def asked(self) -> Asked:
        """What is charged."""

    @property
    def cost(self) -> Cost:
        """Seconds that reading and telling take at the most, from metadata alone."""


Ready = TypeVar("Ready", bound=Payable)


@dataclass
class _Job:
    """A question on its way, and who is to hear of it."""

    number: int
    analyst: str
    letters: int
    prepare: Callable[[], Payable]
    read: Callable[[Any, int], Any]
    tell: Callable[[Any, Any], str]
    loop: asyncio.AbstractEventLoop
    told: asyncio.Future[str]
    reply: Reply
    ready: Payable | None = None
    turn: Turn[_Job] | None = None
    spend: int = 0
    held: Any = None
    found: bool = False
    """whether its exact numbers are there"""
    late: bool = False
    """whether it ended in the timetable before they were"""
    text: str = ""
    step: Callable[[_Job], None] | None = None
    """what was last begun for it by another thread"""
    over: bool = False
    """it was given up: no thread could be had for its next step"""
    left: bool = False
    """whoever asked is gone: what was not charged yet need not be"""


@dataclass
class _Look:
    """Somebody who wants to read the ledger, after all charges that come before in the timetable."""

    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    told: asyncio.Future[Any]


class Cashier:
    """Pays for questions and runs them. Made once for each ledger; used from one event loop.

    ``workers`` questions run at a time; ``most_waiting`` may be under way in all and
    ``most_waiting_of_one`` of one analyst; no more than ``batch`` are between charge and end. Without a tick
    (``raster``) nothing waits for its time.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        workers: int = 2,
        most_waiting: int = 1000,
        most_waiting_of_one: int = 16,
        batch: int = 64,
        raster: Raster | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.ledger = ledger
        self.most_waiting = most_waiting
        self.most_waiting_of_one = most_waiting_of_one
        self.batch = batch
        self.raster = raster or Raster(0)
        self.pool = ThreadPoolExecutor(workers, "sfumato-worker", initializer=stand_aside)
        """those who read data"""
        self.preparing = ThreadPoolExecutor(workers, "sfumato-preparing")
        """those who understand questions: from text and metadata alone"""
        self.telling = ThreadPoolExecutor(workers, "sfumato-telling")
        """those who add noise and write answers: in the timetable, after data were read"""
        self._clock = clock
        self._ledger_takes = LEDGER if self.raster.tick else 0.0
        self._numbers = itertools.count()
        self._under_way: Counter[str] = Counter()
        self._in_all = 0
        self._asking = 0
        self._paid = 0
        """questions that are being charged or run"""
        self._schedule = Schedule[_Job](lanes=workers, most=batch, charging=self._ledger_takes)
        self._charges: deque[_Job | _Look] = deque()
        self._ending: list[tuple[float, int, _Job]] = []
        """questions that read data, by their end in the timetable: until then nobody is woken for them"""
        self._storing: list[tuple[float, int, _Job]] = []
        """answers that were written, by the moment at which they may be stored"""
        self._overruns = 0
        self._quiet_until = self._silent_until = float("-inf")
        self._change = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._serve, name="sfumato-cashier", daemon=True)
        self._thread.start()

    async def answer(
        self,
        analyst: str,
        prepare: Callable[[], Ready],
        read: Callable[[Ready, int], Any],
        tell: Callable[[Ready, Any], str] = lambda _, text: str(text),
        *,
        reply: Reply | None = None,
        letters: int = 0,
    ) -> str:
        """Return the answer to a question: all steps, in the only order there is.

        ``prepare`` understands the question without touching data; ``read`` is called after its charge is
        durable, and ``tell`` with what it returned; the text is handed over only as ``store`` returned it. A
        question that was charged is run and stored to the end, even when nobody waits for it any more.

        ``reply`` is told when the question ends in the timetable. Until it has left, the question counts as
        under way.
        """
        loop = asyncio.get_running_loop()
        mine = reply or Reply(self._clock())
        mine.until_left.enter_context(self.admitted(analyst))
        job = _Job(
            next(self._numbers), analyst, letters, prepare, read, tell, loop, loop.create_future(), mine
        )
        try:
            if self._closing:
                raise closing()
            self._asking += 1
            try:
                self.preparing.submit(self._prepare, job)
                return await job.told
            finally:
                self._asking -= 1
                job.left = True
        finally:
            if reply is None:
                mine.until_left.close()

    async def look(self, work: Callable[[], Result]) -> Result:
        """Read the ledger, in the order of the timetable: what is charged by now is seen, whenever it was."""
        loop = asyncio.get_running_loop()
        look = _Look(work, loop, loop.create_future())
        with self._change:
            if self._closing:
                raise closing()
            self._advance(self._clock())
            self._charges.append(look)
            self._change.notify()
        found: Result = await look.told
        return found

    async def free(
        self, analyst: str, work: Callable[[], tuple[Result, Cost]], *, reply: Reply, letters: int
    ) -> Result:
        """Do something that costs no budget and touches no data; it is bounded as questions are.

        ``work`` also returns what it takes at the most, as metadata say.
        """
        reply.until_left.enter_context(self.admitted(analyst))
        cost = Cost()
        try:
            found, cost = await asyncio.get_running_loop().run_in_executor(self.preparing, work)
            return found
        finally:
            more = cost.preparing + cost.reading + cost.telling
            reply.ends = self.raster.ready(reply.arrived, letters, self._clock(), more)

    def close(self) -> None:
        """Take no more questions, finish those that were charged, and end the threads."""
        with self._change:
            self._closing = True
            self._change.notify()
        self._thread.join()
        for pool in (self.preparing, self.pool, self.telling):
            pool.shutdown()

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
        """Understand a question and put it into the timetable. In a thread of those who prepare."""
        problem: Exception | None = None
        try:
            job.ready = job.prepare()
        except Exception as found:
            problem = found
        with self._change:
            more = 0.0 if job.ready is None else job.ready.cost.preparing
            ready = self.raster.ready(job.reply.arrived, job.letters, self._clock(), more)
            job.reply.ends = ready
            if problem is None and self._closing:
                problem = closing()
            if problem is None:
                assert job.ready is not None
                cost = job.ready.cost.reading if self.raster.tick else None
                self._schedule.enter(job, job.analyst, ready=ready, number=job.number, cost=cost)
                self._change.notify()
                return
        tell_all([(job, problem)])

    def _read(self, job: _Job) -> None:
        """Read data for a question whose charge is durable. In a worker's thread."""
        if not self._begins(job, self._read):
            return
        try:
            job.held = job.read(job.ready, job.spend)
        except Exception as problem:
            job.held = problem
        with self._change:
            job.found = True
            if job.late:
                self._overrun()
                self._hand_on(self.telling, self._tell, job)

    def _overrun(self) -> None:
        """Let the owner know, now and then, that a reply came later than metadata say. No data are in it."""
        if not self.raster.tick:
            return
        self._overruns += 1
        if self._clock() >= self._quiet_until:
            self._quiet_until = self._clock() + QUIET
            log.warning(
                "questions took longer than their cost allows, %d since the start; set a larger 'pace'",
                self._overruns,
            )

    def _tell(self, job: _Job) -> None:
        """Write the answer of a question that has ended, to be stored. In a thread of those who tell."""
        if not self._begins(job, self._tell):
            return
        try:
            if isinstance(job.held, Exception):
                raise job.held
            job.text = job.tell(job.ready, job.held)
        except Exception as problem:
            self._done([(job, problem)])
            return
        finally:
            job.held = None
        with self._change:
            assert job.ready is not None
            assert job.turn is not None
            heapq.heappush(self._storing, (job.turn.ends + job.ready.cost.telling, job.number, job))
            self._change.notify()

    def _serve(self) -> None:
        while True:
            with self._change:
                while not self._due():
                    self._change.wait(self._patience())
                crowded = self._asking >= CROWD and not self._closing
            if crowded:
                time.sleep(LINGER)
            with self._change:
                self._due()
                now = self._now()
                ended = [job for job in _up_to(now, self._ending) if self._has_ended(job)]
                stores = _up_to(now, self._storing)
                charges = [self._charges.popleft() for _ in range(len(self._charges))]
                if self._closing and not (stores or charges or ended or self._paid):
                    return
            for job in ended:
                self._hand_on(self.telling, self._tell, job)
            if stores:
                self._store(stores)
            if charges:
                self._in_turn(charges)

    def _due(self) -> bool:
        """Bring the timetable up to date; return whether there is something to do."""
        now = self._now()
        self._advance(now)
        if self._charges or any(heap and heap[0][0] <= now for heap in (self._ending, self._storing)):
            return True
        return self._closing and not self._paid

    def _now(self) -> float:
        """Return the moment that the timetable has reached. When the service closes nobody waits any more."""
        return float("inf") if self._closing or not self.raster.tick else self._clock()

    def _patience(self) -> float | None:
        """Return the seconds until something is due; None when only a change can bring it."""
        moments = [heap[0][0] for heap in (self._ending, self._storing) if heap]
        change = self._schedule.next_change()
        moments += [] if change is None else [change]
        return max(0.0, min(moments) - self._clock()) if moments else None

    def _advance(self, now: float) -> None:
        """Let the timetable say who is charged up to now; that does not depend on when it is asked."""
        for turn in self._schedule.turns(now, gone=lambda job: job.left):
            job = turn.job
            assert job.ready is not None
            job.turn = turn
            if self.raster.tick:
                job.reply.ends = turn.ends + job.ready.cost.telling + self._ledger_takes
            self._paid += 1
            self._charges.append(job)

    def _has_ended(self, job: _Job) -> bool:
        """Return whether the numbers of a question that ends now are there; if not, it ends when they are."""
        job.late = not job.found
        return job.found

    def _in_turn(self, charges: Sequence[_Job | _Look]) -> None:
        """Charge, and let look, in the order of the timetable; neighbours share a transaction."""
        for looking, group in itertools.groupby(charges, lambda one: isinstance(one, _Look)):
            those = list(group)
            if looking:
                for look in those:
                    assert isinstance(look, _Look)
                    self._let_look(look)
                continue
            jobs = [job for job in those if isinstance(job, _Job)]
            for first in range(0, len(jobs), self.batch):
                self._charge(jobs[first : first + self.batch])

    def _let_look(self, look: _Look) -> None:
        try:
            outcome: Any = look.work()
        except Exception as problem:
            outcome = problem
        tell_all([(look, outcome)])

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
                self._begin(job)
        self._done(finished)

    def _begin(self, job: _Job) -> None:
        """Let data be read, and take note of when that ends. Who is done sooner wakes nobody."""
        assert job.turn is not None
        with self._change:
            if self.raster.tick:
                heapq.heappush(self._ending, (job.turn.ends, job.number, job))
            else:
                job.late = True
        if not self._hand_on(self.pool, self._read, job):
            with self._change:
                self._ending = [one for one in self._ending if one[2] is not job]
                heapq.heapify(self._ending)

    def _hand_on(self, pool: ThreadPoolExecutor, step: Callable[[_Job], None], job: _Job) -> bool:
        """Let another thread go on. Where the system gives no more threads, nobody waits for one."""
        try:
            pool.submit(step, job)
        except RuntimeError:
            with self._change:
                # It may wait in the queue all the same, or even run.
                job.over = job.step != step
            if job.over:
                log.error("no thread could be started for a question")
                self._done([(job, failed())])
                return False
        return True

    def _begins(self, job: _Job, step: Callable[[_Job], None]) -> bool:
        """Take note of what is done for a question; False where nobody waits for it any more."""
        with self._change:
            job.step = step
            return not job.over

    def _store(self, jobs: list[_Job]) -> None:
        outcomes = self._outcomes([(job.spend, job.text) for job in jobs], self.ledger.store)
        self._done(list(zip(jobs, outcomes, strict=True)))

    def _done(self, finished: list[tuple[_Job, str | Exception]]) -> None:
        with self._change:
            self._paid -= len(finished)
            if not self.raster.tick:
                for _ in finished:
                    self._schedule.end()
            self._change.notify()
        tell_all(finished)

    def _outcomes(
        self, items: list[Item], transact: Callable[[Sequence[Item]], Sequence[Outcome]]
    ) -> Sequence[Outcome | Exception]:
        try:
            return transact(items)
        except LedgerUnavailable as problem:
            if self._clock() >= self._silent_until:
                self._silent_until = self._clock() + QUIET
                log.error("%s", problem)
            return [problem] * len(items)
        except Exception as problem:
            # What one item does to a transaction must not fall on the others of its batch. Trying again is
            # safe: the same question of the same analyst is never paid twice, the first answer counts.
            log.error("the ledger failed: %s", type(problem).__name__)
            if len(items) == 1:
                return [problem if isinstance(problem, SfumatoError) else failed()]
            return [outcome for item in items for outcome in self._outcomes([item], transact)]


def _up_to(moment: float, heap: list[tuple[float, int, _Job]]) -> list[_Job]:
    """Take what is due by a moment, in order."""
    taken = []
    while heap and heap[0][0] <= moment:
        taken.append(heapq.heappop(heap)[2])
    return taken
