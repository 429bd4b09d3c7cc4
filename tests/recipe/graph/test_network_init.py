"""``sfumato init`` sees that a file lists edges, and proposes a recipe that runs."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.recipe.graph.init import GraphProposal, looks_like_edges
from sfumato.recipe.init import write_recipe
from tests.recipe.graph.network_examples import EDGES, NAMES, csv, gml, text


@pytest.mark.parametrize("make", [csv, text, gml])
def test_a_proposal_runs_as_it_is(tmp_path: Path, make: Callable[[Path], str]) -> None:
    path, proposal = write_recipe(tmp_path / make(tmp_path), k=3)
    assert isinstance(proposal, GraphProposal)
    assert proposal.edges == len(EDGES)
    assert "kind: graph" in path.read_text()
    assert not any(name in path.read_text() for name in NAMES)
    assert sf.run(path).verdicts[0].required == "k ≥ 3"


def test_what_the_file_needs_is_allowed_and_told(tmp_path: Path) -> None:
    name = csv(tmp_path)
    lines = (tmp_path / name).read_text().splitlines()
    extra = [f"{NAMES[0]},{NAMES[0]}", lines[1], ",".join(reversed(lines[2].split(",")))]
    (tmp_path / name).write_text("\n".join([*lines, *extra]) + "\n")
    path, proposal = write_recipe(tmp_path / name)
    assert isinstance(proposal, GraphProposal)
    assert proposal.options == {"loops": "drop", "repeated": "merge", "directed": "ignore"}
    assert "1 loop was dropped" in proposal.told
    assert sf.run(path).evidence.read.edges == len(EDGES)


def test_an_attribute_is_proposed_as_a_label_unless_it_names_nodes(tmp_path: Path) -> None:
    path, proposal = write_recipe(tmp_path / gml(tmp_path))
    assert isinstance(proposal, GraphProposal)
    assert "job" in proposal.attributes
    assert "label: job" in path.read_text()


def test_packed_lists_are_seen(tmp_path: Path) -> None:
    (tmp_path / "edges.txt.gz").write_bytes(gzip.compress((tmp_path / text(tmp_path)).read_bytes()))
    assert isinstance(write_recipe(tmp_path / "edges.txt.gz")[1], GraphProposal)


@pytest.mark.parametrize(
    ("content", "edges"),
    [
        pytest.param("from,to\n1,2\n2,3\n", True, id="words of edges"),
        pytest.param("a,b\nann,bob\nbob,cy\ncy,ann\nann,dan\ndan,bob\n", True, id="names on both sides"),
        pytest.param("person,code\nann,A01\nann,B02\nbob,A01\n", False, id="codes of people"),
        pytest.param("age,children\n30,2\n31,3\n2,30\n3,31\n", False, id="numbers"),
        pytest.param("born,lives\nDE,DE\nFR,DE\nDE,DE\nFR,FR\nUS,DE\nUS,US\n", False, id="countries"),
        pytest.param("a,b,c\nann,bob,1\nbob,ann,2\n", False, id="three columns"),
    ],
)
def test_two_columns_are_edges_where_they_draw_from_one_set(
    tmp_path: Path, content: str, edges: bool
) -> None:
    (tmp_path / "x.csv").write_text(content)
    assert looks_like_edges(tmp_path / "x.csv") is edges


def test_whoever_says_that_it_is_a_network_is_believed(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b,since\n1,2,2001\n2,3,2002\n")
    path, proposal = write_recipe(tmp_path / "x.csv", kind="graph", k=2)
    assert isinstance(proposal, GraphProposal)
    assert proposal.options == {"weights": "drop"}
    assert sf.run(path).verdicts[0].holds


def test_whoever_says_that_it_is_a_table_is_believed(tmp_path: Path) -> None:
    assert not isinstance(write_recipe(tmp_path / csv(tmp_path), kind="table")[1], GraphProposal)


def test_a_policy_for_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="seems to hold a network"):
        write_recipe(tmp_path / csv(tmp_path), policy="safe-harbor")


def test_what_lists_no_edges_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n1\n")
    with pytest.raises(BadInput):
        write_recipe(tmp_path / "x.csv", kind="graph")
