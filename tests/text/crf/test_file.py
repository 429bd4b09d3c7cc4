"""The file of a model: small, reproducible, and refused when it is not what it says."""

from __future__ import annotations

import json
import lzma
import pickle
import random
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.text.crf.file import MAGIC, packed, unpacked
from sfumato.text.crf.model import Model
from sfumato.text.crf.train import Settings, train
from tests.text.crf.small import SmallLexicon, small_notes

DAMAGED = "damaged, or is no model"


@pytest.fixture(scope="module")
def model() -> Model:
    return train(small_notes(60), SmallLexicon(), real=False, settings=Settings(iterations=15))


def rewritten(model: Model, **changed: object) -> bytes:
    """Return the file of a model with other values in its header."""
    body = lzma.decompress(packed(model))
    start = len(MAGIC) + 4
    end = start + struct.unpack_from("<I", body, len(MAGIC))[0]
    head = json.dumps({**json.loads(body[start:end]), **changed}).encode()
    return lzma.compress(MAGIC + struct.pack("<I", len(head)) + head + body[end:])


def test_a_saved_model_is_the_same_model(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path / "model.crf.xz")
    loaded = Model.load(tmp_path / "model.crf.xz")
    assert loaded.vocabulary == model.vocabulary
    assert loaded.kinds == model.kinds
    assert loaded.provenance == model.provenance
    assert loaded.weights.labels == model.weights.labels
    assert loaded.weights.traits == model.weights.traits
    for part in ("trait_scores", "codes", "code_scores", "phrase_scores", "transitions"):
        np.testing.assert_array_equal(getattr(loaded.weights, part), getattr(model.weights, part))
    assert packed(loaded) == packed(model)


def test_training_again_gives_the_same_bytes(model: Model) -> None:
    again = train(small_notes(60), SmallLexicon(), real=False, settings=Settings(iterations=15))
    assert packed(again) == packed(model)
    other = train(small_notes(60), SmallLexicon(), real=False, settings=Settings(iterations=15, seed=2))
    assert packed(other) != packed(model)


def test_a_rewritten_header_that_says_the_same_is_read(model: Model) -> None:
    assert packed(unpacked(rewritten(model))) == packed(model)


@pytest.mark.parametrize(
    "changed",
    [
        {"kinds": {"NAME": "NOBODY"}},
        {"kinds": {}},
        {"labels": ["O", "B-NAME"]},
        {"labels": "O"},
        {"step": 0.0},
        {"step": "nan"},
        {"sizes": [1, 2]},
        {"sizes": [10**9] * 5},
        {"sizes": [-1] * 5},
        {"traits": []},
        {"traits": [1, 2]},
        {"vocabulary": None},
        {"vocabulary": ["twice", "twice"]},
        {"provenance": {}},
        {"features": None},
    ],
    ids=lambda changed: f"{changed}"[:40],
)
def test_a_header_that_does_not_fit_is_refused(model: Model, changed: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        unpacked(rewritten(model, **changed))


def test_a_model_must_say_whether_its_notes_were_real(model: Model) -> None:
    provenance = {**vars(model.provenance), "trained_on_real_notes": "no"}
    with pytest.raises(BadInput, match=DAMAGED):
        unpacked(rewritten(model, provenance=provenance))


def test_a_model_of_other_features_is_refused_with_its_remedy(model: Model) -> None:
    with pytest.raises(BadInput, match="another version of Sfumato; train it again"):
        unpacked(rewritten(model, features=0))


def test_any_damaged_byte_is_noticed(model: Model) -> None:
    data = packed(model)
    draw = random.Random(1)
    for _ in range(60):
        place = draw.randrange(len(data))
        broken = data[:place] + bytes([data[place] ^ draw.randrange(1, 256)]) + data[place + 1 :]
        with pytest.raises(BadInput, match=DAMAGED):
            unpacked(broken)


def test_a_file_that_was_cut_or_continued_is_refused(model: Model) -> None:
    data = packed(model)
    for broken in (b"", data[:10], data[: len(data) // 2], data[:-1], data + b"x", data + data):
        with pytest.raises(BadInput, match=DAMAGED):
            unpacked(broken)


def test_foreign_files_are_refused() -> None:
    for foreign in (b"hello", lzma.compress(b"hello"), lzma.compress(MAGIC), pickle.dumps({"a": 1})):
        with pytest.raises(BadInput, match=DAMAGED):
            unpacked(foreign, "model.crf.xz")


def test_a_file_that_unpacks_without_end_is_refused(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.text.crf.file.GREATEST", 1000)
    with pytest.raises(BadInput, match=DAMAGED):
        unpacked(packed(model))


def test_nothing_in_the_room_unpickles() -> None:
    folder = Path(__file__).parents[3] / "src" / "sfumato" / "text"
    sources = [*(folder / "crf").glob("*.py"), folder / "detectors" / "learned.py"]
    assert len(sources) > 10
    assert not [
        source.name for source in sources if "pickle" in source.read_text() or "marshal" in source.read_text()
    ]


def test_a_model_of_real_notes_says_how_to_keep_it(model: Model) -> None:
    assert "REAL NOTES" not in model.describe()
    real = replace(model, provenance=replace(model.provenance, trained_on_real_notes=True))
    assert "REAL NOTES: keep it as you keep these notes" in unpacked(packed(real)).describe()
