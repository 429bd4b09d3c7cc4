"""Verify the files of a release under differential privacy: values of public domains, and nothing else."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.evidence import DataEvidence
from sfumato.core.files import read_bytes, unpacked_bytes
from sfumato.core.findings import Finding, Status, finding, many, written_again
from sfumato.core.fingerprint import sha256_of
from sfumato.core.system import raise_system_fault
from sfumato.core.temporary import temporary_folder
from sfumato.engine.contract import Order, Table
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.sources import CsvFile, ParquetFile, Source
from sfumato.recipe.query.released_schema import ReleasedColumn, ReleasedCounts
from sfumato.recipe.query.written import labelled

_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_FIRST_DAY = dt.date(1970, 1, 1)
_FLAGS, _PLAIN = 3, 0
"""where a packed file says that it carries a name or a remark, and what says that it does not"""


def fingerprint_of(folder: Path, told: DataEvidence, what: str) -> Finding:
    """Compare a file with its fingerprint and its size."""
    path = folder / told.file
    same = sha256_of(path) == told.sha256 and path.stat().st_size == told.bytes
    return finding(
        f"{what} are those that were released",
        same,
        "the fingerprint is the same",
        "the fingerprint is another: the file was changed",
    )


def records(
    engine: DuckEngine, folder: Path, told: DataEvidence, columns: list[ReleasedColumn]
) -> list[Finding]:
    """Every value of the drawn records lies in the public domain of its column."""
    claim = f"{many(told.rows, 'record')} of {many(len(columns), 'column')}, every value in its public domain"
    path = folder / told.file
    try:
        table = engine.as_text(engine.read(_source(path)))
        if table.names != tuple(column.name for column in columns):
            return [Finding(claim, Status.REFUTED, "the file has other columns")]
        rows = engine.rows(table)
        outside = [column.name for column in columns if not _within(engine, table, column)]
        alone = _nothing_else(engine, table, path)
    except (SfumatoError, OSError, pa.ArrowException, ValueError) as problem:
        raise_system_fault(problem)
        return [Finding(claim, Status.REFUTED, "the file could not be read as what it should be")]
    if rows != told.rows:
        return [Finding(claim, Status.REFUTED, f"it has {rows:,} records")]
    if outside:
        return [Finding(claim, Status.REFUTED, f"values lie outside in {', '.join(outside)}")]
    return [Finding(claim, Status.CONFIRMED, "read and compared"), alone]


def counts(engine: DuckEngine, folder: Path, told: DataEvidence, declared: ReleasedCounts) -> list[Finding]:
    """A table of counts has one row for each combination of public labels, in order, and finite counts."""
    names = [axis.name for axis in declared.axes]
    claim = f"counts by {' × '.join(names)} cover the public domain, each cell once"
    path = folder / told.file
    cells = math.prod(len(axis.labels) for axis in declared.axes)
    if cells != told.rows:
        return [Finding(claim, Status.REFUTED, f"{told.rows:,} rows are told, of {cells:,} cells")]
    try:
        table = engine.as_text(engine.read(_source(path)))
        if engine.rows(table) != cells:
            return [Finding(claim, Status.REFUTED, "it has another number of cells")]
        found = engine.arrow(table, order=Order.KEPT)
        alone = _nothing_else(engine, table, path)
        numbers = np.array([float(text) for text in found.column(found.num_columns - 1).to_pylist()])
        expected = labelled([axis.labels for axis in declared.axes], numbers, names)
        same = found.column_names == expected.column_names and all(
            found.column(i).equals(expected.column(i)) for i in range(len(names))
        )
    except (SfumatoError, OSError, pa.ArrowException, ValueError, TypeError, IndexError) as problem:
        raise_system_fault(problem)
        return [Finding(claim, Status.REFUTED, "the file could not be read as what it should be")]
    sound = same and bool(np.isfinite(numbers).all())
    return [finding(claim, sound, many(cells, "cell"), "labels or counts are others"), alone]


def _source(path: Path) -> Source:
    if path.suffix == ".parquet":
        return ParquetFile(path)
    return CsvFile(path, ",", quoted_missing=False)


def _within(engine: DuckEngine, table: Table, column: ReleasedColumn) -> bool:
    fits = _checker(column)
    return all(
        column.missing if value is None else fits(value)
        for batch in engine.count(table, [column.name])
        for value in batch.column(0).to_pylist()
    )


def _checker(column: ReleasedColumn) -> Callable[[str], bool]:
    """Return what says of a text whether it is a value of a column."""
    if column.type in ("category", "label"):
        known = frozenset(column.values or ())
        return known.__contains__
    if column.type == "boolean":
        return ("true", "false").__contains__
    if column.first is None or column.last is None or column.grid is None:
        raise BadInput("a column of numbers has no domain")
    first, last, grid = column.first, column.last, Fraction(column.grid)

    def day(text: str) -> bool:
        return first <= (dt.date.fromisoformat(text) - _FIRST_DAY).days / grid <= last and len(text) == 10

    def whole(text: str) -> bool:
        return _WHOLE.fullmatch(text) is not None and _on_grid(Fraction(text), grid, first, last)

    def number(text: str) -> bool:
        value = float(text)
        steps = round(Fraction(value) / grid) if math.isfinite(value) else last + 1
        # A number has one spelling: others could carry a hidden mark.
        return first <= steps <= last and text == repr(float(steps * grid))

    return {"date": day, "integer": whole}.get(column.type, number)


def _on_grid(value: Fraction, grid: Fraction, first: int, last: int) -> bool:
    steps = value / grid
    return steps.denominator == 1 and first <= steps <= last


def _nothing_else(engine: DuckEngine, table: Table, path: Path) -> Finding:
    """Write what was read once more, and compare: no remark, no second file behind the first."""
    claim = f"{path.name} holds its rows and nothing else"
    if path.suffix == ".parquet":
        schema = pq.read_schema(path)
        # The number of a column is all that Parquet itself says of it.
        told = (set(column.metadata or {}) - {b"PARQUET:field_id"} for column in schema)
        return finding(
            claim, not schema.metadata and not any(told), "no remarks are in it", "it carries remarks"
        )
    content = read_bytes(path)
    if path.suffix == ".gz":
        if content[_FLAGS] != _PLAIN:
            return Finding(claim, Status.REFUTED, "it carries remarks")
        content = unpacked_bytes(path)
    with temporary_folder() as folder:
        again = folder / "again.csv"
        engine.write(table, again, order=Order.KEPT)
        same = again.read_bytes() == content
    return written_again(claim, same)
