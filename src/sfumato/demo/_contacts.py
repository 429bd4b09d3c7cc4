"""Who met whom on the wards of the hospital, and a recipe for that network."""

from __future__ import annotations

import csv
from itertools import groupby
from pathlib import Path

from sfumato.demo.hospital import Hospital

_RECIPE = """\
# A network of contacts in which every number of contacts is that of five patients or more. Whoever knows
# more than this number may still find somebody: see docs/graph.md.
sfumato: 1
title: Contacts on the wards of Lindenmoor
resources:
  - name: contacts
    kind: graph
    path: contacts.csv
models:
  - k-degree: {k: 5}
method: k-degree
attacks: [degree, vertex-refinement]
output: {folder: graph}
"""
_README = """
`contacts.csv` lists who met whom: patients of a ward meet those who are admitted after them, the more the
longer they stay. Who met nobody is not in it. `graph.yaml` is a recipe that adds contacts until at least five
patients have the same number of them. What it releases lies in `graph/release`, what is to be kept in
`graph/steward`.
"""


def write_contacts(hospital: Hospital) -> Path:
    """Write ``contacts.csv`` and ``graph.yaml`` beside the other files, and return the recipe."""
    with (hospital.folder / "contacts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("patient_id", "met"))
        writer.writerows(sorted(contacts(hospital.patients)))
    with hospital.readme.open("a", encoding="utf-8", newline="\n") as readme:
        readme.write(_README)
    recipe = hospital.folder / "graph.yaml"
    recipe.write_text(_RECIPE, encoding="utf-8", newline="\n")
    return recipe


def contacts(patients: Path) -> list[tuple[str, str]]:
    """Return pairs of patients: each meets as many of the next on the ward as the stay has days.

    A ward takes a chapter of diagnoses, and one patient a day.
    """
    with patients.open(encoding="utf-8", newline="") as file:
        stays = sorted(
            (row["diagnosis_code"][:1], row["admission_date"], row["patient_id"], int(row["length_of_stay"]))
            for row in csv.DictReader(file)
        )
    found = []
    for _, group in groupby(stays, key=lambda stay: stay[0]):
        ward = list(group)
        for at, (*_, patient, days) in enumerate(ward):
            found += [(patient, other) for _, _, other, _ in ward[at + 1 : at + 1 + days]]
    return found
