"""Many notes, long ones, damaged ones, and runs that are ended in the middle."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.contract import Order
from sfumato.engine.sources import CsvFile, Frame, JsonLines, ParquetFile
from sfumato.masking import MaskingPlan, mask_from_spec
from sfumato.recipe.prepared import released
from sfumato.recipe.text import outcome
from sfumato.recipe.text.job import TextJob, folder_schema
from sfumato.recipe.verify import verify
from sfumato.text.stream import partition
from sfumato.text.stream.layout import ROW
from sfumato.text.stream.reading import NotesFolder, rows_of
from sfumato.text.stream.work import NAME
from sfumato.text.stream.writing import ordered_rows
from tests.recipe.text.examples import HEADER, PlainFinding, job_for, released_rows, write_notes

ROOT = Path(__file__).resolve().parents[3]


def many(people: int, notes: int) -> list[tuple[str, ...]]:
    """Notes of people in turns, so that sorting has something to do."""
    return [
        (str(p), f"P{p}name", f"P{p}name, note {n} of 2003-01-{p % 28 + 1:02d}.", "", "A")
        for n in range(notes)
        for p in range(people)
    ]


def expected(people: int, notes: int) -> list[str]:
    return sorted(f"**NAME[AAA], note {n} of **DATE[2003]." for n in range(notes) for _ in range(people))


def notes_in(path: Path) -> list[str]:
    return sorted(row["note"] for row in released_rows(path))


def test_several_processes_do_what_one_does(tmp_path: Path) -> None:
    write_notes(tmp_path, many(12, 5))
    one = released(job_for(tmp_path, batch=60), tmp_path / "one")
    two = released(job_for(tmp_path, batch=60, jobs=2), tmp_path / "two")
    assert notes_in(one.data) == notes_in(two.data) == expected(12, 5)
    assert one.evidence.replaced == two.evidence.replaced
    assert one.evidence.read.people == 12


@pytest.mark.parametrize("order", [Order.KEPT, Order.SHUFFLED])
def test_many_buckets_part_nobody_and_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: Order
) -> None:
    monkeypatch.setattr(partition, "BUCKET", 150)
    people = many(9, 4)
    write_notes(tmp_path, people)
    job = job_for(tmp_path, batch=40, order=order, finding=PlainFinding(), known={"name": "NAME"})
    made = released(job, tmp_path / "out")
    notes = [row["note"] for row in released_rows(made.data)]
    assert sorted(notes) == expected(9, 4)
    assert made.evidence.read.people == 9  # a person in two buckets would count twice
    in_order = [f"**NAME[AAA], note {n} of **DATE[2003]." for n in range(4) for _ in range(9)]
    assert (notes == in_order) is (order is Order.KEPT)


def test_every_order_of_three_rows_comes_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "BUCKET", 1)
    part = tmp_path / "part.parquet"
    pq.write_table(pa.table({"note": ["a", "b", "c"], ROW: pa.array([0, 1, 2], pa.int64())}), part)
    seen = set()
    for _ in range(200):
        tables = ordered_rows([part], 3, tmp_path, shuffled=True)
        seen.add("".join(note for table in tables for note in table["note"].to_pylist()))
    assert seen == {"abc", "acb", "bac", "bca", "cab", "cba"}
    assert [path.name for path in tmp_path.iterdir()] == ["part.parquet"]


SCRIPT = """
import sys
from pathlib import Path
from tests.recipe.text.examples import PlainFinding, job_for
from sfumato.recipe.text import outcome
from sfumato.recipe.prepared import released

if __name__ == "__main__":
    outcome._code = lambda: "as it is"
    folder, wait, jobs = Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    made = released(
        job_for(folder, finding=PlainFinding(wait=0.0 if wait == 0 else wait), batch=60, jobs=jobs),
        folder / "out",
    )
    print(made.evidence.seconds)
"""


def started(folder: Path, wait: float, jobs: int) -> subprocess.Popen[str]:
    script = folder / "run.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(folder), str(wait), str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=environment, text=True, stderr=subprocess.PIPE)


def finished_batches(folder: Path) -> list[Path]:
    return sorted((folder / "out" / NAME).glob("batch-*.parquet"))


def wait_for_batches(folder: Path, number: int, running: subprocess.Popen[str]) -> None:
    for _ in range(600):
        if len(finished_batches(folder)) >= number:
            return
        assert running.poll() is None, running.stderr and running.stderr.read()
        time.sleep(0.05)
    raise AssertionError("no batch was finished")


@pytest.fixture(autouse=True)
def _same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is bound to the code, which somebody may be writing while tests run."""
    monkeypatch.setattr(outcome, "_code", lambda: "as it is")


def test_a_run_that_was_killed_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    write_notes(tmp_path, many(12, 5))
    running = started(tmp_path, 0.05, 2)
    wait_for_batches(tmp_path, 2, running)
    running.send_signal(signal.SIGKILL)
    running.wait(60)
    work = tmp_path / "out" / NAME
    assert not (tmp_path / "out" / "release").exists()
    assert stat.S_IMODE(work.stat().st_mode) == 0o700
    done = {path: path.stat().st_mtime_ns for path in finished_batches(tmp_path)}
    assert 2 <= len(done) < 12
    finding = PlainFinding(wait=0.05)
    seen: list[str] = []

    class Watched:
        def step(self, what: str) -> None:
            seen.append(what)
            for path, changed in done.items():
                assert path.stat().st_mtime_ns == changed or what.startswith("putting")

        def update(self, share: float, note: str = "") -> None:
            """Nothing is shown."""

    job = job_for(tmp_path, finding=finding, batch=60, jobs=1)
    made = released(job, tmp_path / "out", progress=Watched())
    assert any("going on after" in what for what in seen)
    assert not any(what == "reading" for what in seen)  # the sorted notes were still there
    assert notes_in(made.data) == expected(12, 5)
    assert made.evidence.notes == 60
    assert not work.exists()
    assert not verify(tmp_path / "out").refuted


def test_an_interrupted_run_keeps_what_is_done_and_no_raw_note(tmp_path: Path) -> None:
    write_notes(tmp_path, many(12, 5))
    running = started(tmp_path, 0.05, 1)
    wait_for_batches(tmp_path, 2, running)
    running.send_signal(signal.SIGINT)
    running.wait(timeout=30)
    left = {path.name for path in (tmp_path / "out" / NAME).iterdir()}
    assert not left & {"sorted.parquet", "staged.parquet"}
    for path in finished_batches(tmp_path):
        assert b"P1name" not in path.read_bytes()
    made = released(job_for(tmp_path, finding=PlainFinding(wait=0.05), batch=60), tmp_path / "out")
    assert notes_in(made.data) == expected(12, 5)


def test_work_that_was_begun_otherwise_is_not_gone_on_with(tmp_path: Path) -> None:
    write_notes(tmp_path, many(12, 5))
    running = started(tmp_path, 0.05, 1)
    wait_for_batches(tmp_path, 1, running)
    running.send_signal(signal.SIGKILL)
    running.wait(60)
    other = job_for(tmp_path, finding=PlainFinding(threshold=0.3), batch=60)
    with pytest.raises(BadInput, match="--restart to throw it away"):
        released(other, tmp_path / "out")
    assert finished_batches(tmp_path)
    made = released(
        job_for(tmp_path, finding=PlainFinding(threshold=0.3), batch=60, restart=True), tmp_path / "out"
    )
    assert notes_in(made.data) == expected(12, 5)


def test_random_codes_are_the_same_before_and_after_a_crash(tmp_path: Path) -> None:
    write_notes(tmp_path, many(6, 3))
    fields = (
        Field("patient_id", Role.PERSON, masked=True),
        *(Field(name, Role.IDENTIFIER) for name in ("name",)),
        Field("note", Role.TEXT),
        Field("written", Role.IDENTIFIER),
        Field("ward", Role.INSENSITIVE),
    )
    masking = MaskingPlan({"patient_id": mask_from_spec("pseudonym")})
    job = job_for(tmp_path, schema=Schema(fields), masking=masking, batch=60)

    class Stopped:
        """Interrupts when notes were handled: the next run reads and masks again."""

        def step(self, what: str) -> None:
            if what == "asking the promises":
                raise KeyboardInterrupt

        def update(self, share: float, note: str = "") -> None:
            """Nothing is shown."""

    with pytest.raises(KeyboardInterrupt):
        released(job, tmp_path / "out", progress=Stopped())
    codes = {
        code
        for path in finished_batches(tmp_path)[:2]
        for code in pq.read_table(path).column("patient_id").to_pylist()
    }
    for path in finished_batches(tmp_path)[2:]:
        path.unlink()
    made = released(job, tmp_path / "out")
    rows = released_rows(made.data)
    assert codes <= {row["patient_id"] for row in rows}
    assert len({row["patient_id"] for row in rows}) == 6
    assert (made.steward / "vault.jsonl").is_file()


def test_two_runs_cannot_work_in_one_place(tmp_path: Path) -> None:
    write_notes(tmp_path, many(12, 5))
    running = started(tmp_path, 0.1, 1)
    try:
        wait_for_batches(tmp_path, 1, running)
        with pytest.raises(BadInput, match="another run is at work"):
            released(job_for(tmp_path, finding=PlainFinding(wait=0.1), batch=60), tmp_path / "out")
    finally:
        running.kill()
        running.wait(60)


@pytest.mark.parametrize("size", [2_000_000])
def test_a_note_of_many_megabytes_goes_through(tmp_path: Path, size: int) -> None:
    words = "The patient is well and was seen by Whitfield on 2003-01-17.\n" + 20 * "BP 128/74. "
    long = words * (size // len(words))
    write_notes(tmp_path, [("1", "n", long, "", "A")])
    made = released(job_for(tmp_path), tmp_path / "out")
    (row,) = released_rows(made.data)
    assert row["note"] == long.replace("Whitfield", "**NAME[AAA]").replace("2003-01-17", "**DATE[2003]")


def test_lines_of_another_encoding_are_read_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    rows = ["patient_id,name,note,written,ward", "1,n,naïve Whitfield – ok,,A", "2,n,plain €,,B"]
    path.write_bytes(
        rows[0].encode() + b"\r\n" + rows[1].encode("cp1252") + b"\r\n" + rows[2].encode() + b"\r\n"
    )
    made = released(job_for(tmp_path), tmp_path / "out")
    assert notes_in(made.data) == ["naïve **NAME[AAA] – ok", "plain €"]
    assert made.evidence.read.other_encoding == 1


def test_a_missing_text_stays_missing_and_an_empty_one_empty(tmp_path: Path) -> None:
    table = pa.table(
        {
            "patient_id": [1, 2, 3],
            "name": ["a", "b", "c"],
            "note": [None, "", "  \n"],
            "written": [None] * 3,
            "ward": [7, 8, 9],
        }
    )
    pq.write_table(table, tmp_path / "notes.parquet")
    job = TextJob(
        ParquetFile(tmp_path / "notes.parquet"),
        job_for(tmp_path).schema,
        PlainFinding(),
        jobs=1,
        format="parquet",
    )
    made = released(job, tmp_path / "out")
    read = pq.read_table(made.data)
    assert sorted(read.to_pylist(), key=str) == [
        {"note": "  \n", "ward": 9},
        {"note": "", "ward": 8},
        {"note": None, "ward": 7},
    ]
    assert (made.evidence.notes, made.evidence.empty, made.evidence.read.missing) == (2, 2, 1)


def test_nul_and_halves_of_characters_never_crash(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    lines = [
        {"patient_id": 1, "name": "n", "note": "nul \x00 Whitfield", "written": None, "ward": "A"},
        {"patient_id": 2, "name": "n", "note": "half \ud83d of it", "written": None, "ward": "A"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    job = TextJob(JsonLines(path), job_for(tmp_path).schema, PlainFinding(), jobs=1, format="jsonl")
    made = released(job, tmp_path / "out")
    notes = sorted(json.loads(line)["note"] for line in made.data.read_text().splitlines())
    assert notes == ["half \ufffd of it", "nul \x00 **NAME[AAA]"]
    assert made.evidence.read.lone_surrogates == 1


def test_a_folder_of_text_files_is_a_table_of_notes(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "ann").mkdir(parents=True)
    (folder / "a.txt").write_bytes(b"Whitfield\r\nis well\r\n")
    (folder / "ann" / "b.txt").write_bytes("Çelik né".encode("cp1252", "replace"))
    (folder / "ann" / "c.txt").write_bytes(b"\xff\xfe" + "Çelik".encode("utf-16-le"))
    (folder / "other.pdf").write_bytes(b"")
    job = TextJob(NotesFolder(folder), folder_schema(), PlainFinding(), jobs=1, format="jsonl")
    made = released(job, tmp_path / "out")
    notes = sorted(json.loads(line)["note"] for line in made.data.read_text().splitlines())
    assert notes == ["**NAME[AAA]", "**NAME[AAA]\r\nis well\r\n", "**NAME[AAA] né"]
    assert made.evidence.read.other_encoding == 2


def test_a_frame_is_read_like_a_file(tmp_path: Path) -> None:
    frame = pd.DataFrame([("1", "n", "Whitfield", "", "A")], columns=list(HEADER))
    job = TextJob(Frame(frame), job_for(tmp_path).schema, PlainFinding(), jobs=1)
    assert notes_in(released(job, tmp_path / "out").data) == ["**NAME[AAA]"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,b\n1,2,3\n", "line 2: the line has 3 values, the header has 2"),
        (b'a,b\n1,"2\n', "line 2: the line cannot be read as CSV"),
        (b"", "the file is empty"),
        (b"\xff\xfea\x00", "the file is UTF-16"),
        (b"a,A\n1,2\n", "there twice"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_its_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=said), rows_of(CsvFile(path)) as rows:
        list(rows.values)


VALUES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(VALUES, VALUES), max_size=6), packed=st.booleans())
def test_what_a_csv_writer_wrote_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], packed: bool
) -> None:
    path = tmp_path_factory.mktemp("csv") / ("a.csv.gz" if packed else "a.csv")
    written = io.StringIO(newline="")
    csv.writer(written, quoting=csv.QUOTE_ALL).writerows([("one", "two"), *rows])
    content = written.getvalue().encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    with rows_of(CsvFile(path, ",")) as read:
        found = [row for piece in read.pieces() for row in zip(*piece.to_pydict().values(), strict=True)]
    assert found == [tuple(value or None for value in row) for row in rows]
