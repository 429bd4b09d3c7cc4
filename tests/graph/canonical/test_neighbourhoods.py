"""Neighbourhoods: the same number if and only if isomorphic."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import MissingPart
from sfumato.graph.canonical import bliss, form, neighbourhood_forms, neighbourhoods, together
from sfumato.graph.network import Network
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.graph.real import KNOWN, real_network
from tests.oracles.graph_isomorphism import neighbourhoods_alike, partition


@given(drawn_networks(most=7), st.booleans(), st.data())
def test_classes_agree_with_every_permutation_tried(
    drawn: Drawn, labelled: bool, data: st.DataObject
) -> None:
    nodes, edges = drawn
    labels = data.draw(st.lists(st.integers(0, 1), min_size=nodes, max_size=nodes))
    found = neighbourhood_forms(network_of(drawn, labels), labelled=labelled)
    for one, other in itertools.combinations(range(nodes), 2):
        alike = neighbourhoods_alike(nodes, edges, one, other, labels if labelled else None)
        assert (found[one] == found[other]) == alike


@settings(deadline=None)
@given(st.integers(0, 10**6), st.floats(0.1, 0.9), st.booleans())
def test_classes_agree_with_canonical_forms_of_induced_networks(
    seed: int, density: float, labelled: bool
) -> None:
    random = np.random.default_rng(seed)
    nodes = 30
    pairs = np.array(list(itertools.combinations(range(nodes), 2)))
    labels = random.integers(0, 2, nodes).astype(np.int32)
    network = Network.of_edges(nodes, pairs[random.random(len(pairs)) < density], labels, ("a", "b"))
    expected = []
    for node in range(nodes):
        inner = network.induced(network.neighbours_of(node).astype(np.int64))
        own = int(labels[node]) if labelled else 0
        expected.append((own, form(inner, inner.labels if labelled else None)))
    assert partition(neighbourhood_forms(network, labelled=labelled).tolist()) == partition(expected)


@given(drawn_networks(most=9), st.data())
def test_renumbering_moves_classes_with_their_nodes(drawn: Drawn, data: st.DataObject) -> None:
    number = np.array(data.draw(st.permutations(range(drawn[0]))), np.int64)
    network = network_of(drawn)
    here, there = neighbourhood_forms(network), neighbourhood_forms(network.renumbered(number))
    assert partition(here.tolist()) == partition(there[number].tolist())


def cycle(length: int, start: int) -> list[tuple[int, int]]:
    return [(start + at, start + (at + 1) % length) for at in range(length)]


def wheel_of(rings: list[list[int]]) -> Network:
    """One node for each list, connected to all nodes of cycles of these lengths, which are its own."""
    edges: list[tuple[int, int]] = []
    free = len(rings)
    for hub, lengths in enumerate(rings):
        for length in lengths:
            edges += cycle(length, free) + [(hub, free + at) for at in range(length)]
            free += length
    return Network.of_edges(free, np.array(edges))


def test_neighbourhoods_in_which_all_places_look_the_same_are_told_apart_and_found_alike() -> None:
    """No refinement tells cycles from cycles; numbers of nodes lie so that they are written differently."""
    network = wheel_of([[6], [3, 3], [6], [3, 3], [4, 4]])
    number = np.random.default_rng(5).permutation(network.nodes)
    found = neighbourhood_forms(network.renumbered(number))[number]
    assert found[0] == found[2]
    assert found[1] == found[3]
    assert len({int(found[0]), int(found[1]), int(found[4])}) == 3


def strongly_regular(clique: bool) -> list[tuple[int, int]]:
    """Return the rook's network of 4 × 4, or Shrikhande's: alike by all counts, and not isomorphic."""
    places = list(itertools.product(range(4), repeat=2))
    steps = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
    edges = []
    for (a, one), (b, other) in itertools.combinations(enumerate(places), 2):
        rook = one[0] == other[0] or one[1] == other[1]
        shift = ((one[0] - other[0]) % 4, (one[1] - other[1]) % 4)
        if rook if clique else shift in steps:
            edges.append((a, b))
    return edges


def test_strongly_regular_neighbourhoods_with_the_same_counts_are_told_apart() -> None:
    edges = []
    for hub, clique in enumerate((True, False, True, False)):
        base = 4 + 16 * hub
        order = np.random.default_rng(hub).permutation(16)
        edges += [(base + int(order[a]), base + int(order[b])) for a, b in strongly_regular(clique)]
        edges += [(hub, base + at) for at in range(16)]
    found = neighbourhood_forms(Network.of_edges(4 + 64, np.array(edges)))
    assert found[0] == found[2]
    assert found[1] == found[3]
    assert found[0] != found[1]


def test_components_have_sizes_edges_and_an_example() -> None:
    network = wheel_of([[3, 4], [4]])
    found = neighbourhoods(network, nodes=np.array([0, 1]))
    assert found.classes.tolist() == [0, 1]
    shapes = [
        sorted((int(found.sizes[one]), int(found.edges[one])) for one in found.components_of(at))
        for at in (0, 1)
    ]
    assert shapes == [[(3, 3), (4, 4)], [(4, 4)]]
    shared = int(found.components_of(1)[0])
    assert form(found.example(shared)) == form(Network.of_edges(4, np.array(cycle(4, 0))))
    assert set(found.components_of(0).tolist()) == {0, 1}


def test_an_example_carries_the_labels_of_the_component() -> None:
    star = network_of((3, [(0, 1), (0, 2), (1, 2)]), [0, 1, 2])
    found = neighbourhoods(star, labelled=True, nodes=np.array([0]))
    example = found.example(0)
    assert example.labels is not None
    assert sorted(example.labels.tolist()) == [1, 2]


def test_only_the_nodes_that_are_asked_for_are_numbered_in_their_order() -> None:
    star = network_of((4, [(0, 1), (0, 2)]))
    assert neighbourhood_forms(star, nodes=np.array([3, 1, 0, 2, 1])).tolist() == [0, 1, 2, 1, 1]
    assert neighbourhood_forms(star, nodes=np.array([], np.int64)).tolist() == []
    assert neighbourhood_forms(network_of((0, []))).tolist() == []


def test_isolated_nodes_are_alike() -> None:
    assert neighbourhood_forms(network_of((4, [(0, 1)]))).tolist() == [0, 0, 1, 1]


def test_a_hub_is_searched_and_not_read_with_the_same_outcome() -> None:
    """A leaf of a hub has a list of one against a list of hundreds: the other way to find edges."""
    leaves = 200
    edges = [(0, leaf) for leaf in range(1, leaves + 1)] + [(1, 2), (3, 4), (4, 5)]
    network = Network.of_edges(leaves + 1, np.array(edges))
    expected = [form(network.induced(network.neighbours_of(v).astype(np.int64))) for v in range(leaves + 1)]
    assert partition(neighbourhood_forms(network).tolist()) == partition(expected)


def test_nodes_of_two_networks_are_compared_together() -> None:
    one, other = network_of((3, [(0, 1), (1, 2), (2, 0)])), network_of((3, [(0, 1), (1, 2)]))
    found = neighbourhood_forms(together(one, other))
    assert found.tolist() == [0, 0, 0, 1, 2, 1]


def test_labels_of_two_networks_are_compared_by_their_words() -> None:
    one = Network.of_edges(2, np.array([[0, 1]]), np.array([0, 1], np.int32), ("nurse", "doctor"))
    other = Network.of_edges(2, np.array([[0, 1]]), np.array([0, 1], np.int32), ("doctor", "porter"))
    both = together(one, other)
    assert both.labels is not None
    assert [both.words[label] for label in both.labels] == ["nurse", "doctor", "doctor", "porter"]
    assert together(one, network_of((2, []))).labels is None
    assert together(one, one).words == one.words


def test_without_igraph_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    bliss.igraph.cache_clear()
    try:
        with pytest.raises(MissingPart, match=r"sfumato\[graph\]"):
            neighbourhood_forms(network_of((2, [(0, 1)])))
    finally:
        bliss.igraph.cache_clear()


@pytest.mark.golden
@pytest.mark.parametrize("name", KNOWN)
def test_uniques_of_real_networks_by_neighbourhood(shared: Path, name: str) -> None:
    network = real_network(shared, name)
    nodes, edges, *_, alone = KNOWN[name]
    assert (network.nodes, network.edges) == (nodes, edges)
    assert np.count_nonzero(np.bincount(neighbourhood_forms(network)) == 1) == alone
