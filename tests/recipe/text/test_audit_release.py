"""Releases of notes under attack: what stands beside them, what was forged, what was damaged or killed."""

from __future__ import annotations

import csv
import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.core.errors import BadInput, SystemFault
from sfumato.core.schema import Field, Role, Schema
from sfumato.masking import KeySource, MaskingPlan, Scope, mask_from_spec
from sfumato.recipe.prepared import released
from sfumato.recipe.verify import verify
from sfumato.text.methods import Deidentify
from sfumato.text.models import KnownIdentifiersRemoved
from sfumato.text.stream.work import NAME, Work
from tests.recipe.examples import files_in
from tests.recipe.text.examples import HEADER, job_for, released_rows, write_notes

KEYED = MaskingPlan(key=KeySource(variable="NOTES_KEY"), scope=Scope("university", "research"))
SHIFTED: dict[str, Any] = {"masking": KEYED, "method": Deidentify("tags", "shifted-dates")}
SURROGATES: dict[str, Any] = {"masking": KEYED, "method": Deidentify("surrogates")}
PLAIN = Schema(
    tuple(
        Field(name, role)
        for name, role in zip(
            HEADER,
            (Role.PERSON, Role.IDENTIFIER, Role.TEXT, Role.INSENSITIVE, Role.INSENSITIVE),
            strict=True,
        )
    )
)


class Stopped:
    """Interrupts a run at a step."""

    def __init__(self, at: str) -> None:
        self._at = at

    def step(self, what: str) -> None:
        if what == self._at:
            raise KeyboardInterrupt

    def update(self, share: float, note: str = "") -> None:
        """Nothing is shown."""


@pytest.mark.parametrize(
    "day", ["2003-01-17", "17.01.2003", "1/17/03 10:30", "17 January 2003", "Jan 17, 2003"]
)
def test_a_true_day_is_never_released_beside_moved_ones(tmp_path: Path, day: str) -> None:
    write_notes(tmp_path, [("1", "n", "Seen on 2003-01-17.", day, "A"), ("2", "n", "Well.", "", "A")])
    before = files_in(tmp_path)
    with pytest.raises(BadInput, match=r"column 'written'.*together they tell by how much") as problem:
        released(job_for(tmp_path, schema=PLAIN, **SHIFTED), tmp_path / "out")
    assert day not in str(problem.value)
    assert files_in(tmp_path) == before


def test_a_true_day_is_never_released_beside_years(tmp_path: Path) -> None:
    write_notes(tmp_path, [("1", "n", "Seen on 2003-01-17.", "2003-01-17", "A")])
    with pytest.raises(BadInput, match=r"column 'written'.*in the notes days are taken out"):
        released(job_for(tmp_path, schema=PLAIN), tmp_path / "out")


def test_a_year_may_stand_beside_moved_dates(tmp_path: Path) -> None:
    write_notes(tmp_path, [("1", "n", "Seen on 2003-01-17.", "2003", "A")])
    made = released(job_for(tmp_path, schema=PLAIN, **SHIFTED), tmp_path / "out")
    assert released_rows(made.data)[0]["written"] == "2003"


@pytest.mark.parametrize("text", ["long " * 50, "two\nlines", "two\rlines"])
def test_a_second_column_of_texts_is_refused(tmp_path: Path, text: str) -> None:
    write_notes(tmp_path, [("1", "n", "Well.", "", "A"), ("2", "n", "Well.", "", text)])
    with pytest.raises(BadInput, match="column 'ward': it holds texts that nobody searches"):
        released(job_for(tmp_path), tmp_path / "out")


@pytest.mark.parametrize("format_", ["csv", "csv.gz", "jsonl", "parquet"])
def test_lone_returns_and_odd_line_ends_come_through_every_format(tmp_path: Path, format_: str) -> None:
    with (tmp_path / "notes.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [
            HEADER,
            ("1", "n", "one\rtwo\x0b\x0c\x85\u2028 Whitfield", "", "A"),
            ("2", "n", '"\r\n', "", "A"),
        ]
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
    made = released(job_for(tmp_path, format=format_), tmp_path / "out")
    assert not verify(tmp_path / "out").refuted
    if format_ == "csv":
        notes = sorted(row["note"] for row in released_rows(made.data))
        assert notes == ['"\r\n', "one\rtwo\x0b\x0c\x85\u2028 **NAME[AAA]"]


KNOWN = [
    ("615-555-0142", "PHONE", "6155550142 or (615) 555-0142 or 615 5550142", "5550142"),
    ("SH-02-22222", "ID", "SH0222222 or sh 02/22222", "22222"),
    ("O'Brien", "NAME", "OBrien, O’Brien, O BRIEN", "brien"),
    ("Smith-Jones", "NAME", "SMITHJONES, smith jones, Jones", "jones"),
    ("McDonald", "NAME", "Mc Donald, Mc-\ndonald", "onald"),
    ("Whitfield", "NAME", "Whit\u00adfield, Whit-\nfield, whitfield_2", "field"),
]


@pytest.mark.parametrize(("value", "kind", "text", "gone"), KNOWN)
def test_known_values_go_however_they_are_cut_into_words(
    tmp_path: Path, value: str, kind: str, text: str, gone: str
) -> None:
    write_notes(tmp_path, [("1", value, f"Before {text} after.", "", "A")])
    job = job_for(tmp_path, known={"name": kind}, models=(KnownIdentifiersRemoved(),))
    (row,) = released_rows(released(job, tmp_path / "out").data)
    assert gone not in row["note"].lower()
    assert row["note"].startswith("Before ")
    assert row["note"].endswith(" after.")


def _without(word: str) -> Callable[[dict[str, Any]], None]:
    def change(told: dict[str, Any]) -> None:
        kept = [one for one in told["warnings"] if word not in one]
        assert len(kept) < len(told["warnings"])
        told["warnings"] = kept

    return change


def _set(**facts: Any) -> Callable[[dict[str, Any]], None]:
    def change(told: dict[str, Any]) -> None:
        assert all(told[name] != value for name, value in facts.items())
        told.update(facts)

    return change


def _treated(told: dict[str, Any]) -> None:
    told["columns"][-1]["treatment"] = "replaced by a random code"


MEASURED = {
    "notes": 1_000_000,
    "tokens": 10_000_000,
    "recall": 1.0,
    "recall_at_least": 1.0,
    "precision": 1.0,
    "leak_free": 1_000_000,
}


@pytest.mark.parametrize(
    ("more", "change"),
    [
        (SURROGATES, _without("made up")),
        (SURROGATES, _set(truthful=True)),
        ({}, _set(found_again=None)),
        ({}, _set(people="nobody can be found")),
        ({}, _set(transformations="everything that points at people was taken out")),
        ({}, _set(measured=MEASURED)),
        ({}, _treated),
    ],
)
def test_evidence_that_was_forged_is_refuted(
    tmp_path: Path, more: dict[str, Any], change: Callable[[dict[str, Any]], None]
) -> None:
    made = released(job_for(tmp_path, **more), tmp_path / "out")
    assert not verify(tmp_path / "out").refuted
    path = made.release / "evidence.json"
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    assert verify(tmp_path / "out").refuted


def test_a_masked_column_that_shows_its_values_is_refuted(tmp_path: Path) -> None:
    fields = (Field("patient_id", Role.PERSON, masked=True), *job_for(tmp_path).schema.fields[1:])
    masking = MaskingPlan({"patient_id": mask_from_spec("pseudonym")})
    made = released(job_for(tmp_path, schema=Schema(fields), masking=masking), tmp_path / "out")
    assert not verify(tmp_path / "out").refuted
    rows = released_rows(made.data)
    made.data.write_text(made.data.read_text().replace(rows[0]["patient_id"], "4711"))
    assert any("patient_id are masked" in one.claim for one in verify(tmp_path / "out").refuted)


def _cut(batches: list[Path]) -> None:
    batches[0].write_bytes(batches[0].read_bytes()[:-20])


def _emptied(batches: list[Path]) -> None:
    batches[0].write_bytes(b"")


def _doubled(batches: list[Path]) -> None:
    batches[0].write_bytes(batches[1].read_bytes())


def _edited(batches: list[Path]) -> None:
    table = pq.read_table(batches[0])
    place = table.schema.get_field_index("note")
    texts = pa.array(["Whitfield"] * table.num_rows)
    pq.write_table(table.set_column(place, "note", texts), batches[0])


@pytest.mark.parametrize("damage", [_cut, _emptied, _doubled, _edited])
def test_a_damaged_batch_is_done_again(tmp_path: Path, damage: Callable[[list[Path]], None]) -> None:
    write_notes(tmp_path, [(str(i), "n", f"note {i} of Whitfield", "", "A") for i in range(20)])
    job = job_for(tmp_path, batch=60)
    with pytest.raises(KeyboardInterrupt):
        released(job, tmp_path / "out", progress=Stopped("asking the promises"))
    batches = sorted((tmp_path / "out" / NAME).glob("batch-*.parquet"))
    assert len(batches) > 3
    damage(batches)
    rows = released_rows(released(job, tmp_path / "out").data)
    assert sorted(row["note"] for row in rows) == sorted(f"note {i} of **NAME[AAA]" for i in range(20))
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"release", "steward"}


def test_what_a_killed_run_was_about_to_put_in_place_goes(tmp_path: Path) -> None:
    killed, replacing = tmp_path / "out/.sfumato-0123456789ab", tmp_path / "out/.sfumato-ba9876543210"
    (killed / "steward").mkdir(parents=True)
    (killed / "steward" / "notes.html").write_text("Whitfield")
    (replacing / "old" / "release").mkdir(parents=True)
    released(job_for(tmp_path), tmp_path / "out")
    left = sorted(path.name for path in (tmp_path / "out").iterdir())
    # What was moved aside for a release that never came is somebody's only copy.
    assert left == [replacing.name, "release", "steward"]


def test_no_raw_note_lies_beside_a_release_that_is_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[bytes] = []
    discard = Work.discard

    def seen(self: Work) -> None:
        left.append(b"".join(path.read_bytes() for path in self.folder.iterdir()))
        discard(self)

    monkeypatch.setattr(Work, "discard", seen)
    made = released(job_for(tmp_path), tmp_path / "out")
    assert made.data.exists()
    assert len(left) == 1
    assert left[0]
    assert b"Whitfield" not in left[0]


def test_a_full_disk_is_said_and_leaves_nothing_raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    job_for(tmp_path)
    before = files_in(tmp_path)
    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(SystemFault, match="the disk is full"):
        released(job_for(tmp_path), tmp_path / "out")
    assert files_in(tmp_path) == before


def test_a_report_that_says_something_else_is_refuted(tmp_path: Path) -> None:
    made = released(job_for(tmp_path), tmp_path / "out")
    report = made.release / "report.html"
    report.write_text(report.read_text().replace("not measured", "measured"))
    assert [one.claim for one in verify(tmp_path / "out").refuted] == ["the report is that of the evidence"]
    report.unlink()
    report.symlink_to(tmp_path / "notes.csv")
    assert [one.claim for one in verify(tmp_path / "out").refuted] == ["the report is that of the evidence"]


def test_columns_under_names_of_the_house_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("patient_id,name,note,written,sfumato:row\n1,n,Well.,,A\n")
    fields = (*job_for(tmp_path).schema.fields[:-1], Field("sfumato:row", Role.INSENSITIVE))
    with pytest.raises(BadInput, match="names that begin with 'sfumato:' are taken"):
        released(job_for(tmp_path, schema=Schema(fields)), tmp_path / "out")
