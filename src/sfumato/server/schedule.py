"""Who is charged and runs when: a timetable made from arrivals and costs alone.

The timetable is virtual. A question that is understood becomes *ready* a fixed time after its arrival. It is
*charged* as soon as fewer than ``most`` others are between their charge and their end, everybody in turn.
It then takes the first of ``lanes`` workers that is free in the timetable, from *starts* to *ends* = starts +
cost, where the cost is a bound from metadata; a worker that is done before counts as busy until then.

*Nothing real shows.* Let every run take at most its cost, and let runs begin in the order of the timetable
on as many real workers. Then the k-th run really ends by its *ends*. By induction over k: the workers' real
moments of being free, in order of size, are at most the virtual ones, one by one. So it is at the start.
The k-th run takes the smallest, m ≤ m', and replaces it by max(charged, m) + time ≤ max(charged, m') + cost;
replacing the smallest of an ordered list by something smaller keeps the list smaller, place by place. So
whoever acts on an end at *ends*, and not before, acts at a moment that is a function of arrivals and costs
alone: charges, stores and replies are the same for all data.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Job = TypeVar("Job")


@dataclass(frozen=True)
class Turn(Generic[Job]):
    """When a question is charged, and from when to when it has a worker. Moments of one clock, in seconds."""

    job: Job
    charged: float
    starts: float
    ends: float


@dataclass(frozen=True)
class _Entry(Generic[Job]):
    job: Job
    analyst: str
    cost: float | None


class Schedule(Generic[Job]):
    """The timetable. ``charging`` seconds pass between a charge and the earliest start.

    >>> table = Schedule[str](lanes=1, most=8)
    >>> table.enter("long", "ana", ready=0.0, number=1, cost=5.0)
    >>> table.enter("short", "ben", ready=1.0, number=2, cost=1.0)
    >>> [(turn.job, turn.starts, turn.ends) for turn in table.turns(until=2.0)]
    [('long', 0.0, 5.0), ('short', 5.0, 6.0)]
    """

    def __init__(self, *, lanes: int, most: int, charging: float = 0.0) -> None:
        self._most = most
        self._charging = charging
        self._free = [float("-inf")] * lanes
        self._ready: list[tuple[float, int, _Entry[Job]]] = []
        self._lines: OrderedDict[str, deque[_Entry[Job]]] = OrderedDict()
        self._ends: list[float] = []
        self._endless = 0

    def enter(self, job: Job, analyst: str, *, ready: float, number: int, cost: float | None) -> None:
        """Put a question into the timetable; of those that are ready at once, the smaller number is first.

        Without a cost it ends when that is said (``end``): for a service that keeps no times.
        """
        heapq.heappush(self._ready, (ready, number, _Entry(job, analyst, cost)))

    def turns(self, until: float, gone: Callable[[Job], bool] = lambda _: False) -> list[Turn[Job]]:
        """Return who is charged up to a moment, in order, once each. Who is ``gone`` is left out.

        However often it is asked, and however late, the moments are the same.
        """
        found: list[Turn[Job]] = []
        while (moment := self.next_change()) is not None and moment <= until:
            while self._ends and self._ends[0] <= moment:
                heapq.heappop(self._ends)
            while self._ready and self._ready[0][0] <= moment:
                entry = heapq.heappop(self._ready)[2]
                self._lines.setdefault(entry.analyst, deque()).append(entry)
            while self._lines and len(self._ends) + self._endless < self._most:
                entry = self._next()
                if not gone(entry.job):
                    found.append(self._take(entry, moment))
        return found

    def next_change(self) -> float | None:
        """Return when the next question may be charged; None when nobody waits."""
        moments = [self._ready[0][0]] if self._ready else []
        if self._lines and self._endless < self._most:
            moments.append(self._ends[0] if self._ends else float("-inf"))
        return min(moments, default=None)

    def end(self) -> None:
        """Take note that a question without a cost has ended."""
        self._endless -= 1

    def _next(self) -> _Entry[Job]:
        """Take one of each analyst in turn."""
        analyst, line = self._lines.popitem(last=False)
        entry = line.popleft()
        if line:
            self._lines[analyst] = line
        return entry

    def _take(self, entry: _Entry[Job], moment: float) -> Turn[Job]:
        if entry.cost is None:
            self._endless += 1
            return Turn(entry.job, moment, moment, moment)
        starts = max(moment + self._charging, heapq.heappop(self._free))
        ends = starts + entry.cost
        heapq.heappush(self._free, ends)
        heapq.heappush(self._ends, ends)
        return Turn(entry.job, moment, starts, ends)
