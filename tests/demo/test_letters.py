"""The letters of the demo: notes with what the table knows, and a recipe that can be carried out."""

from __future__ import annotations

import csv
from pathlib import Path

from sfumato.demo import generate, write_letters
from sfumato.recipe.load import load


def test_letters_are_notes_of_the_hospital_beside_the_name_of_their_patient(tmp_path: Path) -> None:
    hospital = generate(tmp_path, patients=60)
    write_letters(hospital, letters=50)
    with (tmp_path / "letters.csv").open(encoding="utf-8", newline="") as file:
        letters = list(csv.DictReader(file))
    with hospital.notes.open(encoding="utf-8", newline="") as file:
        notes = {row["patient_id"]: row["note"] for row in csv.DictReader(file)}
    with hospital.patients.open(encoding="utf-8", newline="") as file:
        names = {row["patient_id"]: row["name"] for row in csv.DictReader(file)}
    assert len(letters) == 50
    for letter in letters:
        assert letter["note"] == notes[letter["patient_id"]]
        assert letter["name"] == names[letter["patient_id"]]
        assert letter["name"].split()[-1] in letter["note"]


def test_the_recipe_of_the_letters_is_valid_and_the_readme_speaks_of_it(tmp_path: Path) -> None:
    hospital = generate(tmp_path, patients=60)
    recipe = write_letters(hospital)
    assert load(recipe).resources[0].kind == "text"
    assert "`notes.yaml`" in hospital.readme.read_text(encoding="utf-8")


def test_the_same_hospital_has_the_same_letters(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_letters(generate(tmp_path / folder, patients=60))
    for name in ("letters.csv", "notes.yaml", "README.md"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
