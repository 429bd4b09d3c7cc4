"""Whatever is changed in a release, verification finds it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.core.findings import Status
from sfumato.core.fingerprint import sha256_of
from sfumato.recipe.verify_columns import CLAIM
from tests.recipe.examples import forge_report, ward


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return sf.run(ward(tmp_path)).release


def statuses(release: Path, **options: Path) -> dict[str, Status]:
    return {finding.claim: finding.status for finding in sf.verify(release, **options).findings}


def refuted(release: Path, **options: Path) -> str:
    return " | ".join(finding.claim for finding in sf.verify(release, **options).refuted)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def forge_fingerprint(release: Path) -> None:
    """Make the evidence fit the changed data, as a forger would."""
    evidence = json.loads((release / "evidence.json").read_text())
    evidence["data"]["sha256"] = sha256_of(release / "data.csv")
    (release / "evidence.json").write_text(json.dumps(evidence))
    forge_report(release)


def test_an_untouched_release_is_confirmed(release: Path) -> None:
    found = statuses(release)
    assert Status.REFUTED not in found.values()
    assert found["k-anonymity with k = 2"] is Status.CONFIRMED
    assert found["1 record suppressed"] is Status.NOT_CHECKED


def test_the_original_lets_more_be_checked(release: Path, tmp_path: Path) -> None:
    found = statuses(release, original=tmp_path / "people.csv")
    assert found["1 record suppressed"] is Status.CONFIRMED
    assert found["the values of ill are those of the original"] is Status.CONFIRMED


def test_the_folder_that_holds_both_may_be_given(release: Path) -> None:
    assert not sf.verify(release.parent).refuted


def test_a_changed_byte_is_found(release: Path) -> None:
    edit(release / "data.csv", "flu", "fly")
    assert "the data are those that were released" in refuted(release)


def test_a_row_that_was_added_is_found_even_with_a_forged_fingerprint(release: Path) -> None:
    with (release / "data.csv").open("a") as file:
        file.write("30-31,02135,flu\n")
    forge_fingerprint(release)
    found = refuted(release)
    assert "the release has 6 rows" in found
    assert "k-anonymity with k = 2" in found
    assert "labels of their hierarchies" in found


def test_an_exaggerated_promise_is_found(release: Path) -> None:
    text = (release / "evidence.json").read_text()
    (release / "evidence.json").write_text(text.replace('"k": 2', '"k": 3'))
    forge_report(release)
    assert refuted(release) == f"k-anonymity with k = 3 | {CLAIM}"


def test_a_promise_that_was_weakened_after_the_fact_is_found(release: Path) -> None:
    edit(release / "evidence.json", '"k": 2', '"k": 3')
    forge_report(release)
    assert refuted(release) == "the verdicts are about the promises of the recipe"


def test_a_report_that_says_something_else_is_found(release: Path) -> None:
    edit(release / "report.html", "k = 2", "k = 9")
    assert refuted(release) == "the report is that of the evidence"


def test_an_exaggerated_achievement_is_found(release: Path) -> None:
    edit(release / "evidence.json", '"achieved": "k = 2"', '"achieved": "k = 4"')
    assert "k-anonymity with k = 2" in refuted(release)


def test_an_invented_value_is_found_with_the_original(release: Path, tmp_path: Path) -> None:
    edit(release / "data.csv", "flu", "mumps")
    forge_fingerprint(release)
    assert "the values of ill are those of the original" in refuted(release, original=tmp_path / "people.csv")
    # Without it, only that the value is nobody else's is found: it is told how many such values there are.
    assert refuted(release) == CLAIM


def test_a_role_that_was_changed_to_hide_a_column_is_found(release: Path) -> None:
    edit(release / "schema.json", '"role": "quasi-identifier"', '"role": "insensitive"')
    assert "columns and roles" in refuted(release)


@pytest.mark.parametrize("file", ["evidence.json", "schema.json", "data.csv"])
def test_a_missing_part_is_named(release: Path, file: str) -> None:
    (release / file).unlink()
    with pytest.raises(sf.BadInput, match=file):
        sf.verify(release)


def test_evidence_that_is_no_evidence_is_refused(release: Path) -> None:
    (release / "evidence.json").write_text("{}")
    with pytest.raises(sf.BadInput, match="not as it should be"):
        sf.verify(release)
    (release / "evidence.json").write_text("no")
    with pytest.raises(sf.BadInput, match="not JSON"):
        sf.verify(release)


def test_evidence_cannot_point_outside_the_release(release: Path, tmp_path: Path) -> None:
    edit(release / "evidence.json", '"file": "data.csv"', '"file": "../people.csv"')
    with pytest.raises(sf.BadInput, match="the data file has a strange name"):
        sf.verify(release)


def test_a_promise_that_hides_what_it_leaves_open_is_found(release: Path) -> None:
    path = release / "evidence.json"
    evidence = json.loads(path.read_text())
    assert evidence["verdicts"][0]["does_not_protect_from"]
    evidence["verdicts"][0]["does_not_protect_from"] = []
    path.write_text(json.dumps(evidence))
    assert "k-anonymity" in refuted(release)
