"""What columns know about a person does not stand in that person's notes, or the promise does not hold."""

from __future__ import annotations

import pytest

from sfumato.text.kinds import Kind
from sfumato.text.models import MODELS, KnownIdentifiersRemoved
from sfumato.text.models.contract import Handled
from sfumato.text.note import Known, Note, Record

KNOWN = (Known(Kind.NAME, "van Berg, Zoë"), Known(Kind.ID, "SH-02-222"), Known(Kind.DATE, "2003-01-17"))


def holds(*released: str) -> bool:
    record = Record(tuple(Note(text) for text in released), "1", KNOWN)
    promise = KnownIdentifiersRemoved()
    return promise.verdict(promise.counted(Handled(record, released, ((),) * len(released)))).holds


@pytest.mark.parametrize(
    "text", ["seen BERG today", "zoe is well", "no. SH 02 222", "on 2003/01/17", "ZOE\u0308 came", "(Berg)"]
)
def test_a_known_value_is_found_however_it_is_written(text: str) -> None:
    assert not holds("all is well", text)


@pytest.mark.parametrize("text", ["a van came", "iceberg", "SH-02", "no. 02222", "", "17 January"])
def test_parts_and_particles_of_values_are_no_values(text: str) -> None:
    assert holds(text)


def test_every_model_says_what_it_promises() -> None:
    made = {"recall-at-least": {"share": 0.9}, "t-plausibility": {"t": 5}}
    for name, kind in MODELS.items():
        model = kind(**made.get(name, {}))
        assert model.name == name
        assert model.in_words()
        assert not model.in_words().endswith(".")
        assert model.protects_from
        assert model.basis
