"""Handle one batch: the records in it, the columns beside them, and what is counted about them."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.masking.repair import date_of
from sfumato.text.models.contract import Handled
from sfumato.text.note import Known, Note, Record
from sfumato.text.span import Span
from sfumato.text.stream.handling import Handler
from sfumato.text.stream.layout import KNOWN, PERSON, ROW, WRITTEN, Layout

_META = b"sfumato"
SAMPLES = ".raw.json"
SHOWN = 20_000
"""characters of a note that the steward is shown; beyond, nobody reads"""


@dataclass(frozen=True)
class Done:
    """What became of a batch: rows for the release, counts, and the notes that the steward may look at."""

    table: pa.Table
    counts: Counter[str]
    samples: list[dict[str, Any]] = field(repr=False)

    def write(self, path: Path) -> None:
        """Write it whole or not at all: to another name first, onto the disk, then renamed."""
        if self.samples:
            samples_beside(path).write_text(json.dumps(self.samples), encoding="utf-8")
        table = self.table.replace_schema_metadata({_META: json.dumps(self.counts).encode()})
        unfinished = path.with_suffix(".tmp")
        with unfinished.open("wb") as file:
            pq.write_table(table, file)
            file.flush()
            os.fsync(file.fileno())
        sum_beside(path).write_text(_sum(unfinished, path.name), encoding="utf-8")
        unfinished.rename(path)


def counts_in(path: Path) -> Counter[str]:
    """Read what was counted in a finished batch."""
    return Counter(json.loads(pq.read_schema(path).metadata[_META]))


def sum_beside(path: Path) -> Path:
    """Where the checksum of a batch lies."""
    return path.with_suffix(".sum")


def is_whole(path: Path) -> bool:
    """Say whether a finished batch is the one that was written under this name."""
    try:
        return sum_beside(path).read_text(encoding="utf-8") == _sum(path, path.name)
    except (OSError, ValueError):
        return False


def _sum(path: Path, name: str) -> str:
    digest = hashlib.sha256(name.encode() + b"\0")
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def samples_beside(path: Path) -> Path:
    """Where the raw notes of a batch lie that the steward may look at."""
    return path.with_suffix(SAMPLES)


def samples_of(path: Path) -> list[dict[str, Any]]:
    """Read the notes of a batch that the steward may look at; none if an interrupted run threw them away."""
    beside = samples_beside(path)
    found: list[dict[str, Any]] = json.loads(beside.read_text(encoding="utf-8")) if beside.exists() else []
    return found


def handle_batch(handler: Handler, table: pa.Table, layout: Layout, sampled: Collection[int]) -> Done:
    """Handle the records of a batch, one after the other."""
    texts: list[str | None] = table[layout.text].to_pylist()
    rows: list[int] = table[ROW].to_pylist()
    counts: Counter[str] = Counter()
    samples: list[dict[str, Any]] = []
    for record, places in _records(table, layout, texts, rows):
        handled, spans = handler.handle(record)
        counts += handler.counted(handled)
        for number, place in enumerate(places):
            if rows[place] in sampled:
                samples.append(_sample(handled, number, spans[number]))
            texts[place] = handled.released[number]
    counts["missing"] += sum(text is None for text in texts)
    released = table.select(list(layout.released))
    place = released.schema.get_field_index(layout.text)
    released = released.set_column(place, layout.text, pa.array(texts, pa.string()))
    return Done(released.append_column(ROW, table[ROW]), counts, samples)


def _sample(handled: Handled, number: int, spans: Sequence[Span]) -> dict[str, Any]:
    """Return a note before and after; of a long one its beginning."""
    before, after = handled.record.notes[number].text, handled.released[number]
    found = [(change.span, change.how) for change in handled.changes[number]]
    return {
        "before": before[:SHOWN],
        "after": after[:SHOWN],
        "longer": len(before) > SHOWN,
        "found": [[s.start, s.end, str(s.kind), how] for s, how in found if s.end <= SHOWN],
        "new": [[s.start, s.end, str(s.kind)] for s in spans if s.end <= SHOWN],
    }


def _records(
    table: pa.Table, layout: Layout, texts: list[str | None], rows: list[int]
) -> Iterator[tuple[Record, list[int]]]:
    """Put the notes of one person together, with what is known; a missing text is no note."""
    persons: list[str | None] = (
        table[PERSON].to_pylist() if layout.person is not None else [None] * len(texts)
    )
    written: list[str | None] = (
        table[WRITTEN].to_pylist() if layout.written is not None else [None] * len(texts)
    )
    known = [table[f"{KNOWN}:{place}"].to_pylist() for place in range(len(layout.known))]
    begin = 0
    for end in range(1, len(texts) + 1):
        if end < len(texts) and persons[end] is not None and persons[end] == persons[begin]:
            continue
        places = [place for place in range(begin, end) if texts[place] is not None]
        if places:
            notes = tuple(
                Note(texts[place] or "", str(rows[place] + 1), _day(written[place])) for place in places
            )
            said = dict.fromkeys(
                Known(column.kind, value, column.label)
                for column, values in zip(layout.known, known, strict=True)
                for value in values[begin:end]
                if value
            )
            yield Record(notes, persons[begin] or "", tuple(said)), places
        begin = end


def _day(text: str | None) -> str | None:
    """Return the day that a column gives, as an ISO date; None where it cannot be read."""
    read = None if text is None else date_of(text)
    return None if read is None else read.date().isoformat()
