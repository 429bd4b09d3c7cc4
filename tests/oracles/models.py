"""Tables small enough to look at, for models: rows in Python lists, and what rules say of each class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pyarrow as pa

from sfumato.core.schema import Schema
from sfumato.engine.contract import Column, Table
from sfumato.hierarchy import Tree
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule
from tests.oracles.rules import NUMBERS, TREE, Class, Watched, holds

NODES = ("low", "7", "any")
"""nodes of the hierarchy, as guards name them"""
HIERARCHY = Tree({"any": {"low": [0, 1, 2], "high": [4, 7]}})

Row = tuple[str, int, str]
"""a quasi-identifier, a sensitive number, and what is known or guarded"""


class RowsEngine:
    """Just enough of an engine to count rows that lie in a frame."""

    name = "rows"

    def __init__(self, data: pd.DataFrame) -> None:
        self.rows = [tuple(None if pd.isna(v) else v for v in row) for row in data.to_numpy(object).tolist()]
        self.places = {name: j for j, name in enumerate(data.columns)}

    def count(
        self, table: Table, quasi: Sequence[str], *, person: str | None = None
    ) -> Iterator[pa.RecordBatch]:
        found: dict[tuple[Any, ...], list[Any]] = {}
        for number, row in enumerate(self.rows):
            key = tuple(row[self.places[name]] for name in quasi)
            found.setdefault(key, []).append(number if person is None else row[self.places[person]])
        if not found:
            return
        columns = [pa.array([key[j] for key in found]) for j in range(len(quasi))]
        rows = pa.array([len(who) for who in found.values()], pa.int64())
        persons = pa.array([len(set(who)) for who in found.values()], pa.int64())
        names = [*quasi, "rows of it", "persons of it"]
        yield pa.RecordBatch.from_arrays([*columns, rows, persons], names)

    def spans(self, table: Table, quasi: Sequence[str], person: str) -> Iterator[pa.RecordBatch]:
        cells: dict[Any, set[tuple[Any, ...]]] = {}
        for row in self.rows:
            cells.setdefault(row[self.places[person]], set()).add(tuple(row[self.places[q]] for q in quasi))
        pairs = [(i, *cell) for i, found in enumerate(cells.values()) if len(found) > 1 for cell in found]
        if pairs:
            yield pa.RecordBatch.from_arrays(
                [pa.array(list(part)) for part in zip(*pairs, strict=True)], ["number", *quasi]
            )

    def first_rows(
        self, table: Table, quasi: Sequence[str], combination: pa.Table, limit: int = 3
    ) -> list[int]:
        wanted = {tuple(row.values()) for row in combination.to_pylist()}
        matching = [
            number
            for number, row in enumerate(self.rows, 1)
            if tuple(row[self.places[name]] for name in quasi) in wanted
        ]
        return matching[:limit]


def table_of(data: pd.DataFrame) -> Table:
    """Put a frame behind an engine."""
    columns = tuple(Column(name, "string") for name in data.columns)
    return Table(RowsEngine(data), "rows", columns)  # type: ignore[arg-type]


def publish(
    data: pd.DataFrame, quasi: Sequence[str], sensitive: Sequence[str] = (), **more: Any
) -> PublishedTable:
    """Publish a frame."""
    return PublishedTable(table_of(data), tuple(quasi), tuple(sensitive), **more)


def frame(rows: Sequence[Row]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["quasi", "ill", "shared"])


def published(rows: Sequence[Row], population: Sequence[str] = (), *, known: bool = False) -> PublishedTable:
    """Publish rows: ``shared`` is what an adversary knows besides, or what people want guarded."""
    data = frame(rows)
    everybody = pd.DataFrame({"quasi": [*data["quasi"], *population]})
    return publish(
        data,
        ["quasi"],
        ["ill", "shared"] if known else ["ill"],
        known=("shared",) if known else (),
        guard=None if known else "shared",
        hierarchies={"ill": HIERARCHY},
        population=publish(everybody, ["quasi"]),
        original=table_of(data),
    )


def schema(*, known: bool = False) -> Schema:
    """The schema that goes with ``published``."""
    if known:
        return Schema.of(
            ["quasi", "ill", "shared"], quasi=["quasi"], sensitive=["ill", "shared"], known=["shared"]
        )
    return Schema.of(["quasi", "ill", "shared"], quasi=["quasi"], sensitive=["ill"], guard="shared")


def broken(rules: Sequence[Rule], rows: Sequence[Row], population: Sequence[str] = ()) -> set[str]:
    """Return the classes (by their quasi-identifier) that break a rule, read record by record."""
    everybody = Counter([*(quasi for quasi, _, _ in rows), *population])
    data = Watched(
        SimpleNamespace(people=None),  # type: ignore[arg-type]
        tuple(ill for _, ill, _ in rows),
        tuple(shared for _, _, shared in rows),
        (),
        TREE,
    )
    found = set()
    for name, matching in everybody.items():
        members = [(i, shared, ill) for i, (quasi, ill, shared) in enumerate(rows) if quasi == name]
        group = Class(tuple(members), matching)
        if not all(holds(rule, group, data) for rule in rules):
            found.add(name)
    return found


__all__ = ["NODES", "NUMBERS", "Row", "broken", "frame", "publish", "published", "schema"]
