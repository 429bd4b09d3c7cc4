"""Classes divided along their hierarchies, as long as every part satisfies the rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.table.judge import Judge
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.solution import SUPPRESSED

Classes = NDArray[np.int32]

MOST_PASSES = 60


def split(layout: Layout, judge: Judge, classes: Classes, number: int) -> tuple[Classes, int]:
    """Divide classes until none can be divided; return them and how many there are.

    A class is divided between the children of its node in one column, the one that then loses least.
    Children that break a rule stay together, if they satisfy the rules as one.
    """
    for _ in range(MOST_PASSES if number else 0):
        before = layout.close(classes, number)
        kept = classes >= 0
        persons = np.bincount(classes[kept], weights=layout.cells.persons[kept], minlength=number)
        # Both parts need enough persons, and nobody is in more cells than are counted here.
        candidate = (persons >= 2 * judge.smallest) & (before.cost > 0)
        rows = layout.cells.rows
        best = np.zeros(number)
        chosen: list[tuple[Classes, NDArray[np.bool_]]] = []
        for j in range(len(layout.ladders)):
            parts, count, divided = _parts(layout, judge, classes, before.levels, candidate, j)
            if not divided.any():
                continue
            after = layout.close(parts, count).cost[np.maximum(parts, 0)]
            saved = np.where(classes >= 0, rows * (before.cost[np.maximum(classes, 0)] - after), 0.0)
            gain = np.bincount(np.maximum(classes, 0), weights=saved, minlength=number)
            better = divided & (gain > best)
            best = np.where(better, gain, best)
            chosen.append((parts, better))
        if not best.any():
            break
        classes, number = _applied(classes, number, chosen)
    return classes, number


def _parts(
    layout: Layout,
    judge: Judge,
    classes: Classes,
    levels: NDArray[np.int64],
    candidate: NDArray[np.bool_],
    j: int,
) -> tuple[Classes, int, NDArray[np.bool_]]:
    """Divide every candidate class along column j; say which of them satisfy the rules afterwards."""
    number = len(candidate)
    of_cell = np.maximum(classes, 0)
    goes = (classes >= 0) & candidate[of_cell] & (levels[of_cell, j] > 0)
    cells = np.flatnonzero(goes)
    parts = np.full(len(classes), SUPPRESSED, np.int32)
    nothing = np.zeros(number, np.bool_)
    if not len(cells):
        return parts, 0, nothing
    owner = classes[cells].astype(np.int64)
    place = layout.start[j] + (levels[owner, j] - 1) * layout.values[j] + layout.records[cells, j]
    child = layout.groups[place].astype(np.int64)
    _, part = np.unique(owner * (int(child.max()) + 1) + child, return_inverse=True)
    parts[cells] = part
    fit = judge.satisfied(parts, int(part.max()) + 1)
    # Those that do not satisfy the rules alone are one part.
    key = np.where(fit[part], part, int(part.max()) + 1 + owner)
    names, part = np.unique(key, return_inverse=True)
    parts[cells] = part
    count = len(names)
    fit = judge.satisfied(parts, count)
    own = np.empty(count, np.int64)
    own[part] = owner
    broken = np.bincount(own[~fit], minlength=number) > 0
    divided: NDArray[np.bool_] = (np.bincount(own, minlength=number) > 1) & ~broken
    return parts, count, divided


def _applied(
    classes: Classes, number: int, chosen: list[tuple[Classes, NDArray[np.bool_]]]
) -> tuple[Classes, int]:
    """Put the parts of each class in its place; the last column that is better is the best one."""
    key = classes.astype(np.int64)
    settled = np.zeros(number, np.bool_)
    first = number
    for parts, better in reversed(chosen):
        here = (classes >= 0) & (better & ~settled)[np.maximum(classes, 0)]
        key[here] = first + parts[here].astype(np.int64)
        first += int(parts.max(initial=0)) + 1
        settled |= better
    kept = classes >= 0
    names, renumbered = np.unique(key[kept], return_inverse=True)
    result = np.full(len(classes), SUPPRESSED, np.int32)
    result[kept] = renumbered
    return result, len(names)
