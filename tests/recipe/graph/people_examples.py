"""A table about the nodes of a small network, and recipes over both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sfumato as sf
from tests.recipe.graph.network_examples import NAMES, csv

ALONE = "gus.grissom"
"""somebody who has a row and no edge"""
PEOPLE = (*NAMES, ALONE)
ILLNESSES = ("flu", "hiv", "gout")
JOBS = ("cook", "baker", "nurse", "midwife")
HEAD = "who,mail,age,town,ill,job"
FIELDS = {
    "who": "role: person",
    "mail": "role: identifier",
    "age": "role: quasi-identifier, hierarchy: {intervals: {widths: [10, 30]}}",
    "town": "role: quasi-identifier",
    "ill": "role: sensitive",
    "job": "role: identifier",
}
TABLE = "k-degree: {k: 3} + k-anonymity: {k: 3}"


def rows(people: Sequence[str] = PEOPLE) -> list[list[str]]:
    """Return what is known of people, in another order than in the network."""
    found = []
    for at, who in enumerate(people):
        town = ("Aarau", "Bern")[at % 2]
        age = 30 + at % 3 if at % 2 else 60 + at % 4
        found.append([who, f"{who}@mail.org", str(age), town, ILLNESSES[at % 3], JOBS[at % 4]])
    return found[::-1]


def people(folder: Path, given: Sequence[Sequence[str]] | None = None, head: str = HEAD) -> str:
    lines = [",".join(row) for row in (rows() if given is None else given)]
    (folder / "people.csv").write_text("\n".join([head, *lines, ""]))
    return "people.csv"


def recipe(
    folder: Path,
    *,
    models: str = TABLE,
    graph: str = "",
    fields: dict[str, str] | None = None,
    key: str = "",
    more: str = "",
    network: str = "",
) -> Path:
    """Write a recipe over a network and a table about its nodes."""
    listed = "".join(f"  - {model}\n" for model in models.split(" + "))
    roles = {**FIELDS, **(fields or {})}
    columns = "".join(f"        - {{name: {name}, {said}}}\n" for name, said in roles.items() if said)
    options = f"    graph: {{{graph}}}\n" if graph else ""
    target = folder / "recipe.yaml"
    target.write_text(
        f"sfumato: 1\ntitle: Made up\nresources:\n  - name: network\n    kind: graph\n"
        f"    path: {network or csv(folder)}\n{options}  - name: people\n    path: people.csv\n    schema:\n"
        f"{key}      fields:\n{columns}models:\n{listed}{more}"
    )
    return target


def released(folder: Path, **options: Any) -> Any:
    """Make a release beside the data."""
    if not (folder / "people.csv").exists():
        people(folder)
    return sf.run(recipe(folder, **options))
