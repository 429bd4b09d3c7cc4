"""Small sets of codes and recipes for tests."""

from __future__ import annotations

from pathlib import Path

TREE = "{tree: {any: {A: [a1, a2, a3], B: [b1, b2], S: [s1, s2], C: [c1, c2]}}}"
"""a3 and c2 never occur"""
RECIPE = f"""\
sfumato: 1
title: A small ward
resources:
  - path: visits.csv
    kind: codes
    schema:
      fields:
        - {{name: patient, role: person}}
        - {{name: name, role: identifier}}
        - {{name: visit, role: visit}}
        - {{name: code, role: codes, hierarchy: {TREE}, sensitive: [s1, s2]}}
models:
  - k-m-anonymity: {{k: 3, m: 2}}
method: apriori
"""
PEOPLE = [
    "a1 b1 s1",
    "a1 b1",
    "a1 b1",
    "a1 b2",
    "a2 b2",
    "a2 b2 s1",
    "a2 b1",
    "a1 b1 s2",
    "a1 b1 c1",
    "a2 b2 c1",
    "a1 a2 b1 c1",
    "b1 b2",
    "b1",
    "a1",
    "",
]
"""the codes of each patient; the last has none"""
NAMES = ["Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou", "Mo", "Ned", "Oz"]


def ward(folder: Path, recipe: str = RECIPE, people: list[str] = PEOPLE) -> Path:
    """Write the data as a long table, every patient with two visits, and the recipe; return its path."""
    rows = ["patient,name,visit,code"]
    for number, codes in enumerate(people):
        for place, code in enumerate(codes.split() or [""]):
            rows.append(f"p{number:02},{NAMES[number % len(NAMES)]},{place % 2},{code}")
    (folder / "visits.csv").write_text("\n".join(rows) + "\n")
    path = folder / "recipe.yaml"
    path.write_text(recipe)
    return path


def with_models(*spelt: str, method: str | None = None, recipe: str = RECIPE) -> str:
    """Put other models, and perhaps another method, into the recipe."""
    start = recipe[: recipe.index("models:")]
    listed = "".join(f"  - {one}\n" for one in spelt)
    return f"{start}models:\n{listed}" + (f"method: {method}\n" if method else "")


def files_in(folder: Path) -> set[str]:
    """List every file below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
