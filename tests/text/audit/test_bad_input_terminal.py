"""``sfumato text`` on what is no text, no key, no model: one sentence, exit code 2, and no value in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import Run, runner

NOTE = "Seen by Dr. Ottorino Respighi on 17 Jan 2003.\r\n"
WHOSE = ("--recipient", "a", "--purpose", "b")
COMMAND = (sys.executable, "-c", "from sfumato.cli import main; main()", "text", "scrub")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    (tmp_path / "note.txt").write_bytes(NOTE.encode())
    (tmp_path / "folder").mkdir()
    (tmp_path / "foreign").write_bytes(bytes(range(256)))
    (tmp_path / "short.key").write_text("Respighi")
    return runner(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize(
    "arguments",
    [
        ("folder",),
        ("missing.txt",),
        ("note.txt", "--threshold", "0"),
        ("note.txt", "--threshold", "nan"),
        ("note.txt", "--model", "foreign"),
        ("note.txt", "--model", "folder"),
        ("note.txt", "--model", "missing"),
        ("note.txt", "--language", "xx"),
        ("note.txt", "--replace", "magic"),
        ("note.txt", "--policy", "magic"),
        ("note.txt", "--replace", "surrogates", "--key-file", "missing", *WHOSE),
        ("note.txt", "--replace", "surrogates", "--key-file", "folder", *WHOSE),
        ("note.txt", "--replace", "surrogates", "--key-file", "short.key", *WHOSE),
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_cannot_be_done_is_told_in_one_sentence_without_values(
    arguments: tuple[str, ...], run: Run
) -> None:
    done = run("text", "scrub", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.strip().splitlines()) == 1
    assert "Respighi" not in done.err


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\0\x80" * 50, bytes(range(256)), "\ufeff\U0001f600".encode()]
)
def test_no_bytes_are_too_strange(content: bytes, run: Run, tmp_path: Path) -> None:
    (tmp_path / "strange.txt").write_bytes(content)
    for command in ("find", "scrub"):
        assert run("text", command, "strange.txt", "--model", "none").code == 0


def test_a_reader_that_goes_away_ends_the_work_without_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(NOTE * 2_000)
    reading, writing = os.pipe()
    with subprocess.Popen(
        [*COMMAND, str(path), "--model", "none", "--lines"], stdout=writing, stderr=subprocess.PIPE
    ) as process:
        os.close(writing)
        os.read(reading, 10)
        os.close(reading)
        assert process.stderr is not None
        said = process.stderr.read().decode()
    assert "Traceback" not in said
    assert process.returncode in (0, 1, 2, 141)
