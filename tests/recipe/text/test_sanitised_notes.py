"""Sensitive terms beside identifiers: generalised in the same release, and promised by t-plausibility."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.recipe.load import load
from sfumato.recipe.prepared import prepared, released
from sfumato.recipe.text.job import TextJob
from sfumato.recipe.text.outcome import identity_of
from sfumato.recipe.verify import verify
from sfumato.text.methods import Deidentify
from sfumato.text.models import TPlausibility
from tests.recipe.text.examples import job_for, recipe_in, released_rows, write_notes

NOTES = [
    ("1", "Eleanor Whitfield", "Ms Whitfield has tuberculosis, call 615-555-0142.", "", "A"),
    ("2", "Ömer Çelik", "Mr Çelik is well.", "", "B"),
]


def sanitising(**more: object) -> Deidentify:
    return Deidentify(sanitise={"t": 50, "terms": ["tuberculosis"], **more})


def notes_of(folder: Path) -> list[str]:
    return sorted(row["note"] for row in released_rows(folder))


def test_identifiers_and_sensitive_terms_are_replaced_in_one_release(tmp_path: Path) -> None:
    write_notes(tmp_path, NOTES)
    job = job_for(tmp_path, method=sanitising(), models=(TPlausibility(50),))
    made = released(job, tmp_path / "out")
    assert notes_of(made.data) == [
        "Mr **NAME[AAA] is well.",
        "Ms **NAME[AAA] has infectious disease, call **PHONE.",
    ]
    assert made.verdicts[0].holds
    assert not verify(tmp_path / "out").refuted
    public = (made.release / "evidence.json").read_text()
    assert "tuberculosis" not in public


def test_a_t_that_is_too_high_publishes_nothing(tmp_path: Path) -> None:
    write_notes(tmp_path, NOTES)
    job = job_for(tmp_path, method=sanitising(), models=(TPlausibility(10**9),))
    with pytest.raises(PromiseNotMet, match="t-plausibility does not hold"):
        released(job, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_terms_of_a_house_are_read_from_the_folder_of_the_recipe(tmp_path: Path) -> None:
    write_notes(tmp_path, NOTES)
    pairs = ["tuberculosis,lung trouble", *(f"ill{number},lung trouble" for number in range(60))]
    (tmp_path / "terms.csv").write_text("\n".join(pairs) + "\n")
    method = "{deidentify: {sanitise: {t: 50, terms: [tuberculosis], ontology: terms.csv}}}"
    path = recipe_in(tmp_path, models="[{t-plausibility: {t: 50}}]", method=method)
    job = prepared(load(path), tmp_path)
    assert isinstance(job, TextJob)
    made = released(job, tmp_path / "out")
    assert any("has lung trouble" in note for note in notes_of(made.data))
    assert made.verdicts[0].holds
    told = json.loads((made.release / "evidence.json").read_text())["recipe"]["method"]["deidentify"]
    assert told["sanitise"]["ontology"] == "kept by the steward"
    assert not verify(tmp_path / "out").refuted


def test_names_of_diagnoses_come_from_the_icd(tmp_path: Path) -> None:
    write_notes(tmp_path, [("1", "Ann", "Known cholera.", "", "A")])
    job = job_for(tmp_path, method=Deidentify(sanitise={"t": 5, "terms": ["cholera"], "ontology": "icd10cm"}))
    made = released(job, tmp_path / "out")
    assert notes_of(made.data) == ["Known intestinal infectious diseases."]


def test_an_ontology_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no ontology 'wordnt'; did you mean 'wordnet'"):
        sanitising(ontology="wordnt")
    with pytest.raises(BadInput, match="no such file"):
        sanitising(ontology=str(tmp_path / "none.csv"))


def test_unfinished_work_is_not_gone_on_with_when_other_terms_are_sensitive(tmp_path: Path) -> None:
    write_notes(tmp_path, NOTES)
    one = identity_of(job_for(tmp_path, method=sanitising()))
    two = identity_of(job_for(tmp_path, method=Deidentify(sanitise={"t": 50, "terms": ["cholera"]})))
    assert one != two
