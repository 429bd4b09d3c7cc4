"""What the boxes of Mondrian publish, and how wide it is.

A single value is published as it is, a range of an axis as ``[20-35]``, values without an order as
``{A, B}``, with `` or missing`` behind it where some records have no value. In sets a backslash stands
before commas, braces and backslashes of a value; a single value that could be taken for one of these
labels is published as a set of one.
"""

from __future__ import annotations

import datetime as dt
import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Scale
from sfumato.hierarchy.ladder import ROOT
from sfumato.table.methods._kernels_mondrian import ORDERED, TREE
from sfumato.table.methods._kernels_mondrian_boxes import describe_boxes, trace_ranges, trace_sets
from sfumato.table.methods.mondrian_columns import Column
from sfumato.table.solution import Generalised

OR_MISSING = " or missing"
_ESCAPES = str.maketrans({letter: "\\" + letter for letter in "\\,{}"})


class Boxes(NamedTuple):
    """Cells in the order of their boxes: box i holds the rows from ``starts[i]`` to ``starts[i + 1]``.

    ``splits`` are the cuts that led there, parents first: first row, middle, end, column.
    """

    records: NDArray[np.int32]
    starts: NDArray[np.int64]
    splits: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1


class Descriptions(NamedTuple):
    """What boxes show in a column: box i shows ``store[begins[v]:begins[v + 1]]`` with v = ``of_box[i]``."""

    of_box: NDArray[np.int32]
    begins: NDArray[np.int64]
    store: NDArray[np.int32]


class Labels(NamedTuple):
    """What is published for each description, and how wide it is."""

    texts: list[str | None]
    leaves: NDArray[np.float64]
    extent: NDArray[np.float64]
    levels: NDArray[np.float64]


def tight(boxes: Boxes, j: int, column: Column) -> Descriptions:
    """Describe boxes by the values that are in them."""
    count = len(boxes)
    of_box = np.empty(count, np.int32)
    begins = np.empty(count + 1, np.int64)
    store = np.empty(len(boxes.records) + 3 * count, np.int32)
    table = np.full(2 * count + 1, -1, np.int64)
    known = describe_boxes(
        boxes.records, boxes.starts, j, column.kind, column.missing, column.tree, table, begins, store, of_box
    )
    return Descriptions(of_box, begins[: known + 1], store[: int(begins[known])])


def region(boxes: Boxes, j: int, column: Column) -> Descriptions:
    """Describe boxes by the bounds that the cuts along the column drew."""
    regions = 1 + 2 * int(np.count_nonzero(boxes.splits[:, 3] == j))
    begins = np.empty(regions + 1, np.int64)
    of_row = np.zeros(len(boxes.records), np.int32)
    codes = len(column.domain)
    if column.kind == ORDERED:
        store = np.array([0, codes - 1] * regions, np.int32)
        trace_ranges(boxes.records, boxes.splits, j, begins, store, of_row)
    else:
        trace_sets(boxes.records, boxes.splits, j, codes, False, begins, np.empty(0, np.int32), of_row)
        store = np.empty(int(begins[-1]), np.int32)
        store[:codes] = np.arange(codes)
        trace_sets(boxes.records, boxes.splits, j, codes, True, begins, store, of_row)
    return Descriptions(of_row[boxes.starts[:-1]], begins, store)


def generalised(
    column: Column, descriptions: Descriptions, *, of_region: bool, overlapping: bool
) -> tuple[Generalised, NDArray[np.int32]]:
    """Write the labels of a column; return them and which of them each box shows."""
    if column.kind == TREE:
        labels = _nodes(column, *descriptions.store.reshape(-1, 2).T)
    elif column.kind != ORDERED:
        labels = _sets(column, descriptions)
    elif of_region:
        labels = _region_ranges(column, *descriptions.store.reshape(-1, 2).T, overlapping=overlapping)
    else:
        labels = _ranges(column, *descriptions.store.reshape(-1, 3).T)
    of_box = descriptions.of_box
    if of_region or column.kind == TREE:
        labels, of_box = _without_repetition(labels, of_box)
    shown = Generalised(
        name=column.domain.name,
        labels=tuple(labels.texts),
        leaves=labels.leaves,
        size=column.size,
        extent=labels.extent,
        span=column.span if column.kind == ORDERED else math.nan,
        levels=labels.levels,
        height=column.ladder.height if column.ladder is not None else 0,
    )
    return shown, of_box


def _without_repetition(labels: Labels, of_box: NDArray[np.int32]) -> tuple[Labels, NDArray[np.int32]]:
    """Keep the labels that some box shows, once each."""
    place: dict[str | None, int] = {}
    position = np.array([place.setdefault(text, v) for v, text in enumerate(labels.texts)])
    used, shown = np.unique(position[of_box], return_inverse=True)
    texts = [labels.texts[v] for v in used.tolist()]
    kept = Labels(texts, labels.leaves[used], labels.extent[used], labels.levels[used])
    return kept, shown.astype(np.int32)


def _nodes(column: Column, level: NDArray[np.int32], code: NDArray[np.int32]) -> Labels:
    """Write the lowest common nodes of a hierarchy."""
    ladder = column.ladder
    assert ladder is not None
    groups = [
        (up, int(ladder.rungs[up, at])) if up <= ladder.height else (up, -1)
        for up, at in zip(level.tolist(), code.tolist(), strict=True)
    ]
    nothing = np.full(len(groups), math.nan)
    return Labels(
        [ROOT if at < 0 else ladder.labels[up][at] for up, at in groups],
        np.array([ladder.size if at < 0 else float(ladder.leaves[up][at]) for up, at in groups], np.float64),
        nothing,
        np.minimum(level, ladder.height).astype(np.float64),
    )


def _sets(column: Column, descriptions: Descriptions) -> Labels:
    """Write values without an order."""
    texts = column.domain.texts
    inside = ["" if text is None else text.translate(_ESCAPES) for text in texts]
    alone = [text if text is None else _single(text) for text in texts]
    codes = descriptions.store.tolist()
    missing = column.missing
    labels: list[str | None] = []
    for begin, end in pairwise(descriptions.begins.tolist()):
        if end - begin == 1:
            labels.append(alone[codes[begin]])
        elif codes[end - 1] == missing:
            members = ", ".join([inside[code] for code in codes[begin : end - 1]])
            labels.append(f"{{{members}}}{OR_MISSING}")
        else:
            members = ", ".join([inside[code] for code in codes[begin:end]])
            labels.append(f"{{{members}}}")
    nothing = np.full(len(labels), math.nan)
    return Labels(labels, np.diff(descriptions.begins).astype(np.float64), nothing, nothing)


def _single(text: str) -> str:
    """Write one value so that it is not taken for a label of several."""
    if text == ROOT or text.startswith(("[", "{")):
        return f"{{{text.translate(_ESCAPES)}}}"
    return text


def _dash(column: Column) -> str:
    """What stands between bounds: it keeps its distance where a value has a dash of its own."""
    return " - " if any(text is not None and "-" in text for text in column.domain.texts) else "-"


def _ranges(
    column: Column, low: NDArray[np.int32], high: NDArray[np.int32], mixed: NDArray[np.int32]
) -> Labels:
    """Write the values from one code to another, with missing besides where ``mixed``."""
    texts = column.domain.texts
    dash = _dash(column)
    labels = [
        texts[a] if a == b else f"[{texts[a]}{dash}{texts[b]}]"
        for a, b in zip(low.tolist(), high.tolist(), strict=True)
    ]
    for v in np.flatnonzero(mixed).tolist():
        bounds = f"[{labels[v]}]" if low[v] == high[v] else labels[v]
        labels[v] = f"{bounds}{OR_MISSING}"
    axis = np.append(column.positions, 0.0)
    extent = np.where(mixed > 0, column.span, axis[high] - axis[low])
    leaves = (high - low + 1 + mixed).astype(np.float64)
    return Labels(labels, leaves, extent, np.full(len(labels), math.nan))


def _region_ranges(
    column: Column, first: NDArray[np.int32], last: NDArray[np.int32], *, overlapping: bool
) -> Labels:
    """Write regions of an axis: up to where the next one begins.

    Whole numbers and days end one before it, others are half open. Regions that overlap end with the
    value that they share.
    """
    mixed = (first < last) & (last == column.missing)
    last = last - mixed
    labels = _ranges(column, first, last, mixed.astype(np.int32))
    if overlapping:
        return labels
    texts = column.domain.texts
    dash = _dash(column)
    stepwise = _in_whole_steps(column)
    for v in np.flatnonzero((last + 1 < len(column.positions)) & (first != column.missing)).tolist():
        following = int(last[v]) + 1
        begin, end = float(column.positions[first[v]]), float(column.positions[following])
        if end == column.positions[last[v]]:
            # The same number, written in another way, begins the next region.
            continue
        if not stepwise:
            labels.texts[v] = f"[{texts[first[v]]}{dash}{texts[following]})"
            labels.extent[v] = end - begin
        elif end - 1 > begin:
            day = column.domain.scale is Scale.DATE
            upper = dt.date.fromordinal(int(end) - 1).isoformat() if day else str(int(end) - 1)
            labels.texts[v] = f"[{texts[first[v]]}{dash}{upper}]"
            labels.extent[v] = end - 1 - begin
    return labels


def _in_whole_steps(column: Column) -> bool:
    """Whether all values are whole numbers or whole days."""
    timed = any(isinstance(value, dt.datetime) for value in column.domain.values)
    return not timed and bool((column.positions == np.floor(column.positions)).all())
