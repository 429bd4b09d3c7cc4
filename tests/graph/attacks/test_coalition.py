"""People who compare notes find themselves, their neighbours, and the edges among these."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.graph.attacks import Coalition, Knowledge
from sfumato.graph.attacks.coalition_findings import View, conspire
from sfumato.graph.models import KIsomorphism
from sfumato.graph.network import Network
from sfumato.graph.worlds import grouped_of
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.oracles.graph_attacks import places_of, read_off
from tests.oracles.graph_isomorphism import adjacency

MAIL = ["AB", "AC", "AE", "BC", "BD", "BE", "CD", "CF", "CG"]
"""Alice, Bob, Cathy, Dave, Ed, Fred and Grace"""


def mail() -> Network:
    return network_of((7, [(ord(pair[0]) - 65, ord(pair[1]) - 65) for pair in MAIL]))


def naive(network: Network) -> Knowledge:
    return Knowledge(network, node=np.arange(network.nodes))


def as_it_is(network: Network) -> View:
    return View(network, np.arange(network.nodes), np.arange(network.nodes))


def test_alice_and_cathy_find_bob_and_ed_and_the_edge_between_them() -> None:
    alice, bob, cathy, dave, ed, fred, grace = range(7)
    network = mail()
    found = conspire(network, network, as_it_is(network), [alice, cathy])
    assert (found.places, found.chance, found.cut) == (1, Fraction(1), False)
    assert found.targets == (bob, dave, ed, fred, grace)
    assert found.identified == (bob, ed)
    assert found.read == {(bob, ed): Fraction(1)}
    assert found.hidden == ((bob, dave), (bob, ed))


@pytest.mark.golden
def test_the_story_of_the_lecture_is_the_golden_one(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "graph.json").read_text())["seed_email_attack"]
    names = sorted({name for edge in golden["edges"] for name in edge})
    number = {name: at for at, name in enumerate(names)}
    network = network_of((len(names), [(number[one], number[other]) for one, other in golden["edges"]]))
    found = conspire(network, network, as_it_is(network), [number["Alice"], number["Cathy"]])
    assert {names[one] for one in found.identified} == {
        *golden["common_neighbours_Alice_Cathy"],
        golden["third_neighbour_of_Alice"],
    }
    assert [{names[one], names[other]} for one, other in found.read] == [set(golden["inferred_edge"])]


def test_a_coalition_that_learns_more_than_a_guess_is_scored_so() -> None:
    network = mail()
    found = Coalition(members=2, coalitions=200).run(network, naive(network), victims=True)
    assert found.threat is Threat.ATTRIBUTE
    assert found.success > found.baseline
    assert found.certain > 0
    assert found.highest == 1
    assert all(1 <= victim.row <= 7 for victim in found.victims)


@given(drawn_networks(least=3, most=6), st.integers(2, 3), st.integers(0, 10))
def test_places_and_edges_are_those_of_trying_everything(drawn: Drawn, size: int, seed: int) -> None:
    nodes, edges = drawn
    network = network_of(drawn)
    assume(edges)
    members = _together(drawn, size, seed)
    assume(len(members) > 1)
    found = conspire(network, network, as_it_is(network), members)
    near = adjacency(nodes, edges)
    assert found.places == len(places_of(nodes, edges, nodes, edges, members))
    assert found.there
    assert not found.cut
    assert found.read == read_off(nodes, edges, members)
    targets = {other for one in members for other in near[one]} - set(members)
    assert set(found.targets) == targets
    assert set(found.hidden) == {pair for pair in edges if set(pair) <= targets}


def _together(drawn: Drawn, size: int, seed: int) -> list[int]:
    near = adjacency(*drawn)
    random = np.random.default_rng(seed)
    members = [int(random.choice(drawn[1])[0])]
    while len(members) < size:
        around = sorted({other for one in members for other in near[one]} - set(members))
        if not around:
            break
        members.append(int(random.choice(around)))
    return members


def _pairs_of_networks(nodes: int) -> st.SearchStrategy[tuple[Drawn, Drawn]]:
    return st.tuples(*(drawn_networks(least=nodes, most=nodes) for _ in range(2)))


@given(st.integers(3, 6).flatmap(_pairs_of_networks), st.integers(0, 10))
def test_in_a_changed_network_only_true_edges_count(both: tuple[Drawn, Drawn], seed: int) -> None:
    before, after = both
    assume(before[1])
    original, published = network_of(before), network_of(after)
    view = View(original, np.arange(before[0]), np.arange(before[0]))
    members = _together(before, 2, seed)
    found = conspire(published, original, view, members)
    places = places_of(*after, *before, members)
    assert found.places == len(places)
    assert found.there == (tuple(members) in places)
    near = adjacency(*before)
    targets = {other for one in members for other in near[one]} - set(members)
    true = {pair for pair in before[1] if set(pair) <= targets}
    assert set(found.targets) == targets
    assert set(found.hidden) == true
    for person, (share, right) in found.claims().items():
        best = [pair for pair, often in found.read.items() if person in pair and often == share]
        assert 0 < share == max(often for pair, often in found.read.items() if person in pair) <= 1
        assert right == Fraction(len(true & set(best)), len(best))


def test_copies_bound_the_chance_of_the_place_but_not_what_is_read_off() -> None:
    """At every image the same edge is read off: who is not found may still be known to be connected."""
    edges = [
        (one + 7 * copy, other + 7 * copy) for copy in range(3) for one, other in mail().pairs().tolist()
    ]
    copies = network_of((21, edges))
    assert KIsomorphism(3).check(copies).holds
    found = conspire(copies, copies, as_it_is(copies), [0, 2])
    assert (found.places, found.chance) == (3, Fraction(1, 3))
    assert found.read == {(1, 4): Fraction(1)}


def test_it_fails_where_nobody_can_be_told_from_another() -> None:
    everybody = network_of((6, [(one, other) for one in range(6) for other in range(one + 1, 6)]))
    found = Coalition(members=2, coalitions=10).run(everybody, naive(mail_of_six()))
    assert found.certain == 0
    assert found.success == found.baseline
    assert found.details["people identified where the place is right"] == 0


def mail_of_six() -> Network:
    return network_of((6, [pair for pair in map(tuple, mail().pairs().tolist()) if max(pair) < 6]))


def test_a_search_that_is_cut_says_so_and_is_not_certain() -> None:
    network = mail()
    whole = Coalition(members=3, coalitions=50).run(network, naive(network))
    cut = Coalition(members=3, coalitions=50, steps=1).run(network, naive(network))
    assert "upper bound" in cut.note
    assert cut.details["coalitions whose search was cut"] == 50
    assert cut.certain == 0
    assert cut.success >= whole.success > whole.baseline
    assert whole.success >= float(cut.details["success at least"])
    assert not whole.note


def test_who_knows_the_original_is_misled_by_changed_degrees() -> None:
    """Alice has a fourth neighbour now, as Bob had: the coalition no longer finds itself."""
    network = mail()
    more = network_of((7, [*map(tuple, network.pairs().tolist()), (0, 5)]))
    found = conspire(more, network, as_it_is(network), [0, 2])
    assert (found.places, found.there, found.chance) == (0, False, Fraction(0))
    assert conspire(more, network, as_it_is(more), [0, 2]).there
    assert (
        Coalition(members=2, coalitions=5, knows="original").run(more, naive(network)).details["knows"]
        == "original"
    )


def test_the_same_seed_draws_the_same_coalitions() -> None:
    network = mail()
    assert Coalition(seed=3).run(network, naive(network)) == Coalition(seed=3).run(network, naive(network))


def test_what_cannot_be_attacked_is_refused() -> None:
    network = mail()
    with pytest.raises(BadInput, match="none are published"):
        Coalition().run(grouped_of(network, np.zeros(7, np.int64)), naive(network))
    with pytest.raises(BadInput, match="nobody is connected"):
        Coalition().run(network_of((3, [])), naive(network_of((3, []))))
    with pytest.raises(BadInput, match="nothing to learn"):
        Coalition().run(network_of((3, [(0, 1), (1, 2)])), naive(network_of((3, [(0, 1), (1, 2)]))))
    with pytest.raises(BadInput, match="members"):
        Coalition(members=1)
