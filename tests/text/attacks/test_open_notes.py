"""Text linkage against the open notes: who knows all that is annotated in them finds people, or does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.text.attacks import Identified, Knowledge, ReleasedNotes, TextLinkage
from sfumato.text.finders import finder_of
from sfumato.text.kinds import Kind
from sfumato.text.methods import Deidentify
from sfumato.text.note import Known, Note, Record
from sfumato.text.stream.handling import Handler
from tests.text.replace.examples import secrets

_KNOWN = {Kind.NAME, Kind.DATE, Kind.LOCATION, Kind.AGE, Kind.PHONE, Kind.SSN, Kind.ID}


@pytest.mark.golden
def test_all_are_found_in_open_notes_and_nobody_after_everything_was_replaced(
    shared: Path, tmp_path: Path
) -> None:
    lines = (shared / "data" / "text" / "synth_notes_open.jsonl").read_text(encoding="utf-8").splitlines()
    notes = [json.loads(line) for line in lines][::3]
    rows = tuple(
        tuple(
            Known(Kind(span["type"]), span["text"])
            for span in note["spans"]
            if span["type"] in _KNOWN and (span["type"] != "NAME" or span["sub"].startswith("PT_"))
        )
        for note in notes
    )
    ids = tuple(note["id"] for note in notes)
    known = Knowledge(Identified(rows, ids), persons=ids)
    before = TextLinkage().run(ReleasedNotes(tuple(note["text"] for note in notes)), known)
    assert before.success == 1.0
    method = Deidentify("surrogates", "everything")
    handler = Handler(finder_of("en", "none"), method.replacement(), (), secrets(tmp_path))
    records = [Record((Note(note["text"], note["id"]),), note["id"]) for note in notes]
    released = tuple(handler.handle(record)[0].released[0] for record in records)
    after = TextLinkage().run(ReleasedNotes(released), known)
    assert after.success <= 5 * after.baseline
    assert after.certain == 0
