"""Published figures as CSV, TSV or Parquet: each with the fewest digits that read back as the same number."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.engine.sources import check_names
from sfumato.graph.contract import Statistics
from sfumato.graph.reading.columns import kind_of
from sfumato.graph.writing.files import DELIMITERS, HEADLESS, write_bytes, write_table


def statistics_table(statistics: Statistics) -> pa.Table:
    """Return figures as an Arrow table."""
    check_names(list(statistics.columns), "the figures")
    if not statistics.columns:
        raise BadInput("there are no figures", remedy="give columns of figures")
    if len({len(column) for column in statistics.columns.values()}) > 1:
        raise AssertionError("columns of figures have equal lengths")
    return pa.table({name: pa.array(column, pa.float64()) for name, column in statistics.columns.items()})


def write_statistics(statistics: Statistics, path: Path | str) -> int:
    """Write figures by the suffix of the file and return the number of rows."""
    path = Path(path)
    kind = kind_of(path)
    table = statistics_table(statistics)
    if kind not in DELIMITERS or kind in HEADLESS:
        if kind != ".parquet":
            raise BadInput(
                "figures cannot be written in this kind of file",
                where=str(path),
                remedy="use .csv or .tsv, also with .gz, or .parquet",
            )
        write_table(table, path)
        return int(table.num_rows)
    written = io.StringIO()
    lines = csv.writer(written, delimiter=DELIMITERS[kind], lineterminator="\n")
    lines.writerow(table.column_names)
    lines.writerows(zip(*(map(repr, column.to_pylist()) for column in table.columns), strict=True))
    write_bytes(path, written.getvalue().encode("utf-8"))
    return int(table.num_rows)
