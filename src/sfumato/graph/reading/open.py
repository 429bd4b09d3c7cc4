"""The one door for networks: a file of any kind, a graph of another library, a matrix, pairs or a frame."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.files import check_file
from sfumato.graph.reading.columns import BLANKS, PARQUET, QUOTED, columns_of, kind_of, listing_of
from sfumato.graph.reading.content import is_parquet, text_of
from sfumato.graph.reading.gml import read_gml
from sfumato.graph.reading.graphml import read_graphml
from sfumato.graph.reading.memory import library_of, of_array, of_igraph, of_networkx, of_sparse
from sfumato.graph.reading.nodes import with_labels
from sfumato.graph.reading.policy import ERROR, Policy
from sfumato.graph.reading.read import Read
from sfumato.graph.reading.settle import Listing, settle

GML = (".gml",)
GRAPHML = (".graphml", ".xml")
SUFFIXES = (*QUOTED, *BLANKS, *PARQUET, *GML, *GRAPHML)


def open_network(
    source: Any,
    *,
    columns: Sequence[str] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    name: str | None = None,
    labels: str | None = None,
    loops: str = ERROR,
    repeated: str = ERROR,
    directed: str = ERROR,
    weights: str = ERROR,
    edgeless: str = ERROR,
    without: Sequence[str] = (),
) -> Read:
    """Read a network from a path (also ``.gz``), or from what ``of_pairs`` takes.

    Of lists: ``columns`` names the two ends (else the first two columns), ``header`` says whether the first
    line names columns (else it is guessed, and told), ``delimiter`` what parts them. Of GML and GraphML:
    ``name`` is the attribute by which nodes are called (``id`` for their ids; else ``label`` in GML and
    ``name`` in GraphML where every node has one). ``labels`` is the attribute of nodes that is published
    beside their edges. What a simple network cannot hold is refused unless the other parameters allow it
    (``reading/policy``).
    """
    policy = Policy(loops, repeated, directed, weights, edgeless, _names(without))
    if isinstance(source, str | Path):
        listing = _of_path(Path(source), columns, header, delimiter, name, policy)
    else:
        listing = _of_memory(source, columns, policy)
    read = settle(listing, policy)
    return read if labels is None else with_labels(read, labels)


def of_pairs(
    pairs: Any,
    *,
    columns: Sequence[str] | None = None,
    labels: str | None = None,
    loops: str = ERROR,
    repeated: str = ERROR,
    directed: str = ERROR,
    weights: str = ERROR,
    edgeless: str = ERROR,
    without: Sequence[str] = (),
) -> Read:
    """Take a network from memory: an array of pairs of whole numbers, any frame, a networkx or igraph graph,
    a sparse matrix of scipy.

    >>> read = of_pairs(np.array([[7, 9], [9, 7], [9, 12], [12, 9]]))
    >>> read.network.pairs().tolist(), read.names.to_pylist()
    ([[0, 1], [1, 2]], ['7', '9', '12'])
    >>> print(read.told)
    2 edges were listed in both directions, and are one each.
    """
    if isinstance(pairs, str | Path):
        raise BadInput("this is a path", remedy="read it with open_network")
    policy = Policy(loops, repeated, directed, weights, edgeless, _names(without))
    read = settle(_of_memory(pairs, columns, policy), policy)
    return read if labels is None else with_labels(read, labels)


def _names(without: Sequence[str]) -> tuple[str, ...]:
    return (without,) if isinstance(without, str) else tuple(without)


def _of_memory(data: Any, columns: Sequence[str] | None, policy: Policy) -> Listing:
    if isinstance(data, np.ndarray):
        return of_array(data)
    match library_of(data):
        case "networkx":
            return of_networkx(data)
        case "igraph":
            return of_igraph(data)
        case "scipy":
            return of_sparse(data)
    return listing_of(columns_of(data), columns, policy)


def _of_path(
    path: Path,
    columns: Sequence[str] | None,
    header: bool | None,
    delimiter: str | None,
    name: str | None,
    policy: Policy,
) -> Listing:
    check_file(path)
    kind = kind_of(path)
    if kind in GML:
        return read_gml(text_of(path), str(path)).listing(name, "label")
    if kind in GRAPHML:
        return read_graphml(text_of(path), str(path)).listing(name, "name")
    if kind in (*QUOTED, *BLANKS, *PARQUET) or is_parquet(path):
        return listing_of(columns_of(path, header=header, delimiter=delimiter), columns, policy)
    raise BadInput(
        "the kind of file is not known", where=str(path), remedy=f"use {', '.join(SUFFIXES)}, also with .gz"
    )
