"""Vertex refinement: exact classes by what is known of neighbours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.canonical import degree_classes, in_order, vertex_refinement
from sfumato.graph.network import Network
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.graph.real import KNOWN, real_network
from tests.oracles.graph_isomorphism import partition, refinement, stable_refinement


@given(drawn_networks(most=9), st.integers(0, 4), st.booleans(), st.data())
def test_classes_are_those_of_multisets_of_multisets(
    drawn: Drawn, rounds: int, labelled: bool, data: st.DataObject
) -> None:
    nodes, edges = drawn
    labels = data.draw(st.lists(st.integers(0, 2), min_size=nodes, max_size=nodes))
    found = vertex_refinement(network_of(drawn, labels), rounds, labelled=labelled)
    expected = refinement(nodes, edges, rounds, labels if labelled else None)
    assert partition(found.tolist()) == partition(expected)
    assert found.tolist() == in_order(found).tolist()


@given(drawn_networks(most=11), st.booleans(), st.data())
def test_the_last_classes_are_those_after_as_many_rounds_as_nodes(
    drawn: Drawn, labelled: bool, data: st.DataObject
) -> None:
    """A round that splits nothing is the last, so n rounds are enough."""
    nodes, _ = drawn
    labels = data.draw(st.lists(st.integers(0, 2), min_size=nodes, max_size=nodes))
    network = network_of(drawn, labels)
    last = vertex_refinement(network, None, labelled=labelled)
    if not labelled:
        assert partition(last.tolist()) == partition(stable_refinement(*drawn))
    assert last.tolist() == vertex_refinement(network, nodes, labelled=labelled).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_the_last_classes_of_sparse_networks_are_stable_and_the_coarsest(seed: int) -> None:
    random = np.random.default_rng(seed)
    edges = random.integers(0, 400, (500, 2))
    edges = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1), axis=0)
    network = Network.of_edges(400, edges)
    assert vertex_refinement(network, None).tolist() == vertex_refinement(network, 400).tolist()


def test_a_long_path_is_refined_from_its_ends_to_its_middle() -> None:
    length = 100_001
    steps = np.arange(length - 1)
    path = Network.of_edges(length, np.column_stack([steps, steps + 1]))
    found = vertex_refinement(path, None)
    middle = length // 2
    assert found[: middle + 1].tolist() == list(range(middle + 1))
    assert (found == found[::-1]).all()


def test_one_round_is_the_degree_and_no_round_tells_nothing() -> None:
    network = network_of((4, [(0, 1), (0, 2)]))
    assert vertex_refinement(network, 1).tolist() == degree_classes(network).tolist() == [0, 1, 1, 2]
    assert vertex_refinement(network, 0).tolist() == [0, 0, 0, 0]
    assert vertex_refinement(network_of((0, [])), None).tolist() == []
    assert vertex_refinement(network_of((0, [])), 2).tolist() == []


def test_degree_classes_with_labels_tell_labels_apart() -> None:
    network = network_of((4, [(0, 1), (2, 3)]), [0, 1, 0, 0])
    assert degree_classes(network, labelled=True).tolist() == [0, 1, 0, 0]
    assert degree_classes(network).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("rounds", [-1, 1.5, True])
def test_rounds_that_are_no_number_are_refused(rounds: int) -> None:
    with pytest.raises(BadInput, match="rounds"):
        vertex_refinement(network_of((1, [])), rounds)


@pytest.mark.golden
@pytest.mark.parametrize("name", KNOWN)
def test_uniques_of_real_networks_by_degree_and_by_two_rounds(shared: Path, name: str) -> None:
    network = real_network(shared, name)
    _, _, degree, second, _ = KNOWN[name]
    assert np.count_nonzero(np.bincount(degree_classes(network)) == 1) == degree
    assert np.count_nonzero(np.bincount(vertex_refinement(network, 1)) == 1) == degree
    assert np.count_nonzero(np.bincount(vertex_refinement(network, 2)) == 1) == second
