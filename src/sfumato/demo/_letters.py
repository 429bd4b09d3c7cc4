"""Some notes of the hospital with what its table knows about their patients, and a recipe for them."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path

from sfumato.demo.hospital import Hospital

LETTERS = 200
"""so few that the demo stays short"""

_COLUMNS = ("patient_id", "name", "record_number")
_RECIPE = """\
# Notes without names: what the table knows about a patient is searched for in that patient's notes,
# and all else that points at people by patterns, lexicons and a learned model.
sfumato: 1
title: Notes of Lindenmoor
resources:
  - name: notes
    kind: text
    path: letters.csv
    text:
      known: {name: NAME, record_number: ID/mrn}
    schema:
      fields:
        - {name: patient_id, role: person}
        - {name: name, role: identifier}
        - {name: record_number, role: identifier}
        - {name: note, role: text}
models: [known-identifiers-removed]
method:
  deidentify: {replace: tags, policy: safe-harbor}
output: {folder: notes}
"""
_README = """
`letters.csv` holds the first {letters:,} notes once more, with the name and the record number of the patient;
`notes.yaml` is a recipe that takes these, and whatever else points at people, out of them. What it releases
lies in `notes/release`, what is to be kept in `notes/steward`.
"""


def write_letters(hospital: Hospital, letters: int = LETTERS) -> Path:
    """Write ``letters.csv`` and ``notes.yaml`` beside the other files, and return the recipe."""
    with (
        hospital.patients.open(encoding="utf-8", newline="") as people,
        hospital.notes.open(encoding="utf-8", newline="") as notes,
        (hospital.folder / "letters.csv").open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow((*_COLUMNS, "note"))
        written = 0
        for person, note in islice(zip(csv.DictReader(people), csv.DictReader(notes), strict=True), letters):
            assert person["patient_id"] == note["patient_id"]
            writer.writerow((*(person[column] for column in _COLUMNS), note["note"]))
            written += 1
    with hospital.readme.open("a", encoding="utf-8", newline="\n") as readme:
        readme.write(_README.format(letters=written))
    recipe = hospital.folder / "notes.yaml"
    recipe.write_text(_RECIPE, encoding="utf-8", newline="\n")
    return recipe
