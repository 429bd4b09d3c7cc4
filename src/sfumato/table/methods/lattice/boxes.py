"""Best-first branch and bound over boxes, for lattices too large to hold a bound for every node.

A box is an interval {x : low ≤ x ≤ high} of the lattice. The rows that are surely suppressed below
``high`` are missing everywhere in the box, so one grouping of ``high`` bounds the value of all its nodes. The
box of lowest bound is taken and cut in two: the upper part keeps ``high`` and what is known of it, the
lower part gets a ``high`` of its own. What is left in the queue when the time is over proves how good
any node can be. A good node is found first: down a greedy path, then among neighbours.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import Progress
from sfumato.table.methods.lattice.grouping import Grouper, NodeSurvey
from sfumato.table.methods.lattice.incumbent import Incumbent
from sfumato.table.methods.lattice.ruled import RuledSurvey
from sfumato.table.methods.lattice.shape import Lattice, Levels
from sfumato.table.utility.contract import Appraisal, Join, Scorer

REPORT_EVERY = 0.2
"""seconds between two reports of progress"""
MOST_BOXES = 200_000
"""boxes in the queue at which the search stops, to keep within memory"""


@dataclass(frozen=True)
class Box:
    """An interval of the lattice. ``terms`` and ``floor`` bound its nodes from what is known of ``high``."""

    low: Levels
    high: Levels
    terms: NDArray[np.float64]
    floor: float

    def bound(self, join: Join) -> float:
        """Return a lower bound on the value of every node in the box."""
        inside = np.arange(self.terms.shape[1])
        outside = (inside < self.low[:, None]) | (inside > self.high[:, None])
        least = np.where(outside, np.inf, self.terms).min(axis=1)
        return max(float(least.max() if join is Join.MAX else least.sum()), self.floor)


@dataclass
class Boxes:
    """State of one search. ``limit`` is the number of rows that may be suppressed."""

    lattice: Lattice
    grouper: Grouper
    scorer: Scorer
    entropies: NDArray[np.float64]
    smallest: int
    limit: int
    deadline: float | None
    progress: Progress
    best: Incumbent = field(default_factory=Incumbent)
    checked: int = 0
    finished: bool = False

    def __post_init__(self) -> None:
        self._queue: list[tuple[float, int, Box]] = []
        self._count = itertools.count()
        self._started = self._reported = time.monotonic()

    def run(self) -> None:
        """Search until the best node is proved or the time is over; ``best`` is empty if none is allowed."""
        bottom, top = np.zeros_like(self.lattice.top), self.lattice.top
        self._offer_box(bottom, top, self._known_below(top))
        self._follow_greedy_path()
        self._try_neighbours()
        while self._queue and self._queue[0][0] < self.best.cut:
            if self._late() or len(self._queue) > MOST_BOXES:
                return
            _, _, box = heapq.heappop(self._queue)
            if np.array_equal(box.low, box.high):
                continue
            self._split(box)
        self.finished = True

    def bound(self) -> float:
        """Return the lowest value that any node may still have."""
        least = self._queue[0][0] if self._queue and not self.finished else np.inf
        return min(least, self.best.value, self.best.unproved)

    def _split(self, box: Box) -> None:
        """Cut off the highest level of the column where the bound of the upper part rises most.

        (Halving instead raised the bound more slowly: the lower part learns less about itself.)
        """
        columns = np.flatnonzero(box.low < box.high)
        lowest, highest = box.low[columns], box.high[columns]
        rise = box.terms[columns, highest] - box.terms[columns, lowest]
        given_up = self.entropies[columns, lowest] - self.entropies[columns, highest]
        column = int(columns[np.lexsort((-given_up, -rise))[0]])
        low, high = box.low.copy(), box.high.copy()
        low[column], high[column] = box.high[column], box.high[column] - 1
        self._offer_box(low, box.high, (box.terms, box.floor))
        self._offer_box(box.low, high, self._known_below(high))

    def _offer_box(self, low: Levels, high: Levels, known: tuple[NDArray[np.float64], float] | None) -> None:
        """Queue a box unless nothing in it can be better than the best node."""
        if known is None:
            return
        terms, floor = known
        if not self.scorer.from_levels:
            floor = max(floor, self._floor_above(low))
        box = Box(low, high, terms, floor)
        bound = box.bound(self.scorer.join)
        if bound < self.best.cut:
            heapq.heappush(self._queue, (bound, next(self._count), box))

    def _known_below(self, high: Levels) -> tuple[NDArray[np.float64], float] | None:
        """Group a node; return what bounds everything below it, or None when nothing there is allowed."""
        survey = self._survey(high)
        if survey.hopeless or survey.surely > self.limit:
            return None
        appraisal = self.scorer.appraise(survey)
        self._offer(high, survey, appraisal)
        terms = self.scorer.terms if appraisal.below is None else appraisal.below.copy()
        return terms, appraisal.below_floor

    def _floor_above(self, low: Levels) -> float:
        survey = self._survey(low)
        if survey.classes == 0:
            # Given up for its sizes: the classes were not looked at.
            return -np.inf
        appraisal = self.scorer.appraise(survey)
        if not survey.hopeless:
            self._offer(low, survey, appraisal)
        return appraisal.above_floor

    def _follow_greedy_path(self) -> None:
        """Try the nodes on the way up that gives up most entropy for the least loss at every step."""
        levels, terms, top = np.zeros_like(self.lattice.top), self.scorer.terms, self.lattice.top
        path = [levels]
        while (columns := np.flatnonzero(levels < top)).size:
            here = levels[columns]
            loss = terms[columns, here + 1] - terms[columns, here]
            freed = self.entropies[columns, here] - self.entropies[columns, here + 1]
            step = columns[int(np.argmax((freed + 1e-9) / (loss + 1e-9)))]
            levels = levels.copy()
            levels[step] += 1
            path.append(levels)
        for node in reversed(path):
            if self._late() or (not self._try(node) and self.best.key is not None):
                return

    def _try_neighbours(self) -> None:
        """Walk from the best node to better neighbours until there is none."""
        tried: set[bytes] = set()
        improved = self.best.key is not None
        while improved:
            improved = False
            for node in self._neighbours(self.best.levels):
                if node.tobytes() in tried:
                    continue
                if self._late():
                    return
                tried.add(node.tobytes())
                before = self.best.key
                self._try(node)
                if self.best.key != before:
                    improved = True
                    break

    def _neighbours(self, levels: Levels) -> Iterator[Levels]:
        """Yield the nodes one step away, then those that trade a step in one column for one in another."""
        columns, top = range(len(levels)), self.lattice.top
        for j, step in itertools.product(columns, (-1, 1)):
            if 0 <= levels[j] + step <= top[j]:
                node = levels.copy()
                node[j] += step
                yield node
        for up, down in itertools.permutations(columns, 2):
            if levels[up] < top[up] and levels[down] > 0:
                node = levels.copy()
                node[up] += 1
                node[down] -= 1
                yield node

    def _try(self, levels: Levels) -> bool:
        """Offer a node; say whether it is allowed."""
        survey = self._survey(levels)
        if survey.hopeless or survey.surely > self.limit:
            return False
        self._offer(levels, survey, self.scorer.appraise(survey))
        return survey.suppressed <= self.limit

    def _offer(self, levels: Levels, survey: NodeSurvey | RuledSurvey, appraisal: Appraisal) -> None:
        """Take a node if it is allowed and better; remember where a better choice was not ruled out."""
        if survey.suppressed <= self.limit:
            self.best.offer(levels, survey.suppressed, appraisal)
        if not survey.proved:
            self.best.doubt(levels, appraisal, self.scorer)

    def _survey(self, levels: Levels) -> NodeSurvey | RuledSurvey:
        self.checked += 1
        return self.grouper.survey(self.grouper.group(levels), self.smallest)

    def _late(self) -> bool:
        """Report progress now and then; say whether the time is over."""
        now = time.monotonic()
        if now - self._reported > REPORT_EVERY:
            self._reported = now
            spent = 0.0 if self.deadline is None else (now - self._started) / (self.deadline - self._started)
            self.progress.update(min(spent, 1.0), f"{self.checked} nodes checked")
        return self.deadline is not None and now > self.deadline
