"""Damaged values: mended where they can be meant in one way only, refused with their rows where not."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.masking.repair import mended, year_of
from tests.masking.examples import people, recipe, rows_of, write


def test_zip_codes_get_their_zeros_back() -> None:
    found = mended(
        "zip", ["2135", "601", "02135", "2135-1234", "21351234", "02135-1234", "2135.0", "94110.0"]
    )
    assert found.values == ["02135", "00601", "02135", "02135", "02135", "02135-1234", "02135", "94110"]
    assert not found.broken


@given(st.integers(501, 99999))
def test_a_zip_code_that_was_read_as_a_number_is_mended(code: int) -> None:
    assert mended("zip", [str(code), "02135"]).values == [f"{code:05}", "02135"]


def test_what_is_no_zip_code_is_not_guessed() -> None:
    assert mended("zip", ["12", "123", "SW1A 1AA", "123456", "02135"]).broken == [0, 1, 2, 3]
    assert not mended("zip", ["021", "100"]).broken, "three digits everywhere are three digits of a code"


@pytest.mark.parametrize(
    ("written", "years"),
    [("45 years", "45"), ("45y", "45"), ("7 yrs old", "7"), ("18 months", "1"), ("3 weeks", "0"),
     ("10 days", "0"), ("90+", "90"), (">89", "90"), ("45", "45"), ("45.5", "45.5"), ("80-year-old", "80"),
     ("45-year old", "45")],
)  # fmt: skip
def test_ages_as_text_become_years(written: str, years: str) -> None:
    found = mended("age", [written])
    assert (found.values, found.broken) == ([years], [])


@pytest.mark.parametrize("written", ["forty", "-3", "131", "45 kg", "4 5", "unknown"])
def test_what_is_no_age_is_not_guessed(written: str) -> None:
    assert mended("age", [written]).broken == [0]


@pytest.mark.parametrize(
    ("written", "year"),
    [("2024-02-29", 2024), ("2/29/2024", 2024), ("29.2.2024", 2024), ("20240229", 2024), ("1961", 1961),
     ("2024-02-29T10:30:00", 2024), ("2024-02-29 10:30", 2024), ("9/15/61", None), ("15.9.61", None),
     ("61-09-15", None), ("soon", None), ("20249999", None), ("2001-2004", None), ("Feb 29, 2024", 2024),
     ("29 February 2024", 2024), ("29-Feb-2024", 2024), ("a-1999-b", None), ("2024-02", 2024),
     ("0099-01-01", None), ("1999 flowers", None)],
)  # fmt: skip
def test_a_year_is_read_when_it_has_four_digits(written: str, year: int | None) -> None:
    assert year_of(written) == year


def test_a_repair_is_in_evidence_and_report(tmp_path: Path) -> None:
    rows = [row.replace(",02130,", ",2130,") for row in people()]
    released = sf.run(write(tmp_path, recipe(postcode="role: sensitive, kind: zip"), rows))
    assert {row["zip"] for row in rows_of(released.data)} == {"02130", "02131", "02132", "02133"}
    said = "column 'zip': 8 ZIP codes had lost their leading zeros and got them back"
    assert released.evidence.repairs == [said]
    for folder in (released.release, released.steward):
        assert said.replace("'", "&#x27;") in (folder / "report.html").read_text()


@pytest.mark.parametrize(
    ("changes", "old", "new", "said"),
    [
        ({"postcode": "role: quasi-identifier, kind: zip"}, "02132", "X2", r"7 rows have no US ZIP codes"),
        ({"age": "role: quasi-identifier, kind: age"}, ",32,", ",old,", r"10 rows have no ages in years"),
        ({"born": "role: sensitive, kind: birth-date"}, "1952-", "52-", r"6 rows have no date with a year"),
        ({"born": "role: sensitive, mask: year"}, "1952-", "52-", r"6 rows have no date with a year"),
    ],
)
def test_what_cannot_be_mended_is_refused_with_its_rows(
    tmp_path: Path, changes: dict[str, str], old: str, new: str, said: str
) -> None:
    rows = [row.replace(old, new) for row in people()]
    first = next(number for number, row in enumerate(rows, 1) if new in row)
    with pytest.raises(sf.BadInput, match=rf"{said}.*\(first row {first}\)") as caught:
        sf.run(write(tmp_path, recipe(**changes), rows))
    assert new.strip(",") not in str(caught.value).replace("older", "")


def test_a_reduction_reads_its_column_whatever_kind_it_is_said_to_be(tmp_path: Path) -> None:
    """A value that cannot be read must stop the run, not turn into a missing one."""
    text = recipe(ill="role: sensitive, kind: other, mask: year")
    with pytest.raises(sf.BadInput, match="column 'ill': 30 rows have no date"):
        sf.run(write(tmp_path, text))


def test_an_unknown_kind_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sf.BadInput, match="did you mean 'zip'"):
        sf.run(write(tmp_path, recipe(postcode="role: quasi-identifier, kind: zipp")))


OLD = (
    "95+|>95|> 95|>=95|≥ 95|over 95|above 95|95 or older|95 and over|95 years or older|at least 92|90-94"
    "|95-99|90 - 94|90 to 94|90–94|[90-94]|100-104 years|1200 months|1100 mo|5000 weeks|36500 days"
    "|90+|>89|95 y|104|90"
)


@pytest.mark.parametrize("age", OLD.split("|"))
def test_ages_of_the_oldest_need_not_stop_the_run(age: str) -> None:
    ages = pd.DataFrame({"age": ["45", "89", age]})
    assert sf.mask(ages, {"age": "age-90"})["age"].tolist() == ["45", "89", "90+"]


@pytest.mark.parametrize("age", ["85+", ">85", "85-94", "89+", ">=89", "94-90", "95-", "200+", "old", "90-"])
def test_what_may_be_younger_or_is_no_age_still_stops_it(age: str) -> None:
    with pytest.raises(sf.BadInput, match=r"1 row has no ages in years \(first row 2\)") as refused:
        sf.mask(pd.DataFrame({"age": ["45", age]}), {"age": "age-90"})
    assert age not in str(refused.value)


@pytest.mark.parametrize("age", ["95+", "90-94"])
def test_without_the_group_of_the_oldest_nobody_becomes_90(age: str) -> None:
    with pytest.raises(sf.BadInput, match="no ages in years"):
        sf.mask(pd.DataFrame({"age": ["45", age], "x": ["a", "b"]}), {"x": "pseudonym"}, kinds={"age": "age"})
