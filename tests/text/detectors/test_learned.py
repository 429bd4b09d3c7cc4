"""The learned detector on texts of all sorts."""

from __future__ import annotations

import pickle
import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.compete import compete
from sfumato.text.crf import decode
from sfumato.text.crf.train import Settings, train
from sfumato.text.detectors.learned import MOST, Learned
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, SURE, Span
from tests.text.crf.small import SmallLexicon, small_notes

LEXICON = SmallLexicon()
MODEL = train(small_notes(100), LEXICON, real=False, settings=Settings(iterations=25))
LEARNED = Learned(MODEL, LEXICON)


def certain(text: str, learned: Learned = LEARNED) -> set[Span]:
    return {span for span in learned.find(Page(text)) if span.certainty >= 0.5}


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_spans_begin_and_end_with_words_whatever_the_text(text: str) -> None:
    page = Page(text)
    spans = list(LEARNED.find(page))
    assert {span.start for span in spans} <= {*page.tokens.starts}
    assert {span.end for span in spans} <= {*page.tokens.ends}
    assert all(0.1499 < span.certainty < 1 and span.detector == "learned" for span in spans)


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", ":", "::::", "\ud800", "e\u0301", "🙂🙂 :", "\x00", "\r\n:\r\na"]
)
def test_odd_texts_are_read(text: str) -> None:
    assert all(span.end <= len(text) for span in LEARNED.find(Page(text)))


def test_a_lower_threshold_only_ever_covers_more() -> None:
    for note in small_notes(30, seed=3):
        covered: set[int] = set()
        for threshold in (0.92, 0.7, 0.5, 0.3, 0.2):
            spans = compete(note.text, LEARNED.find(Page(note.text)), threshold)
            now = {place for span in spans for place in range(span.start, span.end)}
            kept = {place for place in covered if note.text[place].isalnum()}
            assert kept <= now
            covered = now


def test_the_certainty_of_a_span_is_the_least_of_its_words() -> None:
    text = "Patient: Ada Byron\nSeen by Dr. Hopper on 3/4/2011 for fever."
    page = Page(text)
    probable = next(LEARNED.decoder.probabilities(page))
    labels = MODEL.weights.labels
    for span in certain(text):
        words = [place for place, start in enumerate(page.tokens.starts) if span.start <= start < span.end]
        columns = [labels.index(prefix + span.kind.value) for prefix in ("B-", "I-")]
        least = min(float(probable[word, columns].sum()) for word in words)
        weighed = 8 * least / (8 * least + 1 - least)
        assert span.certainty == pytest.approx(min(weighed, MOST), abs=1e-6)


def test_nothing_learned_is_as_certain_as_a_checked_form() -> None:
    texts = [note.text for note in small_notes(30, seed=11)]
    found = [span.certainty for text in texts for span in LEARNED.find(Page(text))]
    assert LIKELY < max(found) < SURE


def test_what_stands_in_two_columns_of_a_form_is_two_things() -> None:
    text = "NAME: Byron, Ada       Hopper, Grace   SEEN: 3/4/2011"
    assert not any("   " in span.of(text) for span in LEARNED.find(Page(text)))


def test_nothing_under_the_least_certainty_is_proposed() -> None:
    sure = Learned(MODEL, LEXICON, least=0.8)
    texts = [note.text for note in small_notes(30, seed=4)]
    certainties = [span.certainty for text in texts for span in sure.find(Page(text))]
    assert certainties
    assert min(certainties) > 0.7999
    with pytest.raises(BadInput, match="between 0 and 1"):
        Learned(MODEL, LEXICON, least=0.0)


def test_the_more_a_leak_weighs_the_more_certain_are_the_same_spans() -> None:
    texts = [note.text for note in small_notes(20, seed=9)]
    for text in texts:
        plain = {(s.start, s.end): s.certainty for s in Learned(MODEL, LEXICON, 1.0).find(Page(text))}
        weighed = {(s.start, s.end): s.certainty for s in Learned(MODEL, LEXICON, 20.0).find(Page(text))}
        assert {*plain} <= {*weighed}
        assert all(weighed[place] >= certainty for place, certainty in plain.items())
    with pytest.raises(BadInput, match="weight of leaks"):
        Learned(MODEL, LEXICON, leaks_weigh=0.0)


def test_a_long_text_is_read_as_its_parts_are(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = [note.text + "\n\n" for note in small_notes(60, seed=5)]
    alone = []
    offset = 0
    for text in notes:
        alone += [(span.start + offset, span.end + offset, span.kind) for span in certain(text)]
        offset += len(text)
    monkeypatch.setattr(decode, "WINDOW", 100)
    together = {(span.start, span.end, span.kind) for span in certain("".join(notes))}
    # The neighbours beyond a note's end are seen in the long text and may move a doubtful span.
    assert len(together & {*alone}) >= 0.97 * len(alone)


def test_windows_do_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(note.text + "\n" for note in small_notes(40, seed=6))
    whole = {(span.start, span.end, span.kind) for span in certain(text)}
    monkeypatch.setattr(decode, "WINDOW", 77)
    assert {(span.start, span.end, span.kind) for span in certain(text)} == whole


def test_forgetting_words_does_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [note.text for note in small_notes(40, seed=7)]
    monkeypatch.setattr(decode, "CAPACITY", 60)
    monkeypatch.setattr(decode, "WINDOW", 20)
    monkeypatch.setattr(decode, "MARGIN", 8)
    forgetful = Learned(MODEL, LEXICON)
    again = Learned(MODEL, LEXICON)
    for text in texts:
        assert certain(text, forgetful) == certain(text, Learned(MODEL, LEXICON)) == certain(text, again)


def test_the_memory_of_words_is_bounded() -> None:
    draw = random.Random(1)
    learned = Learned(MODEL, LEXICON)
    for _ in range(6):
        list(learned.find(Page(" ".join(f"w{draw.randrange(10**9)}" for _ in range(4000)))))
    assert len(learned.decoder._numbers) <= decode.CAPACITY


def test_threads_that_share_a_detector_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "CAPACITY", 300)
    monkeypatch.setattr(decode, "WINDOW", 100)
    shared = Learned(MODEL, LEXICON)
    texts = [note.text for note in small_notes(60, seed=8)]
    expected = [certain(text) for text in texts]
    found: dict[int, list[set[Span]]] = {}

    def work(number: int) -> None:
        found[number] = [certain(text, shared) for text in texts]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [found[number] for number in range(4)] == [expected] * 4


def test_other_processes_get_the_model_without_the_scores_of_words() -> None:
    text = "Seen by Dr. Okonkwo today"
    before = certain(text)
    assert "decoder" in vars(LEARNED)
    other = pickle.loads(pickle.dumps(LEARNED))
    assert "decoder" not in vars(other)
    assert certain(text, other) == before


@pytest.mark.parametrize("unit", ["a", "1", "-", " ", "A a ", ":", "a:\n", "\n"])
def test_long_runs_of_one_thing_are_read(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert all(span.kind is not Kind.CLINICAL for span in LEARNED.find(Page(text)))
