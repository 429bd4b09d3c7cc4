"""Measures of networks at their edges: nothing changed is 0 exactly, and what cannot be told is not told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.contract import Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.simulate import barabasi_albert, erdos_renyi, planted_communities, two_copies
from sfumato.graph.utility import (
    MEASURES,
    BetweennessRanks,
    Communities,
    DegreeDistance,
    PathLengths,
    PossibleWorlds,
)
from sfumato.graph.utility.communities import modularity, settled
from sfumato.graph.worlds import grouped_of
from tests.graph.drawn import Drawn, drawn_networks, network_of

OF_NETWORKS = {name: measure for name, measure in MEASURES.items() if measure is not PossibleWorlds}
LARGER = {
    "by chance": erdos_renyi(300, 600),
    "mostly alone": erdos_renyi(200, 60),
    "hubs": barabasi_albert(300, 3),
    "communities": planted_communities(300, 6, inside=8, between=1).network,
    "ring": network_of((150, [(at, at + 1) for at in range(149)])),
    "threes": network_of((150, [(at, at + 1) for at in range(149) if at % 3 < 2])),
}
NO_GROUPS = Grouped(*(np.zeros(shape, np.int64) for shape in (0, 0, (0, 2), 0)))


def diamonds(many: int) -> Network:
    """A chain of squares: 2^many shortest paths lead from one end to the other."""
    edges = [
        (3 * at + step, 3 * at + other)
        for at in range(many)
        for step, other in ((0, 1), (0, 2), (1, 3), (2, 3))
    ]
    return network_of((3 * many + 1, edges))


@pytest.mark.parametrize("measure", OF_NETWORKS.values(), ids=OF_NETWORKS)
@pytest.mark.parametrize("network", LARGER.values(), ids=LARGER)
def test_a_network_that_is_the_same_has_lost_exactly_nothing(measure: Any, network: Network) -> None:
    copy = Network.of_edges(network.nodes, network.pairs()[::-1, ::-1])
    found = measure().of(network, copy)
    assert found is not None
    assert found.value == 0


@pytest.mark.parametrize("measure", OF_NETWORKS.values(), ids=OF_NETWORKS)
@given(drawn=drawn_networks())
@settings(max_examples=50)
def test_a_small_network_that_is_the_same_has_lost_nothing_or_nothing_is_told(
    measure: Any, drawn: Drawn
) -> None:
    found = measure().of(network_of(drawn), network_of(drawn))
    assert found is None or found.value == 0


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
@given(before=drawn_networks(least=1), after=drawn_networks(least=7))
@settings(max_examples=50)
def test_every_figure_is_a_number_in_its_range(measure: Any, before: Drawn, after: Drawn) -> None:
    original, published = network_of(before), network_of((after[0], after[1]))
    group = np.arange(published.nodes) // 3
    for shown in (published, grouped_of(published, group)):
        found = measure().of(original, shown)
        if found is None:
            continue
        highest = {"0 … 1": 1.0, "0 … 2": 2.0, "0 … about 1": 1.5}.get(measure.range, np.inf)
        assert 0 <= found.value <= highest
        assert all(np.isfinite(figure) for figure in found.details.values() if isinstance(figure, float))


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_a_grouping_of_nobody_is_no_network(measure: Any) -> None:
    assert measure().of(network_of((3, [(0, 1), (1, 2)])), NO_GROUPS) is None


@pytest.mark.parametrize(
    "columns",
    [
        {"degree": [np.nan]},
        {"degree": [1.0, np.inf]},
        {"degree": [1.0, np.nan], "nodes": [3.0, 2.0]},
        {"degree": [1.0, 2.0], "nodes": [np.nan, 2.0]},
        {"degree": [1.0, 2.0], "nodes": [np.inf, 2.0]},
    ],
)
def test_degrees_that_are_no_numbers_have_no_distance(columns: dict[str, list[float]]) -> None:
    figures = Statistics({name: np.array(values) for name, values in columns.items()})
    assert DegreeDistance().of(network_of((3, [(0, 1), (1, 2)])), figures) is None


def test_a_node_of_degree_nothing_with_no_nodes_does_not_matter() -> None:
    figures = Statistics({"degree": np.array([1.0, 2.0, 9.0]), "nodes": np.array([2.0, 1.0, -4.0])})
    found = DegreeDistance().of(network_of((3, [(0, 1), (1, 2)])), figures)
    assert found is not None
    assert found.value == pytest.approx(0, abs=1e-12)


def test_ranks_are_not_told_where_paths_are_too_many_to_count() -> None:
    few, many = diamonds(300), diamonds(2200)
    assert BetweennessRanks(pivots=3).of(few, few) is not None
    assert BetweennessRanks(pivots=3).of(many, many) is None
    assert BetweennessRanks(pivots=3).of(many, Network.of_edges(many.nodes, many.pairs()[1:])) is None


def test_paths_begin_at_the_same_people_where_nodes_were_added() -> None:
    network = barabasi_albert(300, 3)
    more = Network.of_edges(400, network.pairs())
    found = PathLengths(sources=5).of(network, more)
    same = PathLengths(sources=5).of(network, network)
    assert found is not None
    assert same is not None
    for figure in ("mean distance after", "effective diameter after"):
        assert found.details[figure] == same.details[figure]


def test_an_edge_less_hardly_changes_communities() -> None:
    network = planted_communities(600, 12, inside=4, between=2).network
    for at in range(0, network.edges, 97):
        found = Communities().of(network, Network.of_edges(600, np.delete(network.pairs(), at, axis=0)))
        assert found is not None
        assert found.value < 0.1


def test_communities_are_lost_where_edges_lead_anywhere() -> None:
    network = planted_communities(600, 12, inside=8, between=1).network
    found = Communities().of(network, erdos_renyi(600, network.edges))
    assert found is not None
    assert found.value > 0.8


def clique(nodes: range) -> list[tuple[int, int]]:
    return [(one, other) for one in nodes for other in nodes if one < other]


def test_a_community_that_was_split_or_joined_to_another_is_seen() -> None:
    one = network_of((12, clique(range(12))))
    two = network_of((12, [*clique(range(6)), *clique(range(6, 12)), (0, 6)]))
    apart = network_of((12, [*clique(range(6)), *clique(range(6, 12))]))
    for before, after in ((one, two), (two, one), (one, apart), (apart, one)):
        found = Communities().of(before, after)
        assert found is not None
        assert found.value == pytest.approx(1)
        assert sorted((found.details["communities before"], found.details["communities after"])) == [1, 2]
    same = Communities().of(two, apart)
    assert same is not None
    assert same.value == 0


@given(drawn_networks(least=1), st.integers(0, 3), st.data())
def test_what_is_settled_stays_and_no_move_union_or_split_of_it_is_better(
    drawn: Drawn, seed: int, data: st.DataObject
) -> None:
    network = network_of(drawn)
    start = data.draw(st.lists(st.integers(0, 3), min_size=drawn[0], max_size=drawn[0]))
    member = settled(network, np.array(start, np.int64), seed)
    assert modularity(network, member) >= modularity(network, np.array(start)) - 1e-12
    assert settled(network, member, seed + 1).tolist() == member.tolist()
    for node in range(network.nodes):
        for other in network.neighbours_of(node).tolist():
            moved = member.copy()
            moved[node] = member[other]
            joined = np.where(member == member[node], member[other], member)
            for better in (moved, joined):
                assert modularity(network, better) <= modularity(network, member) + 1e-9


@pytest.mark.parametrize("overlap", [float("nan"), float("inf"), -0.5, 1.5])
def test_an_overlap_is_a_share(overlap: float) -> None:
    with pytest.raises(BadInput, match="overlap"):
        two_copies(erdos_renyi(10, 20), overlap)


def test_numbers_of_what_is_simulated_are_whole() -> None:
    for make in (
        lambda: erdos_renyi(10, float("nan")),  # type: ignore[arg-type]
        lambda: erdos_renyi(10, 2.5),  # type: ignore[arg-type]
        lambda: erdos_renyi(10, 5, seed=1.5),  # type: ignore[arg-type]
    ):
        with pytest.raises(BadInput):
            make()
