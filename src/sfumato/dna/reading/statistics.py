"""Statistics of sites as they were written (``writing/statistics``): CSV, TSV or Parquet."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.contract import Statistics
from sfumato.dna.reading.tables import check_filled, columns_of
from sfumato.dna.sites import Sites

SITE_COLUMNS = ("chrom", "pos", "id", "ref", "alt")


def read_statistics(path: Path | str) -> Statistics:
    """Read the published figures of sites. Every column other than those of the site is one of figures; a
    figure that is missing is not a number (NaN)."""
    where = str(path)
    table = columns_of(path)
    for name in SITE_COLUMNS:
        if name not in table.column_names:
            raise BadInput(
                f"there is no column '{name}'", where=where, remedy=f"it needs {', '.join(SITE_COLUMNS)}"
            )
        check_filled(table.column(name), name, where)
    position = table.column("pos").to_pylist()
    wrong = next((row for row, text in enumerate(position, 1) if not re.fullmatch(r"\d+", text)), None)
    if wrong is not None:
        raise BadInput(
            "the position is not a whole number",
            where=f"{where}, column 'pos', row {wrong:,}",
            remedy="mend it",
        )
    chromosome, names, reference, alternate = (
        np.array(table.column(name).to_pylist(), np.object_) for name in ("chrom", "id", "ref", "alt")
    )
    sites = Sites(chromosome, np.array(position, np.int64), names, reference, alternate)
    figures = [name for name in table.column_names if name not in SITE_COLUMNS]
    return Statistics(sites, {name: _figures(table.column(name), name, where) for name in figures})


def _figures(column: pa.ChunkedArray, name: str, where: str) -> NDArray[np.float64]:
    found = np.empty(len(column), np.float64)
    for row, text in enumerate(column.to_pylist()):
        try:
            # Python reads the nearest double of a decimal, which is what the writer wrote.
            found[row] = np.nan if text is None else float(text)
        except ValueError:
            raise BadInput(
                "the figure is not a number",
                where=f"{where}, column '{name}', row {row + 1:,}",
                remedy="mend it, or leave the column out",
            ) from None
    return found
