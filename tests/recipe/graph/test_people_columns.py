"""Columns of a table about nodes that are no quasi-identifiers: counted, warned of, refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.recipe.verify_columns import CLAIM
from tests.oracles import known_columns as oracle
from tests.recipe.examples import forge_report
from tests.recipe.graph.people_examples import released


def test_an_insensitive_column_that_tells_people_apart_is_refused_until_confirmed(tmp_path: Path) -> None:
    with pytest.raises(PromiseNotMet, match="the table about nodes, column 'job': it is insensitive"):
        released(tmp_path, fields={"job": "role: insensitive"})
    assert not (tmp_path / "release").exists()
    found = released(tmp_path, fields={"job": "role: insensitive, confirmed: true"})
    told = {one.column: one for one in found.evidence.table.exposure}
    assert list(told) == ["ill", "job"]
    with (tmp_path / "release" / "people.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    for column, one in told.items():
        wanted = oracle.candidates(table, ["age", "town"], column, 3)
        assert (one.people, one.fewer, one.added) == wanted
    assert told["job"].confirmed
    assert any(
        f"{told['job'].fewer} of " in w and "'job' is known, too" in w for w in found.evidence.warnings
    )
    assert not sf.verify(tmp_path).refuted


def test_whoever_changes_a_figure_is_found_out(tmp_path: Path) -> None:
    released(tmp_path)
    path = tmp_path / "release" / "evidence.json"
    told = json.loads(path.read_text())
    told["table"]["exposure"][0]["fewer"] += 1
    path.write_text(json.dumps(told))
    forge_report(tmp_path / "release", GraphEvidence)
    assert CLAIM in [one.claim for one in sf.verify(tmp_path).refuted]
