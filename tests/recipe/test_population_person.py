"""The people of a population in recipes and commands: a column names them, or rows are taken as people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.app import app

EVERYBODY = pd.DataFrame({"citizen": list("AAAAABBC"), "zip": list("11111223"), "visit": list("abcdefgh")})


def carried_out(folder: Path, population: Any, k: int = 2, **more: Any) -> Any:
    pd.DataFrame({"zip": ["1", "2"]}).to_csv(folder / "people.csv", index=False)
    EVERYBODY.to_csv(folder / "everybody.csv", index=False)
    recipe = {
        "sfumato": 1,
        "resources": [
            {"path": "people.csv", "schema": {"fields": [{"name": "zip", "role": "quasi-identifier"}]}}
        ],
        "models": [{"k-map": {"k": k}}],
        "population": population,
        "method": "keep",
        **more,
    }
    (folder / "recipe.yaml").write_text(yaml.safe_dump(recipe))
    return sf.run(folder / "recipe.yaml")


def test_a_recipe_names_the_people_of_its_population(tmp_path: Path) -> None:
    with pytest.raises(sf.PromiseNotMet):
        carried_out(tmp_path, {"path": "everybody.csv", "person": "citizen"})
    released = carried_out(tmp_path, {"path": "everybody.csv", "person": "citizen"}, k=1)
    evidence = json.loads((released.steward / "evidence.json").read_text())
    assert evidence["verdicts"][0]["achieved"] == "k = 1"
    assert not sf.verify(released.release).refuted


def test_rows_without_a_name_are_warned_of_and_verified(tmp_path: Path) -> None:
    released = carried_out(tmp_path, "everybody.csv")
    public = json.loads((released.release / "evidence.json").read_text())
    assert any("each of its rows counts as one person" in warning for warning in public["warnings"])
    assert not sf.verify(released.release).refuted


@pytest.mark.parametrize(
    ("population", "words"),
    [
        ({"path": "everybody.csv", "person": "name"}, "the population has no column 'name'"),
        ({"path": "everybody.csv", "person": "zip"}, "'zip' is a quasi-identifier"),
    ],
)
def test_a_person_column_that_is_not_there_is_refused(tmp_path: Path, population: Any, words: str) -> None:
    with pytest.raises(sf.BadInput, match=words):
        carried_out(tmp_path, population)


def test_what_an_adversary_holds_has_no_such_key(tmp_path: Path) -> None:
    attacks = [{"linkage": {"with": {"path": "everybody.csv", "person": "citizen"}}}]
    with pytest.raises(sf.BadInput, match="what an adversary holds must be a file"):
        carried_out(tmp_path, "everybody.csv", attacks=attacks)


def test_codes_and_dna_find_persons_by_the_columns_of_the_data(tmp_path: Path) -> None:
    pd.DataFrame({"who": ["A", "B"], "code": ["E11", "I10"]}).to_csv(tmp_path / "codes.csv", index=False)
    recipe = {
        "sfumato": 1,
        "resources": [
            {
                "path": "codes.csv",
                "kind": "codes",
                "schema": {"fields": [{"name": "who", "role": "person"}, {"name": "code", "role": "codes"}]},
            }
        ],
        "models": [{"k-m-anonymity": {"k": 2, "m": 1}}],
        "population": {"path": "codes.csv", "person": "who"},
        "method": "apriori-anonymisation",
    }
    (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(recipe))
    with pytest.raises(sf.BadInput, match="'person' of the population is for tables"):
        sf.run(tmp_path / "recipe.yaml")


def test_commands_count_the_people_of_a_population(tmp_path: Path) -> None:
    pd.DataFrame({"zip": ["1", "2"]}).to_csv(tmp_path / "people.csv", index=False)
    EVERYBODY.to_csv(tmp_path / "everybody.csv", index=False)
    asked = [str(tmp_path / "people.csv"), "--quasi", "zip", "--population", str(tmp_path / "everybody.csv")]
    named = ["--population-person", "citizen"]
    figures = []
    for more in ([], named):
        shown = CliRunner().invoke(app, ["risk", *asked, *more, "--json"])
        assert shown.exit_code == 0, shown.output
        found = json.loads(shown.stdout)["figures"]
        figures.append(next(one["value"] for one in found if one["name"] == "journalist-highest"))
    assert figures == [0.5, 1.0]
    attempts = []
    for more in ([], named):
        shown = CliRunner().invoke(app, ["attack", *asked, *more, "--attack", "membership", "--json"])
        assert shown.exit_code == 0, shown.output
        attempts.append(json.loads(shown.stdout)["attacks"][0]["attempts"])
    assert attempts == [8, 3]
