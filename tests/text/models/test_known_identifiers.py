"""What columns know about a person does not stand in that person's notes, or the promise does not hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.text.detectors.known_values import KnownValues
from sfumato.text.kinds import Kind
from sfumato.text.models import MODELS, KnownIdentifiersRemoved
from sfumato.text.models.contract import Handled
from sfumato.text.note import Found, Known, Note, Record
from sfumato.text.page import Page

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


@pytest.mark.parametrize("text", ["no. SH02222", "SH-0 2222", "on 20030117"])
def test_a_value_is_found_however_it_is_cut_into_words(text: str) -> None:
    assert not holds(text)


WRITTEN = st.lists(st.sampled_from("aAbÄß1'-_ .,\n\u00ad\u0301"), max_size=24).map("".join)


@settings(max_examples=300, deadline=None)
@given(value=WRITTEN, text=WRITTEN, glue=st.sampled_from(" -.\n"), kind=st.sampled_from([Kind.NAME, Kind.ID]))
def test_what_the_search_for_known_values_leaves_keeps_the_promise(
    value: str, text: str, glue: str, kind: Kind
) -> None:
    note = f"{text}{glue}{value}{glue}{text} {value.replace('-', '')}"
    record = Record((Note(note),), "1", (Known(kind, value),))
    spans = KnownValues().find(Found(record, ((),)), (Page(note),))[0]
    left = "".join(
        "z" if any(one.start <= at < one.end for one in spans) else letter for at, letter in enumerate(note)
    )
    promise = KnownIdentifiersRemoved()
    assert promise.verdict(promise.counted(Handled(record, (left,), ((),)))).holds


def test_every_model_says_what_it_promises() -> None:
    made = {"recall-at-least": {"share": 0.9}, "t-plausibility": {"t": 5}}
    for name, kind in MODELS.items():
        model = kind(**made.get(name, {}))
        assert model.name == name
        assert model.in_words()
        assert not model.in_words().endswith(".")
        assert model.protects_from
        assert model.basis
