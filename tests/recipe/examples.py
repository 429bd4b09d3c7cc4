"""Small files and recipes for tests."""

from __future__ import annotations

from pathlib import Path

from sfumato.core.evidence import PublicEvidence, ReleaseEvidence
from sfumato.report import render

RECIPE = """\
sfumato: 1
title: A small ward
resources:
  - path: people.csv
    schema:
      fields:
        - {name: id, role: person}
        - {name: name, role: identifier}
        - {name: age, role: quasi-identifier, hierarchy: {intervals: {widths: [5, 10], origin: 0}}}
        - {name: zip, role: quasi-identifier, hierarchy: {mask: {}}}
        - {name: ill, role: sensitive}
models:
  - k-anonymity: {k: 2}
method:
  optimal-lattice: {suppress: 0.2}
"""

HEADER = "id,name,age,zip,ill"
PEOPLE = [
    "1,Ada,31,02131,flu",
    "2,Bo,33,02132,cold",
    "3,Cy,34,02133,flu",
    "4,Di,32,02134,cold",
    "5,Ed,61,02171,flu",
    "6,Fay,64,02172,cold",
    "7,Gus,88,99999,rare",
]


def ward(folder: Path, recipe: str = RECIPE, people: list[str] = PEOPLE) -> Path:
    """Write the data and the recipe; return the recipe's path."""
    (folder / "people.csv").write_text("\n".join([HEADER, *people]) + "\n")
    path = folder / "recipe.yaml"
    path.write_text(recipe)
    return path


def files_in(folder: Path) -> set[str]:
    """List every file below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def forge_report(release: Path, kind: type[ReleaseEvidence] = PublicEvidence) -> None:
    """Make the page that people read fit changed evidence, as a forger would."""
    evidence = kind.model_validate_json((release / "evidence.json").read_text())
    (release / "report.html").write_text(render(evidence), encoding="utf-8")
