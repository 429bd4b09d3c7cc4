"""Statistics of a network are released with their price and nothing else that was counted, or not at all."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.findings import Status
from sfumato.core.randomness import SeededRandom
from sfumato.graph.contract import Statistics
from sfumato.graph.methods import DpCounts, DpDegreeHistogram, DpDegreeSequence
from sfumato.graph.methods.private_counts import Count
from sfumato.graph.network import Network
from sfumato.graph.reading import read_statistics
from sfumato.recipe.graph.statistics_figures import is_graphic
from sfumato.recipe.graph.statistics_job import GraphStatisticsJob
from sfumato.recipe.graph.statistics_outcome import carry_out_graph_statistics, exact_statistics
from sfumato.recipe.load import load
from sfumato.recipe.prepared import planned, prepared
from sfumato.recipe.prepared import released as make_release
from tests.recipe.graph.network_examples import EDGES, NAMES, csv, gml, recipe

EDGE, NODE = "differential-privacy: {epsilon: 0.5}", "differential-privacy: {epsilon: 0.5, neighbours: node}"
WAYS = {
    "a sequence": (EDGE, ""),
    "a graphic sequence": (EDGE, "method: {dp-degree-sequence: {graphic: true}}"),
    "a sequence for less than promised": (EDGE, "method: {dp-degree-sequence: {epsilon: 0.2}}"),
    "a histogram": (EDGE, "method: dp-degree-histogram"),
    "a histogram up to 6": (EDGE, "method: {dp-degree-histogram: {theta: 6}}"),
    "a histogram of single counts": (EDGE, "method: {dp-degree-histogram: {cumulative: false}}"),
    "edges": (EDGE, "method: {dp-counts: {count: edges}}"),
    "wedges": (EDGE, "method: {dp-counts: {count: wedges, theta: 6}}"),
    "triangles": (EDGE, "method: {dp-counts: {count: triangles}}"),
    "a histogram that hides people": (NODE, "method: {dp-degree-histogram: {theta: 6}}"),
    "single counts that hide people": (NODE, "method: {dp-degree-histogram: {theta: 6, cumulative: false}}"),
    "nodes": (NODE, "method: {dp-counts: {count: nodes}}"),
    "edges that hide people": (NODE, "method: {dp-counts: {count: edges, theta: 6}}"),
}


def made(folder: Path, way: str, more: str = "", path: str = "") -> Any:
    model, method = WAYS[way]
    return sf.run(recipe(folder, path or gml(folder), models=model, more=f"{method}\n{more}"))


def among(folder: Path, people: int) -> str:
    """Write the network of some of the people."""
    nodes = [f'node [ id {at} label "{NAMES[at]}" ]' for at in range(people)]
    ends = [f"edge [ source {one} target {other} ]" for one, other in EDGES if max(one, other) < people]
    (folder / "some.gml").write_text("\n".join(["graph [", *nodes, *ends, "]\n"]))
    return "some.gml"


def public(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "release" / "evidence.json").read_text())
    return found


@pytest.mark.parametrize("way", WAYS)
def test_a_release_of_statistics_is_verified_and_names_nobody(way: str, tmp_path: Path) -> None:
    released = made(tmp_path, way)
    assert all(verdict.holds for verdict in released.verdicts)
    found = sf.verify(tmp_path)
    assert not found.refuted
    unproved = [one.detail for one in found.findings if one.status is Status.NOT_CHECKED]
    assert len(unproved) == 2
    assert unproved[-1].startswith("proved by the mechanism, at the price of ε = 0.")
    for path in (tmp_path / "release").iterdir():
        written = path.read_text()
        assert not any(name in written for name in (*NAMES, "friends.csv", str(tmp_path)))
    assert not any(name in (tmp_path / "steward" / "evidence.json").read_text() for name in NAMES)


def test_the_price_is_written_as_it_was_paid(tmp_path: Path) -> None:
    made(tmp_path, "a sequence for less than promised")
    told = public(tmp_path)
    assert told["figures"]["epsilon"] == "0.2"
    assert told["verdicts"][0]["required"] == "ε ≤ 0.5 for an edge"
    assert told["verdicts"][0]["achieved"] == "ε = 0.2 for an edge"
    assert told["figures"]["nodes"] == len(NAMES) + 1


@pytest.mark.parametrize("way", ["a histogram that hides people", "nodes", "edges that hide people"])
def test_where_people_are_hidden_nothing_depends_on_how_many_there_are(way: str, tmp_path: Path) -> None:
    shapes = []
    for people in (7, len(NAMES)):
        folder = tmp_path / str(people)
        folder.mkdir()
        made(folder, way, path=among(folder, people))
        told = public(folder)
        del told["data"]["sha256"], told["data"]["bytes"]
        schema = json.loads((folder / "release" / "schema.json").read_text())
        columns = list(read_statistics(folder / "release" / "data.csv").columns.values())
        shapes.append((told, schema, [len(column) for column in columns]))
        assert told["figures"]["nodes"] is None
    assert shapes[0] == shapes[1]


def test_exact_figures_are_for_the_steward_alone(tmp_path: Path) -> None:
    made(tmp_path, "a sequence")
    degrees = np.sort(np.bincount(np.array(EDGES).ravel(), minlength=len(NAMES) + 1))
    assert read_statistics(tmp_path / "steward" / "truth.csv").columns["degree"].tolist() == degrees.tolist()
    assert (tmp_path / "steward" / "truth.csv").stat().st_mode & 0o077 == 0
    assert not (tmp_path / "release" / "truth.csv").exists()
    told, kept = public(tmp_path), json.loads((tmp_path / "steward" / "evidence.json").read_text())
    for key in ("read", "utility", "input", "seconds", "search", "notes", "degrees", "risk_said"):
        assert key in kept
        assert key not in told
    assert kept["read"]["edges"] == len(EDGES)
    shown = read_statistics(tmp_path / "release" / "data.csv").columns["degree"]
    error = next(one for one in kept["utility"] if one["name"] == "mean-absolute-error")
    assert error["value"] == pytest.approx(np.abs(shown - degrees).mean())
    assert [curve["title"] for curve in kept["degrees"]] == ["before", "after"]


def test_two_releases_have_different_noise(tmp_path: Path) -> None:
    wide = "method: {dp-degree-histogram: {theta: 20, cumulative: false}}\n"
    promise = "differential-privacy: {epsilon: 0.05, neighbours: node}"
    source = recipe(tmp_path, gml(tmp_path), models=promise, more=wide)
    found = [sf.run(source, replace=at > 0).data.read_text() for at in range(2)]
    assert found[0] != found[1]


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet"])
def test_every_format_holds_the_same_columns(kind: str, tmp_path: Path) -> None:
    released = made(tmp_path, "a histogram", f"output: {{format: {kind}}}\n", gml(tmp_path))
    assert released.data.name == f"data.{kind}"
    assert list(read_statistics(released.data).columns) == ["degree", "nodes"]
    assert not sf.verify(tmp_path).refuted
    if kind == "csv.gz":
        assert gzip.decompress(released.data.read_bytes()).startswith(b"degree,nodes\n")


def test_a_list_of_edges_needs_a_table_that_tells_of_people_without_edges(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not tell who has no edge"):
        made(tmp_path, "a sequence", path=csv(tmp_path))
    (tmp_path / "people.csv").write_text("\n".join(["who", *NAMES, "gus.grissom", ""]))
    table = (
        "  - name: people\n    path: people.csv\n    schema:\n      fields:\n"
        "        - {name: who, role: person}\nmodels:\n"
    )
    source = recipe(tmp_path, csv(tmp_path), models=EDGE)
    source.write_text(source.read_text().replace("models:\n", table))
    sf.run(source)
    assert public(tmp_path)["figures"]["nodes"] == len(NAMES) + 1
    assert not (tmp_path / "release" / "people.csv").exists()
    assert not sf.verify(tmp_path).refuted


def test_the_people_must_not_lie_where_the_release_goes(tmp_path: Path) -> None:
    (tmp_path / "steward").mkdir()
    (tmp_path / "steward" / "people.csv").write_text("\n".join(["who", *NAMES, ""]))
    table = (
        "  - name: people\n    path: steward/people.csv\n    schema:\n      fields:\n"
        "        - {name: who, role: person}\nmodels:\n"
    )
    source = recipe(tmp_path, csv(tmp_path), models=EDGE)
    source.write_text(source.read_text().replace("models:\n", table))
    with pytest.raises(BadInput, match="lie in the folder 'steward'"):
        sf.run(source, replace=True)


def test_a_seeded_generator_is_refused_on_disk_and_marked_in_memory(tmp_path: Path) -> None:
    job = prepared(load(recipe(tmp_path, gml(tmp_path), models=EDGE)), tmp_path)
    assert isinstance(job, GraphStatisticsJob)
    seeded = replace(job, random=SeededRandom(1))
    with pytest.raises(BadInput, match="seed"):
        make_release(seeded, tmp_path)
    assert not (tmp_path / "release").exists()
    outcome = carry_out_graph_statistics(seeded)
    assert not outcome.secret
    assert not outcome.verdicts[0].holds


def test_a_dry_run_tells_the_price_and_spends_nothing(tmp_path: Path) -> None:
    job = prepared(load(recipe(tmp_path, gml(tmp_path), models=EDGE)), tmp_path)
    told = str(planned(job, tmp_path))
    assert "ε = 0.5 (one edge more or less, among the same nodes)" in told
    assert "Nothing was counted, spent or written." in told
    assert not any(name in told for name in NAMES)
    assert not (tmp_path / "release").exists()


BAD = {
    "a sequence cannot hide people": (NODE, "method: dp-degree-sequence", "hides one edge"),
    "people need a bound": (NODE, "", "bound of neighbours"),
    "a bound is no default": (NODE, "method: dp-degree-histogram", "bound of neighbours"),
    "a method must not spend more": (EDGE, "method: {dp-degree-sequence: {epsilon: 1}}", "spends more"),
    "nodes are public": (EDGE, "method: {dp-counts: {count: nodes}}", "public"),
    "a network method": (EDGE, "method: k-degree", "two recipes"),
    "both promises": (f"{EDGE} + k-degree: {{k: 2}}", "", "two recipes"),
    "a negative price": ("differential-privacy: {epsilon: -1}", "", "epsilon"),
    "too fine a price": (
        "differential-privacy: {epsilon: 0.5}",
        "method: {dp-degree-sequence: {epsilon: '0.1234567890123456789'}}",
        "digits|decimal places",
    ),
    "attacks": (EDGE, "attacks: [degree]", "attacks are made on"),
    "a measure that says nothing": (EDGE, "measures: [communities]", "says nothing"),
    "no measure of counts": (
        EDGE,
        "method: {dp-counts: {count: edges}}\nmeasures: [degree-distance]",
        "says nothing",
    ),
    "a format of networks": (EDGE, "output: {format: gml}", "not written as gml"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_is_refused_before_anything_is_spent(case: str, tmp_path: Path) -> None:
    model, more, words = BAD[case]
    with pytest.raises(BadInput, match=words):
        sf.run(recipe(tmp_path, csv(tmp_path), models=model, more=f"{more}\n"))
    assert not (tmp_path / "release").exists()


def test_labels_and_columns_of_a_table_do_not_belong_to_statistics(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="'label' is for released networks"):
        sf.run(recipe(tmp_path, gml(tmp_path), models=EDGE, graph="label: job"))
    table = (
        "  - name: people\n    path: people.csv\n    schema:\n      fields:\n"
        "        - {name: who, role: person}\n        - {name: age, role: quasi-identifier}\nmodels:\n"
        "  - k-anonymity: {k: 2}\n"
    )
    (tmp_path / "people.csv").write_text("\n".join(["who,age", *(f"{name},3" for name in NAMES), ""]))
    source = recipe(tmp_path, csv(tmp_path), models=EDGE)
    source.write_text(source.read_text().replace("models:\n", table))
    with pytest.raises(BadInput, match="beside statistics nothing of the table"):
        sf.run(source)


@st.composite
def networks(draw: st.DrawFn) -> Network:
    nodes = draw(st.integers(2, 7))
    every = [(one, other) for one in range(nodes) for other in range(one + 1, nodes)]
    chosen = draw(st.lists(st.sampled_from(every), unique=True))
    return Network.of_edges(nodes, np.array(chosen, np.int64).reshape(-1, 2))


@settings(max_examples=40)
@given(networks())
def test_exact_figures_are_those_that_a_count_by_hand_gives(network: Network) -> None:
    pairs = {tuple(pair) for pair in network.pairs().tolist()}
    degree = [sum(node in pair for pair in pairs) for node in range(network.nodes)]
    near = [{one for pair in pairs if node in pair for one in pair} - {node} for node in range(network.nodes)]
    counts = {
        "edges": len(pairs),
        "wedges": sum(len(some) * (len(some) - 1) // 2 for some in near),
        "triangles": sum(len(near[one] & near[other]) for one, other in pairs) // 3,
    }
    for count, expected in counts.items():
        method = DpCounts(Count(count), 1, theta=3 if count == "wedges" else None)
        found = exact_statistics(method, network, Statistics({}))
        assert found.columns[count].tolist() == [expected]
    sequence = exact_statistics(DpDegreeSequence(1), network, Statistics({}))
    assert sequence.columns["degree"].tolist() == sorted(degree)
    shown = Statistics({"degree": np.arange(3.0)})
    histogram = exact_statistics(DpDegreeHistogram(1, theta=2), network, shown)
    assert histogram.columns["nodes"].tolist() == [
        degree.count(0),
        degree.count(1),
        sum(one >= 2 for one in degree),
    ]


@settings(max_examples=150)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=7))
def test_a_sequence_is_graphic_when_edges_can_be_laid_one_node_after_the_other(degrees: list[int]) -> None:
    left = sorted(degrees, reverse=True)
    possible = True
    while left and possible:
        first, *left = left
        possible = first <= len(left) and all(one > 0 for one in left[:first])
        left = sorted([one - 1 for one in left[:first]] + left[first:], reverse=True)
    assert is_graphic(np.sort(np.array(degrees, np.int64))) == possible
