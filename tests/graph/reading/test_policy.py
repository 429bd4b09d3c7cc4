"""Loops, repeats, directions, weights: refused unless allowed, and always counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.reading import Told, of_pairs
from sfumato.graph.reading import settle as settle_file
from tests.oracles.graph_files import by_name, listed

NAMES = st.sampled_from(["1", "2", "01", "Bob", "bob", "x y", "é", "10"])
LISTS = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=14)
ALL = {"loops": "drop", "repeated": "merge", "directed": "ignore", "edgeless": "keep"}


def frame(pairs: Sequence[tuple[str, str]]) -> pa.Table:
    return pa.table({"from": [one for one, _ in pairs], "to": [other for _, other in pairs]})


@given(LISTS)
def test_a_list_is_read_as_sets_of_pairs_say(pairs: list[tuple[str, str]]) -> None:
    right = listed(pairs)
    read = of_pairs(frame(pairs), **ALL)
    assert by_name(read) == (right.names, right.edges)
    counts = (read.told["loops"], read.told["repeated"], read.told["both_ways"])
    assert counts == (right.loops, right.repeated, right.both_ways)
    assert read.told["one_way"] == (len(right.edges) - right.both_ways if right.directed else 0)
    assert read.told["isolated"] == len(right.names - frozenset().union(*right.edges))


@given(LISTS, st.permutations(range(4)))
def test_the_order_of_lines_changes_nothing(pairs: list[tuple[str, str]], order: list[int]) -> None:
    read = of_pairs(frame(pairs), **ALL)
    turned = sorted(pairs, key=lambda pair: order[len(pair[0] + pair[1]) % 4])
    again = of_pairs(frame(turned), **ALL)
    assert again.names.equals(read.names)
    assert np.array_equal(again.network.neighbours, read.network.neighbours)


@given(LISTS)
def test_defaults_refuse_exactly_what_a_simple_network_cannot_hold(pairs: list[tuple[str, str]]) -> None:
    right = listed(pairs)
    refused = bool(right.loops or right.repeated or right.directed or not right.edges)
    if not refused:
        assert by_name(of_pairs(frame(pairs)))[1] == right.edges
        return
    with pytest.raises(BadInput) as problem:
        of_pairs(frame(pairs))
    assert not any(name in str(problem.value) for name in ("Bob", "bob", "x y", "é"))


def test_a_list_with_every_pair_both_ways_is_undirected() -> None:
    read = of_pairs(np.array([[1, 2], [2, 3], [2, 1], [3, 2]]))
    assert read.network.edges == 2
    assert str(read.told) == "2 edges were listed in both directions, and are one each."


def test_a_list_with_one_pair_of_two_both_ways_is_directed() -> None:
    pairs = np.array([[1, 2], [2, 3], [2, 1]])
    with pytest.raises(BadInput, match=r"1 of 2 pairs are listed in both directions.*directed='ignore'"):
        of_pairs(pairs)
    read = of_pairs(pairs, directed="ignore")
    assert (read.network.edges, read.told["both_ways"], read.told["one_way"]) == (2, 1, 1)


def test_loops_do_not_make_a_symmetric_list_directed() -> None:
    read = of_pairs(np.array([[1, 2], [2, 1], [3, 3]]), loops="drop")
    assert (read.network.nodes, read.network.edges, read.told["isolated"]) == (3, 1, 1)
    with pytest.raises(BadInput, match=r"1 edge leads from a node to itself \(first: edge 3\)"):
        of_pairs(np.array([[1, 2], [2, 1], [3, 3]]))


def test_columns_beside_the_ends_are_dropped_or_named() -> None:
    table = pa.table({"a": [1, 2], "b": [2, 3], "weight": [0.5, 2.0], "since": ["x", "y"]})
    with pytest.raises(BadInput, match="2 columns stand beside"):
        of_pairs(table)
    with pytest.raises(BadInput, match="1 column stands beside"):
        of_pairs(table, without=["weight"])
    assert of_pairs(table, without=["weight", "since"]).told["columns"] == 2
    assert of_pairs(table, weights="drop").told["columns"] == 2
    with pytest.raises(BadInput, match="no 'wieght' beside the ends"):
        of_pairs(table, weights="drop", without="wieght")


@pytest.mark.parametrize("parameter", ["loops", "repeated", "directed", "weights", "edgeless"])
def test_a_choice_that_is_not_there_is_refused(parameter: str) -> None:
    with pytest.raises(BadInput, match=f"{parameter} cannot be 'maybe'"):
        of_pairs(np.array([[1, 2]]), **{parameter: "maybe"})


def test_more_ends_than_32_bits_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = np.array([[1, 2], [2, 3], [3, 4]])
    monkeypatch.setattr(settle_file, "MOST", 5)
    with pytest.raises(BadInput, match="the edges have more than 5 ends"):
        of_pairs(pairs)
    monkeypatch.setattr(settle_file, "MOST", 2)
    with pytest.raises(BadInput, match="more than 2 nodes or lines"):
        of_pairs(pairs)


def test_nodes_are_numbered_by_value_or_as_text() -> None:
    assert of_pairs(np.array([[10, 9], [9, -1]])).names.to_pylist() == ["-1", "9", "10"]
    assert of_pairs(frame([("10", "9"), ("9", "01")])).names.to_pylist() == ["01", "10", "9"]


def test_names_that_look_alike_are_nodes_of_their_own_and_told() -> None:
    read = of_pairs(frame([("1", "01"), ("Bob", "bob "), ("Ed", "1")]))
    assert read.network.nodes == 5
    assert read.told["alike"] == 4
    assert "4 nodes have names that differ from others only in zeros" in str(read.told)


def test_what_readers_do_not_count_has_no_sentence() -> None:
    with pytest.raises(BadInput, match="do not count 'lops'"):
        Told()["lops"]
    with pytest.raises(AssertionError):
        Told({"lops": 1})


def test_printing_what_was_read_names_nobody() -> None:
    read = of_pairs(frame([("Alice", "Bob")]))
    assert "Alice" not in repr(read) + str(read.told)
