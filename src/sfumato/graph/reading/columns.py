"""Two columns of a table as a listing: of edge lists, Parquet files and frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.core.errors import BadInput, nearest
from sfumato.core.system import system_problem
from sfumato.engine.frames import to_arrow
from sfumato.engine.sources import check_names
from sfumato.graph.reading.content import is_parquet, text_of
from sfumato.graph.reading.edge_list import parse
from sfumato.graph.reading.naming import as_names, numbered
from sfumato.graph.reading.policy import Policy
from sfumato.graph.reading.settle import Listing, check_beside

QUOTED = (".csv", ".tsv")
BLANKS = (".txt", ".edges", ".edgelist", ".el")
PARQUET = (".parquet", ".pq")


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of a source; ``named`` where their names are certain, and not the words of an edge."""

    table: pa.Table = field(repr=False)
    titles: tuple[str, ...] = field(repr=False)
    where: str
    named: bool = True
    counted: Mapping[str, int] = field(default_factory=dict)

    def place(self, title: str) -> int:
        """Return the place of a column by its name."""
        if title not in self.titles:
            raise BadInput(
                f"there is no column '{title}'",
                where=self.where,
                remedy=nearest(title, self.titles)
                if self.named
                else "say header=True if its first line names it",
            )
        return self.titles.index(title)

    def names(self, at: int) -> pa.ChunkedArray:
        """Return a column of names."""
        return as_names(self.table.column(at), self.titles[at] if self.named else str(at + 1), self.where)


def kind_of(path: Path) -> str:
    """Return the suffix of a file that says its kind, without ``.gz``."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def columns_of(data: Any, *, header: bool | None = None, delimiter: str | None = None) -> Columns:
    """Return the columns of a text file, a Parquet file or a frame."""
    if not isinstance(data, str | Path):
        table = to_arrow(data)
        check_names(table.column_names, "the frame")
        return Columns(table, tuple(table.column_names), "the frame")
    path, where = Path(data), str(data)
    if is_parquet(path) or kind_of(path) in PARQUET:
        try:
            table = pq.read_table(path, partitioning=None)
        except (pa.ArrowException, OSError) as problem:
            raise system_problem(
                problem, "the file is not Parquet", where=where, remedy="check the file"
            ) from None
        check_names(table.column_names, where)
        return Columns(table, tuple(table.column_names), where)
    kind = kind_of(path)
    if kind == ".tsv":
        delimiter = delimiter or "\t"
    lines = parse(text_of(path), where, quoted=kind in QUOTED, delimiter=delimiter, header=header)
    titles = lines.titles or tuple(lines.columns.column_names)
    named = header is True or lines.titles is None
    if named:
        check_names(list(titles), where)
    return Columns(lines.columns, titles, where, named, lines.counted)


def listing_of(columns: Columns, ends: Sequence[str] | None, policy: Policy) -> Listing:
    """Take two columns, named or the first two, as the ends of edges."""
    titles = columns.titles
    if len(titles) < 2:
        raise BadInput("there is one column", where=columns.where, remedy="give two, the ends of each edge")
    if ends is not None and (isinstance(ends, str) or len(set(ends)) != 2 or len(ends) != 2):
        raise BadInput("an edge has two ends", where=columns.where, remedy="name two columns")
    source, target = (0, 1) if ends is None else (columns.place(end) for end in ends)
    beside = tuple(title for at, title in enumerate(titles) if at not in (source, target))
    check_beside(beside, policy, columns.where)
    names, (first, second) = numbered(columns.names(source), columns.names(target))
    return Listing(names, first, second, columns.where, beside=beside, counted=columns.counted)
