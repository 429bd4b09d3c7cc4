"""Real networks have as many nodes and edges as their description says."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.core.errors import BadInput
from sfumato.graph.reading import open_network

SIZES = {
    "karate.edges.gz": (34, 78),
    "dolphins.gml.gz": (62, 159),
    "polbooks.gml.gz": (105, 441),
    "hamsterster.gml.gz": (1858, 12534),
    "facebook_combined.txt.gz": (4039, 88234),
    "p2p-Gnutella08.txt.gz": (6301, 20777),
    "email-Enron.txt.gz": (36692, 183831),
}


@pytest.mark.golden
@pytest.mark.parametrize("name", SIZES)
def test_real_networks_are_read_without_any_permission(shared: Path, name: str) -> None:
    network = open_network(shared / "data" / "graph" / name).network
    assert (network.nodes, network.edges) == SIZES[name]


@pytest.mark.golden
def test_a_list_of_authors_has_loops_that_must_be_dropped(shared: Path) -> None:
    path = shared / "data" / "graph" / "ca-GrQc.txt.gz"
    with pytest.raises(BadInput, match="12 edges lead from a node to itself"):
        open_network(path)
    read = open_network(path, loops="drop")
    assert (read.network.nodes, read.network.edges) == (5242, 14484)
    assert (read.told["loops"], read.told["both_ways"], read.told["isolated"]) == (12, 14484, 1)


@pytest.mark.golden
def test_every_network_of_the_description_is_tested(shared: Path) -> None:
    there = {path.name for path in (shared / "data" / "graph").glob("*.gz")}
    assert there == {*SIZES, "ca-GrQc.txt.gz"}


@pytest.mark.golden
def test_political_books_have_three_labels(shared: Path) -> None:
    network = open_network(shared / "data" / "graph" / "polbooks.gml.gz", labels="value").network
    assert network.words == ("c", "l", "n")
