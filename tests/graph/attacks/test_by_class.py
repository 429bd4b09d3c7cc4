"""Adversaries whose knowledge divides nodes into classes: degree, refinement, neighbourhood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.attacks import (
    Degree,
    Knowledge,
    Neighbourhood,
    VertexRefinement,
    candidate_sizes,
)
from sfumato.graph.attacks.degree import possible_degrees
from sfumato.graph.contract import Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.models import KDegree, KNeighbourhood
from sfumato.graph.network import Network
from sfumato.graph.worlds import grouped_of, worlds
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.graph.real import KNOWN, real_network
from tests.oracles.graph_attacks import mean_of_picks, same_answer
from tests.oracles.graph_isomorphism import adjacency, neighbourhoods_alike, refinement

ALL: list[Any] = [Degree(), VertexRefinement(1), VertexRefinement(2), VertexRefinement(3), Neighbourhood()]


def naive(network: Network) -> Knowledge:
    return Knowledge(network, node=np.arange(network.nodes))


@pytest.mark.golden
@pytest.mark.parametrize("name", ["karate.edges.gz", "polbooks.gml.gz", "facebook_combined.txt.gz"])
def test_uniques_of_real_networks_are_found_for_certain(shared: Path, name: str) -> None:
    network = real_network(shared, name)
    _, _, degree, second, near = KNOWN[name]
    attacks: list[Any] = [Degree(), VertexRefinement(2), Neighbourhood()]
    results = [attack.run(network, naive(network)) for attack in attacks]
    assert [result.certain for result in results] == [degree, second, near]
    assert all(result.highest == 1 and result.success > result.baseline for result in results)


@given(drawn_networks(least=1), drawn_networks(least=1), st.integers(1, 3), st.data())
def test_refinement_agrees_with_multisets_of_multisets(
    before: Drawn, after: Drawn, depth: int, data: st.DataObject
) -> None:
    published, original = network_of(after), network_of(before)
    node = data.draw(st.permutations(range(max(after[0], before[0]))))[: before[0]]
    node = [at if at < after[0] else -1 for at in node]
    if all(at < 0 for at in node):
        return
    knowledge = Knowledge(original, node=np.array(node))
    now = refinement(*after, depth)
    for knows in ("published", "original"):
        was = (
            refinement(*before, depth)
            if knows == "original"
            else [now[at] if at >= 0 else None for at in node]
        )
        truth = float(mean_of_picks(same_answer(now, was), node))
        found = VertexRefinement(depth, knows=knows).run(published, knowledge)
        assert found.success == pytest.approx(truth)
        if depth == 1:
            assert Degree(knows=knows).run(published, knowledge).success == pytest.approx(truth)


@given(drawn_networks(least=1, most=6))
def test_neighbourhood_candidates_are_the_isomorphic_ones(drawn: Drawn) -> None:
    nodes, edges = drawn
    expected = [
        sum(neighbourhoods_alike(nodes, edges, one, other) for other in range(nodes)) for one in range(nodes)
    ]
    assert candidate_sizes(network_of(drawn), Neighbourhood()).tolist() == expected


@given(drawn_networks(least=1), st.data())
def test_who_has_heard_that_edges_were_only_added_keeps_all_with_at_least_the_degree(
    drawn: Drawn, data: st.DataObject
) -> None:
    nodes, edges = drawn
    original = network_of((nodes, [edge for edge in edges if data.draw(st.booleans())]))
    published = network_of(drawn)
    was, now = original.degrees().tolist(), published.degrees().tolist()
    sets = [{at for at in range(nodes) if now[at] >= degree} for degree in was]
    found = Degree(knows="original", only_added=True).run(published, naive(original))
    assert found.success == pytest.approx(float(mean_of_picks(sets, range(nodes))))
    assert found.details["people whose own node does not agree"] == 0


@given(drawn_networks(least=2, most=6), st.data())
def test_a_group_stands_for_at_least_its_members(drawn: Drawn, data: st.DataObject) -> None:
    nodes, _ = drawn
    group = np.array(data.draw(st.lists(st.integers(0, 1), min_size=nodes, max_size=nodes)))
    group = np.unique(group, return_inverse=True)[1]
    network = network_of(drawn)
    grouped = grouped_of(network, group)
    knowledge = Knowledge(network, node=group)
    sizes = grouped.sizes[group]
    for attack in [*ALL, Degree(labelled=False)]:
        found = attack.run(grouped, knowledge)
        assert found.success == pytest.approx(float(np.mean(1 / sizes)))
        assert found.highest == pytest.approx(1 / int(sizes.min()))
    by_degree = Degree(knows="original").candidates(grouped, knowledge)
    assert by_degree.own.all()
    assert (by_degree.sizes >= sizes).all()


@given(drawn_networks(least=2, most=5), st.data())
def test_the_degrees_that_a_group_allows_are_those_of_its_worlds(drawn: Drawn, data: st.DataObject) -> None:
    nodes, _ = drawn
    group = np.array(data.draw(st.lists(st.integers(0, 1), min_size=nodes, max_size=nodes)))
    group = np.sort(np.unique(group, return_inverse=True)[1])
    grouped = grouped_of(network_of(drawn), group)
    fewest, most = possible_degrees(grouped)
    seen = np.stack([world.degrees() for world in worlds(grouped, 60)])
    for number in range(len(grouped.sizes)):
        here = seen[:, group == number]
        assert fewest[number] <= here.min()
        assert here.max() <= most[number]


def test_the_bounds_of_degrees_in_a_group_are_reached() -> None:
    """Three nodes with two edges inside, three edges to another pair: 1 to 2 inside, 0 to 2 between."""
    grouped = Grouped(np.array([3, 2]), np.array([2, 0]), np.array([[0, 1]]), np.array([3]))
    fewest, most = possible_degrees(grouped)
    drawn = np.stack([world.degrees() for world in worlds(grouped, 300)])
    assert [fewest[0], most[0]] == [drawn[:, :3].min(), drawn[:, :3].max()] == [1, 4]
    assert [fewest[1], most[1]] == [drawn[:, 3:].min(), drawn[:, 3:].max()] == [0, 3]


def ring_of(nodes: int) -> Network:
    return Network.of_edges(nodes, np.array([[at, (at + 1) % nodes] for at in range(nodes)]))


@pytest.mark.parametrize("attack", ALL)
def test_nobody_is_found_in_a_ring(attack: Any) -> None:
    found = attack.run(ring_of(8), naive(ring_of(8)))
    assert (found.success, found.highest, found.certain) == (1 / 8, 1 / 8, 0)
    assert found.advantage == 0


def test_k_degree_anonymity_stops_degrees_exactly_at_its_bound_but_not_what_is_around() -> None:
    """A path of four: ends and middles, two of each; joined with a triangle and a leaf it is no longer so."""
    edges = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (4, 6), (7, 8), (8, 9)]
    network = network_of((10, edges))
    assert KDegree(4).check(network).holds
    assert Degree().run(network, naive(network)).highest == 1 / 4
    assert VertexRefinement(2).run(network, naive(network)).highest == 1


def test_k_neighbourhood_anonymity_stops_neighbourhoods_exactly_at_its_bound() -> None:
    two_triangles = network_of((6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]))
    path = [(6, 7), (7, 8), (8, 9)]
    network = network_of((10, [*map(tuple, two_triangles.pairs().tolist()), *path]))
    assert KNeighbourhood(2).check(network).holds
    assert not KNeighbourhood(3).check(network).holds
    assert Neighbourhood().run(network, naive(network)).highest == 1 / 2


def test_labels_tell_nodes_apart_that_edges_do_not() -> None:
    labelled = network_of((4, [(0, 1), (2, 3)]), [0, 1, 0, 2])
    for attack in (Degree(labelled=True), VertexRefinement(1, labelled=True), Neighbourhood(labelled=True)):
        plain = type(attack)().run(labelled, naive(labelled))
        assert plain.certain == 0
        assert attack.run(labelled, naive(labelled)).certain >= 2


def test_people_who_are_not_published_are_not_found_and_are_counted() -> None:
    star = network_of((4, [(0, 1), (0, 2), (0, 3)]))
    found = Degree().run(star, Knowledge(star, node=np.array([0, 1, 2, -1])))
    assert found.attempts == 4
    assert found.success == pytest.approx((1 + 1 / 3 + 1 / 3) / 4)
    assert found.details["people whose own node does not agree"] == 1


def test_an_adversary_who_is_misled_is_told() -> None:
    """The star's middle was moved: the only node with three neighbours is somebody else's."""
    before = network_of((4, [(0, 1), (0, 2), (0, 3)]))
    after = network_of((4, [(1, 0), (1, 2), (1, 3)]))
    found = Degree(knows="original").run(after, naive(before))
    assert found.certain == 0
    assert found.details["people for whom a wrong node is the only candidate"] == 1


def test_victims_are_rows_of_the_original_the_surest_first() -> None:
    star = network_of((4, [(3, 1), (3, 2), (3, 0)]))
    found = Degree().run(star, naive(star), victims=True)
    assert [(victim.row, victim.candidates) for victim in found.victims] == [(4, 1), (1, 3), (2, 3), (3, 3)]
    assert Degree().run(star, naive(star)).victims == ()


@pytest.mark.parametrize("attack", ALL)
def test_what_cannot_be_attacked_is_refused(attack: Any) -> None:
    ring = ring_of(4)
    with pytest.raises(BadInput, match="statistics have none"):
        attack.run(Statistics({"degree": np.ones(3)}), naive(ring))
    with pytest.raises(BadInput, match="nobody to attack"):
        attack.run(ring, Knowledge())
    with pytest.raises(BadInput, match="which published node is whose"):
        attack.run(ring, Knowledge(ring))
    with pytest.raises(BadInput, match="nobody of the original"):
        attack.run(ring, Knowledge(ring, node=np.full(4, -1)))


def test_parameters_that_make_no_sense_are_refused() -> None:
    for wrong in (
        lambda: VertexRefinement(4),
        lambda: VertexRefinement(True),
        lambda: Degree(knows="nothing"),  # type: ignore[arg-type]
        lambda: Degree(only_added=True),
        lambda: Neighbourhood(knows="original", labelled=True),
    ):
        with pytest.raises(BadInput):
            wrong()
    with pytest.raises(BadInput, match="labels"):
        Degree(labelled=True).run(ring_of(4), naive(ring_of(4)))


def test_degrees_are_those_of_the_oracle() -> None:
    drawn = (5, [(0, 1), (0, 2), (3, 4)])
    degrees = [len(some) for some in adjacency(*drawn)]
    expected = [degrees.count(degree) for degree in degrees]
    assert candidate_sizes(network_of(drawn), Degree()).tolist() == expected
