"""The worked DE-ID record: what its slide shows, and the nine properties that follow from it."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path

import pytest

from sfumato.masking.contract import Secrets
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Note, Record
from sfumato.text.replace import Generalisation, Replacement, Shift, Surrogates, Tags
from sfumato.text.replace.lore import NameLore
from sfumato.text.span import Span
from tests.text.replace.examples import replaced

pytestmark = pytest.mark.golden
TO_AUGUST = 216
SHIFTED_TAGS = Tags(policy="shifted-dates")
SHIFTED = Surrogates(policy="shifted-dates")


@pytest.fixture(scope="module")
def record(shared: Path, key: Secrets) -> Found:
    """The record, of a person whose dates move by 216 days."""
    folder = shared / "golden" / "text-deid-example"
    text = (folder / "deid_example_original.txt").read_text(encoding="utf-8")
    expected = json.loads((folder / "deid_example_expected.json").read_text(encoding="utf-8"))
    spans = tuple(Span(one["start"], one["end"], Kind(one["type"])) for one in expected["spans"])
    person = next(
        name for name in (f"person {number}" for number in range(10_000))
        if Shift().offset(name, key) == TO_AUGUST
    )  # fmt: skip
    return Found(Record((Note(text),), person), (spans,))


@pytest.fixture(scope="module")
def tagged_lines(shared: Path) -> list[str]:
    """What the slide prints, with its dates not moved yet."""
    path = shared / "golden" / "text-deid-example" / "deid_example_expected.json"
    lines: list[str] = json.loads(path.read_text(encoding="utf-8"))["tagged_expected"]
    return lines


def originals(found: Found) -> list[tuple[Span, str]]:
    return [(span, span.of(found.record.notes[0].text)) for span in found.spans[0]]


def test_tags_are_those_of_the_slide_but_for_the_shift(
    record: Found, tagged_lines: list[str], key: Secrets
) -> None:
    [text] = replaced(record, SHIFTED_TAGS, key)
    for line in tagged_lines:
        moved = line.replace("Jan 17", "Aug 21").replace("Jan 20", "Aug 24")
        assert moved in text


def test_january_17_to_20_becomes_august_21_to_24(record: Found, key: Secrets) -> None:
    [text] = replaced(record, SHIFTED, key)
    assert "ADMITTED: Aug 21 2003\nDISCHARGED: Aug 24 2003\n" in text
    assert "performed on Aug 21 2003 without" in text
    assert "regular diet on 8/23/03, with" in text


@pytest.mark.parametrize(
    "replacement", [Tags(), SHIFTED_TAGS, Surrogates(), SHIFTED, Tags(policy="everything")], ids=repr
)
def test_p1_nothing_of_the_original_is_left(record: Found, replacement: Replacement, key: Secrets) -> None:
    [text] = replaced(record, replacement, key)
    words = set(re.findall(r"\w+", text.lower()))
    for span, old in originals(record):
        assert old.lower() not in text.lower()
        if span.kind in (Kind.NAME, Kind.ID, Kind.PHONE):
            long = [word for word in re.findall(r"\w+", old.lower()) if len(word) > 2 and word != "555"]
            assert words.isdisjoint(long)
    assert words.isdisjoint({"sycamore", "franklin", "37064", "118", "0142", "615"})


def test_p2_codes_of_names_agree_over_the_record(record: Found, key: Secrets) -> None:
    [text] = replaced(record, Tags(), key)
    tags = re.findall(r"\*\*NAME\[([^\]]+)\]", text)
    doctor, patient_last_first, patient, daughter, other_doctor, doctor_again = tags
    family, given = patient_last_first.split(", ")
    assert patient == f"{given} {family}"
    assert daughter.endswith(f" {family}")
    assert not daughter.startswith(given)
    assert doctor.split()[1] == doctor_again
    assert other_doctor not in doctor.split()


def test_p3_surrogates_keep_order_gender_and_family(record: Found, key: Secrets) -> None:
    [text] = replaced(record, SHIFTED, key)
    header = re.search(r"PATIENT: (\w+), (\w+) ([A-Z])\.\n", text)
    body = re.search(r"\n\n(\w+) (\w+) is a \d+-year-old woman", text)
    daughter = re.search(r"Her daughter, (\w+) (\w+), will", text)
    assert header
    assert body
    assert daughter
    family, given, initial = header.groups()
    assert body.groups() == (given, family)
    assert daughter[2] == family
    assert daughter[1] != given
    assert initial != "M"
    assert NameLore("en").is_female(given.lower()) is not False
    assert NameLore("en").is_female(daughter[1].lower()) is not False


def test_p4_one_shift_for_all_dates_in_their_forms(record: Found, key: Secrets) -> None:
    changes = SHIFTED.changes(record, key)[0]
    text = record.record.notes[0].text
    forms = ("%b %d %Y", "%m/%d/%y")
    moved = set()
    for change in changes:
        if change.span.kind is Kind.DATE:
            form = forms["/" in change.after]
            before = dt.datetime.strptime(change.span.of(text), form)
            moved.add((dt.datetime.strptime(change.after, form) - before).days)
    assert moved == {TO_AUGUST}


def test_p5_ages_over_89_are_one_group(record: Found, key: Secrets) -> None:
    assert "a **AGE[over 89]-year-old woman" in replaced(record, Tags(), key)[0]
    assert "a 90+-year-old woman" in replaced(record, Surrogates(), key)[0]
    drawn = re.search(r"a (\d+)-year-old woman", replaced(record, SHIFTED, key)[0])
    assert drawn
    assert int(drawn[1]) >= 90


def test_p6_medical_content_stays_byte_for_byte(record: Found, key: Secrets) -> None:
    for replacement in (Tags(), SHIFTED):
        [text] = replaced(record, replacement, key)
        for said in (
            "left renal mass", "laparoscopic partial nephrectomy", "Percocet 5/325", "Foley", "3/10",
            "128/74", "150 cc", "in one week", "postoperative day 2",
        ):  # fmt: skip
            assert said in text


def test_p7_the_state_may_stay_and_three_digits_of_the_zip_code(record: Found, key: Secrets) -> None:
    assert "at TN 370 and" in replaced(record, Generalisation(), key)[0]
    assert re.search(r", TN 370\d\d and can", replaced(record, SHIFTED, key)[0])
    assert "TN" not in replaced(record, Generalisation(policy="everything"), key)[0]


def test_p8_one_key_agrees_over_notes_and_another_differs(
    record: Found, key: Secrets, other_key: Secrets
) -> None:
    note = record.record.notes[0]
    twice = Found(Record((note, note), record.record.person), (record.spans[0], record.spans[0]))
    first, second = replaced(twice, SHIFTED, key)
    assert first == second == replaced(record, SHIFTED, key)[0]
    assert replaced(record, SHIFTED, other_key)[0] != first


def test_p9_whole_weeks_keep_the_days_of_the_week(record: Found, key: Secrets) -> None:
    weeks = Surrogates(policy="shifted-dates", shift=Shift(364, whole_weeks=True))
    offset = weeks.offset(record.record, key)
    assert offset % 7 == 0
    assert offset != 0
    [text] = replaced(record, weeks, key)
    moved = dt.date(2003, 1, 17) + dt.timedelta(days=offset)
    assert f"ADMITTED: {moved:%b} {moved.day} {moved.year}\n" in text
    assert "in one week" in text
