"""Graphs of other libraries, matrices, arrays and frames."""

from __future__ import annotations

from typing import Any

import igraph
import networkx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from sfumato.core.errors import BadInput
from sfumato.graph.reading import of_pairs, open_network
from tests.graph.reading.made import said
from tests.oracles.graph_files import by_name

PAIRS = [("a", "b"), ("b", "c")]
RIGHT = (frozenset("abc"), frozenset({frozenset("ab"), frozenset("bc")}))


def graph_of_igraph(**options: Any) -> igraph.Graph:
    graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)], **options)
    graph.vs["name"] = ["a", "b", "c"]
    return graph


@pytest.mark.parametrize(
    "source",
    [
        networkx.Graph(PAIRS),
        graph_of_igraph(),
        pd.DataFrame(PAIRS, columns=["x", "y"]),
        pl.DataFrame(PAIRS, schema=["x", "y"], orient="row"),
        pl.LazyFrame(PAIRS, schema=["x", "y"], orient="row"),
        pa.table({"x": ["a", "b"], "y": ["b", "c"]}),
        pa.table({"x": pa.array(["a", "b"]).dictionary_encode(), "y": ["b", "c"]}),
    ],
    ids=lambda source: f"{type(source).__module__}.{type(source).__name__}",
)
def test_every_source_gives_the_same_network(source: Any) -> None:
    assert by_name(of_pairs(source)) == RIGHT
    assert by_name(open_network(source)) == RIGHT


def test_directed_graphs_and_multigraphs_are_refused_unless_allowed() -> None:
    for directed in (networkx.DiGraph(PAIRS), graph_of_igraph(directed=True)):
        with pytest.raises(BadInput, match="the network is directed"):
            of_pairs(directed)
        assert by_name(of_pairs(directed, directed="ignore")) == RIGHT
    twice = networkx.MultiGraph([*PAIRS, ("b", "a")])
    with pytest.raises(BadInput, match="1 edge is listed again"):
        of_pairs(twice)
    assert by_name(of_pairs(twice, repeated="merge")) == RIGHT


def test_attributes_of_edges_are_weights_and_those_of_nodes_are_kept() -> None:
    graph = networkx.Graph()
    graph.add_edge("a", "b", weight=2)
    graph.nodes["a"]["job"] = 3
    with pytest.raises(BadInput, match="1 column stands beside"):
        of_pairs(graph)
    read = of_pairs(graph, weights="drop", labels="job")
    assert read.attributes is not None
    assert read.attributes.to_pydict() == {"job": ["3", None]}
    assert (read.network.words, said(read.network)) == (("", "3"), ["3", ""])
    other = graph_of_igraph()
    other.vs["job"] = ["cook", None, "smith"]
    assert of_pairs(other, labels="job").network.words == ("", "cook", "smith")
    other.es["since"] = [1, 2]
    with pytest.raises(BadInput, match="1 column stands beside"):
        of_pairs(other)


def test_nodes_that_print_alike_are_refused() -> None:
    with pytest.raises(BadInput, match="1 of 2 nodes are not the first of their name"):
        of_pairs(networkx.Graph([(1, "1")]))


@pytest.mark.parametrize("form", ["csr_array", "coo_matrix", "lil_array"])
def test_a_matrix_names_nodes_by_rows_and_keeps_those_without_entries(form: str) -> None:
    dense = np.zeros((4, 4), np.int8)
    dense[0, 2] = dense[2, 0] = dense[2, 1] = dense[1, 2] = 1
    read = of_pairs(getattr(sparse, form)(dense))
    assert read.network.pairs().tolist() == [[0, 2], [1, 2]]
    assert (read.names.to_pylist(), read.told["isolated"]) == (["0", "1", "2", "3"], 1)
    assert by_name(of_pairs(getattr(sparse, form)(np.triu(dense))))[1] == by_name(read)[1]


def test_matrices_with_weights_loops_or_other_shapes_are_refused() -> None:
    weighted = sparse.csr_array(np.array([[0, 0.5], [0.5, 0]]))
    with pytest.raises(BadInput, match="1 column stands beside"):
        of_pairs(weighted)
    assert of_pairs(weighted, weights="drop").network.edges == 1
    with pytest.raises(BadInput, match="from a node to itself"):
        of_pairs(sparse.csr_array(np.eye(2)))
    with pytest.raises(BadInput, match="not square"):
        of_pairs(sparse.csr_array(np.ones((2, 3))))
    zeros = sparse.coo_array((np.array([1, 0]), (np.array([0, 1]), np.array([1, 2]))), shape=(3, 3))
    assert (of_pairs(zeros).network.edges, of_pairs(zeros).told["skipped"]) == (1, 1)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (np.array([1, 2, 3]), "two columns"),
        (np.array([[1.0, 2.0]]), "whole numbers"),
        (np.zeros((0, 2), np.int64), "no nodes"),
        (pd.DataFrame({"a": [1.0, None], "b": [2.0, 3.0]}), "type double"),
        (pa.table({"a": [1, None], "b": [2, 3]}), r"1 of 2 names are missing \(first in row 2\)"),
        (pa.table({"a": ["x", ""], "b": ["y", "z"]}), r"1 of 2 names are missing \(first in row 2\)"),
        (pa.table({"a": [True], "b": [False]}), "type bool"),
        (pa.table({"a": [1]}), "one column"),
        (networkx.Graph(), "no nodes"),
        (networkx.empty_graph(3), "the network has no edges"),
        ("edges.csv", "this is a path"),
        (7, "not a frame"),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_bad_sources_are_refused(source: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        of_pairs(source)


def test_numbers_beyond_64_bits_stay_apart() -> None:
    large = pa.table({"a": pa.array([2**64 - 1, 2**64 - 2], pa.uint64()), "b": pa.array([1, 1], pa.uint64())})
    assert sorted(of_pairs(large).names.to_pylist()) == sorted(["1", str(2**64 - 2), str(2**64 - 1)])
