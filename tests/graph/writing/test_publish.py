"""New numbers: drawn at random, the same network, and nothing of the old order."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.randomness import SeededRandom
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.writing import edges_table, publish, publish_grouped
from tests.graph.reading.made import said
from tests.graph.writing.made import networks


@given(networks(), st.integers(0, 9))
def test_every_edge_and_label_is_that_of_the_old_nodes(network: Network, seed: int) -> None:
    new = publish(network, random=SeededRandom(seed))
    assert sorted(new.node.tolist()) == list(range(network.nodes))
    for one, other in itertools.combinations(range(network.nodes), 2):
        assert new.network.connected(int(new.node[one]), int(new.node[other])) == network.connected(
            one, other
        )
    if network.labels is not None:
        assert [said(new.network)[at] for at in new.node] == said(network)


def test_every_order_is_equally_likely_whatever_the_old_one_was() -> None:
    path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    turned = path.renumbered(np.array([1, 2, 0]))
    seen = []
    for network in (path, turned):
        random = SeededRandom(7)
        found: Counter[str] = Counter()
        for _ in range(600):
            found[str(edges_table(publish(network, random=random).network).to_pydict())] += 1
        seen.append(found)
    # A path of three nodes has three numberings, each 200 times in 600 (with a deviation of 11.5).
    for found in seen:
        assert len(found) == 3
        assert all(140 < many < 260 for many in found.values())


def test_numbers_come_from_the_operating_system_unless_a_test_says_otherwise() -> None:
    network = Network.of_edges(60, np.array([[0, 1]]))
    first, second = publish(network), publish(network)
    assert first.secret
    assert first.node.tolist() != second.node.tolist()
    assert not publish(network, random=SeededRandom(1)).secret


def test_the_truth_is_a_table_for_the_steward_and_never_printed() -> None:
    network = Network.of_edges(2, np.array([[0, 1]]))
    new = publish(network, pa.array(["Ann", "Bob"]), random=SeededRandom(1))
    assert new.truth().to_pydict() == {"name": ["Ann", "Bob"], "node": (new.node + 1).tolist()}
    assert "node" not in repr(new)
    assert "Ann" not in repr(new)
    assert publish(network).truth().column("name").to_pylist() == ["1", "2"]
    with pytest.raises(AssertionError):
        publish(network, pa.array(["Ann"]))


@given(st.data())
def test_groups_keep_their_sizes_and_links_under_new_numbers(data: st.DataObject) -> None:
    sizes = np.array(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=6)), np.int64)
    inside = np.array([data.draw(st.integers(0, int(size * (size - 1) // 2))) for size in sizes], np.int64)
    pairs = [pair for pair in itertools.combinations(range(len(sizes)), 2) if data.draw(st.booleans())]
    between = np.array(
        [data.draw(st.integers(1, int(sizes[one] * sizes[other]))) for one, other in pairs], np.int64
    )
    old = Grouped(sizes, inside, np.array(pairs, np.int64).reshape(-1, 2), between)
    new = publish_grouped(old, random=SeededRandom(data.draw(st.integers(0, 9))))
    assert new.grouped.sizes[new.group].tolist() == sizes.tolist()
    assert new.grouped.inside[new.group].tolist() == inside.tolist()
    counts = {
        frozenset(link): many
        for link, many in zip(new.grouped.links.tolist(), new.grouped.between.tolist(), strict=True)
    }
    right = {
        frozenset(new.group[list(link)].tolist()): many
        for link, many in zip(pairs, between.tolist(), strict=True)
    }
    assert counts == right
    assert new.grouped.links.tolist() == sorted(new.grouped.links.tolist())
    assert "group=" not in repr(new)
