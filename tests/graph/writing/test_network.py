"""What is written reads back as an equal network, and names nobody."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.graph.network import Network
from sfumato.graph.reading import of_pairs, open_network, read_network, with_nodes
from sfumato.graph.writing import publish, write_network
from tests.graph.reading.made import said
from tests.graph.writing.made import networks, same

SLOW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
LISTS = ["csv", "tsv", "txt", "edges", "parquet", "csv.gz", "txt.gz"]
WHOLE = ["gml", "graphml", "gml.gz", "graphml.gz"]


@SLOW
@given(network=networks(), suffix=st.sampled_from(LISTS), table=st.sampled_from(["csv", "parquet", "tsv"]))
def test_a_list_with_its_nodes_reads_back_equal(
    tmp_path: Path, network: Network, suffix: str, table: str
) -> None:
    edges, nodes = tmp_path / f"e.{suffix}", tmp_path / f"n.{table}"
    write_network(network, edges, nodes=nodes)
    assert same(read_network(edges, nodes), network)


@SLOW
@given(network=networks(), suffix=st.sampled_from(WHOLE))
def test_a_marked_file_reads_back_equal(tmp_path: Path, network: Network, suffix: str) -> None:
    path = tmp_path / f"g.{suffix}"
    write_network(network, path)
    assert same(read_network(path), network)


@SLOW
@given(network=networks(labelled=False, connected=True), suffix=st.sampled_from(LISTS))
def test_a_list_of_people_who_all_have_edges_needs_no_table(
    tmp_path: Path, network: Network, suffix: str
) -> None:
    path = tmp_path / f"e.{suffix}"
    write_network(network, path)
    assert same(read_network(path), network)


@pytest.mark.parametrize("suffix", LISTS + WHOLE)
def test_the_door_for_any_network_reads_what_was_published(tmp_path: Path, suffix: str) -> None:
    labels = np.array([0, 1, 0, 1], np.int32)
    network = Network.of_edges(4, np.array([[0, 3], [2, 3]]), labels, ("cook", "smith"))
    path, nodes = tmp_path / f"e.{suffix}", tmp_path / "n.csv"
    write_network(network, path, nodes=nodes)
    if suffix in WHOLE:
        assert same(open_network(path, labels="value").network, network)
    else:
        read = with_nodes(open_network(path), nodes, name="node", labels="label", isolated="add")
        assert same(read.network, network)


@pytest.mark.parametrize(
    ("edges", "nodes", "message"),
    [
        ("source,target\n1,2\n", "node\n1\n2\n4\n", "not numbered from 1 without a gap"),
        ("source,target\n1,2\n", "node\n1\n2\n2\n", "not numbered from 1 without a gap"),
        ("source,target\n1,2\n", "node\n1\nBob\n", "row 2: the value is not a whole number"),
        ("source,target\n1,3\n", "node\n1\n2\n", "a number without a node"),
        ("source,target\n1,1\n", "node\n1\n2\n", "from a node to itself"),
        ("source,target\n0,1\n", "node\n1\n2\n", "leads to 0"),
        ("source,target\n1,2\n2,1\n", "node\n1\n2\n", "listed twice"),
        ("from,to\n1,2\n", "node\n1\n2\n", "no column 'source'"),
        ("source,target\n1,3\n", None, "some nodes have no edges"),
        ("source,target\n", None, "some nodes have no edges"),
    ],
)
def test_what_was_not_published_so_is_refused(
    tmp_path: Path, edges: str, nodes: str | None, message: str
) -> None:
    (tmp_path / "e.csv").write_text(edges)
    (tmp_path / "n.csv").write_text(nodes or "")
    with pytest.raises(BadInput, match=message) as problem:
        read_network(tmp_path / "e.csv", tmp_path / "n.csv" if nodes else None)
    assert "Bob" not in str(problem.value)


def test_a_list_alone_is_refused_where_it_would_lose_nodes_or_labels(tmp_path: Path) -> None:
    lonely = Network.of_edges(3, np.array([[0, 1]]))
    with pytest.raises(BadInput, match="no place for 1 nodes without edges"):
        write_network(lonely, tmp_path / "e.csv")
    labelled = Network.of_edges(2, np.array([[0, 1]]), np.zeros(2, np.int32), ("x",))
    with pytest.raises(BadInput, match="no place for labels"):
        write_network(labelled, tmp_path / "e.csv")
    assert not list(tmp_path.iterdir())
    with pytest.raises(BadInput, match="cannot be written in this kind of file"):
        write_network(lonely, tmp_path / "e.xls")
    with pytest.raises(BadInput, match="a table of nodes has a header"):
        write_network(lonely, tmp_path / "e.csv", nodes=tmp_path / "n.txt")
    with pytest.raises(BadInput, match="no nodes"):
        write_network(Network.of_edges(0, np.zeros((0, 2), np.int64)), tmp_path / "e.csv")
    odd = Network.of_edges(2, np.array([[0, 1]]), np.zeros(2, np.int32), ("a\x01",))
    with pytest.raises(BadInput, match="a sign that XML cannot"):
        write_network(odd, tmp_path / "g.graphml")


def test_packed_files_say_nothing_of_when_they_were_made(tmp_path: Path) -> None:
    network = Network.of_edges(2, np.array([[0, 1]]))
    write_network(network, tmp_path / "original-name.csv.gz")
    content = (tmp_path / "original-name.csv.gz").read_bytes()
    assert content[4:8] == bytes(4)
    assert b"original" not in content


NAME = st.text(st.sampled_from("klmnopqrstuvwxyz ZÄé"), min_size=3, max_size=8).filter(
    lambda t: t.strip() == t
)


@SLOW
@given(
    names=st.lists(NAME, min_size=2, max_size=8, unique=True),
    seed=st.integers(0, 99),
    suffix=st.sampled_from(["csv", "txt", "gml", "graphml", "parquet"]),
)
def test_no_original_name_is_in_what_is_published(
    tmp_path: Path, names: list[str], seed: int, suffix: str
) -> None:
    # Names of letters of which no format's own words are made cannot be there by accident.
    names = [f"Q{name}Q" for name in names]
    read = of_pairs(pa.table({"a": names[:-1], "b": names[1:]}))
    new = publish(read.network, read.names, random=SeededRandom(seed))
    edges, nodes = tmp_path / f"e.{suffix}", tmp_path / "n.csv"
    write_network(new.network, edges, nodes=nodes)
    if suffix == "parquet":
        text = str(pq.read_table(edges).to_pydict()) + str(pq.read_metadata(edges).metadata)
    else:
        text = edges.read_text()
    text += nodes.read_text() + repr(new) + str(new)
    assert not [name for name in names if name in text]
    numbers = {int(found) for found in re.findall(r"\d+", nodes.read_text())}
    assert numbers == set(range(1, len(names) + 1))


def test_rows_of_a_published_table_of_nodes_may_come_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("source,target\n1,3\n")
    (tmp_path / "n.csv").write_text("node,label\n2,b\n3,c\n1,a\n")
    assert said(read_network(tmp_path / "e.csv", tmp_path / "n.csv")) == ["a", "b", "c"]
