"""Attacks through the whole of it: what finder and replacement together leave standing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sfumato as sf


def covered(text: str, what: str) -> bool:
    """Say whether a piece of a text lies inside what was found."""
    start = text.index(what)
    return any(
        span.start <= start and start + len(what) <= span.end
        for span in sf.find_identifiers(text, model="none")
    )


@pytest.mark.parametrize("day", ["Tues", "Weds", "Thurs", "Thur"])
def test_short_weekdays_that_are_no_words_are_found_anywhere(day: str) -> None:
    assert covered(f"Seen 1/20/2003, better {day} and sent home.", day)


@pytest.mark.parametrize("day", ["New Year's", "Hanukkah", "Ramadan", "Passover", "Diwali", "Kwanzaa"])
def test_feasts_beside_moved_dates_are_found(day: str) -> None:
    assert covered(f"He fell on {day} and was admitted on 1/20/2003.", day)


@pytest.mark.parametrize(
    "day",
    ["seventeenth of January", "twenty-first of March, 2003", "January the seventeenth", "First of May"],
)
def test_days_in_words_are_found_whole(day: str) -> None:
    assert covered(f"He was admitted on the {day} and discharged.", day)
    assert "eventeenth" not in sf.scrub(f"Admitted on the {day}, stable.", model="none")


@pytest.mark.parametrize("age", ["early 90s", "mid-90s", "late nineties"])
def test_a_lumped_decade_is_not_narrowed_by_the_word_before_it(age: str) -> None:
    after = sf.scrub(f"She is in her {age} and lives alone.", model="none")
    assert not re.search(r"early|mid|late", after)


@pytest.mark.parametrize(
    "stamp", ["2003-01-17T10:30:00Z", "2003-01-17T23:59", "2003-01-17T10:30:00.123+01:00"]
)
def test_a_time_stamp_is_one_date(stamp: str) -> None:
    text = f"Collected {stamp} at bedside."
    found = sf.find_identifiers(text, model="none")
    assert [(span.of(text), str(span.kind)) for span in found] == [(stamp, "DATE")]
    assert sf.scrub(text, model="none") == "Collected **DATE[2003] at bedside."


def test_a_birthday_does_not_tell_the_age() -> None:
    shown = {
        sf.scrub(f"It was her {age} birthday.", model="none") for age in ("91st", "92nd", "93rd", "94th")
    }
    assert len(shown) == 1


def test_a_name_in_the_brackets_of_a_tag_is_no_tag() -> None:
    after = sf.scrub("**PATIENT[Eleanor Whitfield] and **DOCTOR[Dr. Ramiro Castellanos] met.", model="none")
    assert "Whitfield" not in after
    assert "Castellanos" not in after


@pytest.mark.parametrize("replace", ["tags", "masks", "removal", "generalisation", "pseudonyms"])
def test_scrubbing_twice_gives_the_same_as_once(replace: str, tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    path.write_text("one key of thirty-two characters", encoding="utf-8")
    text = (
        "Patient: Whitfield, Eleanor M. MRN: 8572335. DOB: 3/28/1913\r\nEleanor Whitfield, 93 y/o, was seen "
        "on 1/17/2003 by Dr. Ramiro Castellanos; BP 128/74. Phone (615) 322-1234, ewhitfield@mail.example."
    )

    def scrubbed(said: str) -> str:
        return sf.scrub(said, replace=replace, model="none", key=path, recipient="r", purpose="p", person="P")

    once = scrubbed(text)
    assert "hitfield" not in once
    assert scrubbed(once) == once
