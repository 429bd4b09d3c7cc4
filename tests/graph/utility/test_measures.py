"""Measures of what a published network has lost."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.graph.contract import Statistics
from sfumato.graph.network import Network
from sfumato.graph.utility import (
    MEASURES,
    BetweennessRanks,
    ClusteringChange,
    Communities,
    DegreeDistance,
    EdgesChanged,
    PathLengths,
    PossibleWorlds,
    SpectralGap,
)
from sfumato.graph.worlds import grouped_of
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.oracles import graph_utility as oracle

BY_NODE = (EdgesChanged, BetweennessRanks, Communities)
"""those that ask which node is which, and so say nothing about a grouping"""


OF_NETWORKS = {name: measure for name, measure in MEASURES.items() if measure is not PossibleWorlds}


def hub_and_rim(nodes: int = 12) -> Network:
    rim = [(at, at % (nodes - 1) + 1) for at in range(1, nodes)]
    return network_of((nodes, sorted({*[(0, at) for at in range(1, nodes - 3)], *map(_sorted, rim)})))


def _sorted(pair: tuple[int, int]) -> tuple[int, int]:
    return min(pair), max(pair)


@pytest.mark.parametrize("measure", OF_NETWORKS.values(), ids=OF_NETWORKS)
def test_nothing_is_lost_where_nothing_was_changed(measure: Any) -> None:
    network = hub_and_rim()
    assert measure().of(network, network).value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("measure", OF_NETWORKS.values(), ids=OF_NETWORKS)
def test_something_is_lost_where_most_was_changed(measure: Any) -> None:
    network = hub_and_rim()
    other = network_of((12, [(10, at) for at in range(10)]))
    assert measure().of(network, other).value > 0.05


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_a_measure_that_does_not_apply_says_nothing(measure: Any) -> None:
    empty, ring = network_of((0, [])), hub_and_rim()
    assert measure().of(empty, empty) is None
    assert measure().of(ring, Statistics({"triangles": np.ones(1)}, "triangles")) is None
    if measure is not DegreeDistance:
        alone = network_of((3, []))
        assert measure().of(alone, alone) is None


@pytest.mark.parametrize("measure", OF_NETWORKS.values(), ids=OF_NETWORKS)
def test_every_measure_survives_a_network_without_edges_published(measure: Any) -> None:
    found = measure().of(hub_and_rim(), network_of((12, [])))
    assert found.value > 0
    assert np.isfinite(found.value)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_a_grouping_is_measured_over_its_worlds_or_not_at_all(measure: Any) -> None:
    network = hub_and_rim()
    everybody = grouped_of(network, np.zeros(12, np.int64))
    found = measure().of(network, everybody)
    if measure in BY_NODE:
        assert found is None
        return
    assert found.value > 0
    # Groups of one person each are the network itself.
    assert measure().of(network, grouped_of(network, np.arange(12))).value == pytest.approx(0, abs=1e-9)
    assert measure().of(network, everybody) == found


@pytest.mark.parametrize("measure", OF_NETWORKS.values(), ids=OF_NETWORKS)
def test_nodes_may_be_added_and_never_lost(measure: Any) -> None:
    network = hub_and_rim()
    more = Network.of_edges(14, np.concatenate([network.pairs(), [[11, 12], [12, 13]]]))
    assert measure().of(network, more).value > 0
    if measure in BY_NODE:
        with pytest.raises(AssertionError):
            measure().of(more, network)


@given(drawn_networks(least=2, most=8), st.data())
def test_edges_are_counted_as_sets(drawn: Drawn, data: st.DataObject) -> None:
    nodes, edges = drawn
    assume(edges)
    after = data.draw(drawn_networks(least=nodes, most=nodes))[1]
    found = EdgesChanged().of(network_of(drawn), network_of((nodes, after)))
    assert found is not None
    added, removed = len(set(after) - set(edges)), len(set(edges) - set(after))
    assert (found.details["added"], found.details["removed"]) == (added, removed)
    assert found.value == (added + removed) / len(edges)


@given(drawn_networks(least=2, most=8), drawn_networks(least=2, most=8))
def test_clustering_is_that_of_another_library(before: Drawn, after: Drawn) -> None:
    one, other = oracle.graph_of(*before), oracle.graph_of(*after)
    found = ClusteringChange().of(network_of(before), network_of(after))
    if max(dict(one.degree).values()) < 2:
        assert found is None
        return
    assert found is not None
    expected = abs(networkx.transitivity(one) - networkx.transitivity(other))
    assert found.value == pytest.approx(expected)
    assert found.details["mean over nodes after"] == pytest.approx(networkx.average_clustering(other))


@given(drawn_networks(least=2, most=8), drawn_networks(least=2, most=8))
def test_path_lengths_are_exact_where_all_nodes_are_sources(before: Drawn, after: Drawn) -> None:
    assume(before[1])
    found = PathLengths().of(network_of(before), network_of(after))
    assert found is not None
    closeness = [
        sum(1 / far for far in oracle.distances(*drawn)) / (drawn[0] * (drawn[0] - 1))
        for drawn in (before, after)
    ]
    assert found.value == pytest.approx(abs(closeness[1] - closeness[0]) / closeness[0])
    apart = oracle.distances(*after)
    assert found.details["share of connected pairs after"] == pytest.approx(
        len(apart) / (after[0] * (after[0] - 1))
    )
    if apart:
        assert found.details["mean distance after"] == pytest.approx(np.mean(apart))
    else:
        assert "mean distance after" not in found.details


def test_sampled_path_lengths_are_close_to_all_of_them() -> None:
    random = np.random.default_rng(1)
    pairs = np.unique(np.sort(random.integers(0, 400, (1200, 2)), axis=1), axis=0)
    network = Network.of_edges(400, pairs[pairs[:, 0] != pairs[:, 1]])
    fewer = Network.of_edges(400, network.pairs()[::2])
    exact, sampled = (PathLengths(sources=many).of(network, fewer) for many in (400, 60))
    assert exact is not None
    assert sampled is not None
    assert sampled.value == pytest.approx(exact.value, abs=0.03)


def test_possible_worlds_are_counted_for_groupings_alone() -> None:
    """Four nodes in two pairs: 4 worlds of the 20 that three edges can make."""
    path = network_of((4, [(0, 1), (1, 2), (2, 3)]))
    found = PossibleWorlds().of(path, grouped_of(path, np.array([0, 0, 1, 1])))
    assert found is not None
    assert found.value == pytest.approx(np.log(4) / np.log(20))
    assert PossibleWorlds().of(path, path) is None
    whole = PossibleWorlds().of(path, grouped_of(path, np.zeros(4, np.int64)))
    assert whole is not None
    assert whole.value == 1


def test_degrees_of_statistics_are_read_from_their_columns() -> None:
    path = network_of((3, [(0, 1), (1, 2)]))
    sequence = Statistics({"degree": np.array([1.0, 1.0, 2.0])}, "degree-sequence")
    histogram = Statistics({"degree": np.array([0.0, 1.0, 2.0]), "nodes": np.array([-0.5, 2.0, 1.0])})
    for same in (sequence, histogram):
        found = DegreeDistance().of(path, same)
        assert found is not None
        assert found.value == pytest.approx(0)
    nobody = Statistics({"degree": np.array([1.0]), "nodes": np.array([-1.0])})
    assert DegreeDistance().of(path, nobody) is None


def test_a_grouping_in_one_group_expects_degrees_that_vary_as_by_chance() -> None:
    """Two of three pairs are connected: a path in every world, so that nothing is lost."""
    path = network_of((3, [(0, 1), (1, 2)]))
    found = DegreeDistance().of(path, grouped_of(path, np.zeros(3, np.int64)))
    assert found is not None
    assert found.value == pytest.approx(0, abs=1e-12)


def test_betweenness_says_how_many_of_the_greatest_are_left() -> None:
    star = network_of((200, [(0, at) for at in range(1, 200)]))
    moved = network_of((200, [(at, 199) for at in range(199)]))
    found = BetweennessRanks(pivots=200).of(star, moved)
    assert found is not None
    assert found.details["greatest 1 %, in nodes"] == 2
    assert float(found.details["share of these that still are"]) < 1
    assert found.value > 1


def test_the_spectral_gap_of_a_network_that_fell_apart_is_zero() -> None:
    whole = network_of((4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
    apart = network_of((4, [(0, 1), (2, 3)]))
    found = SpectralGap().of(whole, apart)
    assert found is not None
    assert found.details["gap after"] == 0
    assert found.value == pytest.approx(1)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_every_measure_says_what_it_is(measure: Any) -> None:
    made = measure()
    assert all((made.name, made.title, made.range, made.meaning))
    assert MEASURES[made.name] is measure
