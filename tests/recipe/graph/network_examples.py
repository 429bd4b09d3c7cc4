"""Small networks, recipes over them and ways to tamper with what was released, for tests of networks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

import sfumato as sf
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.core.fingerprint import sha256_of
from sfumato.report import write as write_report
from tests.recipe.dna.rows_examples import edit_json

NAMES = tuple(
    f"{first}.{last}" for first in ("ada", "bo", "cy", "di", "ed", "fay") for last in ("xu", "yates", "zola")
)
"""names that identify: none of them may ever be seen again"""


def pairs(people: int = len(NAMES), edges: int = 30, seed: int = 5) -> list[tuple[int, int]]:
    """Return made-up edges in which the first person has many."""
    chance = np.random.default_rng(seed)
    found = {(0, other) for other in range(1, people - 1)}
    while len(found) < edges:
        one, other = sorted(chance.choice(people - 1, 2, replace=False).tolist())
        found.add((one, other))
    return sorted({*found, (1, people - 1)})


EDGES = pairs()


def csv(folder: Path, edges: Sequence[tuple[int, int]] = EDGES, name: str = "friends.csv") -> str:
    lines = [f"{NAMES[one]},{NAMES[other]}\n" for one, other in edges]
    (folder / name).write_text("".join(["source,target\n", *lines]))
    return name


def text(folder: Path, edges: Sequence[tuple[int, int]] = EDGES, name: str = "friends.txt") -> str:
    (folder / name).write_text("".join(f"{NAMES[one]}\t{NAMES[other]}\n" for one, other in edges))
    return name


def gml(folder: Path, edges: Sequence[tuple[int, int]] = EDGES, name: str = "friends.gml") -> str:
    """Write a file with names, jobs and one person without an edge."""
    nodes = [
        f'node [ id {at} label "{who}" job "{"nurse" if at % 2 else "cook"}" ]'
        for at, who in enumerate((*NAMES, "gus.grissom"))
    ]
    ends = [f"edge [ source {one} target {other} ]" for one, other in edges]
    (folder / name).write_text("\n".join(['Creator "ada.xu"', "graph [", *nodes, *ends, "]\n"]))
    return name


def recipe(
    folder: Path, path: str, *, models: str = "k-degree: {k: 3}", graph: str = "", more: str = ""
) -> Path:
    """Write a recipe over a file and return where it is."""
    options = f"    graph: {{{graph}}}\n" if graph else ""
    listed = "".join(f"  - {model}\n" for model in models.split(" + "))
    text = (
        f"sfumato: 1\ntitle: Made up\nresources:\n  - name: network\n    kind: graph\n    path: {path}\n"
        f"{options}models:\n{listed}{more}"
    )
    target = folder / "recipe.yaml"
    target.write_text(text)
    return target


def released(folder: Path, path: str, **options: Any) -> Any:
    """Make a release beside the data."""
    return sf.run(recipe(folder, path, **options))


def forge(release: Path) -> None:
    """Make fingerprints and report fit what was changed, as a forger would."""

    def schema(found: Any) -> None:
        found["more"] = {name: sha256_of(release / name) for name in found["more"]}

    def evidence(found: Any) -> None:
        file = release / found["data"]["file"]
        found["data"] |= {"sha256": sha256_of(file), "bytes": file.stat().st_size}
        found["schema_sha256"] = sha256_of(release / "schema.json")

    edit_json(release / "schema.json", schema)
    edit_json(release / "evidence.json", evidence)
    with suppress(ValidationError):
        told = GraphEvidence.model_validate_json((release / "evidence.json").read_text())
        write_report(told, release / "report.html")
