"""Small files and recipes about identifiers."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

KEY = "a key of thirty-two characters or more"
HEADER = "id,name,email,age,zip,born,consent,ill"


def people(number: int = 30) -> list[str]:
    """Make rows up: every name and address is one person's own."""
    return [
        f"{1000 + i},Person Number{i},p{i}@mail.example,{31 + i % 3},0213{i % 4},"
        f"19{50 + i % 5}-0{1 + i % 9}-11,yes,{'flu' if i % 2 else 'cold'}"
        for i in range(number)
    ]


def recipe(
    name: str = "role: identifier",
    more: str = "",
    *,
    person: str = "role: person",
    email: str = "role: identifier",
    age: str = "role: quasi-identifier",
    postcode: str = "role: quasi-identifier",
    born: str = "role: identifier",
    consent: str = "role: insensitive",
    ill: str = "role: sensitive",
    output: str = "",
) -> str:
    """Write a recipe; each argument says what a column is."""
    fields = {
        "id": person,
        "name": name,
        "email": email,
        "age": age,
        "zip": postcode,
        "born": born,
        "consent": consent,
        "ill": ill,
    }
    listed = "\n".join(f"        - {{name: {column}, {said}}}" for column, said in fields.items())
    return f"""\
sfumato: 1
title: A ward
resources:
  - path: people.csv
    schema:
      fields:
{listed}
models:
  - k-anonymity: {{k: 2}}
method: mondrian
{output}
{more}
"""


def kinds(**changes: str) -> str:
    """Write the recipe of a policy: every column says what it holds."""
    said = {
        "person": "role: person, kind: medical-record-number",
        "name": "role: identifier, kind: name",
        "email": "role: identifier, kind: email",
        "age": "role: quasi-identifier, kind: age",
        "postcode": "role: quasi-identifier, kind: zip",
        "born": "role: quasi-identifier, kind: birth-date",
        "consent": "role: insensitive, kind: other",
        # Among these people the illness follows from the ZIP code.
        "ill": "role: sensitive, confirmed: true, kind: other",
        "more": "policy: safe-harbor",
    }
    return recipe(**{**said, **changes})


def write(folder: Path, text: str, rows: list[str] | None = None) -> Path:
    """Write data and recipe; return the recipe's path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "people.csv").write_text("\n".join([HEADER, *(people() if rows is None else rows)]) + "\n")
    path = folder / "recipe.yaml"
    path.write_text(text)
    return path


def rows_of(path: Path) -> list[dict[str, Any]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
