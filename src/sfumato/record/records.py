"""The records of one file, in memory: one for each row, or one for all rows with the same record number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput, nearest
from sfumato.engine.contract import Engine, Layout
from sfumato.engine.recoding import PerAttribute
from sfumato.engine.sources import Frame, Source, source_of
from sfumato.table.attacks.matching.candidates import encoded

Ints = NDArray[np.int64]
_BETWEEN = "; "


@dataclass(frozen=True)
class Records:
    """The columns of a file that a chain reads; ``rows`` are the row numbers of the file (from 1)."""

    columns: dict[str, pa.ChunkedArray] = field(repr=False)
    rows: Ints = field(repr=False)
    left_out: int = 0
    """rows that belong to no record"""
    sets: dict[str, tuple[Ints, list[Any]]] = field(default_factory=dict, repr=False)
    """columns of which some record has several values: pairs of a record and a value, and the values"""

    def __len__(self) -> int:
        return len(self.rows)


def read_records(
    engine: Engine, file: Any, columns: Sequence[str], record: str | None, where: str
) -> Records:
    """Read some columns of a file and put rows of the same record together."""
    source: Source
    if isinstance(file, Source):
        source = file
    else:
        source = source_of(file) if isinstance(file, str | Path) else Frame(file)
    table = engine.read(source)
    for name in columns:
        if name not in table.names:
            raise BadInput(f"there is no column '{name}'", where=where, remedy=nearest(name, table.names))
    picked = engine.recode(table, PerAttribute((), {}), Layout(tuple(columns), ()))
    data = engine.arrow(picked)
    if not data.num_rows:
        raise BadInput("it has no rows", where=where, remedy="give a file with at least one")
    if record is None:
        rows = np.arange(1, data.num_rows + 1)
        return Records({name: data[name] for name in columns}, rows)
    return _together(data, columns, record, where)


def _together(data: pa.Table, columns: Sequence[str], record: str, where: str) -> Records:
    """Make one record of all rows with the same number; several values are written as one set."""
    present = pc.is_valid(data[record])
    rows = np.flatnonzero(present.to_numpy()) + 1
    kept = data.filter(present)
    if not kept.num_rows:
        raise BadInput("no row has a record number", where=f"{where}, column '{record}'", remedy="check it")
    _, number = encoded(kept[record])
    first = np.unique(number, return_index=True)[1]
    found: dict[str, pa.ChunkedArray] = {}
    several: dict[str, tuple[Ints, list[Any]]] = {}
    for name in columns:
        values, code = encoded(kept[name])
        pairs = np.unique(np.stack([number, code]), axis=1)
        starts = np.searchsorted(pairs[0], np.arange(len(first) + 1))
        if len(first) == pairs.shape[1]:
            found[name] = kept[name].take(pa.array(first))
            continue
        several[name] = (pairs, values)
        sets = [
            sorted({as_text(values[c]) for c in pairs[1, a:b].tolist() if values[c] is not None})
            for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        ]
        texts = pa.array([_BETWEEN.join(some) if some else None for some in sets], pa.string())
        found[name] = pa.chunked_array([texts])
    return Records(found, rows[first], data.num_rows - kept.num_rows, several)


def numbered_alike(
    one: Sequence[pa.ChunkedArray], other: Sequence[pa.ChunkedArray], *, as_texts: bool = False
) -> tuple[Ints, Ints]:
    """Number the combinations of two lists of columns so that equal ones have equal numbers.

    With ``as_texts`` the number 5 and the text of it are equal.

    >>> number = numbered_alike([pa.chunked_array([["a", None]])], [pa.chunked_array([[None, "b", "a"]])])
    >>> [side.tolist() for side in number]
    [[0, 1], [1, 2, 0]]
    """
    here, there = np.zeros(len(one[0]), np.int64), np.zeros(len(other[0]), np.int64)
    for left, right in zip(one, other, strict=True):
        code_of: dict[Any, int] = {}
        coded = []
        for column in (left, right):
            values, codes = encoded(column)
            if as_texts:
                values = [None if value is None else as_text(value) for value in values]
            numbers = np.array([code_of.setdefault(value, len(code_of)) for value in values], np.int64)
            coded.append(numbers[codes])
        both = np.concatenate([here * len(code_of) + coded[0], there * len(code_of) + coded[1]])
        both = np.unique(both, return_inverse=True)[1].astype(np.int64)
        here, there = both[: len(here)], both[len(here) :]
    return here, there
