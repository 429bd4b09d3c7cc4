"""The search that holds one bound for every node of the lattice, until all are settled.

Three arguments settle nodes without looking at them.

1. A class C of m that breaks a rule is divided at x ≤ m. If the rule is a number of persons, all of C
   is suppressed at x. If it is monotone, the parts that x keeps satisfy it together, so at least as
   many rows of C are suppressed as must be taken away until it holds (``Findings.gone``). When these
   rows are too many, nothing below m is allowed; otherwise they alone, charged at the levels of x,
   bound the value of x from below.
2. Measures of class sizes only grow on the way up, so the value of m without suppression bounds
   everything above it.
3. When m suppresses nothing, nothing above it is better: its levels are higher, and suppressing rows
   only adds to the loss. This needs no monotone rule.

The order of visits makes the most of them. With a separable measure a dozen probes find a good node
first, and single steps down from it a better one; then nodes are visited from the highest bound
downwards, so that each visit settles a large down-set, and after one that loses far too many rows
the search climbs to a neighbour that covers the most live nodes.
Otherwise the middle of the live nodes is visited, which settles either what lies below or above.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import Progress
from sfumato.table.methods.lattice._kernels_bounds import (
    cheapest_within,
    lift_cone,
    live_in_order,
    live_steps_up,
    meet,
    next_live,
    raise_below,
    settle_above,
)
from sfumato.table.methods.lattice.grouping import Classes, Grouper, NodeSurvey
from sfumato.table.methods.lattice.incumbent import Incumbent
from sfumato.table.methods.lattice.ruled import RuledSurvey
from sfumato.table.methods.lattice.shape import Lattice, Levels
from sfumato.table.methods.lattice.witness import Witnesses
from sfumato.table.utility.contract import Join, Scorer

PROBES = 12
STEPS = 2
"""how many steps down from the best node are tried to find a better one"""
STEEPNESS = 1.0
"""how much a climb is discounted for every nat of entropy that it gives up"""
CLIMB_FROM = 1.5
"""how many times too many rows a node must surely lose for a step up from it to be likely to lose too many"""
REPORT_EVERY = 0.2
"""seconds between two reports of progress"""


@dataclass
class Exhaustive:
    """State of one search over a whole lattice. ``limit`` is the number of rows that may be suppressed."""

    lattice: Lattice
    grouper: Grouper
    scorer: Scorer
    entropies: NDArray[np.float64]
    """entropies[j, l] of column j at level l, in nats; 0 past its height"""
    smallest: int
    limit: int
    deadline: float | None
    progress: Progress
    witnesses: Witnesses | None = None
    best: Incumbent = field(default_factory=Incumbent)
    checked: int = 0
    finished: bool = False

    def __post_init__(self) -> None:
        heights = self.lattice.heights
        terms = [self.scorer.terms[j, : height + 1] for j, height in enumerate(heights)]
        lattice = self.lattice
        self.values = lattice.maxima(terms) if self.scorer.join is Join.MAX else lattice.sums(terms)
        self.bounds = self.values.copy()
        self._entropy = lattice.sums([self.entropies[j, : height + 1] for j, height in enumerate(heights)])
        self._bottom = np.zeros(len(heights), np.int64)
        self._visited = np.zeros(lattice.size, np.bool_)
        self._reported = time.monotonic()

    def run(self) -> None:
        """Search until every node is settled or the time is over; ``best`` stays empty if none is allowed."""
        self._visit(self.lattice.top)
        if self.limit == 0 or not self.scorer.from_levels:
            self.finished = self._halve()
        else:
            self.finished = self._probe() and self._refine() and self._descend()

    def bound(self) -> float:
        """Return the lowest value that any node may still have."""
        least = float(self.bounds.min()) if not self.finished else np.inf
        return min(least, self.best.value, self.best.unproved)

    def _halve(self) -> bool:
        """Visit the middle of the live nodes until none is left."""
        key = self.values if self.scorer.from_levels else -self._entropy
        order = np.argsort(key, kind="stable")
        live = np.empty(self.lattice.size, np.int64)
        lowest = np.zeros(len(self._bottom), np.int64)
        while count := int(live_in_order(self.bounds, order, self.best.cut, live)):
            if self._late(count):
                return False
            meet(live, count, self.lattice.strides, self.lattice.shape, lowest)
            below = self.grouper.group(lowest.copy(), remember=True)
            classes, survey = self._visit(self.lattice.levels(int(live[count // 2])))
            if survey.suppressed > 0 and self.limit == 0 and self.witnesses is not None:
                self.witnesses.refute(classes, below, self.bounds, live, count)
        return True

    def _probe(self) -> bool:
        """Find a good node: the one of lowest bound under an entropy that is halved towards feasibility."""
        low, high = 0.0, float(self._entropy[0])
        for _ in range(PROBES):
            if self._late(self.lattice.size):
                return False
            middle = 0.5 * (low + high)
            node = int(cheapest_within(self.bounds, self._entropy, middle))
            if node < 0 or self.bounds[node] >= self.best.cut:
                low = middle
                continue
            _, survey = self._visit(self.lattice.levels(node))
            if survey.hopeless or survey.suppressed > self.limit:
                high = middle
            else:
                low = middle
        return True

    def _refine(self) -> bool:
        """Walk down from the best node, one column at a time, along steps of lowest bound."""
        lattice, seen = self.lattice, None
        while self.best.key is not None and self.best.key != seen:
            seen = self.best.key
            levels = self.best.levels
            steps = lattice.position(levels) - lattice.strides[levels > 0]
            for step in steps[np.argsort(self.bounds[steps], kind="stable")[:STEPS]]:
                if self._late(lattice.size):
                    return False
                if self.bounds[step] < self.best.cut:
                    self._visit(lattice.levels(int(step)))
                if self.best.key != seen:
                    break
        return True

    def _descend(self) -> bool:
        """Visit live nodes from the highest first bound to the lowest, climbing after failures."""
        order = np.argsort(self.values, kind="stable")
        at = self.lattice.size - 1
        live = np.zeros(len(self._bottom), np.int64)
        while (at := int(next_live(self.bounds, order, at, self.best.cut))) >= 0:
            node = self.lattice.levels(int(order[at]))
            while True:
                if self._late(at):
                    return False
                _, survey = self._visit(node)
                if survey.surely <= CLIMB_FROM * self.limit and not survey.hopeless:
                    break
                lattice = self.lattice
                live_steps_up(self.bounds, lattice.strides, lattice.top, node, self.best.cut, live)
                if not live.any():
                    break
                columns = np.arange(len(node))
                above = np.minimum(node + 1, lattice.top)
                given_up = self.entropies[columns, node] - self.entropies[columns, above]
                step = int(np.argmax(live * np.exp(-STEEPNESS * given_up)))
                node = node.copy()
                node[step] += 1
                if self._visited[lattice.position(node)]:
                    break
        return True

    def _visit(self, levels: Levels) -> tuple[Classes, NodeSurvey | RuledSurvey]:
        """Group a node and settle what its classes prove."""
        self.checked += 1
        self._visited[self.lattice.position(levels)] = True
        classes = self.grouper.group(levels)
        survey = self.grouper.survey(classes, self.smallest)
        lattice = self.lattice
        if survey.hopeless or survey.surely > self.limit:
            lift_cone(self.bounds, lattice.strides, self._bottom, levels, np.inf)
            return classes, survey
        appraisal = self.scorer.appraise(survey)
        if survey.suppressed <= self.limit:
            self.best.offer(levels, survey.suppressed, appraisal)
        if not survey.proved:
            self.best.doubt(levels, appraisal, self.scorer)
        if appraisal.below is not None:
            raise_below(
                self.bounds,
                lattice.strides,
                levels,
                appraisal.below,
                self.scorer.join is Join.MAX,
                appraisal.below_floor,
            )
        elif appraisal.below_floor > -np.inf:
            lift_cone(self.bounds, lattice.strides, self._bottom, levels, appraisal.below_floor)
        if appraisal.above_floor > -np.inf:
            # Nothing above can win a tie against a node that suppresses nothing.
            beaten = survey.suppressed == 0 and appraisal.above_floor >= appraisal.value
            floor = np.inf if beaten else appraisal.above_floor
            lift_cone(self.bounds, lattice.strides, levels, lattice.top, floor)
        position = lattice.position(levels)
        if survey.suppressed == 0 and self.scorer.from_levels:
            settle_above(
                self.bounds, self.values, lattice.strides, levels, lattice.top, self.values[position]
            )
        self.bounds[position] = np.inf
        return classes, survey

    def _late(self, open_nodes: int) -> bool:
        """Report progress now and then; say whether the time is over."""
        now = time.monotonic()
        if now - self._reported > REPORT_EVERY:
            self._reported = now
            self.progress.update(1.0 - open_nodes / self.lattice.size, f"{self.checked} nodes checked")
        return self.deadline is not None and now > self.deadline
