"""The dictionary detectors alone on corpora: what they find, and what they take too much."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sfumato.text.compete import compete
from sfumato.text.languages.en.clinical import EnglishClinical
from sfumato.text.languages.en.names import EnglishNames
from sfumato.text.languages.en.organisations import EnglishOrganisations
from sfumato.text.languages.en.places import EnglishPlaces
from sfumato.text.page import Page
from sfumato.text.span import Span

DETECTORS = (EnglishNames(), EnglishPlaces(), EnglishOrganisations(), EnglishClinical())


def covered(text: str) -> tuple[Page, set[int], tuple[Span, ...]]:
    page = Page(text)
    spans = compete(text, [span for each in DETECTORS for span in each.find(page)])
    return page, {place for span in spans for place in range(span.start, span.end)}, spans


@pytest.mark.golden
def test_names_in_synthetic_notes_are_found_and_little_else(shared: Path) -> None:
    names = found = taken = wrong = 0
    for line in (shared / "data/text/synth_notes_open.jsonl").read_text().splitlines():
        note = json.loads(line)
        page, places, spans = covered(note["text"])
        gold = {place: span["type"] for span in note["spans"] for place in range(span["start"], span["end"])}
        kept = {
            p for span in spans if span.label in ("state", "country") for p in range(span.start, span.end)
        }
        for word, start in zip(page.tokens.words, page.tokens.starts, strict=True):
            if word.isalnum():
                names += gold.get(start) == "NAME"
                found += gold.get(start) == "NAME" and start in places
                taken += start in places - kept
                wrong += start in places - kept and start not in gold
    assert found / names > 0.98
    assert wrong / taken < 0.005


@pytest.mark.golden
def test_less_than_one_word_in_a_hundred_of_notes_without_marks_is_taken(shared: Path) -> None:
    with (shared / "data/text/aci_bench/train.csv").open() as stream:
        notes = [row["note"] for row in csv.DictReader(stream)]
    words = taken = 0
    for note in notes:
        page, places, _ = covered(note)
        words += sum(word.isalnum() for word in page.tokens.words)
        taken += sum(
            word.isalnum() and start in places
            for word, start in zip(page.tokens.words, page.tokens.starts, strict=True)
        )
    assert taken / words < 0.01
