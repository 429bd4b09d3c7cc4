"""Dates: one offset in every form, the year where that is not safe, and nothing that tells an age over 89."""

from __future__ import annotations

import datetime as dt

import pytest

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Secrets
from sfumato.masking.shift import DateShift
from sfumato.text.policy import SAFE_HARBOR, SHIFTED_DATES
from sfumato.text.replace import Masks, Removal, Shift, Surrogates, Tags
from sfumato.text.replace.calendar import FALLBACK, RecordDates
from sfumato.text.replace.missed_dates import looks_like_a_missed_date
from tests.growth import grows_with_the_length
from tests.oracles.text_replace import revealed_offsets
from tests.text.replace.examples import hows, marked, replaced

SHIFTED = Surrogates(policy="shifted-dates")


def moved(*notes: str, by: int, written: str | None = None) -> list[list[str | None]]:
    """Move the dates of notes by so many days."""
    settled = RecordDates(SHIFTED_DATES, lambda: by).settle(marked(*notes, written=written))
    return [[shown.text for _, shown in sorted(note.items())] for note in settled]


def years(*notes: str, written: str | None = None, this_year: int = 2026) -> list[str | None]:
    """Reduce the dates of notes under Safe Harbor."""
    from dataclasses import replace

    policy = replace(SAFE_HARBOR, this_year=this_year)
    settled = RecordDates(policy, lambda: 0).settle(marked(*notes, written=written))
    return [shown.text for note in settled for _, shown in sorted(note.items())]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Jan 17 2003", "Aug 21 2003"),
        ("1/19/03", "8/23/03"),
        ("2003-01-17T10:30", "2003-08-21T10:30"),
        ("17-JAN-2003", "21-AUG-2003"),
        ("January 17th, 2003", "August 21st, 2003"),
        ("Jan 17-20, 2003", "Aug 21-24, 2003"),
        ("1/17-1/20/2003", "8/21-8/24/2003"),
        ("Jan 17, 2003 to Jan 20, 2003", "Aug 21, 2003 to Aug 24, 2003"),
        ("January 2003", "August 2003"),
        ("Friday", "Thursday"),
    ],
)
def test_a_date_keeps_its_form_when_it_is_moved(before: str, after: str) -> None:
    assert moved(f"on {{DATE {before}}}.", by=216) == [[after]]


def test_a_date_without_a_year_takes_that_of_the_note() -> None:
    assert moved("on {DATE 12/30}", by=3, written="2019-12-31") == [["1/2"]]
    assert moved("on {DATE 2/27}", by=2, written="2020-03-01") == [["2/29"]]
    assert moved("on {DATE 2/27}", by=2, written="2019-03-01") == [["3/1"]]


def test_a_date_without_a_year_takes_that_of_another_date_of_the_note() -> None:
    assert moved("{DATE 3/1/2020}: since {DATE 2/27}", by=2) == [["3/3/2020", "2/29"]]
    assert moved("since {DATE 2/27}; {DATE 3/1/2020}", by=2) == [["2/29", "3/3/2020"]]


@pytest.mark.parametrize("unread", ["the day after Michaelmas", "2/30/2003", "the 14th", "12/31/9999"])
def test_one_date_that_cannot_be_read_reduces_all_of_its_note_to_the_year(unread: str) -> None:
    first, second = moved(f"{{DATE Jan 17 2003}}, {{DATE {unread}}}", "{DATE Jan 20 2003}", by=216)
    assert first[0] == "2003"
    assert second == ["Aug 24 2003"]


def test_a_date_without_any_year_around_it_reduces_the_note() -> None:
    assert moved("on {DATE 12/30}", by=3) == [[None]]


def test_the_fallback_is_counted(key: Secrets) -> None:
    found = marked("{DATE Jan 17 2003} and {DATE the ides of March}")
    assert hows(found, SHIFTED, key) == [FALLBACK, FALLBACK]
    assert replaced(found, SHIFTED, key) == ["2003 and [date]"]
    assert replaced(found, Tags(policy="shifted-dates"), key) == ["**DATE[2003] and **DATE"]


def test_a_true_date_beside_its_moved_copy_would_reveal_the_offset_and_the_fallback_prevents_it(
    key: Secrets,
) -> None:
    admitted = dt.date(2003, 1, 17)
    offset = SHIFTED.offset(marked("x").record, key)
    alone = replaced(marked("Admitted {DATE Jan 17 2003}."), SHIFTED, key)[0]
    shown = dt.datetime.strptime(alone, "Admitted %b %d %Y.").date()
    assert revealed_offsets([admitted], [shown]) == {offset}
    beside = marked("Admitted {DATE Jan 17 2003}.", "Stay since 01/17/2003, which the finder missed.")
    first, second = replaced(beside, SHIFTED, key)
    assert first == "Admitted 2003."
    assert second == beside.record.notes[1].text


def test_a_date_in_words_that_nobody_finds_is_the_risk_that_is_left(key: Secrets) -> None:
    found = marked("Admitted {DATE Jan 17 2003}, that is the feast of Saint Anthony.")
    assert hows(found, SHIFTED, key) == ["shifted"]


def test_what_looks_like_a_date_and_was_found_as_something_else_is_no_missed_date() -> None:
    found = marked("MRN {ID 12-11-2003}, BP 128/74, Percocet 5/325")
    assert not looks_like_a_missed_date(found.record.notes[0].text, found.spans[0])
    assert looks_like_a_missed_date("on 3 March 2011", [])


@pytest.mark.parametrize("filler", ["a", "1", "-", " ", "A a ", "1/1/", "2003-", "Jan 1 "])
def test_looking_for_missed_dates_takes_linear_time(filler: str) -> None:
    assert grows_with_the_length(lambda text: looks_like_a_missed_date(text, []), filler, short=10_000)


def test_a_date_that_a_shift_leaves_as_it_was_reduces_its_note() -> None:
    assert moved("{DATE 12/14}", by=365, written="2010-12-20") == [[None]]
    assert moved("{DATE June 2010}", by=3) == [["2010"]]
    assert moved("in {DATE 2010}", by=3) == [["2010"]]


def test_safe_harbor_shows_the_year() -> None:
    assert years("{DATE 7/21/13}, {DATE August 2022}, {DATE/year 2015}, {DATE 7/21}, {DATE Monday}") == [
        "2013", "2022", "2015", None, None,
    ]  # fmt: skip
    assert years("{DATE 12/30/2012-1/2/2013}") == ["2012-2013"]


def test_years_that_tell_an_age_over_89_are_lumped() -> None:
    assert years("DOB {DATE 3/28/1913}; {DATE/year 1936}, {DATE 1/1/1937}") == [
        "1936 or earlier", "1936 or earlier", "1937",
    ]  # fmt: skip
    first, second = moved("born {DATE March 28, 1913}, seen {DATE 1/5/2011}", by=10)[0]
    assert first is not None
    assert first.endswith("or earlier")
    assert second == "1/15/2011"


def test_a_birth_of_two_digits_is_not_after_the_notes_of_the_person() -> None:
    assert years("DOB: {DATE 03/25/18}, seen {DATE 7/20/2010}") == ["1936 or earlier", "2010"]
    assert years("DOB: {DATE 03/25/18}, {AGE 98}") == ["1936 or earlier"]
    assert years("DOB: {DATE 03/25/18}, seen {DATE 7/20/2021}") == ["2018", "2021"]
    assert years("DOB: {DATE 03/25/18}") == [None]
    assert years("DOB: {DATE 03/25/45}, seen {DATE 7/20/2021}") == ["1945", "2021"]


def test_decades_stay_unless_they_tell_an_age_over_89() -> None:
    assert years("in the {DATE/year 1990s} and {DATE/year 1920s}") == ["1990s", "1936 or earlier"]
    assert moved("in the {DATE/year 1990s}; {DATE 1/5/2011}", by=10) == [["1990s", "1/15/2011"]]


def test_times_stay(key: Secrets) -> None:
    found = marked("at {DATE/time 14:30} on {DATE 1/5/2011}")
    assert replaced(found, Tags(), key) == ["at 14:30 on **DATE[2011]"]


def test_the_offset_is_that_of_the_columns_of_the_person(key: Secrets) -> None:
    found = marked("{DATE 1/5/2011}", person="P7")
    assert SHIFTED.offset(found.record, key) == DateShift(365).shifts(["P7"], key)[0]


def test_records_without_a_person_do_not_share_an_offset(key: Secrets) -> None:
    offsets = {SHIFTED.offset(marked(f"note {number}", person="").record, key) for number in range(20)}
    assert len(offsets) > 10


def test_masks_and_removal_of_shifted_dates_need_no_key() -> None:
    found = marked("on {DATE 1/5/2011}")
    assert replaced(found, Masks(policy="shifted-dates"), Secrets()) == ["on ****"]
    assert replaced(found, Removal(policy="shifted-dates"), Secrets()) == ["on "]


def test_a_shift_in_whole_weeks_needs_a_week() -> None:
    with pytest.raises(BadInput, match="7 or more"):
        Shift(6, whole_weeks=True)


def test_days_of_the_week_stay_with_whole_weeks(key: Secrets) -> None:
    weeks = Surrogates(policy="shifted-dates", shift=Shift(70, whole_weeks=True))
    assert replaced(marked("seen {DATE/weekday Monday}"), weeks, key) == ["seen Monday"]
