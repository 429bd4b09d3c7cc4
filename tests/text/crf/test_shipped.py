"""The model that English ships with."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.text.annotation.jsonl import read_jsonl
from sfumato.text.compete import compete
from sfumato.text.crf.file import packed
from sfumato.text.crf.model import Model
from sfumato.text.detectors.learned import Learned
from sfumato.text.evaluate.evaluation import evaluate
from sfumato.text.kinds import Kind
from sfumato.text.language import language_of
from sfumato.text.page import Page
from sfumato.text.word_list import word_list

NOTE = """Attending: Oluwaseun Adebayo-Wright, MD
Mrs. Kowalczyk was transferred from Brackenridge General Hospital on 14 March 2019 with community acquired
pneumonia. Her nephew Tunde can be reached at (512) 555-0187. BP 128/74, WBC 11.2, lisinopril 10 mg daily.
"""


@pytest.fixture(scope="module")
def model() -> Model:
    language = language_of("en")
    return Model.load(language.folder / language.model)


def test_it_is_small_was_trained_on_nobody_and_can_be_written_again(model: Model) -> None:
    language = language_of("en")
    data = (language.folder / language.model).read_bytes()
    assert len(data) <= 2_000_000
    assert not model.provenance.trained_on_real_notes
    assert "REAL NOTES" not in model.describe()
    assert packed(model) == data


def test_it_finds_the_people_of_a_note_and_leaves_the_medicine(model: Model) -> None:
    learned = Learned(model, word_list("en"))
    found = {(span.of(NOTE), span.kind) for span in compete(NOTE, learned.find(Page(NOTE)))}
    assert found == {
        ("Oluwaseun Adebayo-Wright", Kind.NAME),
        ("Kowalczyk", Kind.NAME),
        ("Brackenridge General Hospital", Kind.LOCATION),
        ("14 March 2019", Kind.DATE),
        ("Tunde", Kind.NAME),
        ("(512) 555-0187", Kind.PHONE),
    }


@pytest.mark.golden
def test_alone_it_finds_most_of_what_points_at_people_in_notes_it_never_saw(
    model: Model, shared: Path
) -> None:
    notes = read_jsonl(shared / "data" / "text" / "synth_notes_open.jsonl")
    learned = Learned(model, word_list("en"))
    found = evaluate(notes, [compete(note.text, learned.find(Page(note.text))) for note in notes])
    assert found.tokens.recall is not None
    assert found.tokens.precision is not None
    assert found.tokens.recall >= 0.97
    assert found.tokens.precision >= 0.95
