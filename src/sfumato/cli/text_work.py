"""What ``sfumato text find`` and ``sfumato text scrub`` do. Kept lean: the first note comes quickly."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from sfumato.core.files import open_plain
from sfumato.text.finders import LanguageFinding
from sfumato.text.methods.deidentify import Deidentify
from sfumato.text.scrub import find_identifiers, handler_for, scrubbed
from sfumato.text.stream.decoding import decoded, decoded_file, writable

Searching = tuple[str, str, float]
"""language, model and threshold"""
STANDARD = "-"


def _opened(file: str) -> IO[bytes]:
    if file == STANDARD:
        return sys.stdin.buffer
    return open_plain(file)


def _read(file: str) -> str:
    with _opened(file) as opened:
        text, other = decoded_file(opened.read())
    _tell_encoding(int(other))
    return writable(text)[0]


def _tell_encoding(number: int) -> None:
    if number:
        what = "the text was" if number == 1 else f"{number:,} lines were"
        print(f"sfumato: {what} not UTF-8, and read as Windows-1252", file=sys.stderr)


def show_found(
    file: str, language: str, model: str, threshold: float, show_values: bool, as_json: bool
) -> None:
    """Print the spans of a text; what stands there only when somebody asks for it."""
    text = _read(file)
    spans = find_identifiers(text, language=language, model=model, threshold=threshold)
    if as_json:
        told = [
            {
                "start": span.start,
                "end": span.end,
                "kind": str(span.kind),
                "label": span.label,
                "certainty": round(span.certainty, 4),
                "detector": span.detector,
                **({"text": span.of(text)} if show_values else {}),
            }
            for span in spans
        ]
        print(json.dumps(told, indent=2, ensure_ascii=False))
        return
    print(f"{len(spans):,} found in {len(text):,} characters")
    for span in spans:
        value = f"  {_in_a_line(span.of(text))}" if show_values else ""
        what = f"{span.kind}/{span.label}" if span.label else str(span.kind)
        where = f"{span.start:>8}–{span.end:<8}"
        print(f"{where} {what:<24} {span.certainty:.2f}  {span.detector:<12}{value}".rstrip())


def _in_a_line(value: str) -> str:
    """Return a value that stays on its line and cannot steer the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in value)


def scrub_stream(
    file: str,
    replace: str,
    policy: str,
    searching: Searching,
    key: str | Path | None,
    whose: tuple[str, str, str],
    lines: bool,
) -> None:
    """Write a text again, or line after line."""
    recipient, purpose, person = whose
    handler = handler_for(Deidentify(replace, policy), LanguageFinding(*searching), key, recipient, purpose)
    out = sys.stdout.buffer
    if not lines:
        out.write(scrubbed(handler, _read(file), person).encode())
        out.flush()
        return
    for line, end in _lines(file):
        out.write((scrubbed(handler, line, person) if line.strip() else line).encode() + end)
        out.flush()


def _lines(file: str) -> Iterator[tuple[str, bytes]]:
    """Read lines as they come; each with the bytes that ended it."""
    others = 0
    with _opened(file) as opened:
        for raw in opened:
            kept = raw.rstrip(b"\r\n")
            line, other = decoded(kept)
            others += other
            yield writable(line)[0], raw[len(kept) :]
    _tell_encoding(others)
