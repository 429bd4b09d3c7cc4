"""Attacks on moved dates: whatever true date, day or weekday stands beside them gives the offset away."""

from __future__ import annotations

import datetime as dt

import pytest

from sfumato.masking.contract import Secrets
from sfumato.text.policy import SAFE_HARBOR, SHIFTED_DATES
from sfumato.text.replace import Generalisation, Surrogates, Tags
from sfumato.text.replace.calendar import FALLBACK, RecordDates
from sfumato.text.replace.missed_dates import looks_like_a_missed_date
from tests.text.replace.examples import hows, marked, replaced

SHIFTED = Surrogates(policy="shifted-dates")


def moved(*notes: str, by: int, written: str | None = None) -> list[list[str | None]]:
    settled = RecordDates(SHIFTED_DATES, lambda: by).settle(marked(*notes, written=written))
    return [[shown.text for _, shown in sorted(note.items())] for note in settled]


@pytest.mark.parametrize(
    "missed",
    [
        "20030117",
        "20030117103000",
        "17JAN2003",
        "17Jan03",
        "2003 Jan 17",
        "Jan 17",
        "January 17th",
        "17 January",
        "17th of January",
        "1/2003",
        "seventeenth of January",
        "the twenty-first of March",
        "the thirty-first day of May",
    ],
)
def test_a_true_date_that_was_not_found_keeps_all_dates_of_the_record_from_being_moved(
    missed: str, key: Secrets
) -> None:
    found = marked("Seen {DATE 1/20/2003}.", f"Labs of {missed}, stable.")
    assert hows(found, SHIFTED, key) == [FALLBACK]


@pytest.mark.parametrize(
    "note",
    [
        "Mon {DATE 1/20/2003}",
        "Monday, {DATE January 20, 2003}",
        "{DATE 1/20/2003} (Mon)",
        "{DATE 1/20/2003}, Monday",
        "wed. {DATE 1/22/03}",
    ],
)
def test_a_weekday_beside_a_moved_date_would_tell_the_offset_modulo_seven(note: str, key: Secrets) -> None:
    assert hows(marked(note), SHIFTED, key) == [FALLBACK]


@pytest.mark.parametrize(
    "harmless",
    [
        "BP 128/74, pain 3/10, Percocet 5/325, 98.6",
        "may 2 tablets be taken",
        "on 2 mg, sat 98 %, sun exposure",
        "MRN 8572335 and 12345678 and 99999999",
        "L4-5, T12, C5-C6, 24-36 hours",
        "ejection fraction 55 2003",
        "march 5 km",
    ],
)
def test_measures_are_no_missed_dates(harmless: str) -> None:
    assert not looks_like_a_missed_date(harmless, [])


def test_saturation_behind_a_date_is_no_weekday(key: Secrets) -> None:
    assert hows(marked("{DATE 1/20/2003} sat 98 % on room air"), SHIFTED, key) == ["shifted"]


def test_a_date_without_a_year_is_placed_beside_visits_and_not_beside_the_birth() -> None:
    [[_, seen, visit]] = moved("DOB {DATE 3/4/1951}; since {DATE 2/27}, seen {DATE 3/1/2020}", by=2)
    assert (seen, visit) == ("2/29", "3/3/2020")


def test_the_hour_that_a_finder_cut_off_a_time_stamp_stays_with_it() -> None:
    [dates] = moved("at {DATE 2003-01-17}{DATE T10}:30:00Z", by=216)
    assert dates == ["2003-08-21", "T10"]


def test_a_dash_that_was_taken_for_a_date_is_no_date_that_cannot_be_read(key: Secrets) -> None:
    found = marked("mid{DATE -}{DATE January 2003}, seen {DATE 1/20/2003}")
    assert hows(found, SHIFTED, key) == ["kept", "shifted", "shifted"]


def test_lumping_twice_gives_the_same_as_once(key: Secrets) -> None:
    last = SAFE_HARBOR.last_lumped_year
    found = marked(f"born in {{DATE/year {last}}} or earlier, seen {{DATE/year 2011}}")
    assert replaced(found, Generalisation(), key) == [found.record.notes[0].text]
    assert replaced(found, Generalisation(policy="shifted-dates"), key)[0].count("or earlier") == 1


def test_a_tag_of_a_date_that_holds_something_else_is_no_tag_of_ours(key: Secrets) -> None:
    found = marked("**DATE[{NAME Ada Lovelace}] and **DATE[{DATE 2003}]")
    assert replaced(found, Tags(), key) == ["**DATE[**NAME[BBB AAA]] and **DATE[2003]"]


@pytest.mark.parametrize("by", [-366, -365, -1, 1, 365, 366])
def test_leap_days_and_year_ends_move_by_the_very_number_of_days(by: int) -> None:
    for day in (dt.date(2004, 2, 29), dt.date(2003, 12, 31), dt.date(2000, 1, 1), dt.date(2100, 2, 28)):
        [[shown]] = moved(f"{{DATE {day.isoformat()}}}", by=by)
        assert shown == (day + dt.timedelta(days=by)).isoformat()


def test_a_person_with_a_broken_letter_in_the_identifier_has_a_shift_like_everybody(key: Secrets) -> None:
    found = marked("seen {DATE 1/20/2003}", person="P\ud800")
    assert hows(found, SHIFTED, key) == ["shifted"]


@pytest.mark.parametrize("said", ["7/4 14:30", "Jan 17 2003 10:30", "Monday 9am", "7/4 at noon"])
def test_what_is_called_a_time_stays_only_when_it_is_one(said: str, key: Secrets) -> None:
    found = marked(f"at {{DATE/time {said}}}, since {{DATE 1/5/2011}}")
    for replacement in (Tags(), SHIFTED):
        assert said not in replaced(found, replacement, key)[0]


@pytest.mark.parametrize(
    "said", ["14:30", "9am", "1430 hrs", "10:30:00 AM", "noon", "0730", "T10:30Z", "8 p.m."]
)
def test_times_of_day_stay(said: str, key: Secrets) -> None:
    assert replaced(marked(f"at {{DATE/time {said}}}"), Tags(), key) == [f"at {said}"]


@pytest.mark.parametrize("kept", ["DATE", "DATE/weekday", "DATE/holiday", "DATE/partial", "DATE/full"])
def test_a_policy_that_moves_some_dates_and_keeps_others_is_refused(kept: str) -> None:
    from dataclasses import replace

    from sfumato.core.errors import BadInput

    with pytest.raises(BadInput, match="moved"):
        replace(SHIFTED_DATES, kept=frozenset({kept}))
