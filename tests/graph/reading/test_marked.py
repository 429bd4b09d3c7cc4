"""GML and GraphML: nodes, names and attributes; what is refused, and in which line."""

from __future__ import annotations

from pathlib import Path

import igraph
import networkx
import pytest

from sfumato.core.errors import BadInput
from sfumato.graph.reading import open_network
from tests.graph.reading.made import said, write
from tests.oracles.graph_files import by_name

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
GML = """Creator "somebody"
# a comment
graph
[
  directed 0
  node [ id 7 label "Ann &quot;A&quot; Lee" value "l" graphics [ x 1.5 y [ z 2 ] ] ]
  node [ id 9 label "Bob #2; [x]" value "n" ]
  node [ id 3 label "Cy" ]
  edge [ source 7 target 9 ]
]
"""
GRAPHML = f"""{HEAD}<key id="d0" for="node" attr.name="job"><default>cook</default></key>
<graph edgedefault="undirected">
<node id="a b"><data key="d0">smith &amp; son</data></node><node id="c"/><node id="d"/>
<edge source="a b" target="c"/>
</graph></graphml>
"""


def test_gml_keeps_names_attributes_and_nodes_without_edges(tmp_path: Path) -> None:
    read = open_network(write(tmp_path, "g.gml.gz", GML), labels="value")
    assert read.names.to_pylist() == ['Ann "A" Lee', "Bob #2; [x]", "Cy"]
    assert read.network.pairs().tolist() == [[0, 1]]
    assert (read.network.words, said(read.network)) == (("", "l", "n"), ["l", "n", ""])
    assert (read.told["isolated"], read.told["unlabelled"], read.told["skipped"]) == (1, 1, 1)


def test_nodes_of_gml_are_called_by_id_when_asked_or_when_labels_lack(tmp_path: Path) -> None:
    path = write(tmp_path, "g.gml", GML)
    assert open_network(path, name="id").names.to_pylist() == ["3", "7", "9"]
    unlabelled = write(tmp_path, "h.gml", GML.replace('label "Cy"', ""))
    assert open_network(unlabelled).names.to_pylist() == ["3", "7", "9"]
    twice = write(tmp_path, "i.gml", GML.replace('"Cy"', '"Bob #2; [x]"'))
    with pytest.raises(BadInput, match=r"1 of 3 nodes are not the first of their name.*name='id'"):
        open_network(twice)


def test_graphml_keeps_names_with_blanks_and_defaults(tmp_path: Path) -> None:
    read = open_network(write(tmp_path, "g.graphml", GRAPHML), labels="job")
    assert by_name(read) == (frozenset({"a b", "c", "d"}), frozenset({frozenset({"a b", "c"})}))
    assert said(read.network) == ["smith & son", "cook", "cook"]


@pytest.mark.parametrize("suffix", ["gml", "graphml"])
def test_files_of_networkx_and_igraph_are_read(tmp_path: Path, suffix: str) -> None:
    graph = networkx.Graph([("Ann Lee", 'B "ob"'), ('B "ob"', "Çé & <x>")])
    graph.add_node("alone")
    getattr(networkx, f"write_{suffix}")(graph, tmp_path / f"n.{suffix}")
    right = (frozenset(graph.nodes), frozenset(frozenset(edge) for edge in graph.edges))
    assert by_name(open_network(tmp_path / f"n.{suffix}")) == right
    other = igraph.Graph(n=4, edges=[(0, 1), (1, 2)])
    other.vs["label" if suffix == "gml" else "name"] = ["Ann Lee", 'B "ob"', "Çé & <x>", "alone"]
    getattr(other, f"write_{suffix}")(str(tmp_path / f"i.{suffix}"))
    assert by_name(open_network(tmp_path / f"i.{suffix}")) == right


@pytest.mark.parametrize("suffix", ["gml", "graphml"])
def test_directed_files_are_refused_unless_every_pair_goes_both_ways(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"d.{suffix}"
    getattr(networkx, f"write_{suffix}")(networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "b")]), path)
    with pytest.raises(BadInput, match="the network is directed"):
        open_network(path)
    read = open_network(path, directed="ignore")
    assert (read.network.edges, read.told["one_way"]) == (2, 1)
    getattr(networkx, f"write_{suffix}")(networkx.DiGraph([("a", "b"), ("b", "a")]), path)
    assert open_network(path).network.edges == 1


def test_a_pair_in_both_orders_of_an_undirected_file_is_repeated(tmp_path: Path) -> None:
    path = write(tmp_path, "g.gml", GML.replace("edge", "edge [ source 9 target 7 ]\n  edge", 1))
    with pytest.raises(BadInput, match="1 edge is listed again"):
        open_network(path)
    assert open_network(path, repeated="merge").told["repeated"] == 1


def test_weights_of_edges_are_refused_unless_dropped(tmp_path: Path) -> None:
    path = write(tmp_path, "g.gml", GML.replace("target 9", "target 9 value 2.5"))
    with pytest.raises(BadInput, match="1 column stands beside"):
        open_network(path)
    assert open_network(path, without=["value"]).network.edges == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GML.replace("id 9", "id 7"), "line 7: a node has the id of an earlier node"),
        (GML.replace("target 9", "target 8"), "line 9: 1 of 1 edges lead to no node"),
        (GML.replace("target 9", ""), "line 9: an edge has no whole number"),
        (GML.replace("id 9", 'id "Bob"'), "line 7: a node has no whole number"),
        (GML + GML, "holds 2 graphs"),
        (GML[: GML.rindex("]")], "ends too early"),
        (GML.replace('"Cy"', '"Cy'), "a text in quotes does not end"),
        (GML + "]", "line 11: a key is expected"),
        ("graph [ directed ]", "line 1: a key has no value"),
        ("graph [ " + "a [ " * 200, "too deep"),
        (GML.replace("edge [ source 7 target 9 ]", ""), "the network has no edges"),
        ("graph [ ]", "no nodes"),
        ("just words here", "ends too early|0 graphs"),
    ],
)
def test_bad_gml_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as problem:
        open_network(write(tmp_path, "g.gml", text))
    assert not [name for name in ("Ann", "Bob", "Cy") if name in str(problem.value)]


BOMB = '<!DOCTYPE graphml [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GRAPHML.replace("<graphml", BOMB + "<graphml"), "line 2: the document declares a type or entities"),
        (GRAPHML.replace('<edge source="a b" target="c"/>', "<hyperedge/>"), "line 6: a hyperedge"),
        (
            GRAPHML.replace('<node id="d"/>', '<node id="d"><graph id="g"/></node>'),
            "line 5: a graph lies inside",
        ),
        (GRAPHML.replace("</graphml>", '<graph edgedefault="directed"/></graphml>'), "several graphs"),
        (GRAPHML.replace('edgedefault="undirected"', ""), "line 4: 'edgedefault'"),
        (GRAPHML.replace('id="d"', 'id="c"'), "line 5: a node has the id of an earlier node"),
        (GRAPHML.replace('id="d"', ""), "line 5: a node has no id"),
        (GRAPHML.replace(' target="c"', ""), "line 6: an edge lacks an end"),
        (GRAPHML.replace('target="c"', 'target="z"'), "line 6: 1 of 1 edges lead to no node"),
        (GRAPHML.replace('target="c"', 'target="c" directed="x"'), "neither true nor false"),
        (GRAPHML.replace('<node id="d"/>', '<node id="d"><port name="p"/></node>'), "nodes have ports"),
        (GRAPHML[:200], "not well-formed"),
        ("<html></html>", "XML of another kind"),
        (f"{HEAD}</graphml>", "holds no graph"),
        (GRAPHML.replace("UTF-8", "UTF-16"), "not declared as UTF-8"),
    ],
)
def test_bad_graphml_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        open_network(write(tmp_path, "g.graphml", text))


def test_an_entity_that_reads_a_file_is_refused(tmp_path: Path) -> None:
    secret = write(tmp_path, "secret.txt", "c")
    doctype = f'<!DOCTYPE graphml [<!ENTITY x SYSTEM "file://{secret}">]>'
    text = GRAPHML.replace("<graphml", doctype + "<graphml").replace("smith", "&x;")
    with pytest.raises(BadInput, match="declares a type or entities"):
        open_network(write(tmp_path, "g.graphml", text))
