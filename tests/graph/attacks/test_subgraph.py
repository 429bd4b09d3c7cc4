"""Somebody who knows some edges around a person."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.attacks import Knowledge, Subgraph
from sfumato.graph.attacks.subgraph import known_around, standing_for
from sfumato.graph.models import KIsomorphism
from sfumato.graph.network import Network
from sfumato.graph.worlds import grouped_of
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.oracles.graph_attacks import standing_for_first
from tests.oracles.graph_isomorphism import adjacency

LOPSIDED = (6, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (3, 5), (4, 5), (1, 5)])


def naive(network: Network) -> Knowledge:
    return Knowledge(network, node=np.arange(network.nodes))


@given(drawn_networks(least=1), st.integers(1, 8), st.integers(0, 5), st.booleans())
def test_known_edges_hang_together_and_reach_the_person(
    drawn: Drawn, edges: int, seed: int, near: bool
) -> None:
    network = network_of(drawn)
    known = known_around(network, 0, edges, np.random.default_rng(seed), near=near)
    reached = {0}
    for one, other in known.tolist():
        assert one in reached or other in reached
        reached |= {one, other}
    assert len({frozenset(pair) for pair in known.tolist()}) == len(known)
    around = adjacency(*drawn)
    component, waiting = {0}, [0]
    while waiting:
        for other in around[waiting.pop()] - component:
            component.add(other)
            waiting.append(other)
    inside = sum(one in component for one, _ in drawn[1])
    assert len(known) == min(edges, inside)
    assert 0 in standing_for_first(*drawn, [tuple(pair) for pair in known.tolist()])


@given(drawn_networks(least=1), drawn_networks(least=1, most=6), st.integers(1, 6), st.integers(0, 3))
def test_candidates_are_the_nodes_to_which_some_map_leads(
    drawn: Drawn, seen: Drawn, edges: int, seed: int
) -> None:
    known = known_around(network_of(seen), 0, edges, np.random.default_rng(seed), near=False)
    answers = standing_for(network_of(drawn), known, 10**6)
    expected = standing_for_first(*drawn, [tuple(pair) for pair in known.tolist()])
    assert set(np.flatnonzero(answers == 1).tolist()) == expected
    assert not (answers == 2).any()


def test_all_edges_of_a_network_without_symmetry_single_everybody_out() -> None:
    network = network_of((7, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (2, 6)]))
    found = Subgraph(edges=6).run(network, naive(network))
    assert (found.success, found.certain, found.highest) == (1, 7, 1)


def test_copies_stop_it_exactly_at_their_bound() -> None:
    tree = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (2, 6)]
    copies = network_of((21, [(one + shift, other + shift) for shift in (0, 7, 14) for one, other in tree]))
    assert KIsomorphism(3).check(copies).holds
    found = Subgraph(edges=6).run(copies, naive(copies))
    assert found.success == pytest.approx(1 / 3)
    assert (found.highest, found.certain) == (1 / 3, 0)


def test_more_edges_known_never_help_less() -> None:
    network = network_of(LOPSIDED)
    chances = [Subgraph(edges=many).run(network, naive(network)).success for many in (1, 8)]
    assert chances[0] < chances[1]


def test_edges_that_were_removed_mislead_and_edges_that_were_added_do_not() -> None:
    before = network_of(LOPSIDED)
    fewer = network_of((6, LOPSIDED[1][1:]))
    more = network_of((6, [*LOPSIDED[1], (0, 4)]))
    for edges in (3, 8):
        attack = Subgraph(edges=edges, knows="original")
        assert attack.run(more, naive(before)).details["people whose own node does not agree"] == 0
    assert Subgraph(edges=8, knows="original").run(fewer, naive(before)).success == 0


def test_a_search_that_is_cut_says_so_and_never_looks_safer() -> None:
    network = network_of(LOPSIDED)
    whole = Subgraph(edges=8).run(network, naive(network))
    cut = Subgraph(edges=8, steps=3).run(network, naive(network))
    assert "upper bound" in cut.note
    assert cut.details["people whose search was cut"] == 6
    assert cut.success >= whole.success >= float(cut.details["success at least"]) > 0
    assert cut.certain == 0
    assert not whole.note


def test_people_are_drawn_and_the_same_seed_draws_the_same() -> None:
    network = network_of(LOPSIDED)
    some = Subgraph(edges=4, people=3, seed=5).run(network, naive(network), victims=True)
    assert some.attempts == 3
    assert some == Subgraph(edges=4, people=3, seed=5).run(network, naive(network), victims=True)
    assert {victim.row for victim in some.victims} <= set(range(1, 7))


def test_an_isolated_person_may_be_anybody_and_a_group_hides_its_members() -> None:
    network = network_of((4, [(0, 1)]))
    found = Subgraph().run(network, naive(network))
    assert found.success == pytest.approx((1 / 2 + 1 / 2 + 1 / 4 + 1 / 4) / 4)
    group = np.array([0, 0, 1, 1])
    assert Subgraph().run(grouped_of(network, group), Knowledge(network, node=group)).highest == 1 / 2


def test_people_who_are_not_published_are_not_found() -> None:
    network = network_of(LOPSIDED)
    gone = Knowledge(network, node=np.array([0, 1, 2, 3, 4, -1]))
    for knows in ("published", "original"):
        found = Subgraph(edges=8, knows=knows).run(network, gone)
        assert found.details["people whose own node does not agree"] == 1


@pytest.mark.parametrize(
    "wrong", [{"edges": 0}, {"people": 0}, {"steps": 0}, {"seed": -1}, {"from_where": "x"}]
)
def test_parameters_that_make_no_sense_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BadInput, match=next(iter(wrong))):
        Subgraph(**wrong)  # type: ignore[arg-type]
