"""Local suppression when a missing value agrees with every value."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import Progress
from sfumato.table.methods._kernels_local_suppression import HIDDEN, restore, suppress_greedily
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.methods.mondrian import home_persons
from sfumato.table.wildcards import wildcard_frequencies

MOST_COLUMNS = 12
"""so many columns of a cell are thought of at once: all sets of them are weighed"""
MOST_CHOICES = 1000
"""of more choices of columns than these, none is looked at on its own"""
COMPARISONS_BETWEEN_REPORTS = 20_000_000


def hidden_values(
    layout: Layout,
    k: int,
    prices: tuple[float, ...],
    together: int,
    most_work: int,
    progress: Progress,
) -> NDArray[np.bool_] | None:
    """Return ``hidden[cell, column]`` so that k persons agree with every cell in any ``together`` columns.

    None when this would take more than ``most_work`` comparisons. Agreeing in all columns is agreeing in any:
    what that needs is taken when it is cheaper.
    """
    records = _records(layout)
    width = len(layout.ladders)
    whole = _hidden(records, k, prices, width, most_work, progress)
    if math.comb(width, together) > MOST_CHOICES:
        return whole
    found = whole if together == width else _hidden(records, k, prices, together, most_work, progress)
    if whole is None or found is None:
        return whole if found is None else found
    rows = records[2]
    return min(found, whole, key=lambda hidden: float(rows @ (hidden @ np.array(prices))))


def _hidden(
    records: tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]],
    k: int,
    prices: tuple[float, ...],
    together: int,
    most_work: int,
    progress: Progress,
) -> NDArray[np.bool_] | None:
    codes, persons, rows = records
    shown = codes.copy()
    width = codes.shape[1]
    choices = math.comb(width, together)
    spent = 0
    for done, chosen in enumerate(combinations(range(width), together)):
        some = np.array(chosen)
        part = np.ascontiguousarray(shown[:, some])
        matching = wildcard_frequencies(part.T, part.T == HIDDEN, persons)
        needy = np.flatnonzero((matching < k) & (rows > 0)).astype(np.int64)
        spent += len(needy) * len(codes)
        if spent > most_work:
            return None
        price = np.array([prices[j] for j in chosen])
        _suppress(part, persons, rows, matching, k, needy, price, progress, done / choices, 1 / choices)
        shown[:, some] = part
        if choices == 1:
            _restore(shown, codes, persons, rows, matching, k, price)
    hidden: NDArray[np.bool_] = (shown == HIDDEN) & (codes != HIDDEN)
    return hidden


def _records(layout: Layout) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return what the cells show (HIDDEN where a value was missing already), their persons and rows."""
    cells = layout.cells
    codes = np.empty((len(cells), len(layout.ladders)), np.int32)
    for j, ladder in enumerate(layout.ladders):
        shown = ladder.rungs[0][cells.codes[j]]
        missing = [group for group, label in enumerate(ladder.labels[0]) if label is None]
        codes[:, j] = np.where(np.isin(shown, missing), HIDDEN, shown)
    return codes, np.array(home_persons(cells), np.int64), np.array(cells.rows, np.int64)


def _suppress(
    shown: NDArray[np.int32],
    persons: NDArray[np.int64],
    rows: NDArray[np.int64],
    matching: NDArray[np.int64],
    k: int,
    needy: NDArray[np.int64],
    price: NDArray[np.float64],
    progress: Progress,
    done: float,
    share: float,
) -> None:
    most = min(shown.shape[1], MOST_COLUMNS)
    own, others = np.empty(1 << most, np.int64), np.empty(1 << most, np.int64)
    columns = np.empty(most, np.int64)
    worth = np.full(len(needy), np.inf)
    steps = max(COMPARISONS_BETWEEN_REPORTS // max(len(shown), 1), 1)
    needing = len(needy)
    while needing:
        needing = suppress_greedily(
            shown,
            persons,
            rows,
            matching,
            k,
            needy[:needing],
            price,
            own,
            others,
            columns,
            worth[:needing],
            steps,
        )
        progress.update(done + share * (1.0 - needing / len(needy)))


def _restore(
    shown: NDArray[np.int32],
    codes: NDArray[np.int32],
    persons: NDArray[np.int64],
    rows: NDArray[np.int64],
    matching: NDArray[np.int64],
    k: int,
    price: NDArray[np.float64],
) -> None:
    """Show values again that nobody needs hidden, the dearest first."""
    cells, columns = np.nonzero((shown == HIDDEN) & (codes != HIDDEN))
    dearest = np.argsort(-(rows[cells] * price[columns]), kind="stable")
    restore(shown, codes, persons, rows, matching, k, cells[dearest], columns[dearest])
