"""A date that is read is written again as it was, and another day in the same form."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.dates import calendar_of, read_date, write_date
from sfumato.text.languages.en.calendar import easter
from tests.text.patterns.marking import lines

DAYS = st.dates(date(1950, 1, 1), date(2049, 12, 31))
FORMS = [
    "%B %d, %Y", "%d %B %Y", "%b %d %Y", "%d-%b-%Y", "%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y", "%m.%d.%Y", "%Y%m%d",
    "%A, %B %d, %Y", "%d %b '%y", "%Y/%m/%d", "%m / %d / %Y", "%B\n%d, %Y", "%a %m/%d/%Y",
]  # fmt: skip
"""forms in which every number has its full width, so that ``strftime`` is an oracle"""


@given(DAYS, DAYS, st.sampled_from(FORMS))
def test_another_day_is_written_as_the_standard_library_would(one: date, other: date, form: str) -> None:
    parsed = read_date(one.strftime(form))
    assert parsed is not None
    assert parsed.standing_for() == one
    written = write_date(parsed, other)
    again = read_date(written)
    assert again is not None
    assert again.standing_for() == other
    if one.day < 10 and one.month != 5:  # the width of days is seen, and the month is not "May" in any style
        assert written == other.strftime(form)


@given(DAYS, st.sampled_from(FORMS))
def test_writing_the_same_day_gives_back_the_same_text(day: date, form: str) -> None:
    text = day.strftime(form)
    parsed = read_date(text)
    assert parsed is not None
    assert write_date(parsed, day) == text


@given(DAYS, st.integers(-4000, 4000))
def test_an_interval_survives_the_shift(day: date, days: int) -> None:
    other = day + timedelta(days=9)
    shifted = []
    for text in (f"{day.month}/{day.day}/{day.year}", f"{other:%B} {other.day}, {other.year}"):
        parsed = read_date(text)
        assert parsed is not None
        standing = parsed.standing_for()
        assert standing is not None
        again = read_date(write_date(parsed, standing + timedelta(days=days)))
        assert again is not None
        shifted.append(again.standing_for())
    assert shifted == [day + timedelta(days=days), other + timedelta(days=days)]


@pytest.mark.parametrize(
    ("text", "day", "written"),
    [
        ("Jan 17 2003", date(2003, 8, 21), "Aug 21 2003"),
        ("Jan 20 2003", date(2003, 8, 24), "Aug 24 2003"),
        ("1/19/03", date(2003, 8, 23), "8/23/03"),
        ("7/21", date(2013, 11, 3), "11/3"),
        ("07/21", date(2013, 1, 3), "01/03"),
        ("August 2022", date(2023, 3, 16), "March 2023"),
        ("JUL '13", date(2014, 2, 1), "FEB '14"),
        ("2015", date(2016, 2, 1), "2016"),
        ("the 3rd of May", date(2016, 6, 22), "the 22nd of June"),
        ("may 3RD", date(2016, 6, 22), "june 22ND"),
        ("Monday, 3/4/13", date(2013, 3, 6), "Wednesday, 3/6/13"),
        ("summer of 2019", date(2020, 1, 5), "winter of 2020"),
        ("fall 2012", date(2011, 11, 5), "fall 2011"),
        ("Christmas Day 2020", date(2020, 3, 14), "March 14 2020"),
        ("2013-07-21T10:30:00Z", date(2012, 1, 2), "2012-01-02T10:30:00Z"),
        ("7/21/13 at 2:30 PM", date(2012, 1, 2), "1/2/12 at 2:30 PM"),
        ("Jan 17-20, 2003", date(2003, 8, 21), "Aug 21-24, 2003"),
        ("17th to 20th Jan 2003", date(2003, 8, 30), "30th Aug to 2nd Sep 2003"),
        ("Dec 17-20", date(2003, 12, 30), "Dec 30-Jan 2"),
        ("Monday", date(2001, 1, 4), "Thursday"),
        ("Sept. 3, 2012", date(2012, 9, 4), "Sept. 4, 2012"),
        ("Sept. 3, 2012", date(2012, 10, 4), "Oct. 4, 2012"),
        ("21.07.2013", date(2013, 8, 2), "02.08.2013"),
    ],
)
def test_the_form_is_kept(text: str, day: date, written: str) -> None:
    parsed = read_date(text)
    assert parsed is not None
    assert write_date(parsed, day) == written


NOTHING = """
mild
13/45/2000
2/30/2003
Jan 17-12, 2003
May of the March
10
3 pm
5 days
٣/4/2001
July 4 and 5 and 6
tomorrow
"""


@pytest.mark.parametrize("text", [*lines(NOTHING), ""])
def test_what_is_not_understood_is_no_date(text: str) -> None:
    assert read_date(text) is None


@pytest.mark.parametrize(
    ("text", "reference", "day"),
    [
        ("12/28", date(2013, 1, 4), date(2012, 12, 28)),
        ("7/21", date(2013, 7, 30), date(2013, 7, 21)),
        ("Feb 29", date(2013, 3, 1), date(2012, 2, 29)),
        ("the 14th", date(2013, 3, 1), date(2013, 3, 14)),
        ("the 31st", date(2013, 2, 10), date(2013, 1, 31)),
        ("August", date(2013, 9, 1), date(2013, 8, 16)),
        ("August 2012", None, date(2012, 8, 16)),
        ("2012", None, date(2012, 7, 2)),
        ("7/21", None, None),
        ("Thanksgiving 2019", None, date(2019, 11, 28)),
        ("Easter 2020", None, date(2020, 4, 12)),
        ("Memorial Day 2021", None, date(2021, 5, 31)),
    ],
)
def test_what_is_not_written_is_taken_from_the_day_of_the_note(
    text: str, reference: date | None, day: date | None
) -> None:
    parsed = read_date(text)
    assert parsed is not None
    assert parsed.standing_for(reference) == day


def test_a_two_digit_year_is_of_this_century_below_fifty() -> None:
    assert [read_date(f"1/2/{year}").year for year in ("49", "50", "00")] == [2049, 1950, 2000]  # type: ignore[union-attr]


def test_easter_falls_on_a_sunday_in_spring_and_on_known_days() -> None:
    assert all(easter(year).weekday() == 6 for year in range(1900, 2100))
    assert (easter(1961), easter(2000), easter(2038)) == (
        date(1961, 4, 2),
        date(2000, 4, 23),
        date(2038, 4, 25),
    )


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(BadInput, match="no language 'xx'"):
        calendar_of("xx")


@given(st.text(max_size=30))
def test_any_text_can_be_asked(text: str) -> None:
    parsed = read_date(text)
    assert parsed is None or isinstance(write_date(parsed, datetime(2003, 8, 21)), str)
