"""What clusters publish: ranges, sets and common nodes as Mondrian's boxes do, or centres."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.table.cells import Cells
from sfumato.table.methods._kernels_mondrian import ORDERED
from sfumato.table.methods.clustering.centres import centres
from sfumato.table.methods.mondrian import merge_equal
from sfumato.table.methods.mondrian_boxes import Boxes, generalised, tight
from sfumato.table.methods.mondrian_columns import Column
from sfumato.table.solution import Solution

Output = Literal["tight", "hierarchy", "centres"]


def shown(
    cells: Cells,
    columns: tuple[Column, ...],
    classes: NDArray[np.int64],
    output: Output,
    details: Mapping[str, int],
) -> Solution:
    """Describe the clusters of a partition; those that would show the same become one class."""
    order = np.argsort(classes, kind="stable")
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    starts = np.append(starts, len(cells)).astype(np.int64)
    records = np.empty((len(cells), len(columns) + 2), np.int32)
    records[:, : len(columns)] = cells.codes[:, order].T
    records[:, len(columns)] = 0
    records[:, len(columns) + 1] = order
    boxes = Boxes(records, starts, np.zeros((0, 4), np.int64))
    parts = []
    for j, column in enumerate(columns):
        if output == "centres" and column.kind == ORDERED:
            parts.append(centres(column, cells.codes[j][order], cells.rows[order], starts))
        else:
            parts.append(generalised(column, tight(boxes, j, column), of_region=False, overlapping=True))
    labels = np.array([of_box for _, of_box in parts], np.int32)
    kept, merged = merge_equal(labels)
    found = np.empty(len(cells), np.int32)
    found[order] = np.repeat(merged, np.diff(starts))
    return Solution(
        cells=cells,
        classes=found,
        boxes=np.ascontiguousarray(labels[:, kept]),
        columns=tuple(column for column, _ in parts),
        details={"clusters": len(kept), **details},
    )
