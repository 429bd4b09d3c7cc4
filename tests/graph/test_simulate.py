"""Made-up networks have the shape that they are named after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph import simulate, statistics
from sfumato.graph._kernels_pairs import contains, insert, remove, table_for
from sfumato.graph.network import Network
from tests.graph.drawn import Drawn, drawn_networks, network_of

EVERY: list[Callable[[int], Network]] = [
    lambda seed: simulate.erdos_renyi(200, 500, seed),
    lambda seed: simulate.barabasi_albert(200, 3, seed),
    lambda seed: simulate.watts_strogatz(200, 6, 0.2, seed),
    lambda seed: simulate.power_law(200, 2.2, seed=seed),
    lambda seed: simulate.with_degrees(np.full(200, 7), seed),
    lambda seed: simulate.planted_communities(200, 4, seed=seed).network,
]


@pytest.mark.parametrize("make", EVERY)
def test_the_same_seed_gives_the_same_network_and_another_gives_another(
    make: Callable[[int], Network],
) -> None:
    one, again, other = (make(seed).pairs().tolist() for seed in (1, 1, 2))
    assert one == again != other
    with pytest.raises(BadInput, match="seed"):
        make(-1)


class TestErdosRenyi:
    @given(st.integers(0, 9), st.integers(0, 36), st.integers(0, 99))
    def test_there_are_exactly_so_many_edges(self, nodes: int, edges: int, seed: int) -> None:
        if edges <= nodes * (nodes - 1) // 2:
            made = simulate.erdos_renyi(nodes, edges, seed)
            assert (made.nodes, made.edges) == (nodes, edges)
        else:
            with pytest.raises(BadInput, match="pairs"):
                simulate.erdos_renyi(nodes, edges, seed)

    @pytest.mark.parametrize("edges", [2, 4])
    def test_every_network_is_equally_likely(self, edges: int) -> None:
        """15 networks of 4 nodes and 2 (or 4) edges: 200 times of 3,000 each, give or take six deviations."""
        seen = Counter(str(simulate.erdos_renyi(4, edges, seed).pairs().tolist()) for seed in range(3000))
        assert len(seen) == 15
        assert all(abs(times - 200) < 6 * 200**0.5 for times in seen.values())

    def test_large_numbers_of_pairs_are_named_exactly(self) -> None:
        last = np.array([0, 1, 2, 10**6 * (10**6 - 1) // 2 - 1, (3 * 10**9) * (3 * 10**9 - 1) // 2 - 1])
        assert simulate._pair(last)[-2:].tolist() == [
            [10**6 - 1, 10**6 - 2],
            [3 * 10**9 - 1, 3 * 10**9 - 2],
        ]


class TestBarabasiAlbert:
    def test_every_new_node_has_so_many_neighbours_and_hubs_are_old(self) -> None:
        made = simulate.barabasi_albert(3000, 4)
        assert made.edges == 10 + 4 * 2995
        assert made.degrees().min() == 4
        later = [int((made.neighbours_of(v) < v).sum()) for v in range(5, 3000)]
        assert set(later) == {4}
        assert made.degrees()[:10].mean() > 10 * made.degrees()[-1000:].mean()

    def test_neighbours_are_chosen_in_proportion_to_neighbours(self) -> None:
        """A fourth node finds degrees 1, 2, 1 (a path of three): the middle is chosen with chance a half."""
        chosen = []
        for seed in range(4000):
            made = simulate.barabasi_albert(4, 1, seed)
            degrees = [int((made.neighbours_of(v) < 3).sum()) for v in range(3)]
            chosen.append(degrees[int(made.neighbours_of(3)[0])] == 2)
        assert abs(sum(chosen) - 2000) < 6 * 1000**0.5

    def test_it_grows_from_more_than_it_chooses(self) -> None:
        assert simulate.barabasi_albert(4, 3).edges == 6
        with pytest.raises(BadInput, match="more nodes"):
            simulate.barabasi_albert(3, 3)
        with pytest.raises(BadInput, match="too few"):
            simulate.barabasi_albert(3, 0)


class TestWattsStrogatz:
    def test_a_ring_without_chance_is_that_of_networkx(self) -> None:
        made = simulate.watts_strogatz(30, 6, 0.0)
        theirs = nx.watts_strogatz_graph(30, 6, 0.0)
        assert made.pairs().tolist() == sorted(sorted(edge) for edge in theirs.edges)

    def test_shortcuts_bring_people_nearer(self) -> None:
        ring, small = (simulate.watts_strogatz(1000, 6, share) for share in (0.0, 0.2))
        assert small.edges == ring.edges == 3000
        assert statistics.distances(small, np.array([0])).mean() < 10
        assert statistics.distances(ring, np.array([0])).mean() > 80
        kept = len({tuple(e) for e in ring.pairs().tolist()} & {tuple(e) for e in small.pairs().tolist()})
        assert abs(kept - 2400) < 6 * (3000 * 0.16) ** 0.5 + 30

    def test_a_complete_ring_has_nowhere_to_lead_its_edges(self) -> None:
        assert simulate.watts_strogatz(5, 4, 1.0).edges == 10

    @pytest.mark.parametrize(
        ("nodes", "near", "share"), [(10, 3, 0.1), (10, 0, 0.1), (4, 4, 0.1), (10, 4, 1.5)]
    )
    def test_nonsense_is_refused(self, nodes: int, near: int, share: float) -> None:
        with pytest.raises(BadInput):
            simulate.watts_strogatz(nodes, near, share)


class TestDegrees:
    @given(drawn_networks(6), st.integers(0, 9))
    def test_small_networks_have_the_degrees_that_were_asked_for(self, drawn: Drawn, seed: int) -> None:
        degrees = network_of(drawn).degrees()
        made = simulate.with_degrees(degrees, seed)
        assert made.degrees().tolist() == degrees.tolist()

    def test_large_networks_have_the_degrees_that_were_asked_for(self) -> None:
        degrees = simulate.barabasi_albert(5000, 4).degrees()
        assert simulate.with_degrees(degrees).degrees().tolist() == degrees.tolist()

    def test_a_power_law_falls_as_it_says(self) -> None:
        """Twice as many neighbours are 2^2.5 = 5.7 times rarer: 1 to 2, 2 to 4, 4 to 8."""
        counts = statistics.degree_histogram(simulate.power_law(200_000, 2.5, most=100))
        for degree in (1, 2, 4):
            assert counts[degree] / counts[2 * degree] == pytest.approx(2**2.5, rel=0.1)
        assert counts[0] == 0
        assert len(counts) <= 101

    @pytest.mark.parametrize("nodes", [9, 10])
    def test_an_odd_sum_is_mended(self, nodes: int) -> None:
        made = simulate.power_law(nodes, 2.0, least=3, most=3)
        assert sorted(made.degrees().tolist())[1:] == [3] * (nodes - 1)
        assert made.degrees().min() == (2 if nodes == 9 else 3)

    def test_nonsense_is_refused(self) -> None:
        for degrees in ([1], [1, 0], [-1, 1], [3, 1, 1, 2]):
            with pytest.raises(BadInput):
                simulate.with_degrees(np.array(degrees))
        with pytest.raises(BadInput):
            simulate.power_law(10, 2.5, least=0)
        with pytest.raises(BadInput):
            simulate.power_law(10, 2.5, most=10)
        with pytest.raises(BadInput, match="exponent"):
            simulate.power_law(10, 0)


def test_communities_know_each_other_as_well_as_asked() -> None:
    made = simulate.planted_communities(1003, 10, inside=6, between=1.5)
    pairs = made.network.pairs()
    inside = (made.community[pairs[:, 0]] == made.community[pairs[:, 1]]).sum()
    assert inside == round(1003 * 6 / 2)
    assert made.network.edges - inside == round(1003 * 1.5 / 2)
    assert set(np.bincount(made.community).tolist()) == {100, 101}
    within = [int(((made.community[pairs] == c).all(axis=1)).sum()) for c in range(10)]
    assert min(within) > 200
    with pytest.raises(BadInput, match="pairs"):
        simulate.planted_communities(20, 10, inside=2)


class TestTwoCopies:
    def test_overlaps_are_those_of_jaccard(self) -> None:
        network = simulate.barabasi_albert(4000, 6)
        copies = simulate.two_copies(network, 0.8, nodes=0.5)
        first, second = set(copies.people_of_one.tolist()), set(copies.people_of_other.tolist())
        assert len(first & second) / len(first | second) == 0.5
        assert first | second == set(range(4000))
        shared = first & second

        def edges(part: Network, people: np.ndarray) -> set[tuple[int, ...]]:
            named = people[part.pairs()]
            return {tuple(sorted(edge)) for edge in named.tolist() if set(edge) <= shared}

        one, other = edges(copies.one, copies.people_of_one), edges(copies.other, copies.people_of_other)
        assert len(one & other) / len(one | other) == pytest.approx(0.8, abs=0.02)
        assert one | other <= {tuple(edge) for edge in network.pairs().tolist()}

    def test_the_truth_names_the_same_people(self) -> None:
        copies = simulate.two_copies(simulate.barabasi_albert(500, 3), 0.6, seed=4)
        there = copies.same >= 0
        assert int(there.sum()) == 300
        assert (copies.people_of_one[copies.same[there]] == copies.people_of_other[there]).all()
        strangers = copies.people_of_other[~there]
        assert not set(strangers.tolist()) & set(copies.people_of_one.tolist())

    def test_whole_copies_are_the_network_with_other_numbers_and_its_labels(self) -> None:
        network = Network.of_edges(3, np.array([[0, 1], [1, 2]]), np.array([0, 1, 1], np.int32), ("a", "b"))
        copies = simulate.two_copies(network, 1.0)
        number = np.empty(3, np.int64)
        number[copies.people_of_one] = np.arange(3)
        wanted = network.renumbered(number)
        assert copies.one.pairs().tolist() == wanted.pairs().tolist()
        assert wanted.labels is not None
        assert copies.one.labels is not None
        assert copies.one.labels.tolist() == wanted.labels.tolist()

    @pytest.mark.parametrize("overlap", [0.0, -0.1, 1.1])
    def test_an_overlap_that_makes_no_sense_is_refused(self, overlap: float) -> None:
        with pytest.raises(BadInput, match="overlap"):
            simulate.two_copies(simulate.erdos_renyi(10, 9), overlap)


@given(st.lists(st.tuples(st.sampled_from("ir"), st.integers(0, 20)), max_size=60))
def test_a_table_of_pairs_is_a_set(steps: list[tuple[str, int]]) -> None:
    """Keys share their beginnings in a table of 64 places; those put in and taken out are those of a set."""
    table, wanted = table_for(21), set[int]()
    for step, key in steps:
        if step == "i":
            assert insert(table, key) == (key not in wanted)
            wanted.add(key)
        else:
            assert remove(table, key) == (key in wanted)
            wanted.discard(key)
        assert {other for other in range(21) if contains(table, other)} == wanted
