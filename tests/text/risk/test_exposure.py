"""Risk of notes: what is found by kind, and who is alone with what can be read of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.finders import finder_of
from sfumato.text.kinds import Kind
from sfumato.text.note import Record
from sfumato.text.risk import exposure
from tests.text.attacks.hospital import Hospital


def test_identifiers_are_counted_by_kind_and_by_note() -> None:
    notes = ["Mail a@example.org or b@example.org.", "Call 615-555-0142.", "All is well."]
    risk = exposure((Record.of(note) for note in notes), finder_of("en", "none"))
    assert risk.found == {"EMAIL": 2, "PHONE": 1}
    assert risk.holding == {"EMAIL": 1, "PHONE": 1}
    assert (risk.notes, risk.people, risk.without) == (3, 3, 1)


def test_nearly_everybody_is_alone_with_dates_and_few_without() -> None:
    hospital = Hospital.of(300)
    before = exposure(Record.of(text) for text in hospital.notes.texts)
    blank = hospital.without(Kind.DATE, Kind.AGE, Kind.NAME, Kind.LOCATION)
    after = exposure(Record.of(text) for text in blank.texts)
    assert before.unique_share > 0.95
    assert (after.unique, after.few) == (0, 0)
    assert after.told == {"sex": 300}


def test_notes_of_one_person_are_read_together() -> None:
    risk = exposure([Record.of("57 years old", "seen in 2003"), Record.of("57 years old")])
    assert (risk.people, risk.notes, risk.unique) == (2, 3, 2)


@given(st.lists(st.sampled_from(["57 years old", "61 years old", "seen in 2003", "is well"]), min_size=1))
def test_unique_people_are_those_whose_text_nobody_shares(notes: list[str]) -> None:
    risk = exposure(Record.of(note) for note in notes)
    shared = [notes.count(note) for note in notes if note != "is well"]
    assert risk.unique == shared.count(1)
    assert risk.few == sum(many < 5 for many in shared)
    assert risk.silent == notes.count("is well")


def test_no_notes_are_no_risk_of_zero() -> None:
    with pytest.raises(BadInput, match="no notes"):
        exposure([])


def test_the_table_holds_numbers_and_no_text() -> None:
    shown = str(exposure([Record.of("Mail a@example.org")], finder_of("en", "none")))
    assert "example" not in shown
    assert "EMAIL" in shown
