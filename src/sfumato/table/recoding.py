"""From a solution on cells to a recoding that an engine applies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from sfumato.engine.names import BOX
from sfumato.engine.recoding import LABEL, VALUE, PerAttribute, PerCell, Recoding
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.count import Counted
from sfumato.table.solution import SUPPRESSED, Solution


def to_recoding(solution: Solution, counted: Counted, ladders: Sequence[Ladder | None]) -> Recoding:
    """Write a solution down as maps (when whole columns were generalised) or as boxes."""
    if solution.unchanged:
        return _as_they_are(solution, counted)
    if solution.levels is None:
        return _per_cell(solution, counted)
    climbed = [
        (ladder, level) for ladder, level in zip(ladders, solution.levels, strict=True) if ladder is not None
    ]
    return _per_attribute(solution, counted, climbed)


def _values(counted: Counted, column: int) -> pa.Array:
    return pa.array(counted.cells.domains[column].values, type=counted.types[column])


def map_of(counted: Counted, column: int, ladder: Ladder, level: int) -> pa.Table:
    """Return the map from the values of a column to their labels at a level."""
    labels = [ladder.labels[level][group] for group in ladder.rungs[level]]
    return pa.table({VALUE: _values(counted, column), LABEL: pa.array(labels, pa.string())})


def _per_attribute(
    solution: Solution, counted: Counted, climbed: Sequence[tuple[Ladder, int]]
) -> PerAttribute:
    cells = counted.cells
    maps = {}
    groups = []
    for j, (ladder, level) in enumerate(climbed):
        group = ladder.rungs[level].astype(np.int64)
        groups.append(group)
        labels = tuple(ladder.labels[level][g] for g in group)
        if labels != cells.domains[j].texts:
            maps[ladder.name] = map_of(counted, j, ladder, level)
    out = solution.classes == SUPPRESSED
    if not out.any():
        return PerAttribute(cells.names, maps)
    left_out = np.unique(
        np.stack([group[cells.codes[j, out]] for j, group in enumerate(groups)], axis=1), axis=0
    )
    columns = {}
    for j, (ladder, level) in enumerate(climbed):
        if ladder.name in maps:
            columns[ladder.name] = pa.array([ladder.labels[level][g] for g in left_out[:, j]], pa.string())
        else:
            first = np.empty(len(ladder.labels[level]), np.int64)
            first[groups[j]] = np.arange(len(groups[j]))
            columns[ladder.name] = _values(counted, j).take(pa.array(first[left_out[:, j]]))
    return PerAttribute(cells.names, maps, pa.table(columns))


def _as_they_are(solution: Solution, counted: Counted) -> PerAttribute:
    """Change no value; only leave out what is suppressed."""
    cells = counted.cells
    out = solution.classes == SUPPRESSED
    if not out.any():
        return PerAttribute(cells.names, {})
    left_out = {
        name: _values(counted, j).take(pa.array(cells.codes[j, out])) for j, name in enumerate(cells.names)
    }
    return PerAttribute(cells.names, {}, pa.table(left_out))


def _per_cell(solution: Solution, counted: Counted) -> PerCell:
    cells = counted.cells
    members = {name: _values(counted, j).take(pa.array(cells.codes[j])) for j, name in enumerate(cells.names)}
    members[BOX] = pa.array(solution.classes, mask=solution.classes == SUPPRESSED)
    boxes = {BOX: pa.array(np.arange(solution.boxes.shape[1], dtype=np.int32))}
    for j, name in enumerate(cells.names):
        labels = pa.array(solution.columns[j].labels, pa.string())
        boxes[name] = labels.take(pa.array(solution.boxes[j]))
    return PerCell(cells.names, pa.table(members), pa.table(boxes))
