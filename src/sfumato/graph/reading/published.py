"""Read again what was published: a grouping from its folder, figures from their file.

A published network is read by ``open_network`` (and ``with_nodes`` for people without edges).
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.contract import Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.reading.naming import is_text
from sfumato.graph.reading.tables import table_of

GROUPS, LINKS = "groups", "links"
"""the stems of the two files of a grouping"""
GROUP_COLUMNS = ("group", "size", "inside")
LINK_COLUMNS = ("one", "other", "between")
_WHOLE = r"^[0-9]{1,18}$"


def read_grouped(folder: Path | str) -> Grouped:
    """Read a grouping: ``groups`` (group, size, inside) and ``links`` (one, other, between)."""
    folder = Path(folder)
    groups, sizes, inside = _whole_columns(_file(folder, GROUPS), GROUP_COLUMNS)
    order = np.argsort(groups, kind="stable")
    if not len(groups) or not np.array_equal(groups[order], np.arange(1, len(groups) + 1)):
        raise BadInput(
            "the groups are not numbered from 1 without a gap",
            where=str(folder),
            remedy="give all of them once",
        )
    one, other, between = _whole_columns(_file(folder, LINKS), LINK_COLUMNS)
    return Grouped(sizes[order], inside[order], np.column_stack([one - 1, other - 1]), between)


def _file(folder: Path, stem: str) -> Path:
    found = [
        folder / f"{stem}{suffix}" for suffix in (".csv", ".parquet") if (folder / f"{stem}{suffix}").exists()
    ]
    if len(found) != 1:
        raise BadInput(
            f"the folder holds {len(found)} files of {stem}",
            where=str(folder),
            remedy=f"give a folder with {stem}.csv or {stem}.parquet",
        )
    return found[0]


def _whole_columns(path: Path, names: tuple[str, ...]) -> list[NDArray[np.int64]]:
    table = table_of(path)
    found = []
    for name in names:
        if name not in table.column_names:
            raise BadInput(
                f"there is no column '{name}'", where=str(path), remedy=f"it needs {', '.join(names)}"
            )
        texts = table.column(name).cast(pa.string())
        right = pc.fill_null(pc.match_substring_regex(texts, _WHOLE), False).combine_chunks()
        wrong = pc.index(right, False).as_py()
        if wrong >= 0:
            raise BadInput(
                "the value is not a whole number",
                where=f"{path}, column '{name}', row {wrong + 1:,}",
                remedy="mend it",
            )
        found.append(texts.cast(pa.int64()).to_numpy())
    return found


def read_statistics(path: Path | str, statistic: str = "") -> Statistics:
    """Read published figures, every column of the file. ``statistic`` says what they are."""
    table = table_of(path)
    return Statistics(
        {name: _figures(table.column(name), name, str(path)) for name in table.column_names}, statistic
    )


def _figures(column: pa.ChunkedArray, name: str, where: str) -> NDArray[np.float64]:
    if not is_text(column.type):
        return np.asarray(column.cast(pa.float64()).to_numpy(), np.float64)
    found = np.empty(len(column), np.float64)
    for row, text in enumerate(column.to_pylist()):
        try:
            # Python reads the nearest double of a decimal, which is what the writer wrote.
            found[row] = math.nan if text is None else float(text)
        except ValueError:
            raise BadInput(
                "the figure is not a number",
                where=f"{where}, column '{name}', row {row + 1:,}",
                remedy="mend it",
            ) from None
    return found
