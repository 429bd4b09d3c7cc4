"""What ``sfumato text`` does beside searching: train, evaluate, convert, tag and generate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console

from sfumato.cli.places import refuse_release
from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput, nearest
from sfumato.core.files import read_bytes
from sfumato.core.system import could_not
from sfumato.core.whole_file import write_whole
from sfumato.engine.sources import CsvFile, JsonLines, source_of
from sfumato.recipe.text.evaluated import read_annotated
from sfumato.text.annotation import Annotated
from sfumato.text.annotation.brat import write_brat
from sfumato.text.annotation.jsonl import format_jsonl, write_jsonl
from sfumato.text.finders import LanguageFinding
from sfumato.text.note import Note, Record
from sfumato.text.stream.decoding import decoded_file, writable
from sfumato.text.stream.reading import NotesFolder, rows_of

Searching = tuple[str, str, float]
"""language, model and threshold"""


def train_model(
    annotated: Sequence[Path],
    out: Path,
    language: str,
    generated: int,
    about: str,
    real: bool,
    replace: bool,
    console: Console,
    errors: Console,
) -> None:
    """Train a model and write it."""
    from sfumato.text.crf.train import train
    from sfumato.text.training import generated_notes
    from sfumato.text.word_list import word_list

    _refuse_there(out, replace)
    refuse_release(out, "a model", "--out")
    notes = [note for path in annotated for note in read_annotated(path)]
    if generated:
        notes += generated_notes(generated, seed=1, language=language)
        about = f"{about}, and {generated:,} made-up notes"
    with TerminalProgress(errors) as progress:
        model = train(
            notes, word_list(language), trained_on=about, real=real, language=language, progress=progress
        )
    model.save(out)
    console.print(model.describe(), markup=False, highlight=False)
    _say(console, f"Model: {out}")


def evaluate_model(
    annotated: Path,
    searching: Searching,
    scope: str,
    html: Path | None,
    over: Path | None,
    as_json: bool,
    replace: bool,
    console: Console,
    errors: Console,
) -> None:
    """Measure a finder on annotated notes, and print or write what came out."""
    from sfumato.text.evaluate import SCOPES, evaluate, over_redaction

    if scope not in SCOPES:
        raise BadInput(f"there is no scope '{scope}'", where="--scope", remedy=nearest(scope, SCOPES))
    if html is not None:
        _refuse_there(html, replace)
        refuse_release(html, "a page with raw notes", "--html")
    notes = read_annotated(annotated)
    with TerminalProgress(errors) as progress:
        progress.step("searching the annotated notes")
        finder = LanguageFinding(*searching).finder()
        found = [finder.find(Record((Note(note.text, note.id),))).spans[0] for note in notes]
        outcome = evaluate(notes, found, SCOPES[scope])
        taken = None
        if over is not None:
            progress.step("searching notes without annotations")
            texts = [text for _, text in read_notes(over, None)]
            hits = [finder.find(Record.of(text)).spans[0] for text in texts]
            taken = over_redaction(texts, hits, SCOPES[scope])
    if as_json:
        told = {**outcome.public(), **({} if taken is None else {"over_redaction": taken.share.value})}
        print(json.dumps(told, indent=2))
    else:
        console.print(str(outcome), markup=False, highlight=False, soft_wrap=True)
        if taken is not None:
            console.print(str(taken), markup=False, highlight=False, soft_wrap=True)
    if html is not None:
        from sfumato.report.text_evaluation import evaluation_page

        page = evaluation_page(notes, found, scope=SCOPES[scope], over=taken)
        write_whole(html, page)
        _say(errors, f"Page: {html} (it shows raw notes: keep it in the house)")


def convert_annotations(source: Path, target: Path, replace: bool, console: Console) -> None:
    """Read annotations in one form and write them in another."""
    notes = read_annotated(source)
    _write(notes, target, replace)
    _say(console, f"{len(notes):,} notes: {target}")


def tag_notes(
    notes: Path,
    out: Path,
    column: str | None,
    searching: Searching,
    replace: bool,
    console: Console,
    errors: Console,
) -> None:
    """Annotate notes by machine."""
    _refuse_there(out, replace)
    refuse_release(out, "raw notes", "--out")
    read = read_notes(notes, column)
    with TerminalProgress(errors) as progress:
        progress.step("searching")
        finder = LanguageFinding(*searching).finder()
        tagged = []
        for place, (name, text) in enumerate(read):
            tagged.append(Annotated(text, finder.find(Record.of(text)).spans[0], id=name))
            progress.update((place + 1) / len(read))
    _write(tagged, out, replace)
    _say(console, f"{len(tagged):,} notes: {out}")
    _say(console, f"Correct them, then: sfumato text train {out} --out model")


def generate_notes(
    number: int, out: Path | None, seed: int, language: str, replace: bool, console: Console
) -> None:
    """Make notes up."""
    from sfumato.text.training import generated_notes

    notes = generated_notes(number, seed=seed, language=language)
    if out is None:
        for note in notes:
            print(format_jsonl(note))
        return
    listed = list(notes)
    _write(listed, out, replace)
    _say(console, f"{len(listed):,} notes: {out}")


def read_notes(path: Path, column: str | None) -> list[tuple[str, str]]:
    """Read notes without annotations, each with a name: files, or rows of a table."""
    if path.is_dir():
        source: CsvFile | JsonLines | NotesFolder = NotesFolder(path)
    elif path.suffix.lower() == ".txt":
        return [(path.stem, _whole(path))]
    else:
        found = source_of(path)
        if not isinstance(found, CsvFile | JsonLines):
            raise BadInput(
                "notes are read from .txt, .csv and .jsonl files", where=str(path), remedy="convert it"
            )
        source = found
    with rows_of(source) as rows:
        names = rows.names
        place = names.index(_column(names, column, isinstance(source, NotesFolder), path))
        read = []
        for number, row in enumerate(rows.values, 1):
            text = row[place]
            name = Path(str(row[1])).stem if isinstance(source, NotesFolder) else str(number)
            if text:
                read.append((name, writable(text)[0]))
    if not read:
        raise BadInput("there are no notes in it", where=str(path), remedy="check the path")
    return read


def _whole(path: Path) -> str:
    return writable(decoded_file(read_bytes(path))[0])[0]


def _column(names: tuple[str, ...], column: str | None, folder: bool, path: Path) -> str:
    if column is None:
        column = "note" if folder else next((n for n in names if n.lower() in ("note", "text")), None)
    if column is None and len(names) == 1:
        column = names[0]
    if column is None:
        raise BadInput(
            "it is not clear which column holds the notes", where=str(path), remedy="name it with --column"
        )
    if column not in names:
        raise BadInput(f"there is no column '{column}'", where=str(path), remedy=nearest(column, names))
    return column


def _write(notes: Iterable[Annotated], target: Path, replace: bool) -> None:
    _refuse_there(target, replace)
    try:
        if target.suffix == ".jsonl":
            write_jsonl(notes, target)
        else:
            target.mkdir(parents=True, exist_ok=True)
            write_brat(notes, target)
    except OSError as problem:
        raise could_not(problem, "it cannot be written there", where=str(target)) from None


def _refuse_there(path: Path, replace: bool) -> None:
    """Refuse to write over what is there already."""
    there = path.is_file() or (path.is_dir() and any(path.iterdir()))
    if there and not replace:
        raise BadInput("it is there already", where=str(path), remedy="choose another, or give --replace")


def _say(console: Console, words: str) -> None:
    console.print(words, soft_wrap=True, markup=False, highlight=False)
