"""Training: what is learned, what never enters a model, and the loop of corrections."""

from __future__ import annotations

import lzma
from collections.abc import Iterator

import pytest

from sfumato.core.errors import BadInput
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.annotation.correct import merged
from sfumato.text.crf.file import packed
from sfumato.text.crf.train import Settings, train
from sfumato.text.crf.vocabulary import affixes_of, vocabulary_of
from sfumato.text.detectors.learned import Learned
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import Span
from tests.text.crf.small import GIVEN, SmallLexicon, small_notes

QUICK = Settings(iterations=30)
PLANTED = ("Zyxwolfram", "Quebbelmann", "Vraxi")


def found(learned: Learned, text: str) -> set[tuple[str, str]]:
    """Return what is found with a certainty of a half."""
    return {(span.of(text), span.kind.value) for span in learned.find(Page(text)) if span.certainty >= 0.5}


def test_names_that_no_lexicon_knows_are_found_by_what_stands_around_them() -> None:
    lexicon = SmallLexicon()
    learned = Learned(train(small_notes(150), lexicon, real=False, settings=QUICK), lexicon)
    text = "Patient: Wilhelmina Brzozowski\nSeen by Dr. Tchaikov on 3/4/2011 for fever."
    assert found(learned, text) == {
        ("Wilhelmina Brzozowski", "NAME"),
        ("Tchaikov", "NAME"),
        ("3/4/2011", "DATE"),
    }


def test_planted_names_are_not_in_the_file_however_often_they_occur() -> None:
    notes = small_notes(120, given=PLANTED)
    model = train(notes, SmallLexicon(), settings=QUICK)
    assert model.provenance.trained_on_real_notes
    inside = lzma.decompress(packed(model)).decode("latin-1").lower()
    for word in ("fever", "seen"):
        assert f'"{word}"' in inside, "words of the language are there"
    for note in notes:
        for span in note.spans:
            if span.kind is Kind.NAME:
                for name in span.of(note.text).split():
                    assert name.encode().decode("latin-1").lower() not in inside


def test_a_name_that_annotators_missed_now_and_then_stays_out_of_the_vocabulary() -> None:
    text = "Vraxi saw Vraxi and Vraxi"
    once_missed = [
        Annotated(text, (Span(0, 5, Kind.NAME), Span(10, 15, Kind.NAME)), str(number)) for number in range(9)
    ]
    assert vocabulary_of(once_missed, 3) == ("and", "saw")


def test_words_of_few_notes_and_words_with_digits_stay_out_of_the_vocabulary() -> None:
    notes = [
        Annotated("fever fever fever A1b2", (), "1"),
        Annotated("fever cough", (), "2"),
        Annotated("fever", ()),
    ]
    assert vocabulary_of(notes, 3) == ("fever",)
    assert vocabulary_of(notes, 1) == ("cough", "fever")


def test_affixes_are_shared_by_several_words_of_several_notes() -> None:
    notes = [Annotated(f"{start}itis Vraxilius", ()) for start in ("arthr", "gastr", "hepat")]
    assert affixes_of(notes, 3) == {"s=tis", "e=is"}


def test_labels_may_be_the_annotators_own() -> None:
    notes = [
        Annotated(
            note.text, tuple(Span(s.start, s.end, s.kind, f"x{s.kind.value}") for s in note.spans), note.id
        )
        for note in small_notes(80)
    ]
    lexicon = SmallLexicon()
    model = train(notes, lexicon, label_of=lambda span: span.label, settings=QUICK)
    assert model.kinds == {"xDATE": Kind.DATE, "xLOCATION": Kind.LOCATION, "xNAME": Kind.NAME}
    spans = list(Learned(model, lexicon).find(Page("Seen by Dr. Okonkwo today")))
    assert ("xNAME", Kind.NAME) in {(span.label, span.kind) for span in spans if span.certainty > 0.5}


def test_corrected_notes_replace_those_of_their_id_and_teach_the_next_round() -> None:
    lexicon = SmallLexicon()
    corpus = small_notes(60)
    text = "Discharged to cottage Alderaan in fair condition"
    missed = Annotated(text, (), "home")
    first = Learned(train([*corpus, missed], lexicon, settings=QUICK), lexicon)
    assert ("Alderaan", "LOCATION") not in found(first, text)
    corrected = [
        Annotated(
            f"Discharged to cottage {name} in fair condition", (Span(22, 22 + len(name), Kind.LOCATION),), id_
        )
        for name, id_ in (("Alderaan", "home"), ("Endor", "2nd"), ("Naboo", "3rd"), ("Kamino", "4th"))
    ]
    again = merged([*corpus, missed], corrected)
    assert len(again) == len(corpus) + len(corrected)
    second = Learned(train(again, lexicon, settings=QUICK, rounds=2), lexicon)
    assert ("Corellia", "LOCATION") in found(second, text.replace("Alderaan", "Corellia"))
    assert second.model.provenance.rounds == 2


def test_notes_without_a_span_teach_nothing() -> None:
    with pytest.raises(BadInput, match="no annotated span"):
        train([Annotated("no one here", ())], SmallLexicon())


@pytest.mark.parametrize("wrong", [{"varied": 2.0}, {"forgotten": 1.0}, {"l1": -1.0}, {"iterations": 0}])
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput, match="settings of the training"):
        Settings(**wrong)  # type: ignore[arg-type]


def test_progress_goes_from_features_to_the_end_of_training() -> None:
    class Told:
        def __init__(self) -> None:
            self.steps: list[str] = []
            self.done: list[float] = []

        def step(self, what: str) -> None:
            self.steps.append(what)
            self.done.clear()

        def update(self, done: float, note: str = "") -> None:
            self.done.append(done)

    def stream() -> Iterator[Annotated]:
        yield from small_notes(30)

    told = Told()
    train(stream(), SmallLexicon(), settings=Settings(iterations=5), progress=told)
    assert told.steps == ["features", "training"]
    assert told.done == sorted(told.done)
    assert 0 < told.done[-1] <= 1


def test_the_planted_names_are_planted() -> None:
    assert not {*PLANTED} & {*GIVEN}
    assert any("Zyxwolfram" in note.text for note in small_notes(120, given=PLANTED))
