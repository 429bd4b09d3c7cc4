"""The chosen node as a solution, or why there is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import PromiseNotMet
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.judge import Judge
from sfumato.table.methods.lattice.grouping import Classes, Grouper
from sfumato.table.methods.lattice.shape import Levels
from sfumato.table.rule_words import column_of, name_of
from sfumato.table.solution import SUPPRESSED, Generalised, Problem


def recoded(
    cells: Cells,
    ladders: tuple[Ladder, ...],
    grouper: Grouper,
    levels: Levels,
    judge: Judge,
    out: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the class of every cell at a node and the box of every class.

    Classes that are ``out`` are suppressed, by default those that break a rule.
    """
    owner, first = grouper.owners(levels)
    classes = judge.classes(owner, len(first))
    kept = ~(judge.findings(classes).broken if out is None else out) & (classes.rows > 0)
    number = np.where(kept, np.cumsum(kept) - 1, SUPPRESSED).astype(np.int32)
    shown = first[kept]
    boxes = np.array(
        [
            ladder.rungs[level][cells.codes[j, shown]]
            for j, (ladder, level) in enumerate(zip(ladders, levels, strict=True))
        ]
    )
    return number[owner], boxes.astype(np.int32).reshape(len(ladders), len(shown))


def generalised(domain: Domain, ladder: Ladder, level: int) -> Generalised:
    """Describe what a column shows at one level."""
    groups = len(ladder.labels[level])
    extent, span = np.full(groups, np.nan), float("nan")
    if domain.positions is not None:
        present = ~np.isnan(domain.positions)
        places, rungs = domain.positions[present], ladder.rungs[level][present]
        low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
        np.minimum.at(low, rungs, places)
        np.maximum.at(high, rungs, places)
        # A group of missing values alone is a point.
        extent = np.maximum(high - low, 0.0)
        span = float(places.max() - places.min()) if len(places) else 0.0
    return Generalised(
        name=ladder.name,
        labels=ladder.labels[level],
        leaves=ladder.leaves[level].astype(np.float64),
        size=ladder.size,
        extent=extent,
        span=span,
        levels=np.full(groups, float(level)),
        height=ladder.height,
    )


def infeasible(top: Classes, smallest: int, limit: int, rows: int, suppress: float) -> PromiseNotMet:
    """Say what would work: the most general node suppresses the fewest rows, and that is too many."""
    persons, sizes = top.persons, top.rows
    needed = int(sizes[persons < smallest].sum())
    order = np.argsort(persons, kind="stable")
    lost_before = np.concatenate([[0], np.cumsum(sizes[order])])[:-1]
    affordable = persons[order][lost_before <= limit]
    largest = int(affordable.max())
    return PromiseNotMet(
        f"even the most general levels leave {needed} of {rows} rows in classes of fewer than {smallest} "
        f"persons, and {limit} may be suppressed (suppress = {suppress:g})",
        remedy=f"k ≤ {largest} would work, or suppress ≥ {_share_for(needed, rows)}, "
        "or hierarchies that end in '*'",
    )


def impossible(
    problem: Problem, limit: int, suppress: float, *, finished: bool, proved: bool
) -> PromiseNotMet:
    """Find which rule stands in the way, judged by one class of all: what the most general levels come to.

    ``finished`` says that no node is left to look at, ``proved`` that nothing else could be left out of them.
    """
    judge = Judge.of(problem)
    rows = judge.cells.total_rows
    if not finished:
        return PromiseNotMet(
            "no generalisation that keeps the promises was found within the time limit",
            remedy="raise the time limit, or allow more rows to be suppressed",
        )
    alone = {rule: judge.only(r) for r, rule in enumerate(judge.rules)}
    everybody = np.zeros(len(judge.cells), np.int64)
    hopeless = [rule for rule, one in alone.items() if not one.satisfied(everybody, 1)[0]]
    none = (
        "no generalisation keeps the promises"
        if proved
        else "no generalisation was found that keeps the promises"
    )
    what = f"{none} with at most {limit} of {rows} rows suppressed (suppress = {suppress:g})"
    if hopeless:
        return PromiseNotMet(
            f"{what}: even the whole table as one class breaks {name_of(hopeless[0])}",
            where=column_of(hopeless[0]),
            remedy="relax this model" + ("" if hopeless[0].monotone else ", or allow more suppression"),
        )
    persons = np.array([judge.cells.total_persons], np.int64)
    if missed := [rule for rule in problem.whole if not rule.holds(persons)]:
        return PromiseNotMet(
            f"{what}: even the whole table as one class breaks {missed[0].in_words()}",
            remedy="relax this model",
        )
    return PromiseNotMet(
        f"{what}, although the whole table as one class would keep them",
        remedy="let the hierarchies end in '*', or allow more rows to be suppressed",
    )


def _share_for(needed: int, rows: int) -> str:
    """Return a short decimal share of the rows that is enough for ``needed`` of them."""
    digits = len(str(rows))
    scale = 10**digits
    return f"{-(-needed * scale // rows) / scale:.{digits}f}".rstrip("0").rstrip(".")
