"""Files of networks that somebody made by hand, or on purpose: what is read is what stands there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput
from sfumato.graph.network import Network
from sfumato.graph.reading import Read, of_pairs, open_network, read_network, with_nodes
from sfumato.graph.writing import publish, write_network

TWO = "node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ]"
MARKED_UP = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
    '<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"/></graph></graphml>'
)
SIGNS = ("a\x01b", "ab", "\x7f", "\x85", "€", "\u2026", "x\ufffey", "xy", "&amp;", "&#65;", "", " ", "\r\n")


def opened(folder: Path, file: str, text: str, **options: Any) -> Read:
    path = folder / file
    path.write_bytes(text.encode())
    return open_network(path, **options)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("header", [True, None])
def test_a_header_after_empty_lines_is_no_edge(tmp_path: Path, end: str, header: bool | None) -> None:
    text = end.join(["", "", "source,target", "1,2", "2,3", ""])
    read = opened(tmp_path, "list.csv", text, header=header)
    assert read.names.to_pylist() == ["1", "2", "3"]
    assert read.network.edges == 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("between", ["", "\n"])
@pytest.mark.parametrize(("file", "mark"), [("list.csv", ","), ("list.txt", " ")])
def test_a_count_of_nodes_may_stand_before_the_edges(
    tmp_path: Path, end: str, between: str, file: str, mark: str
) -> None:
    lines = f"3\n{between}1{mark}2\n2{mark}3\n"
    read = opened(tmp_path, file, lines.replace("\n", end))
    assert read.names.to_pylist() == ["1", "2", "3"]
    assert read.told["counted"] == 3


@pytest.mark.parametrize("file", ["list.csv", "list.txt"])
def test_a_first_line_of_thousands_of_digits_is_refused(tmp_path: Path, file: str) -> None:
    with pytest.raises(BadInput, match="one column"):
        opened(tmp_path, file, "9" * 5000 + "\n1,2\n2,3\n".replace(",", "," if "csv" in file else " "))


def test_ids_of_thousands_of_digits_are_told_apart(tmp_path: Path) -> None:
    long = "1" * 5000
    text = f"graph [ {TWO} node [ id {long} ] node [ id +{long}2 ] edge [ source {long}2 target {long} ] ]"
    assert opened(tmp_path, "long.gml", text).names.to_pylist() == ["1", long, long + "2", "2"]


def test_zeros_in_front_of_an_id_of_gml_mean_nothing(tmp_path: Path) -> None:
    text = "graph [ node [ id 01 ] node [ id -0 ] edge [ source +1 target 00 ] ]"
    assert opened(tmp_path, "zeros.gml", text).names.to_pylist() == ["0", "1"]


@pytest.mark.parametrize("remark", ["# one", "  # one two", "\t; one two three", "   #"])
def test_a_remark_in_gml_may_be_indented(tmp_path: Path, remark: str) -> None:
    text = f"{remark}\ngraph\n[\n{remark}\n  {TWO}\n{remark}\n]\n{remark}"
    assert opened(tmp_path, "remarks.gml", text).network.edges == 1


def test_a_node_inside_another_is_refused(tmp_path: Path) -> None:
    text = MARKED_UP.replace('<node id="c"/>', '<node id="c"><node id="d"/></node>')
    with pytest.raises(BadInput, match="inside another"):
        opened(tmp_path, "nested.graphml", text)


def test_tags_of_other_vocabularies_are_no_nodes(tmp_path: Path) -> None:
    drawn = '<data key="x"><y:node xmlns:y="drawing" id="d"/><y:graph xmlns:y="drawing"/></data>'
    text = MARKED_UP.replace('<node id="c"/>', f'<node id="c">{drawn}</node>')
    assert opened(tmp_path, "drawn.graphml", text).names.to_pylist() == ["a", "b", "c"]


def test_a_default_of_no_key_is_passed_over(tmp_path: Path) -> None:
    text = MARKED_UP.replace("<graph ", '<data key="x">1</data><default>5</default><graph ')
    assert opened(tmp_path, "default.graphml", text).network.edges == 1


def test_half_a_sign_is_no_name() -> None:
    with pytest.raises(BadInput, match="text") as refused:
        of_pairs(networkx.Graph([("Ann\ud800", "Bob")]))
    assert "Ann" not in str(refused.value)


def test_labels_stay_when_people_without_edges_are_added(tmp_path: Path) -> None:
    jobs = TWO.replace("id 1", 'id 1 job "smith"').replace("id 2", 'id 2 job "cook"')
    read = opened(tmp_path, "jobs.gml", f"graph [ {jobs} ]", labels="job")
    people = pa.table({"who": ["2", "0", "1"], "age": [1, 2, 3]})
    joined = with_nodes(read, people, name="who", isolated="add")
    assert joined.network.labels is not None
    words = [joined.network.words[label] for label in joined.network.labels]
    assert dict(zip(joined.names.to_pylist(), words, strict=True)) == {"0": "", "1": "smith", "2": "cook"}
    assert joined.told["unlabelled"] == 1


@pytest.mark.parametrize("kind", [".csv", ".tsv", ".parquet", ".gml", ".csv.gz", ".gml.gz"])
def test_every_label_is_read_back_as_it_is(tmp_path: Path, kind: str) -> None:
    many = len(SIGNS)
    ring = np.array([[at, (at + 1) % many] for at in range(many)])
    network = Network.of_edges(many, ring, np.arange(many, dtype=np.int32), SIGNS)
    nodes = None if "gml" in kind else tmp_path / f"nodes{kind}"
    write_network(network, tmp_path / f"edges{kind}", nodes=nodes)
    back = read_network(tmp_path / f"edges{kind}", nodes)
    assert back.labels is not None
    assert [back.words[label] for label in back.labels] == list(SIGNS)


@pytest.mark.parametrize("sign", ["\x01", "\ufffe", "\uffff"])
def test_graphml_is_not_written_where_it_could_not_be_read(tmp_path: Path, sign: str) -> None:
    labelled = Network.of_edges(2, np.array([[0, 1]]), np.zeros(2, np.int32), (f"a{sign}",))
    with pytest.raises(BadInput, match="XML cannot"):
        write_network(labelled, tmp_path / "labels.graphml")


def test_new_numbers_are_uniform_whatever_the_order_of_the_source() -> None:
    star = Network.of_edges(4, np.array([[0, 1], [0, 2], [0, 3]]))
    centre = np.bincount([publish(star).node[0] for _ in range(4000)], minlength=4)
    # At three degrees of freedom 27.9 is passed by chance in four of a million runs.
    assert ((centre - 1000) ** 2 / 1000).sum() < 27.9
