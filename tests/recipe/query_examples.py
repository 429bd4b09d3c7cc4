"""A small hospital behind a declared database: the smallest recipe of the kind query, and its files."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from sfumato.demo.hospital import generate

DATABASE = """\
sfumato: 1
data_set: hospital
neighbours: {neighbours}
budget: {{epsilon: 1000, delta: 1e-6}}
tables:
  patients:
    source: patients.csv
    person: patient_id
    max_rows: 100000
    columns:
      age: {{type: integer, lower: 0, upper: 119}}
      sex: {{type: category, values: [F, M]}}
      smoker: {{type: category, values: ["yes", "no", former]}}
      length_of_stay: {{type: integer, lower: 0, upper: 30}}
      admission_date: {{type: date, lower: 2020-01-01, upper: 2026-12-31}}
      charges: {{type: number, lower: 0, upper: 50000, grid: 0.1}}
"""
RECIPE = """\
sfumato: 1
title: Patients
resources:
  - name: patients
    kind: query
    path: patients.csv
    database: {database}
models:
{models}
method: {method}
"""
USE = (
    "{file: database.yaml, columns: [age, sex, smoker, charges], target: smoker, "
    "edges: {age: [0, 18, 65, 120], charges: [0, 5000, 20000, 50000.1]}}"
)
PURE = "  - differential-privacy: {epsilon: 1}"


def recipe_text(method: str = "independent-marginals", *, models: str = PURE, database: str = USE) -> str:
    """Spell a recipe."""
    return RECIPE.format(method=method, models=models, database=database)


@functools.cache
def _patients(number: int) -> str:
    """Draw patients once for all tests."""
    with tempfile.TemporaryDirectory() as folder:
        return generate(Path(folder), patients=number).patients.read_text()


def hospital(
    folder: Path, recipe: str | None = None, *, patients: int = 150, neighbours: str = "add-remove"
) -> Path:
    """Write patients, database and recipe into a folder, and return the recipe."""
    if not (folder / "patients.csv").exists():
        (folder / "patients.csv").write_text(_patients(patients))
    (folder / "database.yaml").write_text(DATABASE.format(neighbours=neighbours))
    path = folder / "recipe.yaml"
    path.write_text(recipe_text() if recipe is None else recipe)
    return path


def people(folder: Path, rows: list[str], recipe: str | None = None, neighbours: str = "add-remove") -> Path:
    """The same with rows of one's own: patient_id, age, sex, smoker, charges."""
    header = "patient_id,age,sex,smoker,length_of_stay,admission_date,charges"
    lines = [
        f"{who},{age},{sex},{smoker},1,2024-01-01,{charges}"
        for who, age, sex, smoker, charges in (row.split(",") for row in rows)
    ]
    (folder / "patients.csv").write_text("\n".join([header, *lines, ""]))
    return hospital(folder, recipe, neighbours=neighbours)
