"""Attacks where something is missing, doubled or empty: a figure is right or there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.attacks import (
    ActiveAttack,
    Coalition,
    Degree,
    Knowledge,
    Neighbourhood,
    SeedAndPropagate,
    Subgraph,
    VertexRefinement,
)
from sfumato.graph.contract import Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.models import KDegree, KGrouping, KNeighbourhood
from sfumato.graph.network import Network
from sfumato.graph.simulate import erdos_renyi
from sfumato.graph.worlds import grouped_of
from tests.graph.drawn import Drawn, drawn_networks, network_of

BY_NODE: list[Any] = [
    Degree(),
    Degree("original"),
    Degree("original", only_added=True),
    VertexRefinement(),
    VertexRefinement(3, "original"),
    Neighbourhood(),
    Neighbourhood("original"),
    Subgraph(3),
    Subgraph(3, knows="original"),
]
NO_GROUPS = Grouped(*(np.zeros(shape, np.int64) for shape in (0, 0, (0, 2), 0)))


@pytest.mark.parametrize("attack", [*BY_NODE, Coalition(2)])
def test_a_truth_that_gives_two_people_one_node_is_no_truth(attack: Any) -> None:
    path = network_of((3, [(0, 1), (1, 2)]))
    with pytest.raises(AssertionError, match="two people"):
        attack.run(path, Knowledge(path, node=np.array([1, 1, -1])))


def test_several_people_of_a_group_are_no_mistake() -> None:
    path = network_of((3, [(0, 1), (1, 2)]))
    grouped = grouped_of(path, np.zeros(3, np.int64))
    assert Degree().run(grouped, Knowledge(path, node=np.zeros(3, np.int64))).success == pytest.approx(1 / 3)


@pytest.mark.parametrize("attack", [*BY_NODE, Coalition(2), ActiveAttack(4)])
def test_nobody_is_attacked_in_a_grouping_of_nobody(attack: Any) -> None:
    path = network_of((3, [(0, 1), (1, 2)]))
    with pytest.raises(BadInput):
        attack.run(NO_GROUPS, Knowledge(path, node=np.full(3, -1)))


@pytest.mark.parametrize("attack", BY_NODE)
@given(drawn=drawn_networks(least=1), data=st.data())
@settings(max_examples=25)
def test_figures_do_not_depend_on_numbers(attack: Any, drawn: Drawn, data: st.DataObject) -> None:
    network = network_of(drawn)
    order = np.array(data.draw(st.permutations(range(network.nodes))), np.int64)
    here = attack.run(network, Knowledge(network, node=np.arange(network.nodes)))
    there = attack.run(network.renumbered(order), Knowledge(network, node=order))
    if not isinstance(attack, Subgraph) or attack.knows == "original":
        assert (here.success, here.certain, here.highest) == (there.success, there.certain, there.highest)
    assert here.certain <= here.attempts == network.nodes
    assert 1 / network.nodes <= there.success <= there.highest <= 1


@given(drawn_networks(least=2), st.integers(2, 3), st.data())
def test_no_attack_passes_the_bound_of_a_promise_that_holds(
    drawn: Drawn, k: int, data: st.DataObject
) -> None:
    published = network_of(drawn)
    order = np.array(data.draw(st.permutations(range(published.nodes))), np.int64)
    knowledge = Knowledge(published.renumbered(order), node=np.argsort(order))
    held: list[tuple[bool, Publishable, list[Any], Knowledge]] = [
        (KDegree(k).check(published).holds, published, [Degree(), VertexRefinement(1)], knowledge),
        (
            KNeighbourhood(k).check(published).holds,
            published,
            [Degree(), Neighbourhood(), VertexRefinement(1)],
            knowledge,
        ),
    ]
    group = np.array(data.draw(st.lists(st.integers(0, 1), min_size=drawn[0], max_size=drawn[0])), np.int64)
    group = np.unique(group, return_inverse=True)[1]
    grouped = grouped_of(published, group)
    by_group = Knowledge(published, node=group)
    held.append((KGrouping(k).check(grouped).holds, grouped, [*BY_NODE, ActiveAttack()], by_group))
    for holds, target, attacks, known in held:
        if not holds:
            continue
        for attack in attacks:
            found = attack.run(target, known)
            assert found.certain == 0
            assert found.success <= 1 / k + 1e-12
            assert found.highest <= 1 / k + 1e-12


def test_planted_accounts_are_nobody_who_is_attacked() -> None:
    network = erdos_renyi(60, 150)
    seen: list[int] = []

    def publish(given: Network) -> Publishable:
        seen.append(given.nodes)
        return given

    found = ActiveAttack(8, targets=5, trials=3).run(
        network, Knowledge(network, protect=publish), victims=True
    )
    assert seen == [68, 68, 68]
    assert found.attempts == 15
    assert all(1 <= victim.row <= 60 for victim in found.victims)


def test_two_trials_are_drawn_apart() -> None:
    network = erdos_renyi(60, 150)
    drawn: list[list[list[int]]] = []

    def publish(given: Network) -> Publishable:
        pairs = given.pairs()
        drawn.append(pairs[pairs[:, 1] >= network.nodes].tolist())
        return given

    ActiveAttack(8, targets=5, trials=4).run(network, Knowledge(network, protect=publish))
    assert all(one != other for at, one in enumerate(drawn) for other in drawn[:at])


def test_a_house_that_publishes_nothing_to_look_at_is_refused() -> None:
    network = erdos_renyi(60, 150)
    with pytest.raises(AssertionError, match="nodes of the network"):
        ActiveAttack(8).run(network, Knowledge(network, protect=lambda given: erdos_renyi(3, 2)))


def test_wrong_claims_and_seeds_are_no_success() -> None:
    network = erdos_renyi(80, 240)
    order = np.random.default_rng(3).permutation(80)
    false = np.roll(order, 1)
    seeds = np.column_stack([np.arange(12), order[:12]])
    right = SeedAndPropagate().run(
        network.renumbered(order), Knowledge(other=network, same=order, seeds=seeds)
    )
    assert right.success > 0.9
    wrong = SeedAndPropagate().run(
        network.renumbered(order), Knowledge(other=network, same=false, seeds=seeds)
    )
    assert (right.attempts, wrong.attempts) == (68, 68)
    assert wrong.success == wrong.certain == 0
    assert wrong.details["precision"] == 0
    assert wrong.details["claims"] == right.details["claims"]
