"""Records with their spans marked in the text, and secrets to replace them with."""

from __future__ import annotations

import re
from pathlib import Path

from sfumato.masking.contract import Scope, Secrets
from sfumato.masking.keys import KeySource
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Note, Record
from sfumato.text.replace import Replacement
from sfumato.text.replace.apply import applied
from sfumato.text.span import Span

_MARKED = re.compile(r"\{(?P<kind>[A-Z]+)(?:/(?P<label>[a-z]+))? (?P<text>[^}]*)\}")


def secrets(folder: Path, key: str = "one key of thirty-two characters") -> Secrets:
    """Keep a key in a file, and release to somebody for something."""
    path = folder / "house.key"
    path.write_text(key, encoding="utf-8")
    return Secrets(KeySource(file=path), Scope("a hospital", "a study"))


def marked(*notes: str, person: str = "P1", written: str | None = None) -> Found:
    """Read notes in which spans are marked: ``seen by {NAME/doctor Clark}``."""
    read, spans = [], []
    for number, note in enumerate(notes, 1):
        text, found, at = "", [], 0
        for match in _MARKED.finditer(note):
            text += note[at : match.start()]
            start = len(text)
            text += match["text"]
            found.append(Span(start, len(text), Kind(match["kind"]), match["label"] or ""))
            at = match.end()
        read.append(Note(text + note[at:], str(number), written))
        spans.append(tuple(found))
    return Found(Record(tuple(read), person), tuple(spans))


def replaced(found: Found, replacement: Replacement, secrets: Secrets) -> list[str]:
    """Return the texts as they are released."""
    changes = replacement.changes(found, secrets)
    return [applied(note.text, made)[0] for note, made in zip(found.record.notes, changes, strict=True)]


def hows(found: Found, replacement: Replacement, secrets: Secrets) -> list[str]:
    """Return what was done, span by span."""
    return [change.how for made in replacement.changes(found, secrets) for change in made]
