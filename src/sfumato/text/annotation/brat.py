"""Annotated notes in BRAT's standoff format (Stenetorp et al., 2012): ``note.txt`` beside ``note.ann``.

A line ``T1<tab>NAME 0 3<tab>Ada`` marks the characters 0 to 3; ``0 3;8 12`` marks two pieces that belong
together (they become two spans). Attributes, relations and notes (``A1``, ``R1``, ``#1``) are kept as they
are and written again.

Offsets count characters, but programs disagree on two of them: whether the end of a Windows line is one
character or two, and whether the mark at the beginning of a UTF-8 file (BOM) is one or none. The text beside
the offsets tells: the reading that fits all lines is taken, and a file that no reading fits is refused. In
memory and in what we write, both characters of a line end and the mark count, as they stand in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.files import is_plain, read_text
from sfumato.text.annotation.annotated import Annotated, Labels, kind_of
from sfumato.text.span import Span

_ENTITY = re.compile(r"(T[^\t]*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Entity:
    """One ``T`` line: its key, its label, and its pieces."""

    key: str
    label: str
    pieces: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class BratNote:
    """A note as BRAT keeps it: the text as it came, the entities, and all other lines untouched."""

    text: str = field(repr=False)
    entities: tuple[Entity, ...]
    others: tuple[str, ...] = field(default=(), repr=False)
    id: str = ""

    def annotated(self, label_to_kind: Labels | None = None) -> Annotated:
        """Return the note with spans; their label is BRAT's. A label that means ``None`` is left out.

        Without ``label_to_kind`` a label is a kind (``NAME``) or a kind with a finer one (``NAME-patient``).
        """
        spans = []
        for entity in self.entities:
            coarse, _, fine = entity.label.partition("-")
            name, label = (coarse, fine) if label_to_kind is None else (entity.label, entity.label)
            try:
                kind = kind_of(name, label_to_kind)
            except BadInput as problem:
                where = f"{self.id}.ann, {entity.key}"
                raise BadInput(problem.what, where=where, remedy=problem.remedy) from problem
            if kind is not None:
                spans += [Span(start, end, kind, label) for start, end in entity.pieces]
        return Annotated(self.text, tuple(spans), id=self.id)

    def with_spans(self, spans: Iterable[Span]) -> BratNote:
        """Return the note with other spans.

        An entity whose pieces are all still there keeps its key, so that what was noted about it stays right.
        Other lines are kept; those about an entity that is gone are left out.
        """
        left: dict[tuple[int, int], list[Span]] = {}
        for span in sorted(spans):
            left.setdefault((span.start, span.end), []).append(span)
        kept: list[Entity] = []
        for entity in self.entities:
            there = [_named(left.get(piece, ()), entity.label) for piece in entity.pieces]
            if None not in there:
                kept.append(entity)
                for piece, match in zip(entity.pieces, there, strict=True):
                    left[piece] = [other for other in left[piece] if other is not match]
        added = sorted(span for listed in left.values() for span in listed)
        taken = {entity.key for entity in self.entities}
        fresh = (key for number in count(1) if (key := f"T{number}") not in taken)
        new = [Entity(next(fresh), _label(span), ((span.start, span.end),)) for span in added]
        gone = taken - {entity.key for entity in kept}
        others = tuple(line for line in self.others if not gone & set(re.split(r"[\s:]+", line)[1:]))
        return replace(self, entities=(*kept, *new), others=others)


def _label(span: Span) -> str:
    """Return the name that BRAT shows: the kind, and the label behind it where it is one word."""
    return f"{span.kind}-{span.label}" if re.fullmatch(r"\w[\w-]*", span.label) else span.kind.value


def _named(spans: Sequence[Span], label: str) -> Span | None:
    return next((span for span in spans if label in (span.label, _label(span))), None)


def read_brat(path: str | Path, label_to_kind: Labels | None = None) -> tuple[Annotated, ...]:
    """Read all pairs of ``.txt`` and ``.ann`` of a folder, in order of names, or one pair by either file."""
    return tuple(note.annotated(label_to_kind) for note in read_brat_notes(path))


def read_brat_notes(path: str | Path) -> tuple[BratNote, ...]:
    """Read notes with all that BRAT says about them. A text without ``.ann`` is a note without spans."""
    given = Path(path)
    texts = sorted(given.glob("*.txt")) if given.is_dir() else [given.with_suffix(".txt")]
    if not texts or not is_plain(texts[0]):
        raise BadInput(
            "there is no .txt file", where=given.name, remedy="give a folder of .txt and .ann files"
        )
    return tuple(_read(text) for text in texts)


def _read(path: Path) -> BratNote:
    text = _decoded(path)
    beside = path.with_suffix(".ann")
    lines = _decoded(beside).removeprefix(_MARK).split("\n") if beside.exists() else []
    return parse_brat(text, lines, name=path.stem)


def _decoded(path: Path) -> str:
    return read_text(path)


def parse_brat(text: str, lines: Iterable[str], *, name: str = "note") -> BratNote:
    r"""Read a note from its text and the lines of its annotation.

    >>> note = parse_brat("Ada\r\nand Eve", ["T1\tNAME 8 11\tEve", "#1\tAnnotatorNotes T1\tsure"])
    >>> note.entities[0].pieces, note.others
    (((9, 12),), ('#1\tAnnotatorNotes T1\tsure',))
    """
    entities: list[Entity] = []
    said: list[tuple[int, str | None]] = []
    others: list[str] = []
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r")
        if not line.startswith("T"):
            others += [line] if line.strip() else []
            continue
        match = _ENTITY.fullmatch(line)
        if match is None:
            raise BadInput(
                "this is no annotation of a span",
                where=f"{name}.ann, line {number}",
                remedy="write the key, a tab, the label with start and end, a tab and the text",
            )
        key, label, offsets, words = match.groups()
        pairs = (piece.split(" ") for piece in offsets.split(";"))
        pieces = tuple((int(start), int(end)) for start, end in pairs)
        entities.append(Entity(key, label, pieces))
        said.append((number, words))
    return BratNote(text, _placed(text, entities, said, name), tuple(others), name)


def _placed(
    text: str, entities: Sequence[Entity], said: Sequence[tuple[int, str | None]], name: str
) -> tuple[Entity, ...]:
    """Return entities with offsets of the text as it came, under the first reading that fits them all."""
    furthest = 0
    for as_one in (False, True) if "\r\n" in text else (False,):
        for without_mark in (False, True) if text.startswith(_MARK) else (False,):
            places = _places(text, as_one, without_mark)
            fitting = 0
            placed: list[Entity] = []
            for entity, (_, words) in zip(entities, said, strict=True):
                pieces = _moved(entity.pieces, places)
                if pieces is None or not _fits(text, pieces, words):
                    break
                placed.append(replace(entity, pieces=pieces))
                fitting += 1
            if fitting == len(entities):
                return tuple(placed)
            furthest = max(furthest, fitting)
    raise BadInput(
        "the offsets and the text of an annotation disagree",
        where=f"{name}.ann, line {said[furthest][0]}",
        remedy="count characters of the .txt file as it is, and not bytes",
    )


def _places(text: str, as_one: bool, without_mark: bool) -> range | list[int]:
    """Return for every character that a program counted, and for the end, where it stands in the text."""
    if not as_one and not without_mark:
        return range(len(text) + 1)
    start = int(without_mark)
    kept = [at for at in range(start, len(text)) if not (as_one and text.startswith("\r\n", at - 1) and at)]
    return [*kept, len(text)]


def _moved(pieces: Sequence[tuple[int, int]], places: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
    if any(not 0 <= start < end < len(places) for start, end in pieces):
        return None
    return tuple((places[start], places[end - 1] + 1) for start, end in pieces)


def _fits(text: str, pieces: Sequence[tuple[int, int]], words: str | None) -> bool:
    """Say whether the pieces hold the words; BRAT writes a line end inside a span as a blank."""
    if words is None:
        return True
    held = " ".join(text[start:end] for start, end in pieces)
    return held.split() == words.split()


def format_brat(note: BratNote) -> str:
    """Write the ``.ann`` of a note."""
    lines = []
    for entity in note.entities:
        offsets = ";".join(f"{start} {end}" for start, end in entity.pieces)
        held = " ".join(note.text[start:end] for start, end in entity.pieces)
        shown = re.sub(r"\r\n|[\r\n\t]", " ", held)
        lines.append(f"{entity.key}\t{entity.label} {offsets}\t{shown}\n")
    return "".join(lines) + "".join(f"{line}\n" for line in note.others)


def write_brat(notes: Iterable[Annotated | BratNote], folder: str | Path) -> None:
    """Write ``.txt`` and ``.ann`` for every note, named by its id. They hold what the notes hold."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written: set[str] = set()
    for number, note in enumerate(notes, 1):
        name = re.sub(r"[^\w.-]+", "_", note.id).strip("._") or f"note-{number}"
        if name in written:
            raise BadInput(
                "two notes have the same id",
                where=f"note {number}",
                remedy="give every note an id of its own",
            )
        written.add(name)
        as_brat = note if isinstance(note, BratNote) else BratNote(note.text, ()).with_spans(note.spans)
        try:
            (target / f"{name}.txt").write_bytes(note.text.encode("utf-8"))
        except UnicodeEncodeError as problem:
            raise BadInput(
                "the text holds half a character, which no file can",
                where=f"note {number}",
                remedy="use JSON lines",
            ) from problem
        (target / f"{name}.ann").write_bytes(format_brat(as_brat).encode("utf-8"))
