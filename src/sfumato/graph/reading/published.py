"""Read again what was published: a network, a grouping from its folder, figures from their file.

Nothing is guessed or mended here: nodes are the whole numbers from 1, every edge stands once, and what was
not written by ``writing`` in this way is refused. Whoever checks a promise reads through this door.
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
from sfumato.graph.network import Network
from sfumato.graph.reading.columns import columns_of, kind_of
from sfumato.graph.reading.content import bytes_of, text_of
from sfumato.graph.reading.gml import read_gml
from sfumato.graph.reading.graphml import read_graphml
from sfumato.graph.reading.naming import is_text
from sfumato.graph.reading.nodes import with_labels
from sfumato.graph.reading.policy import KEEP, Policy
from sfumato.graph.reading.read import Read
from sfumato.graph.reading.settle import settle
from sfumato.graph.reading.tables import table_of

EDGE_COLUMNS = ("source", "target")
NODE, LABEL = "node", "label"
"""the columns of the table of nodes"""
VALUE = "value"
"""the attribute of labels in GML and GraphML; there ``label`` would be the name of a node"""
GROUPS, LINKS = "groups", "links"
"""the stems of the two files of a grouping"""
GROUP_COLUMNS = ("group", "size", "inside")
LINK_COLUMNS = ("one", "other", "between")
_WHOLE = r"^[0-9]{1,18}$"


def read_network(path: Path | str, nodes: Path | str | None = None) -> Network:
    """Read a published network: node v of it has the number v + 1 in its files.

    ``nodes`` is the table of nodes that was written beside a list. Without it every number up to the greatest
    must have an edge. GML and GraphML hold their nodes themselves.
    """
    path = Path(path)
    where = str(path)
    if kind_of(path) in (".gml", ".graphml"):
        marked = read_gml if kind_of(path) == ".gml" else read_graphml
        listing = marked(text_of(path), where).listing("id", "id")
        read = settle(listing, Policy(edgeless=KEEP))
        _check_numbers(read.names.to_pylist(), where)
        if read.attributes is not None and VALUE in read.attributes.column_names:
            read = with_labels(read, VALUE)
        return read.network
    pairs = np.column_stack(_whole(_edges(path), EDGE_COLUMNS, where))
    words: pa.Table | None = None
    most = int(pairs.max(initial=0))
    if nodes is None:
        if not most or len(np.unique(pairs)) != most:
            raise BadInput(
                "some nodes have no edges, or there are none", where=where, remedy="give the table of nodes"
            )
    else:
        table = table_of(nodes)
        numbers = _whole(table, (NODE,), str(nodes))[0]
        _check_numbers([str(number) for number in np.sort(numbers).tolist()], str(nodes))
        if LABEL in table.column_names:
            words = table.take(pa.array(np.argsort(numbers))).select([LABEL])
        if most > len(numbers):
            raise BadInput("an edge leads to a number without a node", where=where, remedy="give all nodes")
        most = len(numbers)
    if pairs.min(initial=1) < 1 or (pairs[:, 0] == pairs[:, 1]).any():
        raise BadInput("an edge leads to 0 or from a node to itself", where=where, remedy="mend the list")
    # Sorted here: numpy's unique goes through a table of hashes, which takes twenty times as long.
    keys = np.sort(np.minimum(pairs[:, 0], pairs[:, 1]) * most + np.maximum(pairs[:, 0], pairs[:, 1]))
    if (keys[1:] == keys[:-1]).any():
        raise BadInput("an edge is listed twice", where=where, remedy="mend the list")
    network = Network.of_edges(most, pairs - 1)
    if words is None:
        return network
    names = pa.array(np.arange(1, most + 1)).cast(pa.string())
    return with_labels(Read(network, names, attributes=words), LABEL).network


def _edges(path: Path) -> pa.Table:
    """Return the columns of a list as it was written: with a header, or as lines of two numbers."""
    if kind_of(path) in (".csv", ".tsv", ".parquet"):
        return table_of(path)
    if kind_of(path) not in (".txt", ".edges"):
        raise BadInput("networks are not published in this kind of file", where=str(path))
    if not bytes_of(path).strip():
        return pa.table({name: pa.array([], pa.int64()) for name in EDGE_COLUMNS})
    table = columns_of(path, header=False).table
    if table.num_columns != 2:
        raise BadInput("the list has not two columns", where=str(path), remedy="mend it")
    return table.rename_columns(list(EDGE_COLUMNS))


def _check_numbers(names: list[str], where: str) -> None:
    if not names or names != [str(number) for number in range(1, len(names) + 1)]:
        raise BadInput("the nodes are not numbered from 1 without a gap", where=where, remedy="give all once")


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
    return _whole(table_of(path), names, str(path))


def _whole(table: pa.Table, names: tuple[str, ...], where: str) -> list[NDArray[np.int64]]:
    found = []
    for name in names:
        if name not in table.column_names:
            raise BadInput(f"there is no column '{name}'", where=where, remedy=f"it needs {', '.join(names)}")
        texts = table.column(name).cast(pa.string())
        right = pc.fill_null(pc.match_substring_regex(texts, _WHOLE), False)
        wrong = pc.index(right, False).as_py()
        if wrong >= 0:
            raise BadInput(
                "the value is not a whole number",
                where=f"{where}, column '{name}', row {wrong + 1:,}",
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
