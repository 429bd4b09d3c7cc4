"""Boxes and values that stand for something else than they say: such a value is shown alone, or as ``*``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import ROOT
from sfumato.table.solution import SUPPRESSED, Generalised, Solution


def kept_apart(solution: Solution, apart: Mapping[str, tuple[str, ...]]) -> Solution:
    """Show ``*`` in a column where a class mixes one of its values that stand apart with others.

    A method that draws ranges reads the 000 of a hidden ZIP code as a number, and would publish
    ``[000-021]`` of people who live elsewhere. A class that has such a value alone shows it as it is. Classes
    with whole levels come from a hierarchy, in which these values are apart already. What was said of the
    score no longer holds of what is shown, and is taken back.
    """
    if solution.levels is not None or solution.unchanged:
        return solution
    columns, boxes, changed = list(solution.columns), solution.boxes.copy(), False
    for j, domain in enumerate(solution.cells.domains):
        codes = [code for code, text in enumerate(domain.texts) if text in apart.get(domain.name, ())]
        if not codes:
            continue
        mixed, alone = _holding(solution, j, codes)
        for classes, label, all_of_it in (
            (mixed, ROOT, True),
            *((one, domain.texts[code], False) for code, one in alone),
        ):
            shown = np.array([columns[j].labels[box] for box in boxes[j]], object)
            wrong = classes & (shown != label)
            if wrong.any():
                columns[j] = _with(columns[j], label, all_of_it=all_of_it)
                boxes[j, wrong] = len(columns[j].labels) - 1
                changed = True
    if not changed:
        return solution
    return replace(solution, boxes=boxes, columns=tuple(columns), score=None, bound=None, optimal=False)


def _holding(
    solution: Solution, column: int, codes: list[int]
) -> tuple[NDArray[np.bool_], list[tuple[int, NDArray[np.bool_]]]]:
    """Return the classes that mix one of the codes with others, and by code those that have it alone."""
    kept = solution.classes != SUPPRESSED
    classes, shown = solution.classes[kept], solution.cells.codes[column, kept]
    number = solution.boxes.shape[1]
    cells = np.bincount(classes, minlength=number)
    mixed = np.zeros(number, np.bool_)
    alone = []
    for code in codes:
        having = np.bincount(classes, shown == code, minlength=number)
        mixed |= (having > 0) & (having < cells)
        alone.append((code, (having > 0) & (having == cells)))
    return mixed, alone


def _with(column: Generalised, label: str | None, *, all_of_it: bool) -> Generalised:
    """Add a label to those that a column may show: one value, or nothing said of it."""

    def added(old: NDArray[np.float64], whole: float, single: float) -> NDArray[np.float64]:
        return np.append(old, whole if all_of_it else single)

    on_axis = not np.isnan(column.extent).all() if len(column.extent) else False
    in_levels = not np.isnan(column.levels).all() if len(column.levels) else False
    return replace(
        column,
        labels=(*column.labels, label),
        leaves=added(column.leaves, float(column.size), 1.0),
        extent=added(column.extent, column.span if on_axis else np.nan, 0.0 if on_axis else np.nan),
        levels=added(column.levels, column.height if in_levels else np.nan, 0.0 if in_levels else np.nan),
    )
