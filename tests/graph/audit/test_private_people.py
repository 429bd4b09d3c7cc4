"""Who takes part must not follow from who is connected: else how many there are tells of an edge.

A list of edges knows nobody without an edge. Without the only edge of somebody, or without a hub, it has
fewer *nodes*: their number is then not public (where edges are hidden) and changes by more than one (where
people are). Every statistic that looks at nodes needs to be told of all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.graph.reading import of_pairs, open_network, read_statistics, with_nodes
from sfumato.recipe.load import load
from sfumato.recipe.prepared import planned, prepared
from sfumato.report import write as write_report

Pairs = Sequence[tuple[int, int]]
PEOPLE = range(1, 10)
PENDANT: Pairs = [(1, 2), (1, 3), (2, 3), (3, 4), (4, 5)]
WITHOUT = PENDANT[:-1]
HUB: Pairs = [(1, other) for other in range(2, 10)]
EDGE, NODE = "differential-privacy: {epsilon: 1}", "differential-privacy: {epsilon: 1, neighbours: node}"
BY_EDGE = {
    "sequence": "dp-degree-sequence",
    "graphic": "{dp-degree-sequence: {graphic: true}}",
    "histogram": "dp-degree-histogram",
    "edges": "{dp-counts: {count: edges}}",
    "wedges": "{dp-counts: {count: wedges, theta: 4}}",
    "triangles": "{dp-counts: {count: triangles}}",
}
BY_NODE = {
    "histogram": "{dp-degree-histogram: {theta: 4}}",
    "single": "{dp-degree-histogram: {theta: 4, cumulative: false}}",
    "nodes": "{dp-counts: {count: nodes}}",
}
OF_EDGES_ALONE = {
    "edges": "{dp-counts: {count: edges, theta: 4}}",
    "wedges": "{dp-counts: {count: wedges, theta: 4}}",
}


def listed(folder: Path, edges: Pairs) -> str:
    lines = [f"p{one},p{other}" for one, other in edges]
    (folder / "friends.csv").write_text("\n".join(["source,target", *lines, ""]))
    return "friends.csv"


def gml(folder: Path, edges: Pairs, people: Sequence[int] = PEOPLE) -> str:
    nodes = [f'node [ id {one} label "p{one}" ]' for one in people]
    ends = [f"edge [ source {one} target {other} ]" for one, other in edges]
    (folder / "friends.gml").write_text("\n".join(["graph [", *nodes, *ends, "]", ""]))
    return "friends.gml"


def table(folder: Path, people: Sequence[int] = PEOPLE) -> str:
    (folder / "people.csv").write_text("".join(["who\n", *(f"p{one}\n" for one in people)]))
    return "  - name: people\n    path: people.csv\n    schema: {fields: [{name: who, role: person}]}\n"


def recipe(folder: Path, path: str, model: str, method: str, beside: str = "") -> Path:
    target = folder / "recipe.yaml"
    target.write_text(
        "sfumato: 1\ntitle: Made up\nresources:\n  - name: network\n    kind: graph\n"
        f"    path: {path}\n{beside}models:\n  - {model}\nmethod: {method}\n"
    )
    return target


def shown(folder: Path) -> tuple[Any, Any, list[int]]:
    """Return all of a release that noise does not explain: evidence, schema, rows."""
    told = json.loads((folder / "release" / "evidence.json").read_text())
    del told["data"]["sha256"], told["data"]["bytes"]
    schema = json.loads((folder / "release" / "schema.json").read_text())
    columns = read_statistics(folder / "release" / "data.csv").columns.values()
    return told, schema, [len(column) for column in columns]


@pytest.mark.parametrize(
    ("model", "method"),
    [(EDGE, method) for method in BY_EDGE.values()] + [(NODE, method) for method in BY_NODE.values()],
)
def test_a_list_of_edges_alone_does_not_say_who_takes_part(model: str, method: str, tmp_path: Path) -> None:
    source = recipe(tmp_path, listed(tmp_path, PENDANT), model, method)
    with pytest.raises(BadInput, match="who has no edge"):
        sf.run(source)
    with pytest.raises(BadInput, match="who has no edge"):
        planned(prepared(load(source), tmp_path), tmp_path)
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize("method", OF_EDGES_ALONE.values())
def test_what_is_counted_over_edges_alone_needs_nobody_else(method: str, tmp_path: Path) -> None:
    sf.run(recipe(tmp_path, listed(tmp_path, HUB), NODE, method))
    assert not sf.verify(tmp_path).refuted


@pytest.mark.parametrize("way", ["gml", "table"])
@pytest.mark.parametrize("method", BY_EDGE.values())
def test_without_an_edge_as_many_rows_and_nodes_are_told(way: str, method: str, tmp_path: Path) -> None:
    shapes = []
    for name, edges in (("with", PENDANT), ("without", WITHOUT), ("none", [])):
        folder = tmp_path / name
        folder.mkdir()
        path, beside = (gml(folder, edges), "") if way == "gml" else (listed(folder, edges), table(folder))
        sf.run(recipe(folder, path, EDGE, method, beside))
        assert not sf.verify(folder).refuted
        shapes.append(shown(folder))
        assert shapes[-1][0]["figures"]["nodes"] == len(PEOPLE)
    assert shapes[0] == shapes[1] == shapes[2]


@pytest.mark.parametrize("way", ["gml", "table"])
@pytest.mark.parametrize("method", [*BY_NODE.values(), *OF_EDGES_ALONE.values()])
def test_without_a_person_nothing_but_noisy_figures_changes(way: str, method: str, tmp_path: Path) -> None:
    shapes = []
    for name, people, edges in (("with", PEOPLE, HUB), ("without", PEOPLE[1:], []), ("nobody", (), [])):
        folder = tmp_path / name
        folder.mkdir()
        path = gml(folder, edges, people) if way == "gml" else listed(folder, edges)
        beside = "" if way == "gml" else table(folder, people)
        sf.run(recipe(folder, path, NODE, method, beside))
        shapes.append(shown(folder))
        told = "".join(file.read_text() for file in (folder / "release").iterdir() if file.suffix == ".json")
        assert '"nodes": null' in told
    assert shapes[0] == shapes[1] == shapes[2]


@pytest.mark.parametrize("method", BY_EDGE.values())
def test_where_edges_are_hidden_there_must_be_nodes(method: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no nodes"):
        sf.run(recipe(tmp_path, gml(tmp_path, [], ()), EDGE, method))


def test_a_plan_tells_no_exact_figure(tmp_path: Path) -> None:
    """Nothing is spent by a plan, so that nothing which was counted may stand in it."""
    plans = []
    for name, people, edges in (("with", PEOPLE, HUB), ("without", PEOPLE[1:], [])):
        folder = tmp_path / name
        folder.mkdir()
        source = recipe(folder, gml(folder, edges, people), NODE, BY_NODE["histogram"])
        plans.append(str(planned(prepared(load(source), folder), Path("out"))))
    assert plans[0] == plans[1]
    plans = []
    for name, edges in (("edge", PENDANT), ("no edge", WITHOUT)):
        folder = tmp_path / name
        folder.mkdir()
        source = recipe(folder, gml(folder, edges), EDGE, BY_EDGE["sequence"])
        plans.append(str(planned(prepared(load(source), folder), Path("out"))))
    assert plans[0] == plans[1]
    assert "9 nodes" in plans[0]


def test_a_plan_tells_how_the_file_was_read(tmp_path: Path) -> None:
    source = recipe(tmp_path, listed(tmp_path, PENDANT), EDGE, BY_EDGE["sequence"], table(tmp_path))
    told = str(planned(prepared(load(source), tmp_path), Path("out")))
    assert "the first line was taken as the names of the columns" in told
    assert "without edges" not in told


def test_columns_of_the_table_beside_statistics_are_never_released(tmp_path: Path) -> None:
    beside = table(tmp_path)
    (tmp_path / "people.csv").write_text("who,age\n" + "".join(f"p{one},4{one}\n" for one in PEOPLE))
    path = listed(tmp_path, PENDANT)
    for role in ("quasi-identifier", "sensitive", "insensitive"):
        wider = beside.replace("role: person}", f"role: person}}, {{name: age, role: {role}}}")
        with pytest.raises(BadInput):
            sf.run(recipe(tmp_path, path, EDGE, "dp-degree-sequence", wider))
    wider = beside.replace("role: person}", "role: person}, {name: age, role: identifier}")
    sf.run(recipe(tmp_path, path, EDGE, "dp-degree-sequence", wider))
    told = "".join(file.read_text() for file in (tmp_path / "release").iterdir())
    assert (
        "age"
        not in json.loads((tmp_path / "release" / "evidence.json").read_text())["recipe"]["resources"][0]
    )
    assert "p1" not in told.split()


class TestListed:
    def test_readers_know_who_tells_of_people_without_edges(self, tmp_path: Path) -> None:
        import igraph
        import networkx
        from scipy.sparse import csr_array

        pairs = np.array([[0, 1], [1, 2]])
        graph = networkx.Graph(pairs.tolist())
        graph.add_node(7)
        assert open_network(tmp_path / gml(tmp_path, PENDANT)).listed
        assert of_pairs(graph).listed
        assert of_pairs(igraph.Graph(n=4, edges=pairs.tolist())).listed
        assert of_pairs(csr_array(([1, 1, 1, 1], ([0, 1, 1, 2], [1, 0, 2, 1])), shape=(4, 4))).listed
        assert not open_network(tmp_path / listed(tmp_path, PENDANT)).listed
        assert not of_pairs(pairs).listed
        assert not of_pairs(pa.table({"a": [0, 1], "b": [1, 2]})).listed

    def test_a_table_tells_of_everybody_only_if_it_has_a_row_for_each(self) -> None:
        friends = of_pairs(np.array([[0, 1], [1, 2]]))
        everybody = pa.table({"who": [0, 1, 2, 3]})
        assert with_nodes(friends, everybody, name="who", isolated="add").listed
        assert not with_nodes(friends, everybody, name="who", isolated="drop").listed
        some = pa.table({"who": [1, 2, 3]})
        assert not with_nodes(friends, some, name="who", isolated="add", without_row="keep").listed


def more_keys(recipe: dict[str, Any]) -> None:
    recipe["nodes"] = 9


def more_options(recipe: dict[str, Any]) -> None:
    recipe["resources"][0]["graph"]["source"] = "9 people"


def more_resources(recipe: dict[str, Any]) -> None:
    recipe["resources"].append({"name": "people", "rows": 9})


def more_of_the_output(recipe: dict[str, Any]) -> None:
    recipe["output"]["nodes"] = 9


@pytest.mark.parametrize("change", [more_keys, more_options, more_resources, more_of_the_output])
def test_a_recipe_that_is_told_holds_nothing_beside(change: Callable[[Any], None], tmp_path: Path) -> None:
    """What hides people would be worth nothing if their number could stand in a key that nobody looks at."""
    sf.run(recipe(tmp_path, gml(tmp_path, HUB), NODE, BY_NODE["histogram"]))
    path = tmp_path / "release" / "evidence.json"
    told = json.loads(path.read_text())
    change(told["recipe"])
    path.write_text(json.dumps(told))
    write_report(GraphEvidence.model_validate(told), path.with_name("report.html"))
    refuted = [one.claim for one in sf.verify(tmp_path).refuted]
    assert refuted == ["evidence, schema and recipe tell the same of the figures"]
