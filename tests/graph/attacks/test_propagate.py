"""From a few people known in two networks to the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.graph.attacks import Knowledge, SeedAndPropagate, propagate
from sfumato.graph.contract import Publishable, Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.simulate import Copies, barabasi_albert, erdos_renyi, two_copies
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.graph.real import real_network
from tests.oracles.graph_isomorphism import adjacency
from tests.oracles.graph_propagate import one_round

COPIES = two_copies(barabasi_albert(500, 6, seed=2), nodes=0.9, edges=0.8, seed=4)
EDGE = Network.of_edges(2, np.array([[0, 1]]))


def knowing(copies: Copies) -> Knowledge:
    return Knowledge(other=copies.other, same=copies.same)


@given(
    drawn_networks(most=7, least=3),
    drawn_networks(most=7, least=3),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.5, 1.5]),
    st.integers(1, 2),
)
def test_a_round_finds_the_pairs_that_the_oracle_finds(
    here: Drawn, there: Drawn, known: int, threshold: float, witnesses: int
) -> None:
    seeds = np.array([[at, at] for at in range(known)])
    found = propagate(
        network_of(there), network_of(here), seeds, threshold=threshold, witnesses=witnesses, rounds=1
    )
    pairs = one_round(
        adjacency(*here), adjacency(*there), {at: at for at in range(known)}, threshold, witnesses
    )
    expected = {one: other for one, other in pairs.items() if one >= known and other >= known}
    expected |= {at: at for at in range(known)}
    assert found.mate.tolist() == [expected.get(node, -1) for node in range(here[0])]


@given(st.integers(0, 1000))
def test_how_nodes_are_numbered_plays_no_part(seed: int) -> None:
    chance = np.random.default_rng(seed)
    one, other = chance.permutation(COPIES.one.nodes), chance.permutation(COPIES.other.nodes)
    people = np.flatnonzero(COPIES.same >= 0)[:20]
    seeds = np.column_stack([people, COPIES.same[people]])
    plain = propagate(COPIES.one, COPIES.other, seeds)
    renamed = propagate(
        COPIES.one.renumbered(one),
        COPIES.other.renumbered(other),
        np.column_stack([other[seeds[:, 0]], one[seeds[:, 1]]]),
    )
    assert plain.claims > 100
    assert (plain.rounds, plain.settled) == (renamed.rounds, renamed.settled)
    assert renamed.mate[other].tolist() == np.where(plain.mate >= 0, one[plain.mate], -1).tolist()


def test_no_published_node_is_two_people_and_seeds_stay_what_they_are() -> None:
    people = np.flatnonzero(COPIES.same >= 0)[:20]
    # One of the seeds is wrong: it is believed all the same.
    seeds = np.column_stack([people, COPIES.same[people]])
    seeds[[0, 1], 1] = seeds[[1, 0], 1]
    found = propagate(COPIES.one, COPIES.other, seeds)
    claimed = found.mate[found.mate >= 0]
    assert len(np.unique(claimed)) == len(claimed)
    assert found.mate[seeds[:, 0]].tolist() == seeds[:, 1].tolist()


def test_the_attack_succeeds_on_two_copies_with_few_errors() -> None:
    found = SeedAndPropagate(seeds=20).run(COPIES.one, knowing(COPIES))
    assert found.attempts == int((COPIES.same >= 0).sum()) - 20
    assert found.success > 0.8
    assert found.details["precision"] > 0.9  # type: ignore[operator]
    assert found.details["success, degree at least 5"] >= found.success  # type: ignore[operator]
    assert found.scored is Scored.MEASURED
    assert found.baseline == 1 / COPIES.one.nodes


def test_the_attack_fails_where_two_networks_have_nothing_in_common() -> None:
    people = np.random.default_rng(1).permutation(500)
    one, other = erdos_renyi(500, 2000, seed=1), erdos_renyi(500, 2000, seed=2)
    found = SeedAndPropagate(seeds=20).run(one, Knowledge(other=other, same=people))
    assert found.success < 0.02


def test_figures_by_degree_add_up_to_the_whole() -> None:
    found = SeedAndPropagate(seeds=20).run(COPIES.one, knowing(COPIES)).details
    names = [name.removeprefix("people of degree ") for name in found if name.startswith("people of degree")]
    assert names
    right = sum(float(found[f"people of degree {x}"]) * float(found[f"success, degree {x}"]) for x in names)
    assert round(right) == found["right claims"]


def test_seeds_that_are_given_are_taken_and_do_not_count() -> None:
    people = np.flatnonzero(COPIES.same >= 0)[:30]
    seeds = np.column_stack([people, COPIES.same[people]])
    found = SeedAndPropagate().run(
        COPIES.one, Knowledge(other=COPIES.other, same=COPIES.same, seeds=seeds), victims=True
    )
    assert found.details["seeds"] == 30
    assert not {victim.row - 1 for victim in found.victims} & set(people.tolist())
    assert found.certain == len(found.victims) == found.details["right claims"]
    alone = SeedAndPropagate(witnesses=1000).run(
        COPIES.one, Knowledge(other=COPIES.other, same=COPIES.same, seeds=seeds)
    )
    assert (alone.success, alone.details["claims"]) == (0.0, 0)
    assert "precision" not in alone.details


def test_without_the_truth_claims_are_only_counted() -> None:
    people = np.flatnonzero(COPIES.same >= 0)[:30]
    seeds = np.column_stack([people, COPIES.same[people]])
    found = SeedAndPropagate().run(COPIES.one, Knowledge(other=COPIES.other, seeds=seeds))
    assert found.scored is Scored.CLAIMED
    assert found.certain == 0
    assert found.details["claims"] > 100  # type: ignore[operator]
    assert "nobody could tell" in str(found)


def test_victims_are_told_only_when_asked_for() -> None:
    assert SeedAndPropagate(seeds=20).run(COPIES.one, knowing(COPIES)).victims == ()


def test_people_of_one_network_alone_are_never_counted_as_found() -> None:
    found = SeedAndPropagate(seeds=20).run(COPIES.one, knowing(COPIES), victims=True)
    assert all(COPIES.same[victim.row - 1] >= 0 for victim in found.victims)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seeds": 0},
        {"among": 3, "seeds": 4},
        {"threshold": -1.0},
        {"threshold": float("nan")},
        {"witnesses": 0},
        {"rounds": 0},
        {"seed": -1},
    ],
)
def test_parameters_are_checked_when_the_attack_is_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="seed-and-propagate"):
        SeedAndPropagate(**wrong)


@pytest.mark.parametrize(
    ("target", "knowledge", "message"),
    [
        (Statistics({}), knowing(COPIES), "none are published"),
        (
            Grouped(np.array([2]), np.array([1]), np.empty((0, 2), np.int64), np.empty(0, np.int64)),
            knowing(COPIES),
            "none are published",
        ),
        (COPIES.one, Knowledge(), "nobody to attack"),
        (COPIES.one, Knowledge(other=COPIES.other), "known from the start"),
        (COPIES.one, Knowledge(other=EDGE, same=np.array([-1, -1])), "nobody is in both"),
        (COPIES.one, Knowledge(other=EDGE, same=np.array([0, 1])), "fewer than the 50 seeds"),
        (
            COPIES.one,
            Knowledge(other=EDGE, same=np.array([0, 1]), seeds=np.array([[0, 0], [1, 1]])),
            "everybody is known",
        ),
        (COPIES.one, Knowledge(other=EDGE, seeds=np.empty((0, 2), np.int64)), "no seeds"),
        (COPIES.one, Knowledge(other=EDGE, seeds=np.array([[2, 0]])), "names a node"),
        (COPIES.one, Knowledge(other=EDGE, seeds=np.array([[0, 0], [1, 0]])), "in two seeds"),
    ],
)
def test_what_cannot_be_attacked_is_refused(target: Publishable, knowledge: Knowledge, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        SeedAndPropagate().run(target, knowledge)


@pytest.mark.golden
def test_of_two_copies_of_a_real_network_most_people_with_five_neighbours_are_found(shared: Path) -> None:
    network = real_network(shared, "hamsterster.gml.gz")
    copies = two_copies(network, nodes=1.0, edges=0.8)
    found = SeedAndPropagate(seeds=30).run(copies.one, knowing(copies))
    assert found.details["success, degree at least 5"] > 0.5  # type: ignore[operator]
    assert found.details["precision"] > 0.9  # type: ignore[operator]


@pytest.mark.golden
@pytest.mark.slow
@pytest.mark.parametrize("nodes", [1.0, 0.8])
def test_of_two_copies_of_enron_half_of_those_with_five_neighbours_are_found(
    shared: Path, nodes: float
) -> None:
    network = real_network(shared, "email-Enron.txt.gz")
    copies = two_copies(network, nodes=nodes, edges=0.8)
    found = SeedAndPropagate().run(copies.one, knowing(copies))
    assert found.details["success, degree at least 5"] > 0.5  # type: ignore[operator]
    assert found.details["precision"] > 0.9  # type: ignore[operator]
