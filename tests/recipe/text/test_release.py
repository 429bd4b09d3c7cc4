"""A release of notes from the recipe to the report: what goes out, what stays, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.findings import Status
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.contract import Order
from sfumato.masking import KeySource, MaskingPlan, Scope
from sfumato.masking.shift import DateShift
from sfumato.recipe.load import load
from sfumato.recipe.prepared import planned, prepared, released
from sfumato.recipe.verify import verify
from sfumato.text.methods import Deidentify
from sfumato.text.models import KnownIdentifiersRemoved
from tests.recipe.examples import files_in
from tests.recipe.text.examples import job_for, recipe_in, released_rows, write_notes

RAW = ("Whitfield", "Eleanor", "Çelik", "celik", "615-555-0142", "2003-01-17", "patient_id,")
KEYED = MaskingPlan(key=KeySource(variable="NOTES_KEY"), scope=Scope("university", "research"))


def everything_in(folder: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))


def test_what_was_found_is_replaced_and_all_else_stays(tmp_path: Path) -> None:
    made = released(job_for(tmp_path), tmp_path / "out")
    rows = released_rows(made.data)
    assert sorted(row["note"] for row in rows) == [
        "",
        "**NAME[BBB] back on **DATE[2003]. BP 128/74.",
        "Mr **NAME[AAA] was seen; mail **EMAIL",
        "Ms **NAME[AAA], seen on **DATE[2003], is well.\nCall **PHONE.",
    ]
    assert set(rows[0]) == {"note", "ward"}


def test_nothing_raw_is_in_the_folder_that_is_shared(tmp_path: Path) -> None:
    released(job_for(tmp_path, known={"name": "NAME"}), tmp_path / "out")
    shared = everything_in(tmp_path / "out" / "release")
    assert not [word for word in RAW if word in shared]
    kept = everything_in(tmp_path / "out" / "steward")
    assert "Whitfield" in kept  # the steward's page shows notes before and after
    assert "Whitfield" not in (tmp_path / "out" / "steward" / "evidence.json").read_text()


def test_the_evidence_counts_what_was_found_by_kind(tmp_path: Path) -> None:
    made = released(job_for(tmp_path), tmp_path / "out")
    told = {(one.kind, one.how): one.number for one in made.evidence.replaced}
    assert told == {("NAME", "tag"): 3, ("DATE", "year"): 2, ("EMAIL", "tag"): 1, ("PHONE", "tag"): 1}
    assert (made.evidence.notes, made.evidence.read.people, made.evidence.read.missing) == (3, 2, 1)
    public = json.loads((made.release / "evidence.json").read_text())
    assert "read" not in public
    assert "input" not in public


def test_a_release_of_notes_verifies_from_its_bytes(tmp_path: Path) -> None:
    released(job_for(tmp_path), tmp_path / "out")
    found = verify(tmp_path / "out")
    assert not found.refuted
    assert sum(one.status is Status.CONFIRMED for one in found.findings) >= 8


@pytest.mark.parametrize("format_", ["csv", "csv.gz", "parquet", "jsonl"])
def test_every_format_can_be_written_and_verified(tmp_path: Path, format_: str) -> None:
    made = released(job_for(tmp_path, format=format_), tmp_path / "out")
    assert made.data.name == f"data.{format_}"
    assert not verify(tmp_path / "out").refuted
    if format_ == "parquet":
        assert pq.read_table(made.data).column("note").null_count == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("**EMAIL", "**EMAI"),
        ("**EMAIL", "x@yy.org"),
        ("**NAME[BBB]", "**NAME[BBB"),
        ("note,ward", "note,wards"),
    ],
)
def test_notes_that_were_changed_afterwards_are_refuted(tmp_path: Path, old: str, new: str) -> None:
    made = released(job_for(tmp_path), tmp_path / "out")
    text = made.data.read_text()
    assert old in text
    made.data.write_text(text.replace(old, new))
    assert verify(tmp_path / "out").refuted


def test_a_warning_cannot_be_struck_out(tmp_path: Path) -> None:
    made = released(job_for(tmp_path), tmp_path / "out")
    path = made.release / "evidence.json"
    told = json.loads(path.read_text())
    told["warnings"] = told["warnings"][1:]
    path.write_text(json.dumps(told))
    assert any("promises leave open" in one.claim for one in verify(tmp_path / "out").refuted)


def test_known_values_are_taken_out_wherever_they_stand(tmp_path: Path) -> None:
    people = [("1", "Rose Young", "A young woman, ROSE, with a rose.", "2003-01-01", "A")]
    write_notes(tmp_path, people)
    job = job_for(tmp_path, known={"name": "NAME"}, models=(KnownIdentifiersRemoved(),))
    made = released(job, tmp_path / "out")
    (row,) = released_rows(made.data)
    assert row["note"].lower().count("rose") == row["note"].lower().count("young") == 0
    assert row["note"].startswith("A **NAME[")
    assert str(made.verdicts[0]).endswith("achieved 0 of 2 values found")


def test_a_promise_that_does_not_hold_publishes_nothing(tmp_path: Path) -> None:
    people = [("1", "Eleanor Whitfield", "Lives in Texas.", "2003-01-01", "Texas")]
    write_notes(tmp_path, people)
    fields = (
        Field("patient_id", Role.PERSON),
        Field("name", Role.IDENTIFIER),
        Field("note", Role.TEXT),
        Field("written", Role.IDENTIFIER),
        Field("ward", Role.IDENTIFIER),
    )
    job = job_for(
        tmp_path,
        schema=Schema(fields),
        known={"ward": "LOCATION/state"},
        models=(KnownIdentifiersRemoved(),),
    )
    before = files_in(tmp_path)
    with pytest.raises(PromiseNotMet, match="1 of 1 value found, in 1 notes") as problem:
        released(job, tmp_path / "out")
    assert "Texas" not in str(problem.value)
    assert files_in(tmp_path) == before


def test_columns_of_dates_move_as_the_notes_do(tmp_path: Path) -> None:
    fields = (
        Field("patient_id", Role.PERSON),
        Field("name", Role.IDENTIFIER),
        Field("note", Role.TEXT),
        Field("written", Role.QUASI_IDENTIFIER, masked=True),
        Field("ward", Role.INSENSITIVE),
    )
    masking = MaskingPlan({"written": DateShift()}, key=KEYED.key, scope=KEYED.scope)
    job = job_for(
        tmp_path,
        schema=Schema(fields),
        written="written",
        masking=masking,
        method=Deidentify("tags", "shifted-dates"),
    )
    rows = released_rows(released(job, tmp_path / "out").data)
    dated = [row for row in rows if "DATE[" in row["note"]]
    assert len(dated) == 2
    for row in dated:
        assert f"**DATE[{row['written']}]" in row["note"]
    days = sorted(row["written"] for row in dated)
    assert days != ["2003-01-17", "2003-01-20"]


def test_a_column_moved_otherwise_than_the_notes_is_refused(tmp_path: Path) -> None:
    masking = MaskingPlan({"ward": DateShift(30)}, key=KEYED.key, scope=KEYED.scope)
    with pytest.raises(BadInput, match="otherwise than the dates of the notes"):
        job_for(tmp_path, masking=masking, method=Deidentify("tags", "shifted-dates"))
    with pytest.raises(BadInput, match="together they tell by how much"):
        job_for(tmp_path, masking=masking)


def test_the_order_is_shuffled_unless_it_is_kept(tmp_path: Path) -> None:
    people = [(str(i % 7), "", f"note {i}", "", "A") for i in range(60)]
    write_notes(tmp_path, people)
    kept = released(job_for(tmp_path, order=Order.KEPT), tmp_path / "kept")
    assert [row["note"] for row in released_rows(kept.data)] == [f"note {i}" for i in range(60)]
    shuffled = released(job_for(tmp_path), tmp_path / "shuffled")
    notes = [row["note"] for row in released_rows(shuffled.data)]
    assert notes != [f"note {i}" for i in range(60)]
    assert sorted(notes) == sorted(f"note {i}" for i in range(60))


def test_what_the_recipe_gets_wrong_is_said_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no column has the role text"):
        job_for(tmp_path, schema=Schema((Field("note", Role.IDENTIFIER),)))
    with pytest.raises(BadInput, match="released beside them"):
        job_for(tmp_path, known={"ward": "LOCATION"})
    with pytest.raises(BadInput, match="did you mean 'NAME'"):
        _ = job_for(tmp_path, known={"name": "NAMES"}).layout
    with pytest.raises(BadInput, match="none is known"):
        job_for(tmp_path, models=(KnownIdentifiersRemoved(),))
    with pytest.raises(BadInput, match="would be released as it is"):
        job_for(tmp_path, written="ward")
    with pytest.raises(BadInput, match="needs a key"):
        released(job_for(tmp_path, method=Deidentify("tags", "shifted-dates")), tmp_path / "out")


def test_a_recipe_becomes_the_same_job(tmp_path: Path) -> None:
    path = recipe_in(
        tmp_path,
        models="[known-identifiers-removed]",
        method="{deidentify: {replace: {masks: {same-length: true}}, policy: everything}}",
        more=", known: {name: NAME}, written: written, threshold: 0.4",
    )
    job = prepared(load(path), tmp_path)
    assert job.method == Deidentify({"masks": {"same-length": True}}, "everything")
    assert job.finding.threshold == 0.4
    assert "searched" not in str(planned(job, tmp_path / "out"))
    assert "No note was read" in str(planned(job, tmp_path / "out"))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("attacks: [linkage]", "there is no attack 'linkage'"),
        ("output: {suppressed: star}", "'suppressed' is not for the kind text"),
        ("engine: spark", "duckdb alone"),
    ],
)
def test_keys_of_other_kinds_are_refused(tmp_path: Path, more: str, said: str) -> None:
    path = recipe_in(tmp_path)
    path.write_text(path.read_text() + more + "\n")
    with pytest.raises(BadInput, match=said):
        prepared(load(path), tmp_path)


def test_a_table_without_promises_is_still_refused(tmp_path: Path) -> None:
    path = recipe_in(tmp_path)
    path.write_text(path.read_text().replace("kind: text", "kind: table").replace("    text: {", "    #"))
    with pytest.raises(BadInput, match="nothing would be promised"):
        load(path)


def test_the_report_says_that_nothing_was_measured(tmp_path: Path) -> None:
    made = released(job_for(tmp_path), tmp_path / "out")
    page = (made.release / "report.html").read_text()
    assert "It is not known: no annotated notes were given" in page
    assert "Steward’s edition" not in page
    assert "Notes before and after" in (made.steward / "report.html").read_text()
    assert "615-555-0142" in (made.steward / "notes.html").read_text()


def test_annotated_notes_are_measured_on_and_only_numbers_go_out(tmp_path: Path) -> None:
    notes = [{"text": "Whitfield, Ada", "spans": [{"start": 0, "end": 9, "type": "NAME"}]} for _ in range(40)]
    notes += [{"text": "Ada is back", "spans": [{"start": 0, "end": 3, "type": "NAME"}]}]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(note) + "\n" for note in notes))
    made = released(job_for(tmp_path, annotated=path), tmp_path / "out")
    measured, residual = made.evidence.measured, made.evidence.residual
    assert measured is not None
    assert residual is not None
    assert (measured.notes, measured.leak_free, measured.recall) == (41, 40, 40 / 41)
    assert 0 < residual.expected < residual.at_most
    assert "Ada" not in everything_in(made.release)
