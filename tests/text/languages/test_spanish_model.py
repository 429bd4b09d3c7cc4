"""The shipped Spanish model: what it may hold, and what it finds on the development notes of MEDDOCAN."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.text_spanish import Counted, by_the_model, counted
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.crf.model import Model
from sfumato.text.crf.words import folded
from sfumato.text.finders import finder_of
from sfumato.text.kinds import Kind
from sfumato.text.language import language_of
from sfumato.text.languages.es.meddocan import LABELS, meddocan_label, read_meddocan
from sfumato.text.note import Record
from sfumato.text.page import tokenise
from sfumato.text.span import Span

LANGUAGE = language_of("es")
MODEL = LANGUAGE.folder / LANGUAGE.model


@pytest.fixture(scope="module")
def corpus(shared: Path) -> Path:
    return shared / "data" / "text" / "meddocan_es"


def test_the_model_is_small_and_says_where_it_comes_from() -> None:
    model = Model.load(MODEL)
    assert MODEL.stat().st_size < 2_000_000
    assert "MEDDOCAN" in model.provenance.trained_on
    assert model.provenance.language == "es"
    assert "MEDDOCAN" in (LANGUAGE.folder / "data" / "NOTICE.md").read_text(encoding="utf-8")


def test_every_label_of_the_corpus_has_a_kind() -> None:
    assert len(LABELS) == 29
    assert all(isinstance(kind, Kind) for kind, _ in LABELS.values())


def test_what_is_found_is_counted_as_the_shared_task_does() -> None:
    text = "Nombre: Ana Ruiz. CP 28016"
    gold = Annotated(text, (Span(8, 16, Kind.NAME, "patient"), Span(21, 26, Kind.LOCATION, "zip")))
    told = counted([gold], [[Span(8, 11, Kind.NAME, "patient"), Span(21, 26, Kind.LOCATION, "city")]])
    assert told == Counted(right=1, wrong=1, missed=1, characters=12, leaked_characters=4, untouched=0)


@pytest.mark.golden
def test_labels_of_the_corpus_come_back_as_they_were(corpus: Path) -> None:
    for note in read_meddocan(corpus / "dev")[:60]:
        beside = (corpus / "dev" / f"{note.id}.ann").read_text(encoding="utf-8")
        theirs = sorted(line.split("\t")[1].split()[0] for line in beside.splitlines() if line[:1] == "T")
        assert sorted(meddocan_label(span, span.of(note.text)) for span in note.spans) == theirs


@pytest.mark.golden
def test_no_word_of_the_model_stood_for_people_alone(corpus: Path) -> None:
    outside: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for note in read_meddocan(corpus / "train"):
        covered = bytearray(len(note.text))
        for span in note.spans:
            covered[span.start : span.end] = b"\1" * len(span)
        tokens = tokenise(note.text)
        for word, start in zip(tokens.words, tokens.starts, strict=True):
            (inside if covered[start] else outside)[folded(word)] += 1
    vocabulary = Model.load(MODEL).vocabulary
    assert vocabulary
    assert not [word for word in vocabulary if outside[word] < 3 or outside[word] < inside[word]]


@pytest.mark.golden
def test_the_model_alone_meets_the_bars_of_the_shared_task(corpus: Path) -> None:
    notes = read_meddocan(corpus / "dev")
    find = by_the_model(Model.load(MODEL))
    told = counted(notes, [find(note.text) for note in notes])
    assert told.wrong_spans <= 0.07
    assert told.leaked <= 0.05
    assert told.leaked_spans <= 0.05


@pytest.mark.golden
def test_the_whole_finder_meets_the_bars_of_the_shared_task(corpus: Path) -> None:
    notes = read_meddocan(corpus / "dev")
    finder = finder_of("es")
    told = counted(notes, [finder.find(Record.of(note.text)).spans[0] for note in notes])
    assert told.wrong_spans <= 0.07
    assert told.leaked <= 0.02
    assert told.leaked_spans <= 0.02
