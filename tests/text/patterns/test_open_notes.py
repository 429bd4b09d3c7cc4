"""On the open synthetic notes the patterns alone find every number, date and address of a machine."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from sfumato.text.compete import compete
from sfumato.text.languages.en import patterns
from sfumato.text.page import Page, tokenise

NEED_NO_NAMES = ("DATE", "PHONE", "ID", "SSN", "EMAIL", "URL", "AGE")


@pytest.mark.golden
def test_patterns_cover_all_that_needs_no_list_of_names_and_nothing_else(shared: Path) -> None:
    missed: Counter[str] = Counter()
    wrong = right = 0
    for line in (shared / "data/text/synth_notes_open.jsonl").read_text(encoding="utf-8").splitlines():
        note = json.loads(line)
        text, page = note["text"], Page(note["text"])
        found = compete(text, [span for detector in patterns() for span in detector.find(page)])
        covered = {place for span in found for place in range(span.start, span.end)}
        gold = {place: span["type"] for span in note["spans"] for place in range(span["start"], span["end"])}
        tokens = tokenise(text)
        for word, start, end in zip(tokens.words, tokens.starts, tokens.ends, strict=True):
            if not word[0].isalnum():
                continue
            if start in gold:
                missed[gold[start]] += not covered.issuperset(range(start, end))
            if covered.intersection(range(start, end)):
                right += start in gold
                wrong += start not in gold
    assert {kind: missed[kind] for kind in NEED_NO_NAMES} == dict.fromkeys(NEED_NO_NAMES, 0)
    assert right / (right + wrong) >= 0.99
