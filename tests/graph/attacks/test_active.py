"""Fake accounts that find themselves in the release, and whom they befriended."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.graph.attacks import ActiveAttack, Knowledge, accounts_needed, plant, recover
from sfumato.graph.attacks.active_plant import MOST_ACCOUNTS, Planted
from sfumato.graph.attacks.active_search import _allowance, _order, search
from sfumato.graph.contract import Publishable, Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.simulate import barabasi_albert, erdos_renyi, with_degrees
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.oracles.graph_active import best_places
from tests.oracles.graph_isomorphism import adjacency

HOST = barabasi_albert(600, 4, seed=3)


def as_it_is(network: Network) -> Network:
    return network


def some_planted(seed: int = 1, accounts: int = 10, host: Network = HOST) -> Planted:
    targets = np.random.default_rng(seed).permutation(host.nodes)[:8]
    return plant(host, accounts, targets=targets, seed=seed)


def with_more_edges(network: Network, more: int, seed: int = 1) -> Network:
    """The network and some edges that were not there."""
    chance = np.random.default_rng(seed)
    edges = {tuple(pair) for pair in network.pairs().tolist()}
    wanted = len(edges) + more
    while len(edges) < wanted:
        one, other = sorted(chance.integers(0, network.nodes, 2).tolist())
        if one != other:
            edges.add((one, other))
    return Network.of_edges(network.nodes, np.array(sorted(edges)))


@st.composite
def patterns(draw: st.DrawFn) -> tuple[Drawn, list[list[bool]], list[int]]:
    """A network, and accounts on a path with other edges, some of them as they are in the network."""
    drawn = draw(drawn_networks(most=6, least=3))
    count = draw(st.integers(2, 3))
    inside = [[abs(one - other) == 1 for other in range(count)] for one in range(count)]
    if count == 3:
        inside[0][2] = inside[2][0] = draw(st.booleans())
    return drawn, inside, draw(st.lists(st.integers(1, 4), min_size=count, max_size=count))


@given(patterns(), st.integers(0, 2), st.integers(0, 2))
def test_the_best_places_are_those_that_the_oracle_finds_among_all_lists_of_nodes(
    pattern: tuple[Drawn, list[list[bool]], list[int]], slack: int, wrong: int
) -> None:
    drawn, inside, known = pattern
    network = network_of(drawn)
    connected, degrees = np.array(inside), np.array(known, np.int64)
    found = search(network, network.degrees(), connected, degrees, slack=slack, wrong=wrong)
    order = _order(network.degrees(), connected, degrees, slack)
    distance, places = best_places(
        adjacency(*drawn),
        connected[np.ix_(order, order)].tolist(),
        degrees[order].tolist(),
        slack,
        _allowance(len(known), wrong).tolist(),
    )
    assert (found.places, found.cut) == (len(places), False)
    if places:
        assert found.distance == distance
        assert found.nodes is not None
        assert tuple(found.nodes[order].tolist()) in places


@given(drawn_networks(most=6, least=3), st.data())
def test_accounts_are_found_wherever_they_stand_and_whatever_nodes_are_called(
    drawn: Drawn, data: st.DataObject
) -> None:
    network = network_of(drawn)
    number = np.array(data.draw(st.permutations(range(network.nodes))), np.int64)
    planted = plant(network, 5, targets=np.array([0, 1]), contacts=2, outside=(0, 1), seed=1)
    number = np.concatenate([number, np.arange(network.nodes, planted.network.nodes)[::-1]])
    here = recover(planted.network, planted)
    there = recover(planted.network.renumbered(number), planted)
    assert here.search.places >= 1
    assert here.search.places == there.search.places
    assert np.where(here.targets >= 0, number[here.targets], -1).tolist() == there.targets.tolist()
    assert sorted(here.friends.tolist()) == sorted(there.friends.tolist())


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(7, 14), st.integers(1, 3), st.integers(0, 5))
def test_what_is_planted_is_what_is_remembered(seed: int, accounts: int, contacts: int, low: int) -> None:
    targets = np.random.default_rng(seed).permutation(HOST.nodes)[:6]
    outside = (0, 1) if contacts == 1 else (low, low + 5)
    planted = plant(HOST, accounts, targets=targets, contacts=contacts, outside=outside, seed=seed)
    network, nodes = planted.network, planted.accounts.tolist()
    assert network.induced(np.arange(HOST.nodes)).pairs().tolist() == HOST.pairs().tolist()
    assert network.degrees()[nodes].tolist() == planted.degree.tolist()
    among = [[network.connected(one, other) for other in nodes] for one in nodes]
    assert among == planted.inside.tolist()
    assert all(network.connected(one, other) for one, other in itertools.pairwise(nodes))
    sets: dict[int, int] = {}
    for at, node in enumerate(nodes):
        for other in network.neighbours_of(node).tolist():
            sets[other] = sets.get(other, 0) | 1 << at
    people = {node: bits for node, bits in sets.items() if node not in nodes}
    for target, bits in zip(targets.tolist(), planted.contacts.tolist(), strict=True):
        assert bits.bit_count() == contacts
        assert [node for node, have in people.items() if have == bits] == [target]
    assert (planted.degree - planted.inside.sum(axis=1)).min() >= outside[0]


def test_accounts_that_could_be_taken_for_each_other_are_refused() -> None:
    # Two accounts with one contact each: turned round, they look the same.
    with pytest.raises(BadInput, match="taken for each other"):
        plant(HOST, 2, targets=np.array([1, 2]), contacts=1, outside=(0, 0))


def test_the_targets_and_exactly_their_friendships_are_read_off_a_naive_release() -> None:
    hubs = np.argsort(-HOST.degrees(), kind="stable")[:12]
    planted = plant(HOST, 12, targets=hubs, seed=2)
    found = recover(planted.network, planted)
    assert found.unique
    assert found.targets.tolist() == hubs.tolist()
    friends = [
        [a, b] for a in range(12) for b in range(a + 1, 12) if HOST.connected(int(hubs[a]), int(hubs[b]))
    ]
    assert len(friends) > 5
    assert found.friends.tolist() == friends


def twice(network: Network) -> Network:
    """The network and a copy of it beside: every place has another that looks the same."""
    pairs = network.pairs()
    return Network.of_edges(2 * network.nodes, np.concatenate([pairs, pairs + network.nodes]))


@pytest.mark.parametrize(("more", "tolerance"), [(0, 0), (0, 8), (250, 8)])
def test_where_every_place_has_a_twin_nothing_is_claimed(more: int, tolerance: int) -> None:
    planted = some_planted()
    found = recover(twice(with_more_edges(planted.network, more)), planted, tolerance=tolerance)
    assert found.search.places % 2 == 0
    assert found.search.places > 0
    assert not found.unique
    assert (found.targets == -1).all()
    assert len(found.friends) == 0


def test_a_search_that_is_cut_claims_nothing_and_says_so() -> None:
    planted = some_planted()
    found = recover(planted.network, planted, steps=3)
    assert found.search.cut
    assert (found.targets == -1).all()
    result = ActiveAttack(10, trials=2, steps=3).run(HOST, Knowledge(HOST, protect=as_it_is))
    assert result.success == 0.0
    assert "2 of 2 searches were cut" in result.note


def test_added_edges_hide_the_accounts_from_an_exact_search_and_not_from_a_tolerant_one() -> None:
    planted = some_planted()
    published = with_more_edges(planted.network, 250)
    assert not recover(published, planted).search.places
    found = recover(published, planted, tolerance=8)
    assert found.unique
    assert found.slack > 0
    assert found.search.nodes is not None
    assert found.search.nodes.tolist() == planted.accounts.tolist()
    assert np.count_nonzero(found.targets == planted.targets) >= 7


def test_the_attack_succeeds_on_a_naive_release_and_fails_on_rewired_edges() -> None:
    naive = ActiveAttack(10, targets=8, trials=5).run(HOST, Knowledge(HOST, protect=as_it_is))
    assert (naive.attempts, naive.success, naive.certain) == (40, 1.0, 40)
    assert naive.scored is Scored.MEASURED
    assert naive.details["friendships learned"] == naive.details["friendships among targets"] != 0
    assert naive.baseline == 1 / 610
    rewired = ActiveAttack(10, targets=8, trials=5).run(
        HOST, Knowledge(HOST, protect=lambda network: with_degrees(network.degrees(), seed=5))
    )
    assert rewired.success < 0.1
    assert rewired.details["trials in which the accounts found themselves"] == 0


def test_with_tolerance_friendships_that_were_invented_are_counted_apart() -> None:
    attack = ActiveAttack(10, targets=8, trials=3)
    found = attack.run(HOST, Knowledge(HOST, protect=lambda network: with_more_edges(network, 250)))
    assert found.success > 0.8
    assert found.details["largest slack of degrees"] > 0  # type: ignore[operator]
    assert found.details["friendships learned"] <= found.details["friendships among targets"]  # type: ignore[operator]
    exact = ActiveAttack(10, targets=8, trials=3, tolerance=0)
    hidden = exact.run(HOST, Knowledge(HOST, protect=lambda network: with_more_edges(network, 250)))
    assert (hidden.success, hidden.details["trials in which no place fits"]) == (0.0, 3)


def test_the_simple_form_has_one_edge_from_each_account_to_a_target_of_its_own() -> None:
    attack = ActiveAttack.simple(14, trials=4)
    assert (attack.targets, attack.contacts, attack.outside) == (14, 1, (0, 0))
    found = attack.run(HOST, Knowledge(HOST, protect=as_it_is))
    assert (found.attempts, found.success) == (56, 1.0)


def test_of_a_grouping_the_adversary_learns_the_group_and_no_more() -> None:
    grouped = Grouped(np.array([2, 3]), np.array([1, 2]), np.array([[0, 1]]), np.array([4]))
    found = ActiveAttack().run(grouped, Knowledge())
    assert (found.success, found.highest, found.certain) == (0.4, 0.5, 0)
    assert found.scored is Scored.EXPECTED
    same = ActiveAttack(8).run(HOST, Knowledge(HOST, protect=lambda network: grouped))
    assert same == found


def test_the_number_of_accounts_grows_with_the_logarithm() -> None:
    assert [accounts_needed(nodes) for nodes in (2, 1024, 2**20)] == [3, 21, 42]
    assert accounts_needed(2**28) <= MOST_ACCOUNTS
    assert ActiveAttack(trials=1).run(HOST, Knowledge(HOST, protect=as_it_is)).details["accounts"] == 20


def test_victims_are_told_only_when_asked_for_and_seeds_repeat_everything() -> None:
    knowledge = Knowledge(HOST, protect=as_it_is)
    quiet = ActiveAttack(10, trials=2).run(HOST, knowledge)
    told = ActiveAttack(10, trials=2).run(HOST, knowledge, victims=True)
    assert quiet.victims == ()
    assert 0 < len(told.victims) <= 20
    assert all(1 <= victim.row <= HOST.nodes for victim in told.victims)
    assert told == ActiveAttack(10, trials=2).run(HOST, knowledge, victims=True)
    assert told != ActiveAttack(10, trials=2, seed=1).run(HOST, knowledge, victims=True)


def test_people_without_edges_and_labels_are_no_obstacle() -> None:
    empty = Network.of_edges(60, np.empty((0, 2), np.int64), np.zeros(60, np.int32), ("a",))
    found = ActiveAttack(12, targets=5, trials=2).run(empty, Knowledge(empty, protect=as_it_is))
    assert (found.success, found.details["friendships among targets"]) == (1.0, 0)
    assert some_planted(host=HOST).network.labels is None
    labelled = plant(empty, 12, targets=np.array([4])).network
    assert labelled.labels is not None
    assert len(labelled.labels) == 72


@pytest.mark.parametrize(
    "wrong",
    [
        {"accounts": 1},
        {"targets": 0},
        {"trials": 0},
        {"contacts": 0},
        {"tolerance": -1},
        {"steps": 0},
        {"seed": -1},
        {"outside": (1,)},
        {"outside": (-1, 2)},
    ],
)
def test_parameters_are_checked_when_the_attack_is_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="active"):
        ActiveAttack(**wrong)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"accounts": 63}, "from 2 to 62"),
        ({"contacts": 11}, "contacts"),
        ({"contacts": 1}, "cannot be told from others"),
        ({"outside": (5, 4)}, "smaller first"),
        ({"outside": (5, 600)}, "not so many people"),
        ({"targets": np.array([], np.int64)}, "nobody to attack"),
        ({"targets": np.array([0, 0])}, "different nodes"),
        ({"targets": np.array([600])}, "different nodes"),
        ({"contacts": 1, "outside": (0, 0), "targets": np.arange(11)}, "fewer sets"),
    ],
)
def test_what_cannot_be_planted_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        plant(HOST, **dict[str, Any](accounts=10, targets=np.array([1, 2])) | arguments)


@pytest.mark.parametrize(
    ("target", "knowledge", "message"),
    [
        (Statistics({}), Knowledge(HOST, protect=as_it_is), "statistics have none"),
        (HOST, Knowledge(protect=as_it_is), "nobody to attack"),
        (HOST, Knowledge(HOST), "before it is published"),
        (HOST, Knowledge(erdos_renyi(3, 2), protect=as_it_is), "fewer than the 10 targets"),
    ],
)
def test_what_cannot_be_attacked_is_refused(target: Publishable, knowledge: Knowledge, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        ActiveAttack(8).run(target, knowledge)
