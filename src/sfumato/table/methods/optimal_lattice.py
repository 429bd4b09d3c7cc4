"""Full-domain generalisation with record suppression, provably optimal."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.judge import Judge
from sfumato.table.left_out import LeftOut, depends
from sfumato.table.methods.lattice.boxes import Boxes
from sfumato.table.methods.lattice.chosen import ChoosingGrouper
from sfumato.table.methods.lattice.exhaustive import Exhaustive
from sfumato.table.methods.lattice.grouping import Grouper
from sfumato.table.methods.lattice.outcome import generalised, impossible, infeasible, recoded
from sfumato.table.methods.lattice.ruled import RuledGrouper
from sfumato.table.methods.lattice.shape import Lattice
from sfumato.table.methods.lattice.witness import Witnesses
from sfumato.table.solution import Problem, Solution
from sfumato.table.utility.contract import Utility
from sfumato.table.utility.separable import marginals

LARGEST_LATTICE = 4_000_000
"""nodes up to which a bound is held for each of them"""
PATIENCE = 60.0
"""seconds for a lattice that is larger, when no time limit is given"""


@dataclass(frozen=True)
class OptimalLattice:
    """Every column is generalised to one level; classes that break a rule are suppressed.

    Among all level vectors that suppress at most ⌊suppress · rows⌋ rows, the one of least loss under
    the chosen utility is found and proved, for any rules on classes. Of equal ones the one that
    suppresses fewest rows is taken, then the one with the lowest levels in column order. Past a time
    limit, or when the lattice has more than four million nodes, the best node so far is returned with a
    proven bound on what is possible. So it is where a promise is about what is left (the released table as a
    whole, all sizes together) and not every choice of what to leave out was ruled out.

    The problem is P. Samarati's (TKDE 2001) and K. LeFevre's Incognito (SIGMOD 2005); the fastest
    earlier search is Flash by F. Kohlmayer et al. (PASSAT 2012). What makes this one fast is told in
    ``lattice.exhaustive``, ``lattice.witness`` and ``lattice.boxes``.

    >>> OptimalLattice(suppress=0.07).most_suppressed(100)
    7
    """

    suppress: float = 0.0
    time_limit: float | None = None
    name: ClassVar[str] = "optimal-lattice"
    needs_hierarchies: ClassVar[bool] = True
    classes_overlap: ClassVar[bool] = False
    judges_sizes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0.0 <= self.suppress <= 1.0:
            raise BadInput("suppress must be a share between 0 and 1", remedy="0.05 allows one row in twenty")
        if self.time_limit is not None and not self.time_limit > 0.0:
            raise BadInput(
                "time_limit must be a positive number of seconds", remedy="leave it out for no limit"
            )

    def most_suppressed(self, rows: int) -> int:
        """Return ⌊suppress · rows⌋, exactly, for the share as it was written."""
        return floor(Fraction(str(float(self.suppress))) * rows)

    def search(self, problem: Problem, utility: Utility, *, progress: Progress = SILENT) -> Solution:
        """Return the best generalisation of the cells."""
        cells, ladders, judge = problem.cells, _ladders(problem), Judge.of(problem)
        limit = self.most_suppressed(cells.total_rows)
        lattice = Lattice.of(ladders)
        scorer = utility.prepare(cells, ladders)
        grouper: Grouper
        if problem.whole or (limit and depends(problem)):
            left_out = LeftOut(problem, limit)
            judge = left_out.judge
            grouper = ChoosingGrouper(left_out, ladders, limit, scorer)
        elif judge.counts_persons_only:
            grouper = Grouper(cells, ladders)
        else:
            grouper = RuledGrouper(judge, ladders, limit)
        by_size = judge.counts_persons_only and not problem.whole
        smallest = judge.smallest if by_size else judge.least_rows
        self._refuse_the_impossible(judge, grouper, lattice, limit)
        small = lattice.size <= LARGEST_LATTICE
        patience = self.time_limit if self.time_limit is not None or small else PATIENCE
        deadline = None if patience is None else time.monotonic() + patience
        counted = marginals(cells, ladders)
        entropies = _entropies(counted)
        progress.step(f"searching {lattice.size:,} generalisations")
        search: Exhaustive | Boxes
        if small:
            needed = _persons_needed(judge)
            certain = limit == 0 and cells.spans is None and cells.population is None and needed > 1
            witnesses = Witnesses(counted, lattice, grouper.coding, needed) if certain else None
            search = Exhaustive(
                lattice, grouper, scorer, entropies, smallest, limit, deadline, progress, witnesses
            )
        else:
            search = Boxes(lattice, grouper, scorer, entropies, smallest, limit, deadline, progress)
        search.run()
        best = search.best
        if best.appraisal is None:
            raise impossible(problem, limit, self.suppress, finished=search.finished, proved=best.proved)
        levels = best.levels
        out = grouper.left_out(levels, smallest) if isinstance(grouper, ChoosingGrouper) else None
        classes, boxes = recoded(cells, ladders, grouper, levels, judge, out)
        progress.update(1.0, f"{search.checked} nodes checked")
        score = scorer.score(best.appraisal)
        optimal = search.finished and best.proved
        return Solution(
            cells=cells,
            classes=classes,
            boxes=boxes,
            columns=tuple(
                generalised(domain, ladder, int(level))
                for domain, ladder, level in zip(cells.domains, ladders, levels, strict=True)
            ),
            levels=tuple(levels.tolist()),
            score=score,
            bound=score if optimal else scorer.score_of_bound(search.bound()),
            optimal=optimal,
            details={
                "utility": utility.name,
                "lattice_nodes": lattice.size,
                "checked_nodes": search.checked,
                "suppressed_rows": best.suppressed,
                "suppression_limit": limit,
                "classes": int(boxes.shape[1]),
            },
        )

    def _refuse_the_impossible(self, judge: Judge, grouper: Grouper, lattice: Lattice, limit: int) -> None:
        smallest = judge.least_persons
        persons = grouper.total_persons()
        if smallest > persons:
            raise PromiseNotMet(
                f"k = {smallest} is larger than the number of persons, {persons}",
                remedy=f"k can be at most {persons}",
            )
        top = grouper.group(lattice.top)
        if int(top.rows[top.persons < smallest].sum()) > limit:
            raise infeasible(top, smallest, limit, grouper.total_rows, self.suppress)


def _ladders(problem: Problem) -> tuple[Ladder, ...]:
    """Return the ladders; a lattice needs one for every column."""
    ladders = []
    for name, ladder in zip(problem.cells.names, problem.ladders, strict=True):
        if ladder is None:
            raise BadInput(
                "the optimal lattice needs a hierarchy for every quasi-identifier and this one has none",
                where=f"column '{name}'",
                remedy="give it a hierarchy, or use Mondrian",
            )
        ladders.append(ladder)
    if not ladders:
        raise BadInput(
            "there is no quasi-identifier to generalise", remedy="give at least one column that role"
        )
    return tuple(ladders)


def _persons_needed(judge: Judge) -> int:
    """Return the persons below which a class and every part of it breaks a rule."""
    return max(judge.least_persons, judge.least_rows if judge.cells.rows_are_persons else 1)


def _entropies(counted: list[list[NDArray[np.int64]]]) -> NDArray[np.float64]:
    """Return the entropy of each column at each level, in nats; ``counted`` are the rows of each group."""
    table = np.zeros((len(counted), max(map(len, counted))))
    for j, levels in enumerate(counted):
        for level, counts in enumerate(levels):
            share = counts[counts > 0] / counts.sum()
            # Not as a dot product: that would wake the threads of a linear algebra library.
            table[j, level] = max(-float((share * np.log(share)).sum()), 0.0)
    return table
