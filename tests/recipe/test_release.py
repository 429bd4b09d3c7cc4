"""A release is all or nothing, in two folders for two audiences."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import sfumato as sf
from sfumato.recipe.schemas import schema_named
from sfumato.release import pipeline as release_module
from tests.oracles.k_anonymity import smallest_class
from tests.recipe.examples import PEOPLE, RECIPE, files_in, ward

RELEASE_FILES = {"data.csv", "evidence.json", "report.html", "schema.json"}
STEWARD_FILES = {"evidence.json", "fingerprint.key", "report.html"}


def rows_of(path: Path) -> list[dict[str, Any]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_recipe_becomes_two_folders(tmp_path: Path) -> None:
    released = sf.run(ward(tmp_path))
    assert files_in(released.release) == RELEASE_FILES
    assert files_in(released.steward) == STEWARD_FILES
    rows = rows_of(released.data)
    assert list(rows[0]) == ["age", "zip", "ill"]
    assert smallest_class(rows, ["age", "zip"]) >= 2
    assert len(rows) + released.evidence.suppressed_records == len(PEOPLE)


def test_both_editions_of_the_evidence_follow_their_schemas(tmp_path: Path) -> None:
    released = sf.run(ward(tmp_path))
    for folder, file, schema in (
        (released.release, "evidence.json", "evidence"),
        (released.steward, "evidence.json", "steward-evidence"),
        (released.release, "schema.json", "release-schema"),
    ):
        jsonschema.validate(json.loads((folder / file).read_text()), schema_named(schema))


def test_the_release_holds_nothing_that_only_raw_data_show(tmp_path: Path) -> None:
    """No identifier, no raw value below the released level, no unkeyed fingerprint of the input."""
    released = sf.run(ward(tmp_path))
    everything = "\n".join(path.read_text() for path in released.release.iterdir())
    for person in PEOPLE:
        _, name, age, postcode, _ = person.split(",")
        assert f">{name}<" not in everything
        assert f'"{name}"' not in everything
        assert f'"{age}"' not in everything
        assert postcode not in everything
    assert "fingerprint" not in json.loads((released.release / "evidence.json").read_text())
    assert str(tmp_path) not in everything


def test_the_input_is_never_touched(tmp_path: Path) -> None:
    recipe = ward(tmp_path)
    before = (tmp_path / "people.csv").read_bytes()
    sf.run(recipe)
    assert (tmp_path / "people.csv").read_bytes() == before


def test_an_existing_release_is_refused_unless_replaced(tmp_path: Path) -> None:
    recipe = ward(tmp_path)
    first = sf.run(recipe)
    with pytest.raises(sf.BadInput, match="already a folder 'release'"):
        sf.run(recipe)
    (first.release / "data.csv").write_text("of the old one")
    second = sf.run(recipe, replace=True)
    assert files_in(second.release) == RELEASE_FILES
    assert "of the old one" not in second.data.read_text()


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, OSError])
def test_a_failure_leaves_nothing_behind_and_the_old_release_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: type[BaseException]
) -> None:
    recipe = ward(tmp_path)
    sf.run(recipe)
    before = files_in(tmp_path)
    old = (tmp_path / "release" / "data.csv").read_bytes()

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(release_module, "write_report", fail)
    with pytest.raises(failure):
        sf.run(recipe, replace=True)
    assert files_in(tmp_path) == before
    assert (tmp_path / "release" / "data.csv").read_bytes() == old


def test_a_failed_first_run_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(release_module, "write_report", fail)
    with pytest.raises(RuntimeError):
        sf.run(ward(tmp_path), out=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_promise_that_does_not_hold_is_never_published(tmp_path: Path) -> None:
    """A method that lies is found out by the check, which shares no code with it."""
    recipe = ward(tmp_path, RECIPE.replace("optimal-lattice: {suppress: 0.2}", "liar: {}"))
    from sfumato.recipe import job as job_module

    class Liar(sf.OptimalLattice):
        name = "liar"

        def search(self, problem: Any, utility: Any, **options: Any) -> Any:
            from dataclasses import replace

            from sfumato.table.rule import Rule, RuleKind

            weaker = replace(problem, rules=(Rule(RuleKind.MIN_PERSONS, (1,), True),))
            return super().search(weaker, utility, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(job_module.METHODS, "liar", Liar)
        with pytest.raises(
            sf.PromiseNotMet, match="k-anonymity does not hold: required k ≥ 2, achieved k = 1"
        ):
            sf.run(recipe)
    assert not (tmp_path / "release").exists()


def test_k_larger_than_the_table_is_a_promise_that_cannot_be_met(tmp_path: Path) -> None:
    with pytest.raises(
        sf.PromiseNotMet, match="k = 8 is more than the 7 persons in the table; choose k of at most 7"
    ):
        sf.run(ward(tmp_path, RECIPE.replace("k: 2", "k: 8")))


def test_formats(tmp_path: Path) -> None:
    for kind in ("csv.gz", "parquet"):
        recipe = ward(tmp_path, RECIPE + f"output: {{format: {kind}}}\n")
        released = sf.run(recipe, out=tmp_path / kind.replace(".", "_"))
        assert released.data.name == f"data.{kind}"
        assert not sf.verify(released.release).refuted


def test_kept_order_is_the_order_of_the_source(tmp_path: Path) -> None:
    people = [f"{i},N{i},30,02135,ill{i}" for i in range(50)]
    recipe = ward(tmp_path, RECIPE + "output: {order: kept}\n", people)
    assert [row["ill"] for row in rows_of(sf.run(recipe).data)] == [f"ill{i}" for i in range(50)]


def test_shuffled_rows_are_the_same_rows_in_another_order(tmp_path: Path) -> None:
    people = [f"{i},N{i},30,02135,ill{i}" for i in range(50)]
    found = [row["ill"] for row in rows_of(sf.run(ward(tmp_path, RECIPE, people)).data)]
    assert found != [f"ill{i}" for i in range(50)]
    assert Counter(found) == Counter(f"ill{i}" for i in range(50))


def test_the_key_of_the_fingerprint_comes_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = ward(tmp_path)
    monkeypatch.setenv("SFUMATO_KEY", "a key of the house, long enough")
    first = sf.run(recipe).evidence.input
    again = sf.run(recipe, replace=True).evidence.input
    monkeypatch.setenv("SFUMATO_KEY", "another key of the house")
    other = sf.run(recipe, replace=True).evidence.input
    assert first.fingerprint == again.fingerprint != other.fingerprint
    assert first.key == "environment variable SFUMATO_KEY"
    assert not (tmp_path / "steward" / "fingerprint.key").exists()


def test_people_with_several_rows_are_counted_in_persons(tmp_path: Path) -> None:
    """Twice the same person is no crowd: ages of 88 belong to one person with two rows."""
    people = [*PEOPLE, "7,Gus,88,99999,flu"]
    released = sf.run(ward(tmp_path, RECIPE, people))
    assert "99999" not in released.data.read_text()
    verdict = released.verdicts[0]
    assert verdict.note == "persons counted"
    found = {finding.claim: str(finding.status) for finding in sf.verify(released.release).findings}
    assert found["k-anonymity with k = 2, counted in rows"] == "confirmed"
    assert found["k-anonymity with k = 2, counted in persons"] == "not checked"
