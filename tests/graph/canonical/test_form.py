"""Canonical forms: the same bytes if and only if two networks are isomorphic."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import MissingPart
from sfumato.graph.canonical import bliss, canonical_numbers, form
from sfumato.graph.network import Network
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.oracles.graph_isomorphism import maps_between


def all_networks(nodes: int) -> list[list[tuple[int, int]]]:
    pairs = list(itertools.combinations(range(nodes), 2))
    return [list(itertools.compress(pairs, kept)) for kept in itertools.product((0, 1), repeat=len(pairs))]


def test_forms_of_all_networks_of_four_nodes_agree_with_every_permutation_tried() -> None:
    every = all_networks(4)
    forms = [form(network_of((4, edges))) for edges in every]
    for one, other in itertools.combinations(range(len(every)), 2):
        alike = bool(maps_between(4, every[one], every[other]))
        assert (forms[one] == forms[other]) == alike


@pytest.mark.parametrize(("nodes", "kinds"), [(0, 1), (1, 1), (2, 2), (3, 4), (4, 11), (5, 34), (6, 156)])
def test_there_are_as_many_forms_as_networks_that_differ(nodes: int, kinds: int) -> None:
    """The numbers of networks up to isomorphism are known (A000088)."""
    assert len({form(network_of((nodes, edges))) for edges in all_networks(nodes)}) == kinds


@given(drawn_networks(most=12), st.data())
def test_a_form_does_not_depend_on_how_nodes_are_numbered(drawn: Drawn, data: st.DataObject) -> None:
    nodes, _ = drawn
    number = np.array(data.draw(st.permutations(range(nodes))), np.int64)
    colours = np.array(data.draw(st.lists(st.integers(0, 2), min_size=nodes, max_size=nodes)), np.int64)
    network = network_of(drawn)
    moved = np.empty(nodes, np.int64)
    moved[number] = colours
    assert form(network) == form(network.renumbered(number))
    assert form(network, colours) == form(network.renumbered(number), moved)


@given(drawn_networks(most=5), drawn_networks(most=5), st.data())
def test_coloured_forms_agree_with_every_permutation_tried(
    one: Drawn, other: Drawn, data: st.DataObject
) -> None:
    painted = [
        data.draw(st.lists(st.sampled_from([-3, 7]), min_size=nodes, max_size=nodes))
        for nodes in (one[0], other[0])
    ]
    alike = one[0] == other[0] and bool(maps_between(one[0], one[1], other[1], painted))
    forms = [
        form(network_of(drawn), np.array(colours, np.int64))
        for drawn, colours in zip((one, other), painted, strict=True)
    ]
    assert (forms[0] == forms[1]) == alike


@given(drawn_networks(most=6), st.data())
def test_canonical_numbers_are_a_permutation_that_makes_isomorphic_networks_the_same(
    drawn: Drawn, data: st.DataObject
) -> None:
    network = network_of(drawn)
    number = np.array(data.draw(st.permutations(range(drawn[0]))), np.int64)
    other = network.renumbered(number)
    canonical = [each.renumbered(canonical_numbers(each.nodes, each.pairs())) for each in (network, other)]
    assert canonical[0].pairs().tolist() == canonical[1].pairs().tolist()
    assert maps_between(drawn[0], drawn[1], canonical[0].pairs().tolist())


def test_networks_that_refinement_cannot_tell_apart_have_different_forms() -> None:
    hexagon = network_of((6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]))
    triangles = network_of((6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]))
    assert form(hexagon) != form(triangles)


def test_isolated_nodes_count() -> None:
    assert form(network_of((3, [(0, 1)]))) != form(network_of((4, [(0, 1)])))


def test_values_of_colours_count_and_not_only_which_are_the_same() -> None:
    alone = network_of((1, []))
    assert form(alone, np.array([1])) != form(alone, np.array([2]))
    assert form(alone, np.array([0])) != form(alone)


def test_a_form_needs_a_colour_for_each_node() -> None:
    with pytest.raises(AssertionError, match="a colour for each node"):
        form(network_of((2, [])), np.array([1]))


def test_an_igraph_that_lists_new_numbers_is_read_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = bliss._permutation

    def turned(nodes: int, pairs: object, ranks: object) -> list[int]:
        listed = plain(nodes, pairs, ranks)  # type: ignore[arg-type]
        number = [0] * nodes
        for new, old in enumerate(listed):
            number[old] = new
        return number

    edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [1, 4]])
    network = Network.of_edges(6, edges)
    expected = form(network)
    monkeypatch.setattr(bliss, "_permutation", turned)
    bliss._lists_old_numbers.cache_clear()
    try:
        assert form(network) == expected
    finally:
        bliss._lists_old_numbers.cache_clear()


def test_an_igraph_whose_permutation_is_no_canonical_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bliss, "_permutation", lambda nodes, pairs, ranks: list(range(nodes)))
    bliss._lists_old_numbers.cache_clear()
    try:
        with pytest.raises(MissingPart, match="canonical permutation"):
            form(network_of((2, [(0, 1)])))
    finally:
        bliss._lists_old_numbers.cache_clear()


def test_without_igraph_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "igraph", None)
    bliss.igraph.cache_clear()
    try:
        with pytest.raises(MissingPart, match=r"sfumato\[graph\]"):
            form(network_of((2, [(0, 1)])))
    finally:
        bliss.igraph.cache_clear()
