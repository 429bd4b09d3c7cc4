"""``sfumato text risk``: what points at people in a file of notes, and whom the rest singles out."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput, nearest
from sfumato.engine.sources import CsvFile, JsonLines, source_of
from sfumato.text.finders import LanguageFinding
from sfumato.text.note import Note, Record
from sfumato.text.risk import exposure
from sfumato.text.stream.reading import NotesFolder, rows_of

_USUAL = ("note", "text", "notes", "report")


def show_text_risk(
    notes: Path,
    column: str | None,
    person: str | None,
    searching: tuple[str, str, float],
    as_json: bool,
    console: Console,
    errors: Console,
) -> None:
    """Read notes, search them, and print what was counted."""
    with TerminalProgress(errors) as progress:
        progress.step("searching")
        finding = LanguageFinding(*searching)
        risk = exposure(records_of(notes, column, person), finding.finder(), finding.language)
    if as_json:
        console.print_json(json.dumps(dataclasses.asdict(risk)))
        return
    console.print(str(risk), highlight=False, markup=False, soft_wrap=True)
    if person is None:
        console.print("every note was taken as another person's: name the person with --person")


def records_of(notes: Path, column: str | None, person: str | None) -> Iterator[Record]:
    """Read notes: those of one person together where a column names the person, else one by one."""
    source: CsvFile | JsonLines | NotesFolder
    if notes.is_dir():
        source = NotesFolder(notes)
    else:
        found = source_of(notes)
        if not isinstance(found, CsvFile | JsonLines):
            raise BadInput(
                "notes are read from CSV, JSON lines, or a folder of .txt files",
                where=str(notes),
                remedy="write them as one of these",
            )
        source = found
    with rows_of(source) as rows:
        text = _column(rows.names, column, str(notes))
        if person is not None and person not in rows.names:
            raise BadInput(
                f"there is no column '{person}'", where=str(notes), remedy=nearest(person, rows.names)
            )
        together: dict[str, list[str]] = {}
        for piece in rows.pieces():
            who = [None] * piece.num_rows if person is None else piece.column(person).to_pylist()
            for name, note in zip(who, piece.column(text).to_pylist(), strict=True):
                if not note:
                    continue
                if name is None:
                    yield Record.of(note)
                else:
                    together.setdefault(str(name), []).append(note)
    for name, listed in together.items():
        yield Record(tuple(Note(note) for note in listed), name)


def _column(names: tuple[str, ...], column: str | None, where: str) -> str:
    chosen = column or next((name for name in _USUAL if name in names), None)
    if chosen is None and len(names) == 1:
        return names[0]
    if chosen is None or chosen not in names:
        raise BadInput(
            "which column holds the notes is not known"
            if column is None
            else f"there is no column '{column}'",
            where=where,
            remedy=f"name it with --column; {nearest(column or '', names)}",
        )
    return chosen
