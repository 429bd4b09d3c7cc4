"""Other people's models as detectors."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, MissingPart
from sfumato.text.detectors.plugin import (
    NEWS_KINDS,
    Entity,
    PluginDetector,
    SpacyDetector,
    TransformersDetector,
    pieces,
)
from sfumato.text.kinds import Kind
from sfumato.text.page import Page

TEXT = "Ada met Byron\nin Klow for one week"


def entities(text: str) -> Iterator[Entity]:
    for word, label in (("Ada", "PERSON"), ("Byron", "PERSON"), ("Klow", "GPE"), ("one week", "DATE")):
        place = text.find(word)
        if place >= 0:
            yield place, place + len(word), label, None


@given(st.text(), st.integers(1, 20))
def test_pieces_are_the_text(text: str, longest: int) -> None:
    cut = list(pieces(text, longest))
    assert "".join(piece for _, piece in cut) == text
    assert all(text.startswith(piece, start) and 0 < len(piece) <= longest for start, piece in cut)


@pytest.mark.parametrize("longest", [14, 20, 100])
def test_offsets_count_from_the_beginning_of_the_text(longest: int) -> None:
    detector = PluginDetector("fake", entities, NEWS_KINDS, longest=longest)
    found = [(span.of(TEXT), span.kind, span.label) for span in detector.find(Page(TEXT))]
    assert found == [
        ("Ada", Kind.NAME, "person"),
        ("Byron", Kind.NAME, "person"),
        ("Klow", Kind.LOCATION, "gpe"),
    ]


def test_entities_outside_the_text_are_refused_without_a_word_of_it() -> None:
    detector = PluginDetector("broken", lambda text: [(2, len(text) + 1, "PERSON", 0.5)], NEWS_KINDS)
    with pytest.raises(BadInput, match="detector 'broken': an entity lies outside the text") as problem:
        list(detector.find(Page("secret")))
    assert "secret" not in str(problem.value)


def test_without_the_part_the_detector_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("spacy", "transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingPart, match="needs spacy; pip install spacy"):
        list(SpacyDetector("en_core_web_sm").find(Page(TEXT)))
    with pytest.raises(MissingPart, match="needs transformers; pip install transformers"):
        list(TransformersDetector("folder").find(Page(TEXT)))


def test_spacy_s_entities_become_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = ModuleType("spacy")

    def load(model: str) -> object:
        if model != "installed":
            raise OSError(model)
        return lambda text: SimpleNamespace(
            ents=[
                SimpleNamespace(start_char=start, end_char=end, label_=label)
                for start, end, label, _ in entities(text)
            ]
        )

    fake.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spacy", fake)
    detector = SpacyDetector("installed")
    assert [span.of(TEXT) for span in detector.find(Page(TEXT))] == ["Ada", "Byron", "Klow"]
    assert pickle.loads(pickle.dumps(detector)) == detector
    with pytest.raises(MissingPart, match="no model 'elsewhere'"):
        list(SpacyDetector("elsewhere").find(Page(TEXT)))


def test_transformers_classes_become_spans_with_their_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = ModuleType("transformers")

    def pipeline(task: str, model: str, **options: object) -> object:
        assert options["model_kwargs"] == {"local_files_only": True}
        if model != "folder":
            raise OSError(model)
        return lambda text: [
            {"start": start, "end": end, "entity_group": label, "score": 0.75}
            for start, end, label, _ in entities(text)
        ]

    fake.pipeline = pipeline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", fake)
    detector = TransformersDetector("folder")
    assert [(span.of(TEXT), span.certainty) for span in detector.find(Page(TEXT))] == [
        ("Ada", 0.75),
        ("Byron", 0.75),
        ("Klow", 0.75),
    ]
    with pytest.raises(MissingPart, match="no model 'elsewhere' on this machine"):
        list(TransformersDetector("elsewhere").find(Page(TEXT)))
