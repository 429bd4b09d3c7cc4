"""Figures of networks, against definitions and another library."""

from __future__ import annotations

from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.graph.network import Network
from sfumato.graph.utility.betweenness_ranks import betweenness
from sfumato.graph.utility.communities import (
    adjusted_rand_index,
    communities,
    modularity,
    mutual_information,
)
from sfumato.graph.utility.degree_distance import distances_between
from sfumato.graph.utility.path_lengths import effective_diameter
from sfumato.graph.utility.ranks import ranks, spearman
from sfumato.graph.utility.spectral_gap import two_greatest
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.graph.real import real_network
from tests.oracles import graph_utility as oracle


@given(drawn_networks(least=1, most=9))
def test_betweenness_is_that_of_another_library(drawn: Drawn) -> None:
    found = betweenness(network_of(drawn), np.arange(drawn[0]))
    assert found.tolist() == pytest.approx(oracle.betweenness(*drawn), abs=1e-5)


@given(drawn_networks(least=2, most=9))
def test_the_two_greatest_eigenvalues_of_small_networks(drawn: Drawn) -> None:
    assert two_greatest(network_of(drawn)) == pytest.approx(oracle.greatest_eigenvalues(*drawn), abs=1e-9)


@pytest.mark.parametrize("edges", [40, 300, 2000])
def test_the_two_greatest_eigenvalues_of_networks_that_are_searched(edges: int) -> None:
    random = np.random.default_rng(edges)
    pairs = np.unique(np.sort(random.integers(0, 300, (edges, 2)), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    expected = oracle.greatest_eigenvalues(300, [(int(one), int(other)) for one, other in pairs])
    assert two_greatest(Network.of_edges(300, pairs)) == pytest.approx(expected, rel=1e-5)


def test_equal_greatest_eigenvalues_are_both_found() -> None:
    """Two rings of 50: both have 2."""
    ring = np.array([[at, (at + 1) % 50] for at in range(50)])
    assert two_greatest(Network.of_edges(100, np.concatenate([ring, ring + 50]))) == pytest.approx((2, 2))


def test_a_network_without_edges_or_of_one_node_has_no_gap() -> None:
    assert two_greatest(network_of((1, []))) is None
    assert two_greatest(Network.of_edges(100, np.empty((0, 2), np.int64))) == (0, 0)


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=8), st.lists(st.integers(0, 6), min_size=1, max_size=8)
)
def test_the_earth_movers_distance_pairs_sorted_samples(one: list[int], other: list[int]) -> None:
    def counted(sample: list[int]) -> tuple[np.ndarray, np.ndarray]:
        values, many = np.unique(np.array(sample, float), return_counts=True)
        return values, many.astype(float)

    moved, greatest = distances_between(counted(one), counted(other))
    assert moved == pytest.approx(oracle.mean_move(one, other), abs=1e-9)
    shares = [abs(np.mean(np.array(one) <= at) - np.mean(np.array(other) <= at)) for at in range(7)]
    assert greatest == pytest.approx(max(shares), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=10))
def test_rank_correlation_is_that_of_another_library(pairs: list[tuple[int, int]]) -> None:
    from scipy.stats import rankdata, spearmanr

    one, other = (np.array(values, float) for values in zip(*pairs, strict=True))
    assert ranks(one).tolist() == rankdata(one).tolist()
    if len(set(one)) > 1 and len(set(other)) > 1:
        assert spearman(one, other) == pytest.approx(spearmanr(one, other).statistic, abs=1e-12)
    else:
        assert spearman(one, other) is None


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_agreement_of_partitions_is_that_of_every_pair(pairs: list[tuple[int, int]]) -> None:
    from sklearn.metrics import normalized_mutual_info_score

    one, other = (np.array(values) for values in zip(*pairs, strict=True))
    found = adjusted_rand_index(one, other)
    assert found == pytest.approx(oracle.rand_index(one.tolist(), other.tolist()), abs=1e-12)
    assert found == adjusted_rand_index(other, one)
    expected = normalized_mutual_info_score(one, other)
    assert mutual_information(one, other) == pytest.approx(expected, abs=1e-9)


@given(drawn_networks(least=1, most=9), st.integers(0, 3))
def test_communities_are_numbered_in_order_and_their_modularity_is_right(drawn: Drawn, seed: int) -> None:
    assume(drawn[1])
    network = network_of(drawn)
    member = communities(network, seed)
    _, first = np.unique(member, return_index=True)
    assert first.tolist() == sorted(first.tolist())
    sets = [set(np.flatnonzero(member == number).tolist()) for number in range(int(member.max()) + 1)]
    graph = oracle.graph_of(*drawn)
    assert modularity(network, member) == pytest.approx(networkx.community.modularity(graph, sets))
    # No community holds people whom no path connects, and together they are no worse than everybody alone.
    parts = list(networkx.connected_components(graph))
    assert all(any(some <= part for part in parts) for some in sets)
    assert modularity(network, member) >= modularity(network, np.arange(drawn[0]))


def test_cliques_on_a_ring_are_communities() -> None:
    edges = []
    for clique in range(6):
        inside = range(5 * clique, 5 * clique + 5)
        edges += [(one, other) for one in inside for other in inside if one < other]
        edges.append((5 * clique, (5 * clique + 6) % 30))
    found = communities(Network.of_edges(30, np.array(edges)))
    assert found.tolist() == [at // 5 for at in range(30)]


@pytest.mark.golden
def test_communities_of_facebook_are_as_good_as_those_of_another_library(shared: Path) -> None:
    network = real_network(shared, "facebook_combined.txt.gz")
    assert modularity(network, communities(network)) > 0.83


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6))
def test_ninety_per_cent_of_pairs_lie_within_the_effective_diameter(many: list[int]) -> None:
    counts = np.array([0, *many])
    assume(counts.sum())
    far = effective_diameter(counts)
    within = np.interp(far, np.arange(-1, len(counts)), np.concatenate([[0], np.cumsum(counts)]))
    assert within == pytest.approx(0.9 * counts.sum())
