"""``sfumato text risk`` and ``sfumato attack`` on notes, as a person would type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Run, runner
from tests.recipe.text.examples import recipe_in, write_notes


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(tmp_path, monkeypatch, capsys)


def test_risk_counts_by_kind_and_by_person_and_shows_no_value(run: Run, tmp_path: Path) -> None:
    write_notes(tmp_path)
    done = run("text", "risk", "notes.csv", "--model", "none", "--person", "patient_id", "--json")
    assert done.code == 0
    told = json.loads(done.out)
    assert (told["people"], told["notes"]) == (2, 3)
    assert told["found"]["DATE"] == 2
    assert told["found"]["EMAIL"] == 1
    plain = run("text", "risk", "notes.csv", "--model", "none")
    assert "name the person with --person" in plain.out
    assert "Whitfield" not in plain.out


def test_risk_asks_which_column_holds_the_notes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("a,b\n1,2\n")
    done = run("text", "risk", "two.csv", "--model", "none")
    assert done.code == 2
    assert "--column" in done.err
    assert run("text", "risk", "two.csv", "--column", "c").code == 2
    assert run("text", "risk", "two.csv", "--column", "a", "--person", "x").code == 2


def test_a_release_of_notes_is_attacked_with_a_file_of_people(run: Run, tmp_path: Path) -> None:
    recipe_in(tmp_path)
    assert run("protect", "recipe.yaml").code == 0
    (tmp_path / "people.csv").write_text("surname,came\nWhitfield,2003-01-17\nCelik,2004-02-02\n")
    done = run("attack", ".", "--with", "people.csv", "--map", "came=DATE", "--json")
    assert done.code == 0
    (linkage,) = [one for one in json.loads(done.out)["attacks"] if one["attack"] == "text-linkage"]
    assert linkage["scored"] == "claimed"
    assert linkage["certain"] == 0
    refused = run("attack", ".", "--with", "people.csv", "--quasi", "ward")
    assert refused.code == 2
    assert "holds notes" in refused.err
