"""Baselines by chance: as many edges as asked, no loops, nothing promised."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SeededRandom
from sfumato.graph import simulate
from sfumato.graph.contract import Demand, Problem
from sfumato.graph.methods import METHODS
from sfumato.graph.methods.random_add_delete import RandomAddDelete
from sfumato.graph.methods.random_switch import RandomSwitch
from sfumato.graph.models.private import NOT_SECRET, DifferentialPrivacy
from sfumato.graph.network import Network
from tests.graph.drawn import Drawn, drawn_networks, network_of

Baseline = RandomAddDelete | RandomSwitch
BOTH = [RandomAddDelete(0.3), RandomSwitch(0.3)]
MANY = simulate.barabasi_albert(300, 4)


def changed(method: Baseline, network: Network, seed: int | None = None) -> Network:
    random = None if seed is None else SeededRandom(seed)
    found = method.protect(Problem(network, ()), random=random).published
    assert isinstance(found, Network)
    return found


def edges_of(network: Network) -> set[tuple[int, int]]:
    return {(one, other) for one, other in network.pairs().tolist()}


@pytest.mark.parametrize("method", BOTH, ids=repr)
class TestBoth:
    def test_nothing_is_promised(self, method: Baseline) -> None:
        for demand in (Demand("degree", 2), Demand("group", 1), Demand("noise", epsilon=100.0)):
            assert not method.enforces(demand)
        with pytest.raises(PromiseNotMet, match="no promise"):
            method.protect(Problem(MANY, (DifferentialPrivacy(1),)))
        assert METHODS[method.name] is type(method)
        assert not method.truthful

    def test_chance_is_secret_unless_a_test_says_otherwise(self, method: Baseline) -> None:
        assert edges_of(changed(method, MANY)) != edges_of(changed(method, MANY))
        assert edges_of(changed(method, MANY, 1)) == edges_of(changed(method, MANY, 1))
        assert NOT_SECRET in method.protect(Problem(MANY, ()), random=SeededRandom(1)).details
        assert NOT_SECRET not in method.protect(Problem(MANY, ())).details

    def test_labels_and_nodes_stay(self, method: Baseline) -> None:
        labels = np.arange(300, dtype=np.int32) % 3
        named = Network(MANY.offsets, MANY.neighbours, labels, ("a", "b", "c"))
        found = changed(method, named)
        assert found.nodes == 300
        assert found.labels is not None
        assert found.labels.tolist() == labels.tolist()
        assert found.words == ("a", "b", "c")

    @pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "some"])
    def test_a_share_that_makes_no_sense_is_refused(self, method: Baseline, share: float) -> None:
        with pytest.raises(BadInput, match="share"):
            type(method)(share)

    def test_a_network_without_edges_stays_as_it_is(self, method: Baseline) -> None:
        for nodes in (0, 1, 5):
            empty = Network.of_edges(nodes, np.empty((0, 2), np.int64))
            assert changed(method, empty).edges == 0


class TestAddDelete:
    @given(drawn_networks(8), st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.integers(0, 9))
    def test_exactly_so_many_edges_go_and_as_many_come_that_were_not_there(
        self, drawn: Drawn, share: float, seed: int
    ) -> None:
        network = network_of(drawn)
        before, after = edges_of(network), edges_of(changed(RandomAddDelete(share), network, seed))
        gone = round(share * len(before))
        absent = network.nodes * (network.nodes - 1) // 2 - len(before)
        assert len(before - after) == gone
        assert len(after - before) == min(gone, absent)

    @pytest.mark.parametrize("edges", [2, 8])
    def test_every_edge_and_every_absent_pair_is_equally_likely(self, edges: int) -> None:
        """Of 2 (or 8) edges one (or four) go, 500 times each of 1,000; so with what comes."""
        network = simulate.erdos_renyi(5, edges)
        before, absent = edges_of(network), 10 - edges
        gone, come = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
        for seed in range(1000):
            after = edges_of(changed(RandomAddDelete(0.5), network, seed))
            gone.update(before - after)
            come.update(after - before)
        new = min(edges // 2, absent)
        assert all(abs(gone[edge] - 500) < 100 for edge in before)
        assert len(come) == absent
        assert all(abs(times - 1000 * new / absent) < 100 for times in come.values())


class TestSwitch:
    @given(drawn_networks(8), st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 9))
    def test_everybody_keeps_their_number_of_neighbours(self, drawn: Drawn, share: float, seed: int) -> None:
        network = network_of(drawn)
        made = RandomSwitch(share).protect(Problem(network, ()), random=SeededRandom(seed))
        assert isinstance(made.published, Network)
        assert made.published.degrees().tolist() == network.degrees().tolist()
        new = len(edges_of(made.published) - edges_of(network))
        assert new <= 2 * int(made.details["switched"]) <= 2 * int(made.details["wanted"])

    def test_about_the_share_of_the_edges_is_new(self) -> None:
        network = simulate.erdos_renyi(2000, 8000)
        made = RandomSwitch(0.2).protect(Problem(network, ()), random=SeededRandom(1))
        assert made.details["switched"] == made.details["wanted"] == 800
        assert isinstance(made.published, Network)
        new = len(edges_of(made.published) - edges_of(network))
        assert 1400 <= new <= 1600

    def test_every_network_with_these_degrees_can_come_up(self) -> None:
        """Six people with two neighbours each: 60 rings and 10 pairs of triangles."""
        ring, source = simulate.watts_strogatz(6, 2, 0.0), SeededRandom(2)
        found: set[str] = set()
        network = ring
        for _ in range(3000):
            step = RandomSwitch(1.0).protect(Problem(network, ()), random=source).published
            assert isinstance(step, Network)
            network = step
            found.add(str(network.pairs().tolist()))
        assert len(found) == 70

    def test_a_star_has_nothing_to_switch(self) -> None:
        star = Network.of_edges(9, np.array([[0, v] for v in range(1, 9)]))
        made = RandomSwitch(1.0).protect(Problem(star, ()))
        assert (made.details["wanted"], made.details["switched"]) == (4, 0)
