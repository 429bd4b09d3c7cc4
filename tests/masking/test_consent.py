"""Who did not agree is gone before anything is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from tests.masking.examples import people, recipe, rows_of, write

ASK = 'consent: {column: consent, keep: ["yes"]}'


def answers(rows: list[str], said: dict[int, str]) -> list[str]:
    return [row.replace(",yes,", f",{said.get(i, 'yes')},") for i, row in enumerate(rows)]


def test_people_who_opted_out_are_not_released_and_are_counted(tmp_path: Path) -> None:
    rows = answers(people(), {3: "no", 7: "", 9: "Yes"})
    released = sf.run(write(tmp_path, recipe("role: identifier, mask: pseudonym", ASK), rows))
    assert len(rows_of(released.data)) == 27
    assert released.evidence.withheld_records == released.evidence.withheld_persons == 3
    assert released.evidence.risk_before.records == 27
    assert released.evidence.input.rows == 30
    for folder in (released.release, released.steward):
        assert "3 records" in (folder / "report.html").read_text()
    # Nobody without consent got a code, either.
    assert 'Person Number3"' not in (released.steward / "vault.jsonl").read_text()


def test_one_row_without_consent_takes_the_person_away(tmp_path: Path) -> None:
    rows = people(15) + answers(people(15), {4: "no"})
    released = sf.run(write(tmp_path, recipe(person="role: person, mask: pseudonym", more=ASK), rows))
    assert released.evidence.withheld_records == 2
    assert released.evidence.withheld_persons == 1
    assert len({row["id"] for row in rows_of(released.data)}) == 14


def test_the_answers_are_not_released(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, recipe(more=ASK)))
    assert "consent" not in rows_of(released.data)[0]
    assert released.evidence.withheld_records == 0


def test_without_a_person_rows_are_taken_away(tmp_path: Path) -> None:
    rows = answers(people(), {3: "no"})
    released = sf.run(write(tmp_path, recipe(person="role: identifier", more=ASK), rows))
    assert len(rows_of(released.data)) == 29
    assert released.evidence.withheld_records == 1


def test_when_nobody_agreed_the_spelling_is_to_be_checked(tmp_path: Path) -> None:
    rows = [row.replace(",yes,", ",Yes,") for row in people()]
    with pytest.raises(sf.PromiseNotMet, match=r"column 'consent': nobody is left"):
        sf.run(write(tmp_path, recipe(more=ASK), rows))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("consent: {column: consent, keep: [yes]}", "write the answer in quotes"),
        ("consent: {column: consent}", "needs the key 'keep'"),
        ("consent: {column: consent, keep: []}", "at least 1 item"),
    ],
)
def test_consent_that_says_too_little_is_an_error(tmp_path: Path, more: str, said: str) -> None:
    with pytest.raises(sf.BadInput, match=said):
        sf.run(write(tmp_path, recipe(more=more)))


def test_a_column_of_consent_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(sf.BadInput, match=r"no column 'consnt'.*did you mean 'consent'"):
        sf.run(write(tmp_path, recipe(more=ASK.replace("column: consent", "column: consnt"))))


def test_damaged_rows_of_people_who_opted_out_do_not_matter(tmp_path: Path) -> None:
    rows = answers(people(), {3: "no"})
    rows[3] = rows[3].replace(",0213", ",X213")
    text = recipe(postcode="role: quasi-identifier, kind: zip", more=ASK)
    assert len(rows_of(sf.run(write(tmp_path, text, rows)).data)) == 29
