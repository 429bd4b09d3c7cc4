"""Networks that other libraries hold in memory: networkx, igraph, scipy's sparse matrices, pairs of numbers.

Which library an object belongs to is seen from its class, so that none of them is loaded to ask.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.core.errors import BadInput
from sfumato.graph.reading.naming import check_distinct
from sfumato.graph.reading.settle import Listing

NAME = "name"
"""the attribute by which igraph knows its nodes"""


def library_of(data: Any) -> str:
    """Return the library from which a class or one of its parents comes: networkx, igraph or scipy; else ''.

    >>> library_of([1, 2])
    ''
    """
    for parent in type(data).__mro__:
        package = parent.__module__.split(".", maxsplit=1)[0]
        if package in ("networkx", "igraph") and hasattr(data, "is_directed"):
            return package
        if package == "scipy" and hasattr(data, "tocoo"):
            return package
    return ""


def of_networkx(graph: Any) -> Listing:
    """Take a networkx graph. A node is called as it prints: 1 and '1' in one graph are refused."""
    nodes = list(graph.nodes)
    names = _texts([str(node) for node in nodes])
    check_distinct(names, "nodes", "the graph", "relabel them: as text some are the same")
    place = {node: at for at, node in enumerate(nodes)}
    beside: dict[str, None] = {}
    ends = np.empty((graph.number_of_edges(), 2), np.int64)
    for row, (one, other, values) in enumerate(graph.edges(data=True)):
        ends[row] = place[one], place[other]
        beside.update(dict.fromkeys(str(key) for key in values))
    values = [graph.nodes[node] for node in nodes]
    return Listing(
        names,
        ends[:, 0],
        ends[:, 1],
        "the graph",
        directed=bool(graph.is_directed()),
        beside=tuple(beside),
        attributes=_attributes(list(dict.fromkeys(key for row in values for key in row)), values),
        listed=True,
    )


def of_igraph(graph: Any) -> Listing:
    """Take an igraph graph. A node is called by its attribute ``name`` where there is one, else by number."""
    keys = graph.vs.attributes()
    called = graph.vs[NAME] if NAME in keys else range(graph.vcount())
    if any(name is None for name in called):
        raise BadInput("some nodes have no name", where="the graph", remedy="name all nodes or none")
    names = _texts([str(name) for name in called])
    check_distinct(names, "nodes", "the graph", "give every node a name of its own")
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    keys = [key for key in keys if key != NAME]
    columns = {key: graph.vs[key] for key in keys}
    values = [{key: columns[key][at] for key in keys} for at in range(len(names))]
    return Listing(
        names,
        ends[:, 0],
        ends[:, 1],
        "the graph",
        directed=bool(graph.is_directed()),
        beside=tuple(graph.es.attributes()),
        attributes=_attributes(keys, values),
        listed=True,
    )


def _attributes(keys: list[Any], values: list[Any]) -> pa.Table | None:
    """Return attributes of nodes as text, missing where a node has none."""
    if not keys:
        return None
    texts = {
        str(key): _texts([None if row.get(key) is None else str(row[key]) for row in values]) for key in keys
    }
    return pa.table(texts)


def _texts(values: list[str | None]) -> pa.StringArray:
    try:
        return pa.array(values, pa.string())
    except UnicodeEncodeError:
        # Python's message quotes the name.
        raise BadInput(
            "a name or a value holds half a sign, which is no text",
            where="the graph",
            remedy="read the file that it comes from as UTF-8",
        ) from None


def of_sparse(matrix: Any) -> Listing:
    """Take a sparse matrix whose entry (i, j) says whether nodes i and j are connected.

    Nodes are called by their row, from 0; rows without entries are nodes without edges. Entries other than 1
    are weights; entries of 0 that are stored are no edges.
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise BadInput("the matrix is not square", remedy="give one row and one column for each node")
    entries = matrix.tocoo()
    values = np.asarray(entries.data)
    there = values != 0
    weighted = bool((values[there] != 1).any())
    return Listing(
        pc.cast(pa.array(np.arange(matrix.shape[0])), pa.string()),
        np.asarray(entries.row, np.int64)[there],
        np.asarray(entries.col, np.int64)[there],
        "the matrix",
        beside=("weight",) if weighted else (),
        counted={"skipped": int(np.count_nonzero(~there))},
        listed=True,
    )


def of_array(pairs: Any) -> Listing:
    """Take an array of two columns of whole numbers, which are the names of nodes."""
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise BadInput(
            "the array does not have two columns",
            remedy="give one row for each edge, its ends in two columns",
        )
    if pairs.dtype.kind not in "iu":
        raise BadInput(
            "the array does not hold whole numbers", remedy="give whole numbers, or a frame of text"
        )
    found, places = np.unique(pairs, return_inverse=True)
    places = places.reshape(-1, 2).astype(np.int64)
    return Listing(pc.cast(pa.array(found), pa.string()), places[:, 0], places[:, 1], "the array")
