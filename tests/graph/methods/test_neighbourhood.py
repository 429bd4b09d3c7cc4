"""k-neighbourhood anonymity: everybody's neighbourhood is that of k nodes, and no edge is lost."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.graph.contract import Demand, Problem, Solution
from sfumato.graph.methods import METHODS
from sfumato.graph.methods.neighbourhood import KNeighbourhoodMethod
from sfumato.graph.models.k_degree import KDegree
from sfumato.graph.models.k_grouping import KGrouping
from sfumato.graph.models.k_neighbourhood import KNeighbourhood
from sfumato.graph.network import Network
from sfumato.hierarchy.ladder import Ladder
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.graph.real import real_network
from tests.oracles.graph_models import neighbourhood_k
from tests.oracles.graph_neighbourhood import fewest_alike

Pair = tuple[int, int]
TREE = Ladder(
    "work",
    np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32),
    (("nurse", "doctor", "baker", "cook"), ("health", "food"), ("*",)),
    (np.ones(4), np.array([2.0, 2.0]), np.array([4.0])),
    4,
)


def protected(network: Network, k: int, method: KNeighbourhoodMethod | None = None) -> Solution:
    return (method or KNeighbourhoodMethod()).protect(Problem(network, (KNeighbourhood(k),)))


def network_in(found: Solution) -> Network:
    assert isinstance(found.published, Network)
    return found.published


def edges_of(network: Network) -> list[Pair]:
    return [(int(one), int(other)) for one, other in network.pairs()]


def named(drawn: Drawn, labels: list[int]) -> Network:
    nodes, edges = drawn
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    return Network.of_edges(nodes, pairs, np.array(labels, np.int32), TREE.labels[0])  # type: ignore[arg-type]


def generalises(word: str, original: int) -> bool:
    return word in {TREE.labels[level][TREE.rungs[level, original]] for level in range(3)}


@settings(max_examples=80)
@given(drawn_networks(most=9, least=1), st.data())
def test_every_neighbourhood_is_shared_by_k_and_no_edge_is_lost(drawn: Drawn, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, drawn[0]))
    found = protected(network_of(drawn), k)
    edges = edges_of(network_in(found))
    assert set(drawn[1]) <= set(edges)
    assert found.details["edges added"] == len(edges) - len(drawn[1])
    assert network_in(found).nodes == drawn[0]
    assert fewest_alike(drawn[0], edges) >= k


@settings(max_examples=25)
@given(drawn_networks(most=6, least=1), st.data())
def test_the_oracles_agree_on_what_is_published(drawn: Drawn, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, drawn[0]))
    edges = edges_of(network_in(protected(network_of(drawn), k)))
    assert neighbourhood_k(drawn[0], edges) == fewest_alike(drawn[0], edges) >= k


@settings(max_examples=60)
@given(drawn_networks(most=8, least=1), st.data())
def test_labels_are_shared_too_and_stay_true(drawn: Drawn, data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.integers(0, 3), min_size=drawn[0], max_size=drawn[0]))
    k = data.draw(st.integers(1, drawn[0]))
    problem = Problem(named(drawn, labels), (KNeighbourhood(k, labelled=True),), TREE)
    found = KNeighbourhoodMethod().protect(problem)
    published = network_in(found)
    assert published.labels is not None
    words = [published.words[label] for label in published.labels]
    assert all(generalises(word, label) for word, label in zip(words, labels, strict=True))
    numbers = [sorted(set(words)).index(word) for word in words]
    edges = edges_of(published)
    assert set(drawn[1]) <= set(edges)
    assert fewest_alike(drawn[0], edges, numbers) >= k
    assert problem.models[0].check(published).holds


@given(drawn_networks(most=7, least=2), st.data())
@settings(max_examples=25)
def test_without_a_tree_labels_stay_and_what_cannot_be_is_said(drawn: Drawn, data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.integers(0, 1), min_size=drawn[0], max_size=drawn[0]))
    k = data.draw(st.integers(2, drawn[0]))
    network = named(drawn, labels)
    problem = Problem(network, (KNeighbourhood(k, labelled=True),))
    rare = min(labels.count(label) for label in set(labels))
    if rare < k:
        with pytest.raises(PromiseNotMet, match="nothing in common"):
            KNeighbourhoodMethod().protect(problem)
        return
    published = network_in(KNeighbourhoodMethod().protect(problem))
    assert published.labels is not None
    assert published.labels.tolist() == labels
    assert fewest_alike(drawn[0], edges_of(published), labels) >= k


def test_labels_that_nobody_asked_about_are_published_as_they_are() -> None:
    network = named((3, [(0, 1), (1, 2)]), [0, 1, 2])
    published = network_in(protected(network, 3))
    assert published.labels is not None
    assert published.labels.tolist() == [0, 1, 2]
    assert published.words == network.words


@pytest.mark.parametrize(
    ("nodes", "edges", "k"),
    [
        (6, [], 6),
        (6, list(itertools.combinations(range(6), 2)), 6),
        (7, [(at, (at + 1) % 7) for at in range(7)], 7),
        (6, [(0, 1), (2, 3), (4, 5)], 6),
    ],
    ids=["no edges", "complete", "cycle", "pairs"],
)
def test_networks_that_are_alike_already_are_left_alone(nodes: int, edges: list[Pair], k: int) -> None:
    assert protected(network_of((nodes, edges)), k).details["edges added"] == 0


def test_one_is_what_everybody_has_anyway() -> None:
    drawn = (4, [(0, 1), (0, 2), (1, 2)])
    assert edges_of(network_in(protected(network_of(drawn), 1))) == drawn[1]


def test_the_centre_of_a_star_finds_somebody_like_itself() -> None:
    drawn = (6, [(0, at) for at in range(1, 6)])
    edges = edges_of(network_in(protected(network_of(drawn), 2)))
    assert set(drawn[1]) < set(edges)
    assert fewest_alike(6, edges) >= 2


def test_a_single_lonely_node_gets_company() -> None:
    drawn = (4, [(0, 1), (1, 2), (0, 2)])
    edges = edges_of(network_in(protected(network_of(drawn), 2)))
    assert fewest_alike(4, edges) >= 2


def test_regular_neighbourhoods_that_keys_confuse_are_told_apart() -> None:
    # Both are 3-regular on 6 nodes: a prism has triangles, K3,3 has none, and refinement sees neither.
    prism = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4), (2, 5)]
    bipartite = [(one, other) for one in range(3) for other in range(3, 6)]
    edges = [(12, node) for node in range(6)] + [(13, node) for node in range(6, 12)]
    edges += prism + [(one + 6, other + 6) for one, other in bipartite]
    assert fewest_alike(14, edges) == 1
    published = network_in(protected(network_of((14, edges)), 2))
    assert set(map(tuple, map(sorted, edges))) <= set(edges_of(published))
    assert fewest_alike(14, edges_of(published)) >= 2


def test_more_than_there_are_nodes_is_refused() -> None:
    with pytest.raises(PromiseNotMet, match="5 nodes must share a neighbourhood and there are 4"):
        protected(network_of((4, [(0, 1)])), 5)


def test_a_network_without_nodes_is_published_as_it_is() -> None:
    assert network_in(protected(network_of((0, [])), 3)).nodes == 0


def test_more_edges_than_allowed_are_refused() -> None:
    star = network_of((12, [(0, at) for at in range(1, 12)]))
    with pytest.raises(PromiseNotMet, match="edges would be added and 1 may be"):
        protected(star, 2, KNeighbourhoodMethod(most_edges=1))


def test_the_same_seed_gives_the_same_network() -> None:
    chance = np.random.default_rng(5)
    pairs = [pair for pair in itertools.combinations(range(40), 2) if chance.random() < 0.1]
    network = network_of((40, pairs))
    one, other = (edges_of(network_in(protected(network, 3, KNeighbourhoodMethod(seed=4)))) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    "wrong", [{"alpha": -1}, {"beta": float("nan")}, {"seed": -1}, {"tries": 0}, {"most_edges": -1}]
)
def test_parameters_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput, match=next(iter(wrong))):
        KNeighbourhoodMethod(**wrong)  # type: ignore[arg-type]


def test_it_is_registered_and_says_what_it_enforces() -> None:
    assert METHODS["k-neighbourhood"] is KNeighbourhoodMethod
    method = KNeighbourhoodMethod()
    assert method.enforces(Demand("neighbourhood", 2))
    assert method.enforces(Demand("degree", 2))
    assert not method.enforces(Demand("group", 2))
    star = network_of((6, [(0, at) for at in range(1, 6)]))
    with pytest.raises(BadInput, match="k-neighbourhood does not enforce k-grouping"):
        method.protect(Problem(star, (KGrouping(2),)))
    found = method.protect(Problem(star, (KDegree(2),)))
    assert KDegree(2).check(found.published).holds


def test_a_tree_over_other_words_is_refused() -> None:
    network = network_of((3, [(0, 1)]), [0, 1, 2])
    with pytest.raises(BadInput, match="not laid over the labels"):
        KNeighbourhoodMethod().protect(Problem(network, (KNeighbourhood(2, labelled=True),), TREE))


@pytest.mark.golden
def test_tiny_networks_need_few_more_edges_than_the_fewest(shared: Path) -> None:
    cases = json.loads((shared / "golden" / "graph.json").read_text(encoding="utf-8"))["min_edge_additions"]
    fewest = added = 0
    for case in cases:
        if "min_added_edges_k_neighbourhood" not in case:
            continue
        network = network_of((case["n"], [tuple(edge) for edge in case["edges"]]))
        found = protected(network, case["k"])
        ours = int(found.details["edges added"])
        assert ours >= case["min_added_edges_k_neighbourhood"]
        assert fewest_alike(case["n"], edges_of(network_in(found))) >= case["k"]
        fewest += case["min_added_edges_k_neighbourhood"]
        added += ours
    assert fewest > 0
    assert added <= 1.1 * fewest


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "k", "most"),
    [
        ("karate.edges.gz", 2, 63),
        ("karate.edges.gz", 5, 298),
        ("polbooks.gml.gz", 2, 486),
        pytest.param("polbooks.gml.gz", 5, 1684, marks=pytest.mark.slow),
    ],
)
def test_real_networks_cost_no_more_than_twins_for_everybody(
    shared: Path, name: str, k: int, most: int
) -> None:
    network = real_network(shared, name)
    found = protected(network, k)
    published = network_in(found)
    assert set(edges_of(network)) <= set(edges_of(published))
    assert KNeighbourhood(k).check(published).holds
    assert int(found.details["edges added"]) <= most
