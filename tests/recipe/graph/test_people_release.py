"""A table about nodes is protected by the table room and released beside their edges, a row for each node."""

from __future__ import annotations

import csv as csv_module
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.findings import Status
from sfumato.graph.reading import read_network
from sfumato.recipe.load import load
from sfumato.recipe.prepared import planned, prepared
from tests.recipe.graph.network_examples import EDGES, NAMES, csv
from tests.recipe.graph.network_examples import recipe as network_recipe
from tests.recipe.graph.people_examples import ALONE, ILLNESSES, PEOPLE, people, recipe, released, rows

APART = "edges and the table about nodes are promised apart"


def table_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "release" / "people.csv").open(newline="") as file:
        return list(csv_module.DictReader(file))


def truth_of(folder: Path) -> dict[str, int]:
    with (folder / "steward" / "truth.csv").open(newline="") as file:
        return {one["name"]: int(one["node"]) for one in csv_module.DictReader(file)}


def evidence_of(folder: Path, which: str = "release") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / which / "evidence.json").read_text())
    return found


def everything_in(folder: Path) -> str:
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in sorted(folder.iterdir()))


def test_both_promises_are_kept_checked_and_verified(tmp_path: Path) -> None:
    found = released(tmp_path)
    assert [verdict.model for verdict in found.verdicts] == ["k-degree", "k-anonymity"]
    assert all(verdict.holds for verdict in found.verdicts)
    verified = sf.verify(tmp_path)
    assert not verified.refuted
    claims = {one.claim: one.status for one in verified.findings}
    assert claims["k-degree with k = 3"] is Status.CONFIRMED
    assert claims["k-anonymity with k = 3, of the table about nodes"] is Status.CONFIRMED
    by_hand = Counter((row["age"], row["town"]) for row in table_of(tmp_path))
    assert min(by_hand.values()) >= 3


def test_every_row_is_about_the_person_whose_node_it_names(tmp_path: Path) -> None:
    released(tmp_path, models="k-degree: {k: 3} + k-anonymity: {k: 2}")
    truth, table = truth_of(tmp_path), table_of(tmp_path)
    assert [row["node"] for row in table] == [str(number) for number in range(1, len(PEOPLE) + 1)]
    for who, _, age, town, ill, _ in rows():
        shown = table[truth[who] - 1]
        assert shown["ill"] == ill
        assert shown["town"] in (town, "*")
        low, _, high = shown["age"].strip("[]()").replace("–", "-").partition("-")
        assert shown["age"] == "*" or int(low) <= int(age) <= int(high or low)
    network = read_network(tmp_path / "release" / "data.csv", tmp_path / "release" / "nodes.csv")
    for one, other in EDGES:
        assert network.connected(truth[NAMES[one]] - 1, truth[NAMES[other]] - 1)


def test_somebody_with_a_row_and_no_edge_is_a_node(tmp_path: Path) -> None:
    released(tmp_path)
    assert evidence_of(tmp_path)["network"]["nodes"] == len(PEOPLE)
    assert ALONE in truth_of(tmp_path)
    assert "1 row of the node table is a node without edges" in evidence_of(tmp_path, "steward")["notes"]


def test_no_name_and_no_identifier_is_released(tmp_path: Path) -> None:
    released(tmp_path)
    written = everything_in(tmp_path / "release")
    assert not any(secret in written for secret in (*PEOPLE, "mail.org", "friends.csv", str(tmp_path)))
    assert list(table_of(tmp_path)[0]) == ["node", "age", "town", "ill"]
    kept = (tmp_path / "steward" / "evidence.json").read_text()
    assert not any(name in kept for name in PEOPLE)


def test_numbers_are_new_in_every_release(tmp_path: Path) -> None:
    found = []
    for at in range(2):
        folder = tmp_path / str(at)
        folder.mkdir()
        released(folder)
        found.append(truth_of(folder))
    assert found[0] != found[1]


def test_a_suppressed_row_stays_and_says_nothing(tmp_path: Path) -> None:
    given = rows()
    for row in given[:4]:
        row[2], row[3] = "99", f"Zug{row[2]}"
    people(tmp_path, given)
    # Ages beyond the last interval and towns of their own: cheaper to suppress than to generalise.
    method = "people-method: {optimal-lattice: {suppress: 0.3}}"
    released(tmp_path, graph=method, models="k-degree: {k: 2} + k-anonymity: {k: 3}")
    told, table = evidence_of(tmp_path), table_of(tmp_path)
    blank = [row for row in table if (row["age"], row["town"], row["ill"]) == ("*", "*", "")]
    assert told["table"]["blanked"] == len(blank) == 4
    assert len(table) == len(PEOPLE)
    assert {PEOPLE[::-1][at] for at in range(4)} == {
        who for who, number in truth_of(tmp_path).items() if table[number - 1] in blank
    }
    assert any("nothing about 4 nodes" in warning for warning in told["warnings"])
    assert not sf.verify(tmp_path).refuted


def test_a_few_suppressed_rows_would_stand_out_and_none_is_suppressed_then(tmp_path: Path) -> None:
    given = rows()
    given[0][2], given[0][3] = "99", "Zug"
    people(tmp_path, given)
    method = "people-method: {optimal-lattice: {suppress: 0.1}}"
    released(tmp_path, graph=method, models="k-degree: {k: 2} + k-anonymity: {k: 3}")
    assert evidence_of(tmp_path)["table"]["blanked"] == 0
    assert any("none was" in note for note in evidence_of(tmp_path, "steward")["notes"])
    assert not sf.verify(tmp_path).refuted


def test_promises_about_sensitive_values_go_to_the_table(tmp_path: Path) -> None:
    found = released(tmp_path, models="k-degree: {k: 2} + k-anonymity: {k: 3} + distinct-l-diversity: {l: 2}")
    assert [verdict.model for verdict in found.verdicts] == [
        "k-degree",
        "k-anonymity",
        "distinct-l-diversity",
    ]
    seen: dict[tuple[str, str], set[str]] = {}
    for row in table_of(tmp_path):
        seen.setdefault((row["age"], row["town"]), set()).add(row["ill"])
    assert all(len(values & set(ILLNESSES)) >= 2 for values in seen.values())
    assert not any("no promise covers" in warning for warning in evidence_of(tmp_path)["warnings"])


def test_a_sensitive_column_without_a_promise_earns_a_warning(tmp_path: Path) -> None:
    released(tmp_path)
    assert any("no promise covers the sensitive column (ill)" in w for w in evidence_of(tmp_path)["warnings"])


def test_who_is_found_by_both_is_counted_for_the_steward_and_warned_of_in_public(tmp_path: Path) -> None:
    released(tmp_path)
    table = table_of(tmp_path)
    network = read_network(tmp_path / "release" / "data.csv", tmp_path / "release" / "nodes.csv")
    degrees = network.degrees().tolist()
    both = Counter((row["age"], row["town"], degrees[int(row["node"]) - 1]) for row in table)
    alone = sum(1 for many in both.values() if many == 1)
    assert alone > 0
    figures = {one["name"]: one for one in evidence_of(tmp_path, "steward")["risk_after"]}
    assert figures["alone-by-table-and-degree"]["value"] == pytest.approx(alone / len(table))
    assert figures["alone-by-table"]["value"] == 0
    assert any(warning.startswith(APART) for warning in evidence_of(tmp_path)["warnings"])
    assert "alone-by-table" not in everything_in(tmp_path / "release")


def test_what_the_table_lost_is_told_to_the_steward(tmp_path: Path) -> None:
    released(tmp_path)
    names = [one["name"] for one in evidence_of(tmp_path, "steward")["utility"]]
    assert {"people-gcp", "people-loss-metric"} <= set(names)


def test_another_method_for_the_table_can_be_named(tmp_path: Path) -> None:
    released(tmp_path, graph="people-method: mondrian")
    assert evidence_of(tmp_path)["recipe"]["resources"][1]["method"].keys() == {"mondrian"}
    assert not sf.verify(tmp_path).refuted


@pytest.mark.parametrize(("kind", "file"), [("parquet", "people.parquet"), ("gml", "people.csv")])
def test_the_table_is_written_like_the_network_where_that_is_a_table(
    kind: str, file: str, tmp_path: Path
) -> None:
    released(tmp_path, more=f"output: {{format: {kind}}}\n")
    assert (tmp_path / "release" / file).exists()
    assert not sf.verify(tmp_path).refuted
    if kind == "parquet":
        numbers = pq.read_table(tmp_path / "release" / file).column("node").to_pylist()
        assert numbers == list(range(1, len(PEOPLE) + 1))


def test_the_primary_key_names_nodes_too_and_numbers_are_names(tmp_path: Path) -> None:
    given = [[str(100 + PEOPLE.index(row[0])), *row[1:]] for row in rows()]
    people(tmp_path, given)
    lines = [f"{100 + one},{100 + other}" for one, other in EDGES]
    (tmp_path / "numbers.csv").write_text("\n".join(["source,target", *lines, ""]))
    released(
        tmp_path, network="numbers.csv", fields={"who": "role: identifier"}, key="      primaryKey: who\n"
    )
    assert set(truth_of(tmp_path)) == {str(100 + at) for at in range(len(PEOPLE))}
    assert not sf.verify(tmp_path).refuted


def test_a_column_can_be_the_label_of_nodes(tmp_path: Path) -> None:
    released(tmp_path, graph="label: job", fields={"job": "role: insensitive"})
    with (tmp_path / "release" / "nodes.csv").open(newline="") as file:
        labels = {int(one["node"]): one["label"] for one in csv_module.DictReader(file)}
    truth = truth_of(tmp_path)
    assert all(labels[truth[row[0]]] == row[5] for row in rows())
    assert list(table_of(tmp_path)[0]) == ["node", "age", "town", "ill"]
    assert not sf.verify(tmp_path).refuted


JOB_TREE = "hierarchy: {tree: {'*': {kitchen: [cook, baker], clinic: [nurse, midwife]}}}"


def test_labels_are_generalised_along_the_hierarchy_of_their_column(tmp_path: Path) -> None:
    pytest.importorskip("igraph")
    released(
        tmp_path,
        graph="label: job",
        fields={"job": f"role: insensitive, {JOB_TREE}"},
        models="k-neighbourhood: {k: 2, labelled: true} + k-anonymity: {k: 2}",
    )
    above = {"cook": "kitchen", "baker": "kitchen", "nurse": "clinic", "midwife": "clinic"}
    with (tmp_path / "release" / "nodes.csv").open(newline="") as file:
        labels = {int(one["node"]): one["label"] for one in csv_module.DictReader(file)}
    truth = truth_of(tmp_path)
    assert all(labels[truth[row[0]]] in (row[5], above[row[5]], "*") for row in rows())
    assert not sf.verify(tmp_path).refuted


def test_a_table_that_gives_labels_alone_is_not_released(tmp_path: Path) -> None:
    hidden = dict.fromkeys(("age", "town", "ill"), "role: identifier")
    released(
        tmp_path,
        graph="label: job",
        fields={**hidden, "job": "role: insensitive"},
        models="k-degree: {k: 2}",
    )
    assert not (tmp_path / "release" / "people.csv").exists()
    assert evidence_of(tmp_path)["table"] is None
    assert evidence_of(tmp_path)["network"]["nodes"] == len(PEOPLE)
    assert not sf.verify(tmp_path).refuted


def test_a_dry_run_says_what_stands_beside(tmp_path: Path) -> None:
    people(tmp_path)
    told = str(planned(prepared(load(recipe(tmp_path)), tmp_path), tmp_path))
    assert "a table about the nodes" in told
    assert not any(name in told for name in PEOPLE)
    assert not (tmp_path / "release").exists()


def test_a_table_that_cannot_keep_its_promise_leaves_nothing_behind(tmp_path: Path) -> None:
    people(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(PromiseNotMet, match="the table about nodes") as problem:
        released(tmp_path, models="k-degree: {k: 2} + k-anonymity: {k: 50}")
    assert "suppressed: drop" not in str(problem.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "friends.csv", "recipe.yaml"])


def test_nodes_without_a_row_are_counted_and_not_named(tmp_path: Path) -> None:
    people(tmp_path, [row for row in rows() if row[0] not in NAMES[:2]])
    with pytest.raises(BadInput, match="2 of 18 nodes have no row") as problem:
        released(tmp_path)
    assert not any(name in str(problem.value) for name in PEOPLE)
    assert "without_row" not in str(problem.value)


def test_two_rows_of_a_node_are_refused_without_its_name(tmp_path: Path) -> None:
    people(tmp_path, [*rows(), rows()[0]])
    with pytest.raises(BadInput) as problem:
        released(tmp_path)
    assert not any(name in str(problem.value) for name in PEOPLE)


def test_a_row_without_a_name_is_refused(tmp_path: Path) -> None:
    people(tmp_path, [*rows(), ["", "x", "30", "Bern", "flu", "cook"]])
    with pytest.raises(BadInput, match="1 of 20 names are missing"):
        released(tmp_path)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "nothing is promised about the table": (
        {"models": "k-degree: {k: 2}"},
        "nothing is promised about the table",
    ),
    "nothing is promised about the network": ({"models": "k-anonymity: {k: 2}"}, "about the network"),
    "no names": ({"fields": {"who": "role: identifier"}}, "no column holds the names of nodes"),
    "two names": ({"key": "      primaryKey: mail\n"}, "several columns would hold"),
    "no such key": (
        {"fields": {"who": "role: identifier"}, "key": "      primaryKey: nobody\n"},
        "there is no column 'nobody'",
    ),
    "names that are released": (
        {"fields": {"who": "role: sensitive"}, "key": "      primaryKey: who\n"},
        "holds the names of nodes and is sensitive",
    ),
    "no quasi-identifier": (
        {"fields": {"age": "role: insensitive, confirmed: true", "town": "role: insensitive"}},
        "no column is a quasi-identifier",
    ),
    "a mask": ({"fields": {"mail": "role: identifier, mask: redact"}}, "'mask' means nothing here"),
    "codes": ({"fields": {"ill": "role: codes"}}, "its role is codes"),
    "a column that nobody mentions": ({"fields": {"ill": ""}}, "does not mention 'ill'"),
    "a column that is not there": ({"fields": {"shoe": "role: sensitive"}}, "'shoe'"),
    "a label that a promise hides": ({"graph": "label: town"}, "the label would show what the table hides"),
    "a label that is not there": ({"graph": "label: shoe"}, "no column 'shoe'"),
    "a sample": (
        {"graph": "people-method: {safepub: {epsilon: 1, delta: 0.01, search_epsilon: 0.5}}"},
        "every node has its row",
    ),
    "a method that is not there": ({"graph": "people-method: k-degree"}, "there is no method 'k-degree'"),
    "a promise of chance": (
        {"models": "k-degree: {k: 2} + rho-privacy: {column: ill, rho1: 0.1, rho2: 0.5}"},
        "rho-privacy",
    ),
    "a promise about a population": (
        {"models": "k-degree: {k: 2} + k-map: {k: 2}"},
        "k-map cannot be checked",
    ),
    "a promise that nobody knows": ({"models": "k-degree: {k: 2} + k-anonymty: {k: 2}"}, "k-anonymity"),
    "groups": ({"models": "k-grouping: {k: 3} + k-anonymity: {k: 2}"}, "group"),
    "a column called node": (
        {"fields": {"ill": "", "node": "role: sensitive"}},
        "has a column 'node' of its own",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_is_refused_and_nothing_is_written(case: str, tmp_path: Path) -> None:
    options, words = BAD[case]
    people(tmp_path)
    with pytest.raises(BadInput, match=words):
        released(tmp_path, **options)
    assert not (tmp_path / "release").exists()


def test_a_method_for_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    source = network_recipe(tmp_path, csv(tmp_path), graph="people-method: mondrian")
    with pytest.raises(BadInput, match="none stands beside the network"):
        sf.run(source)


def test_people_whose_names_look_like_numbers_keep_their_zeros(tmp_path: Path) -> None:
    given = [[f"00{PEOPLE.index(row[0])}", *row[1:]] for row in rows()]
    people(tmp_path, given)
    lines = [f"00{one},00{other}" for one, other in EDGES]
    (tmp_path / "numbers.csv").write_text("\n".join(["source,target", *lines, ""]))
    released(tmp_path, network="numbers.csv")
    assert len(truth_of(tmp_path)) == len(PEOPLE)


def test_the_released_order_of_people_is_not_that_of_the_file(tmp_path: Path) -> None:
    csv(tmp_path)
    released(tmp_path)
    truth = truth_of(tmp_path)
    order = np.argsort([truth[row[0]] for row in rows()]).tolist()
    assert order != list(range(len(PEOPLE)))
