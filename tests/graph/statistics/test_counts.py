"""Counts on networks are those of networkx and igraph."""

from __future__ import annotations

from typing import Any

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph import simulate, statistics
from sfumato.graph.network import Network
from tests.graph.drawn import Drawn, drawn_networks, network_of

SOME = [
    simulate.barabasi_albert(400, 3),
    simulate.erdos_renyi(300, 280),
    simulate.watts_strogatz(300, 6, 0.1),
    simulate.planted_communities(200, 5).network,
]
NOBODY = Network.of_edges(0, np.empty((0, 2), np.int64))


def as_networkx(network: Network) -> nx.Graph:
    made = nx.Graph()
    made.add_nodes_from(range(network.nodes))
    made.add_edges_from(network.pairs().tolist())
    return made


def as_igraph(network: Network) -> igraph.Graph:
    return igraph.Graph(network.nodes, network.pairs().tolist())


def both(network: Network) -> None:
    theirs = as_networkx(network)
    assert statistics.triangles(network).tolist() == [nx.triangles(theirs, v) for v in range(network.nodes)]
    assert statistics.clustering(network).tolist() == pytest.approx(
        [nx.clustering(theirs, v) for v in range(network.nodes)]
    )
    assert statistics.degree_histogram(network).tolist() == (
        nx.degree_histogram(theirs) if network.nodes else []
    )
    paths = sum(d * (d - 1) // 2 for _, d in theirs.degree)
    assert int(statistics.wedges(network).sum()) == paths
    found = statistics.transitivity(network)
    assert found == (pytest.approx(nx.transitivity(theirs)) if paths else None)


@given(drawn_networks(9))
def test_triangles_and_clustering_of_small_networks_are_those_of_networkx(drawn: Drawn) -> None:
    both(network_of(drawn))


@pytest.mark.parametrize("network", SOME)
def test_triangles_and_clustering_of_larger_networks_are_those_of_networkx(network: Network) -> None:
    both(network)
    assert statistics.average_clustering(network) == pytest.approx(
        as_igraph(network).transitivity_avglocal_undirected(mode="zero")
    )
    assert statistics.triangle_count(network) == len(as_igraph(network).list_triangles())


def components_agree(network: Network) -> None:
    theirs = as_igraph(network).connected_components().membership if network.nodes else []
    found = statistics.components(network)
    first = list(dict.fromkeys(theirs))
    assert found.tolist() == [first.index(number) for number in theirs]


@given(drawn_networks(9))
def test_components_of_small_networks_are_those_of_igraph(drawn: Drawn) -> None:
    components_agree(network_of(drawn))


@pytest.mark.parametrize("network", SOME)
def test_components_of_larger_networks_are_those_of_igraph(network: Network) -> None:
    components_agree(network)


def distances_agree(network: Network, sources: list[int]) -> None:
    theirs = as_networkx(network)
    found = statistics.distances(network, np.array(sources, np.int64))
    assert found.shape == (len(sources), network.nodes)
    counted = [0] * (network.nodes + 1)
    for row, source in zip(found.tolist(), sources, strict=True):
        steps = nx.single_source_shortest_path_length(theirs, source)
        assert row == [steps.get(v, -1) for v in range(network.nodes)]
        for step in steps.values():
            counted[step] += step > 0
    histogram = statistics.distance_histogram(network, np.array(sources, np.int64)).tolist()
    assert histogram == counted[: len(histogram)]
    assert not any(counted[len(histogram) :])
    assert len(histogram) == 1 or histogram[-1]


@given(drawn_networks(9, least=1), st.data())
def test_distances_in_small_networks_are_those_of_networkx(drawn: Drawn, data: st.DataObject) -> None:
    sources = data.draw(st.lists(st.integers(0, drawn[0] - 1), max_size=4))
    distances_agree(network_of(drawn), sources)


@pytest.mark.parametrize("network", SOME)
def test_distances_in_larger_networks_are_those_of_networkx(network: Network) -> None:
    distances_agree(network, statistics.sampled_sources(network, 12).tolist())


def test_sources_are_drawn_once_each_and_all_where_there_are_few() -> None:
    drawn = statistics.sampled_sources(SOME[0], 50, seed=2)
    assert len(set(drawn.tolist())) == 50
    assert drawn.tolist() == statistics.sampled_sources(SOME[0], 50, seed=2).tolist()
    assert drawn.tolist() != statistics.sampled_sources(SOME[0], 50, seed=3).tolist()
    assert statistics.sampled_sources(SOME[0], 10**6).tolist() == list(range(400))
    with pytest.raises(BadInput, match="source"):
        statistics.sampled_sources(SOME[0], 0)


def test_nobody_has_no_average_and_one_person_no_path() -> None:
    assert statistics.average_clustering(NOBODY) is None
    assert statistics.transitivity(NOBODY) is None
    assert statistics.components(NOBODY).tolist() == []
    alone = Network.of_edges(1, np.empty((0, 2), np.int64))
    assert statistics.distances(alone, np.array([0])).tolist() == [[0]]
    assert statistics.distance_histogram(alone, np.array([0])).tolist() == [0]
    assert statistics.average_clustering(alone) == 0.0


def test_every_kernel_is_compiled_for_one_kind_of_arrays() -> None:
    from sfumato.graph.statistics import _kernels_triangles, _kernels_walks

    statistics.distances(SOME[0], np.arange(3))
    statistics.distance_histogram(SOME[0], SOME[0].offsets[:2])
    statistics.components(SOME[0])
    statistics.triangles(SOME[0])
    kernels: tuple[Any, ...] = (
        _kernels_triangles.count_triangles,
        _kernels_walks.label_components,
        _kernels_walks.steps_from,
        _kernels_walks.count_steps,
    )
    assert [len(kernel.signatures) for kernel in kernels] == [1] * 4
