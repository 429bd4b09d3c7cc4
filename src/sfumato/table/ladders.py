"""Hierarchies laid over the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from sfumato.engine.contract import Table
from sfumato.hierarchy import infer
from sfumato.hierarchy.ladder import Hierarchy, Ladder, UncoveredValues
from sfumato.table.count import Counted


def ladders_for(
    table: Table, counted: Counted, hierarchies: Mapping[str, Hierarchy], *, infer_missing: bool
) -> tuple[Mapping[str, Hierarchy], tuple[Ladder | None, ...]]:
    """Lay the hierarchies over their columns; infer those that nobody gave, where they are needed."""
    if infer_missing:
        inferred = {d.name: infer(d) for d in counted.cells.domains if d.name not in hierarchies}
        hierarchies = {**hierarchies, **inferred}
    return hierarchies, _lay(table, counted, hierarchies)


def _lay(table: Table, counted: Counted, hierarchies: Mapping[str, Hierarchy]) -> tuple[Ladder | None, ...]:
    """Lay each hierarchy over its column; say in which rows the values lie that it does not cover."""
    ladders: list[Ladder | None] = []
    for domain, kind in zip(counted.cells.domains, counted.types, strict=True):
        if domain.name not in hierarchies:
            ladders.append(None)
            continue
        try:
            ladders.append(hierarchies[domain.name].ladder(domain))
        except UncoveredValues as problem:
            values = pa.array([domain.values[code] for code in problem.codes], kind)
            rows = table.engine.first_rows(table, [domain.name], pa.table({domain.name: values}))
            problem.what += f" (first in row {', '.join(str(row) for row in rows)})"
            raise
    return tuple(ladders)
