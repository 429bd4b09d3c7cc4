"""Groups of a network are released with true counts, and whoever changes one is found out."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.graph.reading import read_grouped
from sfumato.recipe.graph.network_warned import MEMBERS
from tests.recipe.dna.rows_examples import edit_data, edit_json, everything_in, refuted
from tests.recipe.graph.network_examples import EDGES, NAMES, forge, released
from tests.recipe.graph.network_examples import csv as friends

QUICK = "method: {k-grouping: {search: 100}}\n"
NOTHING_ELSE = "the files hold the network and nothing else"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("made")
    return released(folder, friends(folder), models="k-grouping: {k: 3}", more=QUICK)


@pytest.fixture
def copy(made: Any, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made.release, tmp_path / "release"))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def test_counts_are_those_of_the_network(made: Any) -> None:
    group = {row["name"]: row["group"] for row in rows(made.steward / "truth.csv")}
    sizes = Counter(group[name] for name in NAMES)
    ends = Counter(tuple(sorted((group[NAMES[a]], group[NAMES[b]]), key=int)) for a, b in EDGES)
    assert {row["group"]: int(row["size"]) for row in rows(made.release / "groups.csv")} == sizes
    assert min(sizes.values()) >= 3
    for row in rows(made.release / "groups.csv"):
        assert int(row["inside"]) == ends[row["group"], row["group"]]
    links = {(row["one"], row["other"]): int(row["between"]) for row in rows(made.release / "links.csv")}
    assert links == {pair: many for pair, many in ends.items() if pair[0] != pair[1]}


def test_a_grouping_is_confirmed_and_truthful(made: Any) -> None:
    found = sf.verify(made.release)
    assert not found.refuted
    assert "k-grouping with k = 3" in [one.claim for one in found.findings]
    assert made.evidence.truthful
    assert MEMBERS in made.evidence.warnings
    assert made.evidence.form == "grouping"
    assert made.evidence.network is None


def test_no_name_and_no_node_is_released(made: Any) -> None:
    shared = everything_in(made.release)
    assert not any(name.encode() in shared for name in NAMES)
    assert sorted(path.name for path in made.release.iterdir()) == [
        "evidence.json",
        "groups.csv",
        "links.csv",
        "report.html",
        "schema.json",
    ]


def test_edges_that_are_certain_are_told(tmp_path: Path) -> None:
    everybody = [(one, other) for one in range(6) for other in range(one)]
    made = released(tmp_path, friends(tmp_path, everybody), models="k-grouping: {k: 3}", more=QUICK)
    assert made.evidence.grouping.certain == len(everybody)
    assert any(f"{len(everybody)} edges are certain" in warning for warning in made.evidence.warnings)


def test_a_grouping_is_written_as_parquet(tmp_path: Path) -> None:
    more = f"{QUICK}output: {{format: parquet}}\n"
    made = released(tmp_path, friends(tmp_path), models="k-grouping: {k: 3}", more=more)
    assert read_grouped(made.release).nodes == len(NAMES)
    assert not sf.verify(made.release).refuted


def test_a_grouping_is_not_written_as_a_network(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a grouping is not written as gml"):
        released(tmp_path, friends(tmp_path), models="k-grouping: {k: 3}", more="output: {format: gml}\n")


def test_attackers_of_a_grouping_find_no_more_than_the_group(made: Any) -> None:
    for attack in made.evidence.attacks:
        assert attack.not_run or attack.after.highest <= 1 / 3


def test_groups_larger_than_everybody_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PromiseNotMet, match="groups of 100"):
        released(tmp_path, friends(tmp_path), models="k-grouping: {k: 100}", more=QUICK)


@pytest.mark.parametrize("column", ["size", "inside", "between"])
def test_a_changed_count_is_found(copy: Path, column: str) -> None:
    name = "links.csv" if column == "between" else "groups.csv"
    head, *lines = (copy / name).read_text().splitlines()
    at = head.split(",").index(column)
    for row, line in enumerate(lines):
        cells = line.split(",")
        if int(cells[at]) > 1:
            cells[at] = str(int(cells[at]) - 1)
            lines[row] = ",".join(cells)
            break
    (copy / name).write_text("\n".join([head, *lines]) + "\n")
    assert refuted(copy)
    forge(copy)
    assert refuted(copy)


def test_a_group_that_is_too_small_is_found_whatever_else_was_forged(copy: Path) -> None:
    from sfumato.recipe.graph.network_shown import grouping_shown

    head, first, *lines = (copy / "groups.csv").read_text().splitlines()
    assert head == "group,size,inside"
    (copy / "groups.csv").write_text("\n".join([head, "1,2,0", *lines]) + "\n")
    (copy / "links.csv").write_text(
        "\n".join(line for line in (copy / "links.csv").read_text().splitlines() if not line.startswith("1,"))
        + "\n"
    )
    grouping = grouping_shown(read_grouped(copy)).model_dump()
    edit_json(copy / "evidence.json", lambda e: e.update(grouping=grouping))
    forge(copy)
    assert first.startswith("1,")
    assert "k-grouping with k = 3" in refuted(copy)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("groups.csv", "group,size,inside\n1,", "group,size,inside\n01,"),
        ("groups.csv", "group,size,inside\n1,", "group,size,inside\n9,"),
        ("links.csv", "one,other,between\n", "one,other,between\n\n"),
        ("links.csv", "one,other,between\n", "one,other,count\n"),
    ],
)
def test_a_forged_file_is_refuted(copy: Path, file: str, old: str, new: str) -> None:
    edit_data(copy, old, new, file)
    forge(copy)
    assert refuted(copy)


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        (lambda e: e["grouping"].update(certain=99), "groups of 18 nodes"),
        (lambda e: e["grouping"].update(log_worlds=1e6), "groups of 18 nodes"),
        (lambda e: e["verdicts"][0]["parameters"].update(k=2), "promises of the recipe"),
        (lambda e: e.update(truthful=False), "tell of the same release"),
        (lambda e: e["warnings"].pop(0), "the evidence tells"),
    ],
)
def test_forged_evidence_is_refuted(copy: Path, change: Callable[[Any], None], claim: str) -> None:
    edit_json(copy / "evidence.json", change)
    forge(copy)
    assert claim in refuted(copy)
