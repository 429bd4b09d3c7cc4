"""A grouping as two tables: ``groups`` (group, size, inside) and ``links`` (one, other, between)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.graph.grouped import Grouped
from sfumato.graph.reading.published import GROUP_COLUMNS, GROUPS, LINK_COLUMNS, LINKS
from sfumato.graph.writing.files import write_table


def grouped_tables(grouped: Grouped) -> tuple[pa.Table, pa.Table]:
    """Return the groups and the links between them, numbers from 1 as they are: ``publish_grouped`` gives new
    ones first."""
    numbers = np.arange(1, len(grouped.sizes) + 1)
    one, other = (grouped.links[:, at] + 1 for at in (0, 1))
    return (
        pa.table(dict(zip(GROUP_COLUMNS, (numbers, grouped.sizes, grouped.inside), strict=True))),
        pa.table(dict(zip(LINK_COLUMNS, (one, other, grouped.between), strict=True))),
    )


def write_grouped(grouped: Grouped, folder: Path | str, suffix: str = ".csv") -> None:
    """Write both tables into a folder that is there, as ``.csv`` or ``.parquet``."""
    if suffix not in (".csv", ".parquet"):
        raise BadInput(f"a grouping cannot be written as '{suffix}'", remedy="use .csv or .parquet")
    for stem, table in zip((GROUPS, LINKS), grouped_tables(grouped), strict=True):
        write_table(table, Path(folder) / f"{stem}{suffix}")
