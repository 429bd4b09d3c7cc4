"""A few people and their notes, a search that is easy to see through, and recipes about them."""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.sources import CsvFile
from sfumato.recipe.text.job import TextJob
from sfumato.text.finder import Finder
from sfumato.text.finders import LanguageFinding
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, Span

HEADER = ("patient_id", "name", "note", "written", "ward")
PEOPLE = [
    (
        "1",
        "Eleanor Whitfield",
        "Ms Whitfield, seen on 2003-01-17, is well.\nCall 615-555-0142.",
        "2003-01-17",
        "A",
    ),
    ("2", "Ömer Çelik", "Mr Çelik was seen; mail celik@example.org", "2004-02-02", "B"),
    ("1", "Eleanor Whitfield", "Eleanor back on 2003-01-20. BP 128/74.", "2003-01-20", "A"),
    ("3", "Ann Bo", "", "2005-05-05", "B"),
]
KEY = "k" * 32
RECIPE = """\
sfumato: 1
title: Notes of a ward
resources:
  - name: notes
    kind: text
    path: notes.csv
    text: {{language: en, model: none{more}}}
    schema:
      fields:
        - {{name: patient_id, role: person}}
        - {{name: name, role: identifier}}
        - {{name: note, role: text}}
        - {{name: written, role: identifier}}
        - {{name: ward, role: insensitive}}
models: {models}
method: {method}
"""


@dataclass(frozen=True)
class Plain:
    """Proposes capitalised words that it knows, ISO dates, e-mail addresses and telephone numbers."""

    name: str = "plain"
    wait: float = 0.0

    def find(self, page: Page) -> Iterator[Span]:
        time.sleep(self.wait)
        forms = {
            Kind.NAME: r"\b(?:Whitfield|Eleanor|Çelik|P\d+name)\b",
            Kind.DATE: r"\b\d{4}-\d\d-\d\d\b",
            Kind.EMAIL: r"\b[a-z]+@[a-z.]+[a-z]\b",
            Kind.PHONE: r"\b\d{3}-\d{3}-\d{4}\b",
        }
        for kind, form in forms.items():
            for match in re.finditer(form, page.text):
                label = "full" if kind is Kind.DATE else ""
                yield Span(match.start(), match.end(), kind, label, LIKELY, self.name)


@dataclass(frozen=True)
class PlainFinding(LanguageFinding):
    """Looks with ``Plain`` alone: what is found can be seen from the text."""

    model: str = "none"
    wait: float = field(default=0.0)

    def finder(self) -> Finder:
        from sfumato.text.detectors.known_values import KnownValues

        passes = (KnownValues(),) if self.known_everywhere else ()
        return Finder((Plain(wait=self.wait),), passes, self.threshold)


def write_notes(folder: Path, people: list[tuple[str, ...]] = PEOPLE) -> Path:
    """Write notes as a CSV file."""
    path = folder / "notes.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADER, *people])
    return path


def schema(person: bool = True) -> Schema:
    """The roles of the example."""
    return Schema(
        (
            Field("patient_id", Role.PERSON if person else Role.IDENTIFIER),
            Field("name", Role.IDENTIFIER),
            Field("note", Role.TEXT),
            Field("written", Role.IDENTIFIER),
            Field("ward", Role.INSENSITIVE),
        )
    )


def job_for(folder: Path, **more: Any) -> TextJob:
    """A job over the example, with the search that is easy to see through."""
    path = folder / "notes.csv"
    if not path.exists():
        write_notes(folder)
    told: dict[str, Any] = {"finding": PlainFinding(), "schema": schema(), "jobs": 1, **more}
    return TextJob(source=CsvFile(path), **told)


def recipe_in(folder: Path, *, models: str = "[]", method: str = "deidentify", more: str = "") -> Path:
    """Write notes and a recipe into a folder, and return the recipe."""
    if not (folder / "notes.csv").exists():
        write_notes(folder)
    path = folder / "recipe.yaml"
    path.write_text(RECIPE.format(models=models, method=method, more=more), encoding="utf-8")
    return path


def released_rows(path: Path) -> list[dict[str, str]]:
    """Read a released CSV file."""
    csv.field_size_limit(1 << 30)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
