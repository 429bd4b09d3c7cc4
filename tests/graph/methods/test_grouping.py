"""Groups of k nodes or more that leave few possible worlds."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.graph.contract import Demand, Problem
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods.grouping import KGroupingMethod
from sfumato.graph.methods.grouping_start import cut
from sfumato.graph.models.k_degree import KDegree
from sfumato.graph.models.k_grouping import KGrouping
from sfumato.graph.network import Network
from sfumato.graph.worlds import grouped_of, log_worlds, number_of_worlds
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.graph.real import real_network
from tests.oracles.graph_worlds import counts_of, fewest_worlds

QUICK = KGroupingMethod(search=200)


def communities(nodes: int = 120, size: int = 8, seed: int = 3) -> Network:
    """Dense communities with some edges between them, numbered at random."""
    chance = np.random.default_rng(seed)
    number = chance.permutation(nodes)
    edges = [
        (int(number[a]), int(number[b]))
        for a in range(nodes)
        for b in range(a)
        if chance.random() < (0.8 if a // size == b // size else 0.01)
    ]
    return Network.of_edges(nodes, np.array(edges))


@pytest.mark.golden
def test_the_groups_of_tiny_networks_leave_as_few_worlds_as_any(shared: Path) -> None:
    cases = json.loads((shared / "golden" / "graph.json").read_text())["grouping"]
    assert len(cases) == 12
    for case in cases:
        nodes = max(max(edge) for edge in case["edges"]) + 1
        network = Network.of_edges(nodes, np.array(case["edges"]))
        found = KGroupingMethod(search=2_000).grouped(network, case["k"])
        assert isinstance(found.published, Grouped)
        assert number_of_worlds(found.published) == case["min_possible_worlds"], case["graph"]


@settings(max_examples=25, deadline=None)
@given(drawn_networks(most=7, least=2), st.integers(2, 4))
def test_no_groups_of_small_networks_leave_fewer_worlds(drawn: Drawn, k: int) -> None:
    nodes, edges = drawn
    if k > nodes:
        with pytest.raises(PromiseNotMet):
            QUICK.grouped(network_of(drawn), k)
        return
    found = QUICK.grouped(network_of(drawn), k)
    assert isinstance(found.published, Grouped)
    assert number_of_worlds(found.published) == fewest_worlds(nodes, edges, k)


@settings(max_examples=25, deadline=None)
@given(drawn_networks(most=14, least=4), st.integers(1, 4), st.integers(0, 100))
def test_what_is_published_are_true_counts_of_groups_of_k_or_more(drawn: Drawn, k: int, seed: int) -> None:
    _, edges = drawn
    found = KGroupingMethod(search=20, seed=seed).protect(Problem(network_of(drawn), (KGrouping(k),)))
    published, group = found.published, found.group
    assert isinstance(published, Grouped)
    assert group is not None
    assert published.sizes.tolist() == np.bincount(group).tolist()
    assert min(np.bincount(group)) >= k
    assert max(np.bincount(group)) < max(2 * k, 2)
    true = counts_of(edges, group.tolist())
    told = {(g, g): count for g, count in enumerate(published.inside.tolist()) if count}
    told |= {
        (a, b): n for (a, b), n in zip(published.links.tolist(), published.between.tolist(), strict=True)
    }
    assert told == dict(true)
    assert found.details["log worlds"] == pytest.approx(math.log(number_of_worlds(published)), abs=1e-9)


def test_communities_are_found() -> None:
    network = communities()
    found = KGroupingMethod(search=1_000).grouped(network, 4)
    by_degree = grouped_of(network, cut(np.argsort(network.degrees(), kind="stable"), 4))
    at_random = grouped_of(network, cut(np.random.default_rng(0).permutation(network.nodes), 4))
    assert float(found.details["log worlds"]) < 0.6 * min(log_worlds(by_degree), log_worlds(at_random))
    assert float(found.details["log worlds"]) < float(found.details["log worlds of the start"])


def test_a_seed_gives_the_same_groups_again_and_another_seed_others() -> None:
    network = communities()
    one, again, other = (
        np.asarray(KGroupingMethod(search=50, seed=seed).grouped(network, 5).group).tolist()
        for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other


def test_without_a_search_the_groups_of_the_start_are_published() -> None:
    found = KGroupingMethod(search=0).grouped(communities(), 5)
    assert found.details["log worlds"] == pytest.approx(found.details["log worlds of the start"])
    assert found.details["neighbours looked at"] == 0


def test_groups_of_one_publish_the_network_itself() -> None:
    network = communities(nodes=20)
    found = KGroupingMethod().grouped(network, 1)
    assert isinstance(found.published, Grouped)
    assert found.published.links.tolist() == network.pairs().tolist()
    assert found.details["log worlds"] == 0
    assert found.details["certain edges"] == network.edges


def test_fewer_than_2k_nodes_are_one_group() -> None:
    network = communities(nodes=9)
    found = KGroupingMethod().grouped(network, 5)
    assert isinstance(found.published, Grouped)
    assert found.published.sizes.tolist() == [9]
    assert found.published.inside.tolist() == [network.edges]


def test_isolated_nodes_are_in_groups_and_stay_together() -> None:
    pair = Network.of_edges(8, np.array([[3, 6]]))
    found = KGroupingMethod(search=100).grouped(pair, 2)
    assert isinstance(found.published, Grouped)
    assert found.published.nodes == 8
    assert number_of_worlds(found.published) == 1
    assert KGroupingMethod().grouped(Network.of_edges(5, np.empty((0, 2), int)), 2).details["log worlds"] == 0


def test_what_is_certain_of_edges_is_reported() -> None:
    complete = Network.of_edges(4, np.array([[a, b] for a in range(4) for b in range(a)]))
    details = KGroupingMethod(search=10).grouped(complete, 2).details
    assert (details["complete groups"], details["complete links"], details["certain edges"]) == (2, 1, 6)


def test_the_strictest_of_several_promises_decides() -> None:
    found = QUICK.protect(Problem(communities(), (KGrouping(3), KGrouping(6))))
    assert KGrouping(6).check(found.published).holds


def test_what_cannot_be_done_is_said() -> None:
    network = communities(nodes=6)
    with pytest.raises(PromiseNotMet, match="groups of 7 are asked for and there are 6 in all"):
        KGroupingMethod().grouped(network, 7)
    with pytest.raises(BadInput, match="no nodes"):
        KGroupingMethod().grouped(Network.of_edges(0, np.empty((0, 2), int)), 2)
    with pytest.raises(BadInput, match="does not enforce k-degree"):
        KGroupingMethod().protect(Problem(network, (KDegree(2),)))
    with pytest.raises(BadInput, match="no promise"):
        KGroupingMethod().protect(Problem(network, ()))
    with pytest.raises(BadInput, match="search"):
        KGroupingMethod(search=-1)
    assert KGroupingMethod().enforces(Demand("group", 5))
    assert not KGroupingMethod().enforces(Demand("degree", 5))


def test_progress_is_told() -> None:
    class Told:
        def __init__(self) -> None:
            self.steps: list[str] = []
            self.done: list[float] = []

        def step(self, what: str) -> None:
            self.steps.append(what)

        def update(self, done: float, note: str = "") -> None:
            self.done.append(done)

    told = Told()
    KGroupingMethod(search=10).grouped(communities(nodes=600), 5, progress=told)
    assert told.steps[:2] == ["choosing groups to begin with", "improving the groups"]
    assert told.done == sorted(told.done)
    assert told.done[-1] == 1


@pytest.mark.golden
def test_the_groups_of_a_real_network_leave_far_fewer_worlds_than_groups_by_degree(shared: Path) -> None:
    network = real_network(shared, "facebook_combined.txt.gz")
    found = KGroupingMethod(search=300).grouped(network, 5)
    by_degree = log_worlds(grouped_of(network, cut(np.argsort(network.degrees(), kind="stable"), 5)))
    assert float(found.details["log worlds"]) < 0.6 * by_degree
    assert KGrouping(5).check(found.published).holds
