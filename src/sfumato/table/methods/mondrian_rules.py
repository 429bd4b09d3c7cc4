"""Mondrian under any rules: how columns are ranked, what rules watch, and cuts that are taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.table.cells import Cells
from sfumato.table.judge import Judge
from sfumato.table.methods._kernels_mondrian import UNORDERED
from sfumato.table.methods.mondrian_boxes import Boxes
from sfumato.table.methods.mondrian_columns import Column
from sfumato.table.rule_lines import Book, book_of
from sfumato.table.rule_words import column_of, name_of

Ints = NDArray[np.int64]


class Ranked(NamedTuple):
    """What is known of the columns, by rank. Values of column j lie at ``offset[j]`` + rank."""

    kind: Ints
    offset: Ints
    values: Ints
    """how many ranks the column has"""
    missing: Ints
    """the rank of missing on an axis, or -1"""
    size: NDArray[np.float64]
    """how many values there could be"""
    axis: NDArray[np.float64]
    """where a value lies, as a share of the span"""
    tree_offset: Ints
    tree: NDArray[np.int32]
    """the group of a value; at ``tree_offset[j]`` + level · ``values[j]`` + rank"""
    shares: NDArray[np.float64]
    """the share of all leaves under that group; laid out as ``tree``"""


class Watch(NamedTuple):
    """What the rules need to know of cells, and room to add it up for both halves of a cut."""

    book: Book
    histogram: Ints
    """which histogram a rule watches; -1 for none"""
    rows: Ints
    most_persons: Ints
    """persons of a cell, also those who are counted in another"""
    population: Ints
    """persons of the population in a cell, but for those who are counted in another"""
    most_population: Ints
    starts_at: Ints
    starts: Ints
    """the first entry of cell c in histogram h, at ``starts_at[h]`` + c"""
    keys: Ints
    persons: Ints
    places: Ints
    """where the keys of each histogram begin among all; the last entry is where they end"""
    sums: Ints
    touched: Ints
    found: Ints
    sizes: Ints
    own_keys: Ints
    own_counts: NDArray[np.float64]
    spare: NDArray[np.float64]
    counts: Ints
    seen: Ints
    cuts: Ints
    widths: NDArray[np.float64]


def ranks_of(columns: Sequence[Column], cells: Cells) -> list[Ints]:
    """Return the codes of each column in the order in which it is cut.

    Along an axis; values without an order by falling number of rows; groups of a tree stay together.
    """
    orders = []
    for j, column in enumerate(columns):
        rows = np.bincount(cells.codes[j], weights=cells.rows, minlength=len(column.domain))
        if column.ladder is not None:
            orders.append(np.lexsort(column.tree))
        elif column.kind == UNORDERED:
            orders.append(np.argsort(-rows, kind="stable"))
        else:
            orders.append(np.arange(len(column.domain)))
    return orders


def ranked(columns: Sequence[Column], orders: Sequence[Ints]) -> Ranked:
    """Lay the columns out by rank."""
    values = np.array([len(column.domain) for column in columns], np.int64)
    in_trees = np.array([column.tree.size for column in columns], np.int64)
    pairs = list(zip(columns, orders, strict=True))
    return Ranked(
        kind=np.array([column.kind for column in columns], np.int64),
        offset=np.cumsum(values) - values,
        values=values,
        missing=np.array([column.missing for column in columns], np.int64),
        size=np.array([column.size for column in columns], np.float64),
        axis=np.concatenate([column.axis[order] for column, order in pairs]),
        tree_offset=np.cumsum(in_trees) - in_trees,
        tree=np.concatenate([column.tree[:, order].ravel() for column, order in pairs]),
        shares=np.concatenate([column.shares[:, order].ravel() for column, order in pairs]),
    )


def watch_of(judge: Judge, columns: Sequence[Column]) -> Watch:
    """Lay out what the rules watch."""
    cells = judge.cells
    begins = np.cumsum([0, *(len(h.keys) for h in cells.histograms)])
    widths = [len(h.domain) * len(h.groups) for h in cells.histograms]
    keys = max([1, *widths])
    longest = max(len(column.domain) for column in columns)
    nothing = np.zeros(0, np.int64)
    return Watch(
        book=book_of(judge.lines),
        histogram=np.array(judge.watched, np.int64),
        rows=np.array(cells.rows),
        most_persons=np.array(cells.persons),
        population=_home_population(cells),
        most_population=np.array(cells.persons if cells.population is None else cells.population),
        starts_at=np.arange(len(widths), dtype=np.int64) * (len(cells) + 1),
        starts=np.concatenate(
            [nothing, *(h.starts + begin for h, begin in zip(cells.histograms, begins, strict=False))]
        ),
        keys=np.concatenate([nothing, *(h.keys for h in cells.histograms)]),
        persons=np.concatenate([nothing, *(h.persons for h in cells.histograms)]),
        places=np.cumsum([0, *widths]).astype(np.int64),
        sums=np.zeros((2, max(1, sum(widths))), np.int64),
        touched=np.zeros((2, max(1, sum(widths))), np.int64),
        found=np.zeros((2, max(1, len(widths))), np.int64),
        sizes=np.zeros((2, 5), np.int64),
        own_keys=np.zeros((2, keys), np.int64),
        own_counts=np.zeros((2, keys)),
        spare=np.zeros(5 * keys),
        counts=np.full(longest, -1, np.int64),
        seen=np.zeros(longest, np.int64),
        cuts=np.zeros((longest, 2), np.int64),
        widths=np.zeros(len(columns)),
    )


def _home_population(cells: Cells) -> Ints:
    """Count everybody of the population in one cell only: the first of those that their rows lie in."""
    if cells.population is None or cells.population_spans is None:
        return np.array(cells.persons if cells.population is None else cells.population)
    spans = cells.population_spans
    elsewhere = np.ones(len(spans.cells), np.bool_)
    elsewhere[spans.starts[:-1]] = False
    return np.asarray(cells.population - np.bincount(spans.cells[elsewhere], minlength=len(cells)), np.int64)


def refuse_the_hopeless(judge: Judge) -> None:
    """Raise when even all cells as one box break a rule: every cut only starts from there."""
    everybody = np.zeros(len(judge.cells), np.int64)
    for r, rule in enumerate(judge.rules):
        if not judge.only(r).satisfied(everybody, 1)[0]:
            raise PromiseNotMet(
                f"even all records as one class break {name_of(rule)}, and Mondrian leaves none out",
                where=column_of(rule),
                remedy="relax this model, or use the optimal lattice with suppression",
            )


def taken_back(boxes: Boxes, broken: Ints) -> Boxes:
    """Undo the last cut around every broken box, with all cuts inside it.

    Boxes that show the same are one class; where a rule is not monotone, it may not hold for the union.
    """
    gone = np.zeros(len(boxes.splits), np.bool_)
    for box in broken:
        start = boxes.starts[box]
        around = (boxes.splits[:, 0] <= start) & (start < boxes.splits[:, 2]) & ~gone
        if around.any():
            last = boxes.splits[np.flatnonzero(around)[-1]]
            gone |= (boxes.splits[:, 0] >= last[0]) & (boxes.splits[:, 2] <= last[2])
    splits = boxes.splits[~gone]
    starts = np.sort(np.concatenate([[0], splits[:, 1], [len(boxes.records)]])).astype(np.int64)
    return Boxes(boxes.records, starts, splits)
