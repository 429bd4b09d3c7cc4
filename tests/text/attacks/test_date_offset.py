"""True dates undo the shift of all dates of a person; where no day stands there is nothing to undo."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.attacks import DateOffset, Identified, Knowledge, ReleasedNotes
from sfumato.text.attacks.date_offset import likeliest_offsets
from sfumato.text.kinds import Kind
from sfumato.text.methods import Deidentify
from sfumato.text.note import Found, Known
from sfumato.text.replace.apply import applied
from sfumato.text.span import Span
from tests.oracles.text_attacks import offsets
from tests.text.attacks.hospital import Hospital
from tests.text.replace.examples import secrets

MOVED = Deidentify("surrogates", "shifted-dates")


@pytest.fixture(scope="module")
def hospital() -> Hospital:
    return Hospital.of(40)


def stays(hospital: Hospital) -> Identified:
    """The adversary knows admissions and discharges."""
    return Identified(
        tuple(
            (
                Known(Kind.DATE, one.admitted.isoformat()),
                Known(Kind.DATE, (one.admitted + timedelta(days=9)).isoformat()),
            )
            for one in hospital.patients
        ),
        hospital.persons,
    )


def test_two_known_dates_reveal_the_shift_of_nearly_everybody(hospital: Hospital, tmp_path: Path) -> None:
    shown, moved = hospital.replaced(MOVED.replacement(), secrets(tmp_path))
    assert None not in moved
    result = DateOffset().run(shown, Knowledge(stays(hospital), None, hospital.persons, moved))
    assert result.success == 1.0
    assert result.baseline == 1 / 730


def test_a_missed_date_beside_its_moved_copy_reveals_the_shift_without_any_table(tmp_path: Path) -> None:
    hospital = Hospital.of(40)
    shown, moved = hospital.replaced(MOVED.replacement(), secrets(tmp_path))
    planted = ReleasedNotes(
        tuple(
            f"{text} Came in on {one.admitted:%Y-%m-%d}, left on {one.admitted + timedelta(days=9):%Y-%m-%d}."
            for text, one in zip(shown.texts, hospital.patients, strict=True)
        )
    )
    blind = DateOffset().run(shown, Knowledge(None, None, hospital.persons, moved))
    result = DateOffset().run(planted, Knowledge(None, None, hospital.persons, moved))
    # Without a table nobody knows which of two is the moved one, so that at best one in two is right.
    assert result.success > 0.2 > 20 * blind.success


def test_years_alone_leave_nothing_to_undo(hospital: Hospital, tmp_path: Path) -> None:
    shown, moved = hospital.replaced(Deidentify("tags").replacement(), secrets(tmp_path))
    assert set(moved) == {None}
    result = DateOffset().run(shown, Knowledge(stays(hospital), None, hospital.persons, moved))
    assert (result.success, result.certain) == (0.0, 0)
    assert result.details["records in which no day stands"] == 40


def test_a_date_that_cannot_be_read_makes_the_note_fall_back_so_that_nothing_is_revealed(
    hospital: Hospital, tmp_path: Path
) -> None:
    texts, offsets = [], []
    for one in hospital.found:
        note = one.record.notes[0]
        start = note.text.index("with a cough")
        unread = Span(start, start + 4, Kind.DATE, "full")
        found = Found(one.record, (tuple(sorted((*one.spans[0], unread))),))
        (changes,) = MOVED.replacement().changes(found, secrets(tmp_path))
        texts.append(applied(note.text, changes)[0])
        offsets.append(None)
    known = Knowledge(stays(hospital), None, hospital.persons, tuple(offsets))
    result = DateOffset().run(ReleasedNotes(tuple(texts)), known)
    assert result.success == 0.0
    assert result.details["records in which no day stands"] == 40


def test_without_the_true_shifts_nothing_is_reported(hospital: Hospital) -> None:
    with pytest.raises(BadInput, match="by how much dates were moved"):
        DateOffset().run(hospital.notes, Knowledge(stays(hospital), persons=hospital.persons))
    with pytest.raises(BadInput, match="no date was moved"):
        DateOffset().run(hospital.notes, Knowledge(offsets=(None,) * 40))


_DAYS = st.sets(st.integers(0, 60).map(lambda day: date(2003, 1, 1) + timedelta(days=day)), max_size=5)


@given(true=_DAYS, shown=_DAYS, days=st.integers(1, 40))
def test_the_likeliest_offsets_are_those_of_a_search_over_all(
    true: set[date], shown: set[date], days: int
) -> None:
    assert likeliest_offsets(true, shown, days) == offsets(true, shown, days)
