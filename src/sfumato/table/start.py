"""Where a search starts: at the values themselves, or, when their cells do not fit into memory, higher.

Cells do not always shrink. When a table may have more of them than memory allows, their number is
estimated; past the limit the columns with most values are generalised inside the engine, one level
at a time, until the cells fit. What is optimal is then optimal from these levels upwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Layout, Table
from sfumato.engine.recoding import PerAttribute
from sfumato.hierarchy.ladder import Hierarchy, Ladder
from sfumato.table.count import Counted, Watched, count
from sfumato.table.ladders import ladders_for
from sfumato.table.recoding import map_of

BYTES_PER_CODE = 4
BYTES_PER_CELL = 140
"""what the searches were seen to hold for each cell, its codes apart"""


@dataclass(frozen=True)
class Start:
    """The table that is searched, its cells and ladders, and the levels that were skipped."""

    table: Table
    counted: Counted
    hierarchies: Mapping[str, Hierarchy]
    """those that were given, and those that were inferred"""
    ladders: tuple[Ladder | None, ...]
    skipped: tuple[int, ...]
    population: Table | None = None
    """everybody whom the table was drawn from, generalised as it is"""

    @property
    def at_the_bottom(self) -> bool:
        """Whether no level was skipped."""
        return not any(self.skipped)


def bytes_for(cells: int, columns: int) -> int:
    """Return how much memory a search needs for so many cells."""
    return cells * (columns * BYTES_PER_CODE + BYTES_PER_CELL)


def starting_point(
    table: Table,
    quasi: tuple[str, ...],
    person: str | None,
    hierarchies: Mapping[str, Hierarchy],
    *,
    infer_missing: bool,
    memory: int,
    watched: Sequence[Watched] = (),
    population: Table | None = None,
    population_person: str | None = None,
) -> Start:
    """Count the cells of a table, or of the least generalised one whose cells fit into memory."""
    most = memory // bytes_for(1, len(quasi))
    engine = table.engine
    if not quasi or engine.rows(table) <= most or _combinations(table, quasi, watched) <= most:
        counted = count(
            table,
            quasi,
            person=person,
            watched=watched,
            population=population,
            population_person=population_person,
        )
        hierarchies, ladders = ladders_for(table, counted, hierarchies, infer_missing=infer_missing)
        return Start(table, counted, hierarchies, ladders, (0,) * len(quasi), population)
    if not infer_missing:
        raise BadInput(
            "the distinct combinations of quasi-identifiers do not fit into memory",
            remedy="raise 'memory', or use optimal-lattice, which can start from generalised values",
        )
    if population is not None:
        raise BadInput(
            "the distinct combinations of quasi-identifiers do not fit into memory",
            remedy="raise 'memory': with a population the search cannot start from generalised values",
        )
    return _coarse(table, quasi, person, hierarchies, most, watched)


def _combinations(table: Table, quasi: tuple[str, ...], watched: Sequence[Watched]) -> int:
    """Estimate the largest number of combinations that are to be counted."""
    sensitive = [(*quasi, *known, column) for column, known in watched]
    return max(table.engine.estimate(table, names) for names in (quasi, *sensitive))


def _coarse(
    table: Table,
    quasi: tuple[str, ...],
    person: str | None,
    hierarchies: Mapping[str, Hierarchy],
    most: int,
    watched: Sequence[Watched],
) -> Start:
    single = {name: count(table, [name]) for name in quasi}
    full: dict[str, Ladder] = {}
    for name, counted in single.items():
        inferred, (ladder,) = ladders_for(table, counted, hierarchies, infer_missing=True)
        hierarchies = {**hierarchies, **inferred}
        assert ladder is not None
        full[name] = ladder
    levels = dict.fromkeys(quasi, 0)
    coarse = _lifted(table, single, full, levels)
    while _combinations(coarse, quasi, watched) > most:
        widest = max(quasi, key=lambda name: _values_to_lose(full[name], levels[name]))
        if _values_to_lose(full[widest], levels[widest]) == 0:
            break
        levels[widest] += 1
        coarse = _lifted(table, single, full, levels)
    counted = count(coarse, quasi, person=person, watched=watched)
    ladders = tuple(
        _above(full[domain.name], levels[domain.name], domain.texts) for domain in counted.cells.domains
    )
    return Start(coarse, counted, hierarchies, ladders, tuple(levels[name] for name in quasi))


def _lifted(
    table: Table, single: Mapping[str, Counted], full: Mapping[str, Ladder], levels: Mapping[str, int]
) -> Table:
    """Generalise columns inside the engine; values that a hierarchy hides are hidden at every level."""
    maps = {
        name: map_of(single[name], 0, full[name], level)
        for name, level in levels.items()
        if level or full[name].hides_values(single[name].cells.domains[0])
    }
    if not maps:
        return table
    return table.engine.recode(table, PerAttribute(tuple(levels), maps), Layout(table.names, tuple(levels)))


def _values_to_lose(ladder: Ladder, level: int) -> int:
    """Return how many values a column shows at a level; 0 when it cannot climb."""
    return len(ladder.labels[level]) if level < ladder.height else 0


def _above(ladder: Ladder, level: int, shown: tuple[str | None, ...]) -> Ladder:
    """Return the part of a ladder from a level upwards, over the labels that are shown there."""
    group_of = {label: group for group, label in enumerate(ladder.labels[level])}
    some_code = np.empty(len(ladder.labels[level]), np.int64)
    some_code[ladder.rungs[level]] = np.arange(ladder.rungs.shape[1])
    codes = some_code[[group_of[label] for label in shown]]
    rungs = np.ascontiguousarray(ladder.rungs[level:, codes])
    return Ladder(ladder.name, rungs, ladder.labels[level:], ladder.leaves[level:], ladder.size)
