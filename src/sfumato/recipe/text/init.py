"""``sfumato init`` over notes: see that a column holds long texts, and propose a recipe for them."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.sources import CsvFile, JsonLines, Source
from sfumato.recipe.guess import ColumnSummary, Guess, guess_roles
from sfumato.recipe.kinds import kind_of
from sfumato.recipe.spelling import comment, quoted
from sfumato.recipe.text.job import folder_schema
from sfumato.recipe.vocabulary import topic_of
from sfumato.text.stream.reading import NotesFolder, rows_of

if TYPE_CHECKING:
    from rich.table import Table as Shown

LOOKED_AT = 300
"""rows that are looked at"""
LONG = 80
"""characters from which on a typical value is a text"""
FEWEST_WORDS = 10
SHORT = 20
FEW_WORDS = 3
"""the same of a column whose name says that it holds notes"""
_KNOWN = {
    "name": "NAME",
    "medical-record-number": "ID",
    "other-id": "ID",
    "ssn": "SSN",
    "phone": "PHONE",
    "fax": "PHONE",
    "email": "EMAIL",
    "street": "LOCATION/street",
    "city": "LOCATION/city",
}
"""what a column is searched for as, by what it seems to hold"""
_DATES = ("date", "admission-date", "discharge-date", "death-date", "birth-date")


@dataclass(frozen=True)
class TextProposal:
    """What was guessed about a file of notes."""

    path: Path
    delimiter: str | None
    encoding: str
    guesses: dict[str, Guess]
    known: dict[str, str]
    written: str | None

    @property
    def schema(self) -> Schema:
        """The guessed roles."""
        return Schema(tuple(Field(name, guess.role) for name, guess in self.guesses.items()))

    def table(self) -> Shown:
        """Lay the guesses out for the terminal."""
        from rich.markup import escape
        from rich.table import Table as Shown

        table = Shown(
            "column", "role", "why", title=f"{self.path.name}: notes", title_justify="left", box=None
        )
        for name, guess in self.guesses.items():
            table.add_row(escape(name), str(guess.role), escape(guess.reason))
        return table


def propose_text(path: Path, source: Source | NotesFolder, *, asked: bool) -> TextProposal | None:
    """Look at the first rows of a file; None where no column holds long texts."""
    if isinstance(source, NotesFolder):
        roles = {
            field.name: Guess(field.role, "a folder of text files", 1.0) for field in folder_schema().fields
        }
        return TextProposal(path, None, "utf-8", roles, {}, None)
    if not isinstance(source, CsvFile | JsonLines):
        return None
    try:
        columns = _summaries(source)
    except BadInput:
        if asked:
            raise
        return None
    text = _longest(columns)
    if text is None:
        if asked:
            raise BadInput(
                "no column was recognised that holds notes",
                where=str(path),
                remedy="write the recipe by hand, with the role text for the column that does",
            )
        return None
    guesses = {
        name: _of_notes(guess)
        for name, guess in guess_roles([c for c in columns if c.name != text], {}).items()
    }
    reason = f"long texts: {FEWEST_WORDS} words and {LONG} characters or more in a typical one"
    if (match := topic_of(text)) is not None and match.topic.name == "free text":
        reason = f"the name says '{match.word}', and a typical one has {FEW_WORDS} words or more"
    ordered = {c.name: guesses.get(c.name) or Guess(Role.TEXT, reason, 0.9) for c in columns}
    hidden = [n for n, g in ordered.items() if g.role in (Role.IDENTIFIER, Role.PERSON)]
    known = {n: _KNOWN[str(kind_of(n))] for n in hidden if kind_of(n) in _KNOWN}
    dates = [n for n in ordered if kind_of(n) in _DATES and kind_of(n) != "birth-date"]
    delimiter = source.delimiter if isinstance(source, CsvFile) else None
    encoding = source.encoding if isinstance(source, CsvFile) else "utf-8"
    return TextProposal(path, delimiter, encoding, ordered, known, dates[0] if dates else None)


def _summaries(source: CsvFile | JsonLines) -> list[ColumnSummary]:
    with rows_of(source) as rows:
        names = rows.names
        looked = list(itertools.islice(rows.values, LOOKED_AT))
    if not looked:
        raise BadInput("the file has a header and no rows", remedy="give a file with rows")
    found = []
    for place, name in enumerate(names):
        values = [row[place] for row in looked if row[place] is not None]
        distinct = tuple(dict.fromkeys(str(value) for value in values))
        found.append(
            ColumnSummary(
                name, "string", len(looked), len(distinct), len(looked) - len(values), distinct[:200]
            )
        )
    return found


def _longest(columns: list[ColumnSummary]) -> str | None:
    """Return the column whose typical value is longest, if it is a text."""
    best: tuple[int, str] | None = None
    for column in columns:
        lengths = sorted(len(value) for value in column.sample)
        words = sorted(len(value.split()) for value in column.sample)
        if not lengths:
            continue
        middle = len(lengths) // 2
        match = topic_of(column.name)
        called = match is not None and match.topic.name == "free text"
        long, fewest = (SHORT, FEW_WORDS) if called else (LONG, FEWEST_WORDS)
        if lengths[middle] >= long and words[middle] >= fewest:
            best = max(best or (0, ""), (lengths[middle], column.name))
    return best[1] if best else None


def _of_notes(guess: Guess) -> Guess:
    """Beside notes there are fewer roles: what else was guessed is not released."""
    if guess.role in (Role.PERSON, Role.IDENTIFIER, Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE):
        return guess
    return Guess(Role.IDENTIFIER, guess.reason, guess.certainty)


def text_recipe_text(proposal: TextProposal, folder: Path) -> str:
    """Spell a proposal as a recipe with comments; paths are seen from the recipe's folder."""
    path = os.path.relpath(proposal.path, folder)
    lines = [
        "# A recipe for sfumato. The roles below are guesses: read every line before you use it.",
        "# Roles: text (searched, and what is found replaced), person, identifier (both never released),",
        "# quasi-identifier and insensitive (released as they are, unless a mask says otherwise).",
        "sfumato: 1",
        'title: "Notes about people"  # stands above the report, for everybody to read',
        "resources:",
        "  - name: data",
        "    kind: text",
        f"    path: {quoted(Path(path).as_posix())}",
    ]
    if proposal.delimiter is not None:
        lines.append(f"    delimiter: {quoted(proposal.delimiter)}")
    if proposal.encoding != "utf-8":
        lines.append(f"    encoding: {quoted(proposal.encoding)}")
    lines += [
        "    text:",
        "      language: en",
        "      model: shipped     # none: patterns and lexicons alone; or a model of your own",
        "      threshold: 0.5     # lower finds more, and more that is nothing",
    ]
    if proposal.known:
        lines.append("      # what these columns hold is searched for in the notes of their person")
        lines.append("      known:")
        lines += [f"        {quoted(name)}: {kind}" for name, kind in proposal.known.items()]
    if proposal.written is not None:
        lines.append(f"      written: {quoted(proposal.written)}")
    lines += [
        "      # annotated: gold.jsonl  # annotated notes of the house, to measure what is missed",
        "    schema:",
        "      fields:",
    ]
    for name, guess in proposal.guesses.items():
        lines.append(f"        # {comment(guess.reason)}")
        lines.append(f"        - name: {quoted(name)}")
        lines.append(f"          role: {guess.role}")
        released = guess.role not in (Role.PERSON, Role.IDENTIFIER, Role.TEXT)
        if released and kind_of(name) in _DATES:
            mask = "birth-year" if kind_of(name) == "birth-date" else "year"
            lines.append(f"          mask: {mask}  # or date-shift, with 'policy: shifted-dates' below")
    promised = "[known-identifiers-removed]" if proposal.known else "[]"
    lines += [
        "# What to promise: that nothing of the known columns stands in the notes.",
        f"models: {promised}",
        "# How: tags, masks, removal, generalisation, pseudonyms or surrogates (these need a key);",
        "# policy: safe-harbor (years only), shifted-dates (needs an expert), everything.",
        "method:",
        "  deidentify: {replace: tags, policy: safe-harbor}",
        "# masking: {keyFrom: SFUMATO_NOTES_KEY, recipient: …, purpose: …}",
        "output:",
        "  folder: .          # holds release/ (to share) and steward/ (to keep) afterwards",
    ]
    return "\n".join(lines) + "\n"
