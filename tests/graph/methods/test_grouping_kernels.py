"""Changes of log W on the board, against counting everything again."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.graph.methods import grouping_search
from sfumato.graph.methods._kernels_grouping import TAKEN, count_of, move_change, relocate, swap_change
from sfumato.graph.methods.grouping_search import board_of, searched
from sfumato.graph.methods.grouping_start import cut, orders, start
from sfumato.graph.network import Network
from sfumato.graph.worlds import grouped_of, log_worlds
from tests.graph.drawn import Drawn, drawn_networks, network_of


@pytest.fixture(params=["direct", "hashed"])
def table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to keep the counts."""
    if request.param == "hashed":
        monkeypatch.setattr(grouping_search, "DIRECT", 0)
    return str(request.param)


def random_network(nodes: int, edges: int, seed: int) -> Network:
    pairs = np.random.default_rng(seed).integers(0, nodes, (edges, 2))
    pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    return Network.of_edges(nodes, np.unique(pairs, axis=0))


def test_a_swap_changes_log_worlds_as_foretold(table: str) -> None:
    network = random_network(40, 200, 1)
    board = board_of(network, cut(np.arange(40), 4), 4, 0)
    before = log_worlds(grouped_of(network, board.group))
    chance = np.random.default_rng(2)
    for _ in range(300):
        one, other = chance.integers(0, 40, 2).tolist()
        a, b = int(board.group[one]), int(board.group[other])
        if a == b:
            continue
        change = swap_change(board, one, other)
        relocate(board, one, b)
        relocate(board, other, a)
        after = log_worlds(grouped_of(network, board.group))
        assert after - before == pytest.approx(change, abs=1e-8)
        before = after


def test_a_move_changes_log_worlds_as_foretold(table: str) -> None:
    network = random_network(40, 200, 1)
    board = board_of(network, cut(np.arange(40), 4), 4, 0)
    before = log_worlds(grouped_of(network, board.group))
    chance = np.random.default_rng(3)
    moved = 0
    for _ in range(400):
        node, to = int(chance.integers(0, 40)), int(chance.integers(0, 10))
        if to == board.group[node] or board.size[to] >= 8:
            continue
        change = move_change(board, node, to)
        relocate(board, node, to)
        after = log_worlds(grouped_of(network, board.group))
        assert after - before == pytest.approx(change, abs=1e-8)
        before = after
        moved += 1
    assert moved > 200
    told = grouped_of(network, board.group)
    names = np.unique(board.group)
    for (a, b), edges in zip(told.links.tolist(), told.between.tolist(), strict=True):
        assert count_of(board, int(names[a]), int(names[b])) == edges


def test_a_full_table_is_made_anew_and_loses_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping_search, "DIRECT", 0)
    network = random_network(400, 120, 5)
    board = board_of(network, cut(np.arange(400), 2), 2, 0)
    chance = np.random.default_rng(4)
    fullest = 0
    for _ in range(3_000):
        one, other = chance.integers(0, 400, 2).tolist()
        a, b = int(board.group[one]), int(board.group[other])
        if a != b:
            relocate(board, one, b)
            relocate(board, other, a)
        fullest = max(fullest, int(board.figures[TAKEN]))
    assert fullest > network.edges
    assert int(board.figures[TAKEN]) < len(board.table)
    told = grouped_of(network, board.group)
    assert board.table[:, 1].sum() == network.edges
    for (a, b), edges in zip(told.links.tolist(), told.between.tolist(), strict=True):
        assert count_of(board, a, b) == edges


def test_a_hub_that_needs_a_slot_for_every_edge_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping_search, "DIRECT", 0)
    # Each leaf shares its group with somebody isolated, so that the hub is linked to as many groups.
    star = Network.of_edges(400, np.array([[0, 2 * leaf] for leaf in range(1, 127)]))
    board = board_of(star, cut(np.arange(400), 2), 2, 0)
    chance = np.random.default_rng(6)
    for _ in range(50):
        movers = [*(2 * chance.integers(1, 127, 150)).tolist(), 0]
        for node in movers:
            roomy = np.flatnonzero((board.size < 4) & (np.arange(200) != board.group[node]))
            relocate(board, node, int(chance.choice(roomy)))
        assert board.table[:, 1].sum() == star.edges
        assert int(board.figures[TAKEN]) < len(board.table)
        told = grouped_of(star, board.group)
        names = np.unique(board.group)
        for (a, b), edges in zip(told.links.tolist(), told.between.tolist(), strict=True):
            assert count_of(board, int(names[a]), int(names[b])) == edges


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_search_says_by_how_much_log_worlds_fell(table: str, k: int) -> None:
    network = random_network(101, 400, k)
    group, worlds = start(network, k, 0)
    found, grown = searched(network, group, k, 300_000, 1)
    sizes = np.bincount(found)
    assert sizes[sizes > 0].min() >= k
    assert sizes.max() <= 2 * k - 1
    assert log_worlds(grouped_of(network, found)) == pytest.approx(worlds + grown, abs=1e-6)
    assert grown < 0


def test_both_ways_to_keep_counts_find_the_same_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    network = random_network(60, 200, 8)
    group, _ = start(network, 3, 0)
    direct, _ = searched(network, group, 3, 100_000, 1)
    monkeypatch.setattr(grouping_search, "DIRECT", 0)
    hashed, _ = searched(network, group, 3, 100_000, 1)
    assert direct.tolist() == hashed.tolist()


@settings(max_examples=50, deadline=None)
@given(drawn_networks(most=12, least=2), st.integers(2, 4), st.integers(0, 50))
def test_every_order_holds_each_node_once_and_is_cut_into_groups_of_k(
    drawn: Drawn, k: int, seed: int
) -> None:
    network = network_of(drawn)
    for order in orders(network, seed):
        assert sorted(order.tolist()) == list(range(network.nodes))
        sizes = np.bincount(cut(order, k))
        assert len(sizes) == 1 or (sizes.min() >= k and sizes.max() < 2 * k)


def test_nodes_with_the_same_neighbours_stand_together_in_the_order_of_shared_neighbours() -> None:
    # Four hubs with five leaves each: the leaves of a hub have the same neighbours.
    edges = [(hub, 4 + 5 * hub + leaf) for hub in range(4) for leaf in range(5)]
    network = Network.of_edges(24, np.array(edges)).renumbered(np.random.default_rng(0).permutation(24))
    _, shared, _ = orders(network, 1)
    hubs = [network.neighbours_of(node).tolist() for node in shared.tolist() if network.degrees()[node] == 1]
    changes = sum(a != b for a, b in itertools.pairwise(hubs))
    assert changes == 3
