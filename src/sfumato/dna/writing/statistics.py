"""Statistics of sites as CSV, TSV or Parquet: chrom, pos, id, ref, alt, then the published columns.

A figure is written with the fewest digits that read back as the same number. One that is not a number is left
empty. The sites keep their order, which is that of the genome and says nothing of people.
"""

from __future__ import annotations

import contextlib
import csv
import io
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.contract import Statistics
from sfumato.dna.reading.statistics import SITE_COLUMNS
from sfumato.dna.writing.names import check_sites, public_names
from sfumato.dna.writing.order import write_bytes
from sfumato.engine import open_engine
from sfumato.engine.contract import Order
from sfumato.engine.sources import Frame

_SUFFIXES = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t"}


def statistics_table(statistics: Statistics) -> pa.Table:
    """Return published statistics as an Arrow table; what is not a number is missing there."""
    twice = sorted(set(SITE_COLUMNS) & set(statistics.columns))
    if twice:
        raise BadInput(f"a column of figures may not be called '{twice[0]}'", remedy="rename it")
    sites = statistics.sites
    check_sites(sites, bases=False)
    columns: dict[str, pa.Array] = {
        "chrom": pa.array(sites.chromosome, pa.string()),
        "pos": pa.array(sites.position, pa.int64()),
        "id": pa.array(public_names(sites), pa.string()),
        "ref": pa.array(sites.reference, pa.string()),
        "alt": pa.array(sites.alternate, pa.string()),
    }
    for name, figures in statistics.columns.items():
        columns[name] = pa.array(figures, pa.float64(), mask=np.isnan(figures))
    return pa.table(columns)


def write_statistics(statistics: Statistics, path: Path | str) -> int:
    """Write published statistics by the suffix of the file and return the number of sites."""
    path = Path(path)
    name = path.name.lower()
    table = statistics_table(statistics)
    if name.endswith(".parquet"):
        with contextlib.closing(open_engine()) as engine:
            return engine.write(engine.read(Frame(table)), path, order=Order.KEPT)
    delimiter = next((mark for suffix, mark in _SUFFIXES.items() if name.endswith(suffix)), None)
    if delimiter is None:
        raise BadInput(
            "statistics cannot be written in this kind of file",
            where=str(path),
            remedy=f"use {', '.join(_SUFFIXES)} or .parquet",
        )
    texts = [
        _figures(column.to_numpy()) if pa.types.is_floating(column.type) else map(str, column.to_pylist())
        for column in table.columns
    ]
    written = io.StringIO()
    lines = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    lines.writerow(table.column_names)
    lines.writerows(zip(*texts, strict=True))
    write_bytes(path, written.getvalue().encode("utf-8"))
    return len(statistics.sites)


def _figures(figures: NDArray[np.float64]) -> list[str]:
    return ["" if figure != figure else repr(figure) for figure in figures.tolist()]
