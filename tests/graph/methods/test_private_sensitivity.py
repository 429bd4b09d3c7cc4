"""What one edge or one person can do was tried on every small network, and noise covers it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.randomness import SeededRandom
from sfumato.graph.methods.private_counts import Count, DpCounts
from sfumato.graph.methods.private_degree_histogram import DpDegreeHistogram
from sfumato.graph.methods.private_degree_sequence import SENSITIVITY
from sfumato.graph.methods.private_ladder import Ladder, ladder_of
from sfumato.graph.methods.private_noise import Differing
from sfumato.graph.methods.private_projection import degrees_in_order, projected_degrees
from sfumato.graph.network import Network
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.oracles import graph_private as oracle

ORDERS = range(3)
SLOW = pytest.mark.slow


def any_order(people: int, seed: int) -> list[oracle.Edge]:
    pairs = list(itertools.combinations(range(people), 2))
    random.Random(seed).shuffle(pairs)
    return pairs


def after(people: int, theta: int, seed: int) -> Callable[[oracle.Graph], dict[int, int]]:
    order = any_order(people, seed)
    return lambda graph: oracle.projected(graph, order, theta)


class TestEdges:
    @pytest.mark.parametrize("people", [2, 3, 4, 5, 6])
    def test_sorted_degrees_move_by_two(self, people: int) -> None:
        moved = oracle.worst(
            people, oracle.without_one_edge, lambda graph: tuple(sorted(oracle.degrees(graph).values()))
        )
        assert moved == SENSITIVITY

    @pytest.mark.parametrize(("people", "theta"), [(2, 1), (3, 2), (4, 3), (5, 4), (5, 2), (6, 3)])
    def test_a_histogram_moves_by_four_and_a_cumulative_one_by_two(self, people: int, theta: int) -> None:
        moves = set(
            oracle.changes(
                people,
                oracle.without_one_edge,
                lambda graph: (
                    oracle.histogram(oracle.degrees(graph), theta)
                    + oracle.cumulative(oracle.degrees(graph), theta)
                ),
            )
        )
        plain = max(sum(move[: theta + 1]) for move in moves)
        rising = max(sum(move[theta + 1 :]) for move in moves)
        assert plain == DpDegreeHistogram(1, cumulative=False).sensitivity(theta) == 4
        assert rising == DpDegreeHistogram(1).sensitivity(theta) == 2

    @pytest.mark.parametrize("people", [2, 3, 4, 5])
    def test_edges_move_by_one(self, people: int) -> None:
        moved = oracle.worst(people, oracle.without_one_edge, lambda graph: (len(graph[1]),))
        assert moved == DpCounts(Count.EDGES, 1).sensitivity() == 1

    @pytest.mark.parametrize(
        ("people", "theta"), [(4, 2), (5, 2), (5, 3), (5, 4), pytest.param(6, 3, marks=SLOW)]
    )
    def test_wedges_move_within_the_bound_of_neighbours(self, people: int, theta: int) -> None:
        def counted(project: Callable[..., dict[int, int]]) -> Callable[[oracle.Graph], oracle.Vector]:
            return lambda graph: (oracle.wedges(project(graph)),)

        found = [
            oracle.worst(people, oracle.without_one_edge, counted(after(people, theta, seed)))
            for seed in (ORDERS if people < 6 else range(1))
        ]
        assert max(found) == DpCounts(Count.WEDGES, 1, theta=theta).sensitivity() == 2 * (theta - 1)


class TestPeople:
    @pytest.mark.parametrize(
        ("people", "theta"),
        [*itertools.product([2, 3, 4, 5], [1, 2, 3]), (6, 2), pytest.param(6, 3, marks=SLOW)],
    )
    def test_histograms_move_within_the_bound_of_neighbours(self, people: int, theta: int) -> None:
        plain = DpDegreeHistogram(1, "node", theta, cumulative=False).sensitivity(theta)  # type: ignore[arg-type]  # as recipes write it
        rising = DpDegreeHistogram(1, Differing.NODE, theta).sensitivity(theta)
        assert (plain, rising) == (2 * theta + 1, theta + 1)
        for seed in ORDERS if people < 6 else range(1):
            found = after(people, theta, seed)

            def both(graph: oracle.Graph, found: Callable[..., dict[int, int]] = found) -> oracle.Vector:
                projected = found(graph)
                return oracle.histogram(projected, theta) + oracle.cumulative(projected, theta)

            moves = set(oracle.changes(people, oracle.without_one_person, both))
            moved = max(sum(move[: theta + 1]) for move in moves)
            climbed = max(sum(move[theta + 1 :]) for move in moves)
            assert moved <= plain
            assert climbed == rising
            if people > theta + 1:
                assert moved == plain

    @pytest.mark.parametrize(("people", "theta"), [(3, 1), (4, 2), (5, 1), (5, 2), (5, 3)])
    @pytest.mark.parametrize("count", [Count.EDGES, Count.WEDGES])
    def test_counts_move_within_the_bound_of_neighbours(self, people: int, theta: int, count: Count) -> None:
        if count is Count.WEDGES and theta < 2:
            theta = 2
        claimed = DpCounts(count, 1, Differing.NODE, theta).sensitivity()
        found = []
        for seed in ORDERS:
            project = after(people, theta, seed)

            def counted(
                graph: oracle.Graph, project: Callable[..., dict[int, int]] = project
            ) -> oracle.Vector:
                degrees = project(graph)
                return (oracle.wedges(degrees),) if count is Count.WEDGES else (sum(degrees.values()) // 2,)

            found.append(oracle.worst(people, oracle.without_one_person, counted))
        assert claimed is not None
        assert max(found) <= claimed
        assert max(found) >= (claimed if count is Count.EDGES else claimed // 3)

    def test_people_themselves_move_by_one(self) -> None:
        moved = oracle.worst(4, oracle.without_one_person, lambda graph: (len(graph[0]),))
        assert moved == DpCounts(Count.NODES, 1, Differing.NODE).sensitivity() == 1


class TestProjection:
    @given(drawn_networks(7), st.integers(1, 6), st.integers(0, 5))
    def test_edges_are_added_as_by_hand(self, drawn: Drawn, theta: int, seed: int) -> None:
        nodes, edges = drawn
        order = [pair for pair in any_order(nodes, seed) if pair in set(edges)]
        wanted = oracle.projected((frozenset(range(nodes)), frozenset(edges)), order, theta)
        found = degrees_in_order(nodes, np.array(order, np.int64).reshape(-1, 2), theta)
        assert dict(enumerate(found.tolist())) == wanted

    @given(drawn_networks(7), st.integers(1, 6))
    def test_nobody_keeps_more_than_the_bound_and_nobody_wins(self, drawn: Drawn, theta: int) -> None:
        network = network_of(drawn)
        found = projected_degrees(network, theta)
        assert (found <= np.minimum(network.degrees(), theta)).all()
        if network.nodes and network.degrees().max() <= theta:
            assert found.tolist() == network.degrees().tolist()

    def test_all_orders_are_equally_likely(self) -> None:
        """A star keeps one of its three edges: each 2,000 times of 6,000, give or take six deviations."""
        star = Network.of_edges(4, np.array([[0, 1], [0, 2], [0, 3]]))
        source = SeededRandom(3)
        kept = np.sum([projected_degrees(star, 1, source) for _ in range(6000)], axis=0)
        assert kept[0] == 6000
        assert (abs(kept[1:] - 2000) < 6 * np.sqrt(6000 * 2 / 9)).all()


class TestLadder:
    @pytest.mark.parametrize("people", [3, 4, 5])
    def test_rungs_of_neighbours_differ_by_one_at_most(self, people: int) -> None:
        known = {
            graph: (oracle.triangles(graph), oracle.common_neighbours(graph))
            for graph in oracle.all_graphs(people)
        }
        pairs = {(known[graph], known[other]) for graph in known for other in oracle.without_one_edge(graph)}
        for one, other in pairs:
            assert abs(one[0] - other[0]) <= Ladder(people, one[1]).step(0)
            assert abs(one[0] - other[0]) <= Ladder(people, other[1]).step(0)
            for x in range(-40, 60):
                rungs = [oracle.ladder_rung(value, people, shared, x) for value, shared in (one, other)]
                assert abs(rungs[0] - rungs[1]) <= 1

    @given(st.integers(3, 40), st.integers(0, 38), st.integers(0, 30))
    def test_the_reach_of_a_rung_is_that_of_all_steps_before(
        self, nodes: int, shared: int, rung: int
    ) -> None:
        made = Ladder(nodes, min(shared, nodes - 2))
        assert made.reach(rung) == sum(made.step(t) for t in range(rung))

    @given(drawn_networks(7))
    def test_common_neighbours_are_counted_for_every_pair(self, drawn: Drawn) -> None:
        graph = (frozenset(range(drawn[0])), frozenset(drawn[1]))
        assert ladder_of(network_of(drawn)).shared == oracle.common_neighbours(graph)
