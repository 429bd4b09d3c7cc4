"""Two resources, one release: a recipe about a table and the codes of the same people."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.evidence_codes import CodesEvidence
from sfumato.core.findings import Status
from sfumato.recipe.load import load
from sfumato.recipe.model import Recipe
from sfumato.recipe.prepared import planned, prepared, released
from sfumato.recipe.records.job import RecordsJob
from sfumato.recipe.verify import verify
from tests.cli.commands import sfumato
from tests.oracles.relational_codes import fewest
from tests.recipe.examples import forge_report

RECIPE = """\
sfumato: 1
title: Patients and diagnoses
resources:
  - name: patients
    path: people.csv
    schema:
      fields:
        - {name: id, role: person}
        - {name: name, role: identifier}
        - {name: age, role: quasi-identifier}
        - {name: sex, role: quasi-identifier}
  - name: diagnoses
    kind: codes
    path: codes.csv
    schema:
      fields:
        - {name: patient, role: person}
        - {name: code, role: codes, hierarchy: {tree: {any: {A: [a1, a2], B: [b1, b2]}}}}
models:
  - k-km-anonymity: {k: 2, m: 2}
method:
  relational-codes: {delta: 0.8}
"""
PEOPLE = ["1,Ada,21,f", "2,Bea,24,f", "3,Cid,29,m", "4,Dov,,m", "5,Eva,64,f", "6,Fay,69,f", "7,Gil,70,m"]
CODES = ["1,a1", "1,b1", "2,a2", "2,b1", "3,a1", "3,b2", "4,b2", "5,b2", "5,a2", "6,b2", "6,b2"]


def ward(folder: Path, recipe: str = RECIPE, codes: list[str] | None = None) -> Path:
    """Write both files and the recipe; the seventh patient has no code."""
    (folder / "people.csv").write_text("\n".join(["id,name,age,sex", *PEOPLE]) + "\n")
    (folder / "codes.csv").write_text("\n".join(["patient,code", *(codes or CODES)]) + "\n")
    path = folder / "recipe.yaml"
    path.write_text(recipe)
    return path


def made(path: Path, target: Path) -> Any:
    return released(prepared(load(path), path.parent), target)


def test_a_recipe_of_two_resources_makes_one_release_that_keeps_its_promise(tmp_path: Path) -> None:
    release = made(ward(tmp_path), tmp_path / "out")
    with (tmp_path / "out/release/data.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["age", "sex", "codes"]
    assert len(rows) == 7
    reached = fewest([(row["age"], row["sex"]) for row in rows], [row["codes"].split() for row in rows], 2)
    assert reached is not None
    assert reached >= 2
    assert release.verdicts[0].holds
    assert release.evidence.verdicts[0].model == "k-km-anonymity"
    assert sorted(path.name for path in (tmp_path / "out/release").iterdir()) == [
        "data.csv",
        "evidence.json",
        "report.html",
        "schema.json",
    ]


def test_every_claim_that_bytes_can_show_is_confirmed(tmp_path: Path) -> None:
    made(ward(tmp_path), tmp_path / "out")
    found = verify(tmp_path / "out/release")
    assert not found.refuted
    promises = [one for one in found.findings if one.claim.startswith("k-km-anonymity")]
    assert [one.status for one in promises] == [Status.CONFIRMED]
    with_original = verify(tmp_path / "out/release", original=tmp_path / "codes.csv")
    assert not with_original.refuted


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (",f,", ",m,"),
        ("age,sex,codes", "age,sexe,codes"),
        (" B", ""),
    ],
)
def test_a_release_that_was_changed_is_refuted(tmp_path: Path, old: str, new: str) -> None:
    made(ward(tmp_path), tmp_path / "out")
    data = tmp_path / "out/release/data.csv"
    text = data.read_text()
    assert old in text
    data.write_text(text.replace(old, new, 1))
    assert verify(tmp_path / "out/release").refuted


def test_evidence_that_names_fewer_quasi_identifiers_is_refuted(tmp_path: Path) -> None:
    made(ward(tmp_path), tmp_path / "out")
    for name in ("evidence.json", "schema.json"):
        path = tmp_path / "out/release" / name
        told = json.loads(path.read_text())
        told["quasi"] = ["age"]
        path.write_text(json.dumps(told))
    claims = {one.claim for one in verify(tmp_path / "out/release").refuted}
    assert "file, schema, evidence and recipe tell of the same release" in claims
    assert "the release keeps its promises" in claims


def test_a_warning_that_was_struck_out_is_missed(tmp_path: Path) -> None:
    recipe = RECIPE.replace("{tree: {any: {A: [a1, a2], B: [b1, b2]}}}", "balanced")
    made(ward(tmp_path, recipe), tmp_path / "out")
    assert not verify(tmp_path / "out/release").refuted
    path = tmp_path / "out/release/evidence.json"
    told = json.loads(path.read_text())
    assert len(told["warnings"]) == 4
    for number in range(4):
        fewer = [warning for place, warning in enumerate(told["warnings"]) if place != number]
        path.write_text(json.dumps({**told, "warnings": fewer}))
        forge_report(path.parent, CodesEvidence)
        assert [one.claim for one in verify(tmp_path / "out/release").refuted] == [
            "the evidence tells what the promises leave open"
        ]


def test_public_files_hold_no_name_no_person_and_no_path(tmp_path: Path) -> None:
    made(ward(tmp_path), tmp_path / "out")
    for path in (tmp_path / "out/release").iterdir():
        text = path.read_text()
        assert "Ada" not in text, path.name
        assert "people.csv" not in text, path.name
        assert str(tmp_path) not in text, path.name


def test_the_steward_learns_what_was_lost_and_who_had_no_codes(tmp_path: Path) -> None:
    evidence = made(ward(tmp_path), tmp_path / "out").evidence
    names = {measure.name for measure in evidence.utility}
    assert {"gcp", "codes-ncp", "codes-utility-loss"} <= names
    assert evidence.original.empty == 1
    assert "of 7 people, 1 has no code: kept, with an empty set" in evidence.notes
    before = {one.name: one.value for one in evidence.risk_before}
    after = {one.name: one.value for one in evidence.risk_after}
    assert before == {"alone-on-quasi": 1.0, "alone-on-both": 1.0}
    assert after["alone-on-quasi"] == 0.0
    report = (tmp_path / "out/steward/report.html").read_text()
    assert "alone with quasi-identifiers and codes" in report.lower()


def test_a_parquet_release_holds_lists(tmp_path: Path) -> None:
    made(ward(tmp_path, RECIPE + "output: {format: parquet}\n"), tmp_path / "out")
    frame = pl.read_parquet(tmp_path / "out/release/data.parquet")
    assert frame.schema == {"age": pl.String, "sex": pl.String, "codes": pl.List(pl.String)}
    assert not verify(tmp_path / "out/release").refuted


def test_the_order_of_resources_does_not_matter(tmp_path: Path) -> None:
    first, second = RECIPE.index("  - name: patients"), RECIPE.index("  - name: diagnoses")
    models = RECIPE.index("models:")
    turned = RECIPE[:first] + RECIPE[second:models] + RECIPE[first:second] + RECIPE[models:]
    job = prepared(load(ward(tmp_path, turned)), tmp_path)
    assert isinstance(job, RecordsJob)
    assert job.asked.quasi == ("age", "sex")
    released(job, tmp_path / "out")
    assert not verify(tmp_path / "out/release").refuted


def test_the_published_recipe_is_a_recipe(tmp_path: Path) -> None:
    public = made(ward(tmp_path), tmp_path / "out").evidence.recipe
    for resource in public["resources"]:
        resource["path"] = "somewhere.csv"
    assert len(Recipe.model_validate(public).resources) == 2


def test_a_plan_writes_nothing(tmp_path: Path) -> None:
    path = ward(tmp_path)
    before = sorted(tmp_path.iterdir())
    plan = str(planned(prepared(load(path), tmp_path), tmp_path / "out"))
    assert "7, 7 distinct combinations" in plan
    assert "k-km-anonymity (k 2, m 2)" in plan
    assert sorted(tmp_path.iterdir()) == before


def test_codes_of_strangers_stop_the_run_and_leave_nothing_behind(tmp_path: Path) -> None:
    path = ward(tmp_path, codes=[*CODES, "9,a1"])
    with pytest.raises(BadInput, match="of 7 people with codes, 1 is not in the table"):
        made(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_bound_that_cannot_be_kept_leaves_nothing_behind(tmp_path: Path) -> None:
    path = ward(tmp_path, RECIPE.replace("delta: 0.8", "delta: 0.01"))
    with pytest.raises(PromiseNotMet, match=r"more than delta = 0\.01"):
        made(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("k-km-anonymity: {k: 2, m: 2}", "k-anonymity: {k: 2}", "no model about a table and codes"),
        ("relational-codes: {delta: 0.8}", "mondrian: {}", "no method for a table and codes"),
        ("{delta: 0.8}", "{detla: 0.8}", "'detla' is not a parameter"),
        ("{delta: 0.8}", "{clusters: datafly}", "'clusters' of relational-codes has a value"),
        ("{name: sex, role: quasi-identifier}", "{name: sex, role: sensitive}", "its role is sensitive"),
        ("{name: id, role: person}", "{name: id, role: identifier}", "0 columns have the role person"),
        (
            "{name: patient, role: person}",
            "{name: patient, role: identifier}",
            "0 columns have the role person",
        ),
        ("role: codes, hierarchy", "role: identifier, hierarchy", "it has a hierarchy and is identifier"),
        ("role: codes,", "role: codes, sensitive: [a1],", "sensitive codes"),
        ("role: codes,", "role: codes, mask: pseudonym,", "'mask' means nothing here"),
        ("name: age,", "name: age, unknown: root,", "'unknown' means nothing here"),
        ("    path: people.csv", "    path: people.csv\n    layout: long", "'layout' is for codes"),
        ("models:", "risk: {up-to: 2}\nmodels:", "'risk' is not there"),
        ("models:", "attacks: [homogeneity]\nmodels:", "'attacks' is not there"),
        ("models:", "engine: spark\nmodels:", "duckdb alone"),
        ("models:", "output: {format: jsonl}\nmodels:", "cannot be written as jsonl"),
        ("models:", "output: {layout: long}\nmodels:", "no row to put the quasi-identifiers on"),
        ("models:", "output: {suppressed: star}\nmodels:", "'suppressed' is for tables alone"),
        (
            "  - k-km-anonymity: {k: 2, m: 2}\n",
            "  - k-km-anonymity: {k: 2, m: 2}\n  - k-km-anonymity: {k: 3, m: 1}\n",
            "one promise",
        ),
        (", hierarchy: {tree: {any: {A: [a1, a2], B: [b1, b2]}}}", "", "the codes have none"),
        ("kind: codes", "kind: table", "only one resource is supported so far, or a table and codes"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_read(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in RECIPE
    with pytest.raises(BadInput, match=message):
        prepared(load(ward(tmp_path, RECIPE.replace(old, new, 1))), tmp_path)


def test_columns_that_the_recipe_does_not_mention_stop_the_run(tmp_path: Path) -> None:
    path = ward(tmp_path, RECIPE.replace("        - {name: name, role: identifier}\n", ""))
    with pytest.raises(BadInput, match="'name'"):
        made(path, tmp_path / "out")


def test_the_terminal_carries_it_out_and_verifies_it(tmp_path: Path) -> None:
    ward(tmp_path)
    done = sfumato("protect", "recipe.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "k-km-anonymity" in done.stdout
    verified = sfumato("verify", "release", folder=tmp_path)
    assert verified.returncode == 0, verified.stdout
    assert "0 refuted" in verified.stdout


def test_commands_that_know_tables_alone_say_so(tmp_path: Path) -> None:
    ward(tmp_path)
    compared = sfumato("compare", "recipe.yaml", folder=tmp_path)
    assert compared.returncode == 2
    assert "a table and codes" in " ".join(compared.stderr.split())
