"""A network is released whole, under new numbers, with promises that anybody can check; and nobody's name."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.graph.reading import read_network
from sfumato.recipe.graph.network_warned import (
    ACTIVE,
    ADDED,
    CHANGED,
    LABELS,
    ONLY_DEGREES,
    ONLY_NEIGHBOURS,
    SECOND_NETWORK,
)
from tests.recipe.dna.rows_examples import everything_in
from tests.recipe.graph.network_examples import EDGES, NAMES, gml, recipe, released, text
from tests.recipe.graph.network_examples import csv as friends

SUFFIXES = ("csv", "csv.gz", "parquet", "txt", "gml", "graphml")


def degrees_of(folder: Path) -> dict[str, int]:
    """Count neighbours from the released CSV files with nothing but the standard library."""
    with (folder / "nodes.csv").open() as file:
        nodes = [row["node"] for row in csv.DictReader(file)]
    with (folder / "data.csv").open() as file:
        ends = Counter(end for row in csv.DictReader(file) for end in (row["source"], row["target"]))
    return {node: ends[node] for node in nodes}


def test_every_degree_of_the_release_occurs_k_times(tmp_path: Path) -> None:
    made = released(tmp_path, friends(tmp_path))
    found = degrees_of(made.release)
    assert sorted(map(int, found)) == list(range(1, len(NAMES) + 1))
    assert min(Counter(found.values()).values()) >= 3
    assert made.verdicts[0].achieved == f"k = {min(Counter(found.values()).values())}"


def test_every_edge_is_kept_where_edges_are_only_added(tmp_path: Path) -> None:
    made = released(tmp_path, friends(tmp_path))
    with (made.steward / "truth.csv").open() as file:
        number = {row["name"]: int(row["node"]) for row in csv.DictReader(file)}
    with (made.release / "data.csv").open() as file:
        there = {frozenset((int(row["source"]), int(row["target"]))) for row in csv.DictReader(file)}
    kept = {frozenset((number[NAMES[one]], number[NAMES[other]])) for one, other in EDGES}
    assert kept <= there
    assert made.evidence.search["edges added"] == len(there) - len(kept)


@pytest.mark.parametrize("make", [friends, text, gml])
def test_no_name_leaves_the_house(tmp_path: Path, make: Any) -> None:
    made = released(tmp_path, make(tmp_path))
    shared = everything_in(made.release)
    for name in (*NAMES, "gus.grissom", "friends.", "nurse"):
        assert name.encode() not in shared
        assert name.encode() not in (made.steward / "evidence.json").read_bytes()
        assert name.encode() not in (made.steward / "report.html").read_bytes()


def test_only_the_steward_can_read_who_is_who(tmp_path: Path) -> None:
    made = released(tmp_path, friends(tmp_path))
    assert (made.steward / "truth.csv").stat().st_mode & 0o077 == 0
    assert "truth" not in "".join(path.name for path in made.release.iterdir())


def test_numbers_are_drawn_anew_for_each_release(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made = released(tmp_path / name, friends(tmp_path / name))
        found.append((made.steward / "truth.csv").read_text())
    assert found[0] != found[1]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_network_is_written_in_the_format_that_is_asked_for(tmp_path: Path, suffix: str) -> None:
    made = released(tmp_path, gml(tmp_path), more=f"output: {{format: {suffix}}}")
    assert made.data.name == f"data.{suffix}"
    nodes = next((path for path in made.release.glob("nodes.*")), None)
    assert (nodes is None) == (suffix in ("gml", "graphml"))
    network = read_network(made.data, nodes)
    assert (network.nodes, network.edges) == (len(NAMES) + 1, made.evidence.network.edges)
    assert not sf.verify(made.release).refuted


@pytest.mark.parametrize(("make", "written"), [(friends, "data.csv"), (text, "data.txt"), (gml, "data.gml")])
def test_the_format_follows_the_input(tmp_path: Path, make: Any, written: str) -> None:
    assert released(tmp_path, make(tmp_path)).data.name == written


def test_people_without_an_edge_are_released_too(tmp_path: Path) -> None:
    made = released(tmp_path, gml(tmp_path), more="output: {format: csv}", models="k-degree: {k: 2}")
    found = degrees_of(made.release)
    assert len(found) == len(NAMES) + 1
    told = made.evidence.network
    assert (told.nodes, told.isolated) == (len(found), sum(not many for many in found.values()))


def test_what_is_shown_is_counted_from_the_release(tmp_path: Path) -> None:
    made = released(tmp_path, friends(tmp_path))
    found = Counter(degrees_of(made.release).values())
    told = made.evidence.network
    assert told.edges == sum(degree * many for degree, many in found.items()) // 2 == made.evidence.data.rows
    assert {one.low: one.records for one in told.degrees} == dict(found)
    assert (told.highest, told.different, told.smallest) == (max(found), len(found), min(found.values()))


def test_labels_are_released_where_they_are_named(tmp_path: Path) -> None:
    made = released(tmp_path, gml(tmp_path), graph="label: job", more="output: {format: csv}")
    with (made.release / "nodes.csv").open() as file:
        labels = Counter(row["label"] for row in csv.DictReader(file))
    assert labels == {"cook": 10, "nurse": 9} == made.evidence.network.labels
    assert LABELS in made.evidence.warnings
    with (made.steward / "truth.csv").open() as file:
        number = {row["name"]: int(row["node"]) for row in csv.DictReader(file)}
    with (made.release / "nodes.csv").open() as file:
        label = {int(row["node"]): row["label"] for row in csv.DictReader(file)}
    assert all(label[number[who]] == ("nurse" if at % 2 else "cook") for at, who in enumerate(NAMES))


def test_a_label_that_names_people_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="it names people"):
        released(tmp_path, gml(tmp_path), graph="label: label")
    assert not (tmp_path / "release").exists()


def test_neighbourhoods_keep_degrees_too(tmp_path: Path) -> None:
    pytest.importorskip("igraph")
    made = released(tmp_path, friends(tmp_path), models="k-neighbourhood: {k: 2} + k-degree: {k: 2}")
    assert made.evidence.method == "k-neighbourhood"
    assert [verdict.holds for verdict in made.verdicts] == [True, True]
    assert ONLY_NEIGHBOURS in made.evidence.warnings
    assert not sf.verify(made.release).refuted


def test_labelled_neighbourhoods_are_promised_with_a_label(tmp_path: Path) -> None:
    pytest.importorskip("igraph")
    made = released(
        tmp_path, gml(tmp_path), models="k-neighbourhood: {k: 2, labelled: true}", graph="label: job"
    )
    assert made.verdicts[0].holds
    assert LABELS not in made.evidence.warnings
    assert not sf.verify(made.release).refuted


@pytest.mark.parametrize(("method", "told"), [("k-degree", ADDED), ("{k-degree: {realise: swap}}", CHANGED)])
def test_invented_edges_are_told(tmp_path: Path, method: str, told: str) -> None:
    made = released(tmp_path, friends(tmp_path), more=f"method: {method}\n")
    assert not made.evidence.truthful
    assert told in made.evidence.warnings
    assert {ADDED, CHANGED} - {told} - set(made.evidence.warnings)
    assert not sf.verify(made.release).refuted


def test_what_the_promise_leaves_open_is_told(tmp_path: Path) -> None:
    made = released(tmp_path, friends(tmp_path))
    assert {ONLY_DEGREES, ACTIVE, SECOND_NETWORK} <= set(made.evidence.warnings)


def test_the_steward_sees_risk_loss_and_attacks_before_and_after(tmp_path: Path) -> None:
    kept = released(tmp_path, friends(tmp_path)).evidence
    assert {"degree", "vertex-refinement", "active"} <= {one.name for one in kept.attacks}
    degree = next(one for one in kept.attacks if one.name == "degree")
    assert degree.after.highest <= 1 / 3 < degree.before.highest
    assert {one.name for one in kept.utility} >= {"edges-changed", "degree-distance"}
    assert {one.name for one in kept.risk_before} == {one.name for one in kept.risk_after}
    unique = {one.name: one.value for one in kept.risk_after}
    assert unique["degree-unique"] == 0
    assert [curve.title for curve in kept.degrees] == ["before", "after"]
    assert kept.read.edges == len(EDGES)


def test_nothing_of_the_house_is_public(tmp_path: Path) -> None:
    made = released(tmp_path, friends(tmp_path))
    public = json.loads((made.release / "evidence.json").read_text())
    assert not {"read", "search", "attacks", "risk_before", "degrees", "input", "seconds"} & set(public)
    assert public["stripped"] == ["names of nodes"]


def test_a_bound_that_an_adversary_exceeds_refuses_the_release(tmp_path: Path) -> None:
    with pytest.raises(PromiseNotMet, match="vertex-refinement succeeds"):
        released(tmp_path, friends(tmp_path), more="attacks: [vertex-refinement: {at-most: 0.05}]\n")
    assert not (tmp_path / "release").exists()


def test_a_bound_that_holds_is_told_to_everybody(tmp_path: Path) -> None:
    made = released(tmp_path, friends(tmp_path), more="attacks: [degree: {at-most: 0.5}]\n")
    told = json.loads((made.release / "evidence.json").read_text())
    assert told["recipe"]["attacks"] == [{"degree": {"at-most": 0.5}}]
    assert not sf.verify(made.release).refuted


def test_another_network_with_names_is_laid_over_the_release(tmp_path: Path) -> None:
    text(tmp_path, EDGES[:-4], "other.txt")
    more = "attacks: [seed-and-propagate: {with: other.txt, seeds: 4, at-most: 1}]\n"
    kept = released(tmp_path, friends(tmp_path), more=more).evidence
    (found,) = (one for one in kept.attacks if one.name == "seed-and-propagate")
    assert found.after.attempts == len({end for pair in EDGES[:-4] for end in pair}) - 4
    assert found.after.scored == "measured"
    assert found.knows == "another network of the same people, with names"


def test_a_measure_that_is_asked_for_is_taken(tmp_path: Path) -> None:
    kept = released(tmp_path, friends(tmp_path), more="measures: [spectral-gap]\n").evidence
    assert "spectral-gap" in {one.name for one in kept.utility}


def test_an_attack_that_needs_no_file_refuses_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no file"):
        released(tmp_path, friends(tmp_path), more="attacks: [degree: {with: friends.csv}]\n")


def test_parquet_holds_numbers_and_nothing_else(tmp_path: Path) -> None:
    made = released(tmp_path, friends(tmp_path), more="output: {format: parquet}\n")
    found = pq.read_table(made.data)
    assert found.column_names == ["source", "target"]
    assert found.schema.metadata is None
    ends = np.concatenate([found.column(at).to_numpy() for at in (0, 1)])
    assert ends.min() >= 1
    assert ends.max() <= len(NAMES)


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(tmp_path: Path) -> None:
    from sfumato.recipe.load import load
    from sfumato.recipe.prepared import planned, prepared

    path = recipe(tmp_path, friends(tmp_path))
    plan = str(planned(prepared(load(path), tmp_path), tmp_path))
    assert f"{len(NAMES):,} nodes" in plan
    assert "k-degree (k 3)" in plan
    assert "names of nodes" in plan
    assert not any(name in plan for name in NAMES)
    assert not (tmp_path / "release").exists()


def test_a_release_is_replaced_only_when_asked(tmp_path: Path) -> None:
    path = recipe(tmp_path, friends(tmp_path))
    sf.run(path)
    with pytest.raises(BadInput, match="already a folder"):
        sf.run(path)
    assert sf.run(path, replace=True).release.exists()
