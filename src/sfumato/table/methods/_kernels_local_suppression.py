"""Loops of local suppression: what hiding some values of a cell would do for those who stand out.

``shown[c, q]`` is the code that cell c shows in column q, or HIDDEN, which agrees with every code. A set of
columns is a whole number with one bit for each of them. ``matching[c]`` counts the persons whose cells agree
with cell c, its own included.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

HIDDEN = -1
SHALLOW = 3
"""sets of more columns are thought of only when none of so few helps"""

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def apart(shown: I32, a: int, b: int, most: int) -> int:
    """Return the set of columns in which two cells disagree; -1 when these are more than ``most``."""
    found = 0
    count = 0
    # Without branches: which columns disagree cannot be guessed ahead.
    for q in range(shown.shape[1]):
        x = shown[a, q]
        y = shown[b, q]
        differ = int(x != y) & int(x >= 0) & int(y >= 0)
        found |= differ << q
        count += differ
    return found if count <= most else -1


@kernel
def appraise(
    cell: int,
    shown: I32,
    persons: I64,
    rows: I64,
    matching: I64,
    k: int,
    price: F64,
    columns: I64,
    depth: int,
    own: I64,
    others: I64,
    best: I64,
) -> float:
    """Return what the cheapest set of columns that helps a cell does for its price; the set in ``best[0]``.

    It helps when k persons agree with the cell once these columns are hidden. Of equally cheap sets the one
    that brings most to others who stand out is taken. What it does is counted in persons that no longer
    lack around a cell, times the persons of the cell. Only the columns listed in ``columns`` are thought of,
    and sets of at most ``depth`` of them. Without such a set the worth is 0.
    """
    width = columns.shape[0]
    sets = 1 << width
    for s in range(sets):
        own[s] = 0
        others[s] = 0
    for other in range(shown.shape[0]):
        between = apart(shown, cell, other, depth)
        if between > 0:
            short = squeezed(between, columns)
            if short >= 0:
                own[short] += persons[other]
                if matching[other] < k:
                    others[short] += persons[other] * min(persons[cell], k - matching[other])
    for bit in range(width):
        for s in range(sets):
            if s >> bit & 1:
                own[s] += own[s ^ (1 << bit)]
                others[s] += others[s ^ (1 << bit)]
    lacking = k - matching[cell]
    cheapest = np.inf
    most = -1
    best[0] = 0
    for s in range(1, sets):
        if own[s] >= lacking:
            cost = 0.0
            wide = 0
            size = 0
            for bit in range(width):
                if s >> bit & 1:
                    cost += price[columns[bit]]
                    wide |= 1 << columns[bit]
                    size += 1
            if size <= depth and (cost < cheapest or (cost == cheapest and others[s] > most)):
                cheapest = cost
                most = others[s]
                best[0] = wide
    if best[0] == 0:
        return 0.0
    return float((most + persons[cell] * lacking) / (cheapest * max(rows[cell], 1)))


@kernel
def squeezed(wide: int, columns: I64) -> int:
    """Number a set of columns by places in ``columns``; -1 when one of them is not listed."""
    short = 0
    for bit in range(columns.shape[0]):
        if wide >> columns[bit] & 1:
            short |= 1 << bit
            wide ^= 1 << columns[bit]
    return short if wide == 0 else -1


@kernel
def open_columns(cell: int, shown: I32, most: int, columns: I64) -> int:
    """List the columns that a cell still shows, at most so many; return their number."""
    count = 0
    for q in range(shown.shape[1]):
        if shown[cell, q] >= 0 and count < most:
            columns[count] = q
            count += 1
    return count


@kernel
def hide(cell: int, columns: int, shown: I32, persons: I64, matching: I64) -> None:
    """Hide columns of a cell, and count who agrees with it now."""
    width = shown.shape[1]
    for other in range(shown.shape[0]):
        between = apart(shown, cell, other, width)
        if between > 0 and between & ~columns == 0:
            matching[cell] += persons[other]
            matching[other] += persons[cell]
    for q in range(width):
        if columns >> q & 1:
            shown[cell, q] = HIDDEN


@kernel
def look_at(
    cell: int,
    shown: I32,
    persons: I64,
    rows: I64,
    matching: I64,
    k: int,
    price: F64,
    columns: I64,
    own: I64,
    others: I64,
    best: I64,
) -> float:
    """Appraise a cell that stands out: by few columns if that is enough, else by any of those it shows."""
    count = open_columns(cell, shown, columns.shape[0], columns)
    worth = appraise(
        cell, shown, persons, rows, matching, k, price, columns[:count], SHALLOW, own, others, best
    )
    if best[0] == 0 and count > SHALLOW:
        worth = appraise(
            cell, shown, persons, rows, matching, k, price, columns[:count], count, own, others, best
        )
    if best[0] == 0:
        # Not even all of these are enough: nothing is shown any more.
        best[0] = (1 << shown.shape[1]) - 1
        worth = 0.0
    return worth


@kernel
def suppress_greedily(
    shown: I32,
    persons: I64,
    rows: I64,
    matching: I64,
    k: int,
    needy: I64,
    price: F64,
    own: I64,
    others: I64,
    columns: I64,
    worth: F64,
    steps: int,
) -> int:
    """Hide values of the cells in ``needy`` until k persons agree with each; return how many lack them.

    The cell whose hiding does most for its price comes first. ``worth[i]`` is what the i-th was worth when
    it was looked at last, infinity when it has to be looked at anew. Stops after ``steps`` cells were
    looked at; those that lack nobody any more are moved to the end.
    """
    best = np.empty(1, np.int64)
    needing = int(needy.shape[0])
    while needing > 0:
        at = 0
        second = -1.0
        for i in range(1, needing):
            if worth[i] > worth[at]:
                second = worth[at]
                at = i
            elif worth[i] > second:
                second = worth[i]
        cell = needy[at]
        if matching[cell] < k:
            if steps == 0:
                return int(needing)
            steps -= 1
            worth[at] = look_at(cell, shown, persons, rows, matching, k, price, columns, own, others, best)
            if worth[at] < second:
                continue
            hide(cell, best[0], shown, persons, matching)
        needing -= 1
        needy[at] = needy[needing]
        worth[at] = worth[needing]
        needy[needing] = cell
    return 0


@kernel
def restore(
    shown: I32, codes: I32, persons: I64, rows: I64, matching: I64, k: int, cells: I64, columns: I64
) -> int:
    """Show hidden values again, in the order given, where nobody falls below k; return how many."""
    width = shown.shape[1]
    count = shown.shape[0]
    restored = 0
    for i in range(cells.shape[0]):
        cell = cells[i]
        q = columns[i]
        shown[cell, q] = codes[cell, q]
        lost = 0
        possible = True
        for other in range(count):
            if other != cell and apart(shown, cell, other, width) == 1 << q:
                lost += persons[other]
                if rows[other] > 0 and matching[other] - persons[cell] < k:
                    possible = False
                    break
        if possible and matching[cell] - lost >= k:
            restored += 1
            for other in range(count):
                if other != cell and apart(shown, cell, other, width) == 1 << q:
                    matching[other] -= persons[cell]
            matching[cell] -= lost
        else:
            shown[cell, q] = HIDDEN
    return restored
