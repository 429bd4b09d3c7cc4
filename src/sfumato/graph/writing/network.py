"""A network as files: an edge list with a table of its nodes, or GML or GraphML, which hold both.

Numbers are written as they are, from 1: ``publish`` gives new ones first. Nothing but numbers and labels is
written: no name, no date, no name of a program.
"""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.graph.network import Network
from sfumato.graph.reading.columns import kind_of
from sfumato.graph.reading.published import EDGE_COLUMNS, LABEL, NODE, VALUE
from sfumato.graph.writing.files import DELIMITERS, HEADLESS, write_bytes, write_table


def edges_table(network: Network) -> pa.Table:
    """Return the edges, the smaller number first, ascending, numbers from 1."""
    pairs = network.pairs() + 1
    return pa.table(dict(zip(EDGE_COLUMNS, (pairs[:, 0].copy(), pairs[:, 1].copy()), strict=True)))


def nodes_table(network: Network) -> pa.Table:
    """Return the nodes in the order of their numbers, with their labels where they have any."""
    columns = {NODE: pa.array(np.arange(1, network.nodes + 1))}
    if network.labels is not None:
        columns[LABEL] = pa.array(network.words, pa.string()).take(pa.array(network.labels))
    return pa.table(columns)


def write_network(network: Network, path: Path | str, *, nodes: Path | str | None = None) -> None:
    """Write a network by the suffix: .csv, .tsv, .txt, .edges, .gml, .graphml, also .gz, and .parquet.

    ``nodes`` is the file of the table of nodes. An edge list alone has no place for nodes without edges and
    for labels: a network that has any is refused without it.
    """
    path = Path(path)
    if not network.nodes:
        raise BadInput("there are no nodes", where=str(path), remedy="give a network with nodes")
    kind = kind_of(path)
    if kind == ".gml":
        write_bytes(path, gml(network))
    elif kind == ".graphml":
        write_bytes(path, graphml(network))
    elif kind in (*DELIMITERS, ".parquet"):
        lonely = int(np.count_nonzero(network.degrees() == 0))
        if nodes is None and (lonely or network.labels is not None):
            raise BadInput(
                f"an edge list has no place for {lonely:,} nodes without edges"
                if lonely
                else "an edge list has no place for labels",
                where=str(path),
                remedy="give 'nodes', a file for the table of nodes",
            )
        write_table(edges_table(network), path)
    else:
        raise BadInput(
            "a network cannot be written in this kind of file",
            where=str(path),
            remedy=f"use {', '.join(DELIMITERS)}, .gml or .graphml, also with .gz, or .parquet",
        )
    if nodes is not None:
        if kind_of(Path(nodes)) in HEADLESS:
            raise BadInput("a table of nodes has a header", where=str(nodes), remedy="use .csv or .parquet")
        write_table(nodes_table(network), Path(nodes))


def gml(network: Network) -> bytes:
    """Return a network as GML; signs other than ASCII as entities."""
    lines = ["graph\n[\n  directed 0\n"]
    words = [_quoted(word) for word in network.words]
    if network.labels is None:
        lines += [f"  node\n  [\n    id {at}\n  ]\n" for at in range(1, network.nodes + 1)]
    else:
        lines += [
            f'  node\n  [\n    id {at}\n    {VALUE} "{words[label]}"\n  ]\n'
            for at, label in enumerate(network.labels.tolist(), 1)
        ]
    lines += [
        f"  edge\n  [\n    source {one}\n    target {other}\n  ]\n"
        for one, other in (network.pairs() + 1).tolist()
    ]
    return "".join([*lines, "]\n"]).encode("ascii")


def _quoted(text: str) -> str:
    return "".join(sign if " " <= sign <= "~" and sign not in '&"' else f"&#{ord(sign)};" for sign in text)


def graphml(network: Network) -> bytes:
    """Return a network as GraphML."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n',
    ]
    if network.labels is None:
        lines.append('<graph edgedefault="undirected">\n')
        lines += [f'<node id="{at}"/>\n' for at in range(1, network.nodes + 1)]
    else:
        lines.append(f'<key id="{VALUE}" for="node" attr.name="{VALUE}" attr.type="string"/>\n')
        lines.append('<graph edgedefault="undirected">\n')
        words = [_marked_up(word) for word in network.words]
        lines += [
            f'<node id="{at}"><data key="{VALUE}">{words[label]}</data></node>\n'
            for at, label in enumerate(network.labels.tolist(), 1)
        ]
    lines += [f'<edge source="{one}" target="{other}"/>\n' for one, other in (network.pairs() + 1).tolist()]
    return "".join([*lines, "</graph>\n</graphml>\n"]).encode("utf-8")


def _marked_up(word: str) -> str:
    if any(sign in "\ufffe\uffff" or (sign < " " and sign not in "\t\n\r") for sign in word):
        raise BadInput("a label holds a sign that XML cannot", remedy="write another kind of file")
    return escape(word, {"\r": "&#13;"})
