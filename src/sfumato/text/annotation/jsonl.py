"""Annotated notes as JSON lines: one note on each line, offsets count code points of its text.

``{"id", "template", "text", "spans": [{"start", "end", "type", "text", "sub"}]}``: ``type`` is the kind (or a
label that ``label_to_kind`` knows), ``sub`` the finer label. ``text`` of a span is written to be read by
people, and when it is there it must agree with the offsets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.core.files import read_text
from sfumato.text.annotation.annotated import Annotated, Labels, kind_of
from sfumato.text.span import Span

_HALF = re.compile("[\ud800-\udfff]")


def read_jsonl(path: str | Path, label_to_kind: Labels | None = None) -> tuple[Annotated, ...]:
    """Read annotated notes from a file. What cannot be read is told with the file and the line."""
    text = read_text(path, "utf-8-sig")
    return tuple(parse_jsonl(text.split("\n"), label_to_kind, name=Path(path).name))


def parse_jsonl(
    lines: Iterable[str], label_to_kind: Labels | None = None, *, name: str = "notes"
) -> Iterator[Annotated]:
    """Read annotated notes from lines; blank ones are passed over.

    >>> line = '{"text": "Seen by Ada", "spans": [{"start": 8, "end": 11, "type": "NAME"}]}'
    >>> [note.spans[0].of(note.text) for note in parse_jsonl([line])]
    ['Ada']
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            read = json.loads(line)
        except (ValueError, RecursionError) as problem:
            raise BadInput(
                "this is no JSON", where=where, remedy="write one object on each line"
            ) from problem
        if not isinstance(read, dict) or not isinstance(read.get("text"), str):
            raise BadInput("there is no 'text'", where=where, remedy='write {"text": "…", "spans": […]}')
        listed = read.get("spans", [])
        if not isinstance(listed, list):
            raise BadInput("'spans' is no list", where=where)
        spans = (
            _span(one, read["text"], f"{where}, span {place}", label_to_kind)
            for place, one in enumerate(listed, 1)
        )
        yield Annotated(
            read["text"],
            tuple(span for span in spans if span is not None),
            id=str(read.get("id", number)),
            template=str(read.get("template", "")),
        )


def _span(one: Any, text: str, where: str, labels: Labels | None) -> Span | None:
    if not isinstance(one, dict) or not isinstance(one.get("type"), str):
        raise BadInput("a span has no 'type'", where=where, remedy='write {"start", "end", "type"}')
    start, end = one.get("start"), one.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        raise BadInput(
            "'start' and 'end' are no offsets of the text", where=where, remedy="count code points, from 0"
        )
    if "text" in one and one["text"] != text[start:end]:
        raise BadInput(
            "the offsets and the text of a span disagree",
            where=where,
            remedy="count code points of the text as it came, and not bytes or UTF-16 units",
        )
    try:
        kind = kind_of(one["type"], labels)
    except BadInput as problem:
        raise BadInput(problem.what, where=where, remedy=problem.remedy) from problem
    return None if kind is None else Span(start, end, kind, str(one.get("sub") or ""))


def format_jsonl(note: Annotated) -> str:
    """Write one note as a line (without its end)."""
    spans = [
        {
            "start": span.start,
            "end": span.end,
            "type": span.kind.value,
            "text": span.of(note.text),
            "sub": span.label,
        }
        for span in note.spans
    ]
    whole = {"id": note.id, "template": note.template, "text": note.text, "spans": spans}
    line = json.dumps(whole, ensure_ascii=False)
    # Halves of surrogate pairs cannot be written as UTF-8, but as escapes they can.
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", line)


def write_jsonl(notes: Iterable[Annotated], path: str | Path) -> None:
    """Write annotated notes to a file. It holds what the notes hold: keep it in the house."""
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for note in notes:
            file.write(format_jsonl(note) + "\n")
