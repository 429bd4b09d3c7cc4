"""Whoever reads the output may leave: the work is done all the same, and the exit code tells of the work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.recipe.examples import ward

COMMAND = [sys.executable, "-c", "from sfumato.cli import main; main()"]


def run(*arguments: object, **streams: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        text=True,
        check=False,
        timeout=300,
        **{"stderr": subprocess.PIPE, **streams},
    )


def closed_pipe() -> int:
    """A pipe whose reader is gone, as that of ``| head -0``."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def test_a_release_is_finished_though_nobody_reads_what_is_printed(tmp_path: Path) -> None:
    pipe = closed_pipe()
    done = run("protect", ward(tmp_path), stdout=pipe)
    os.close(pipe)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert (tmp_path / "release" / "evidence.json").is_file()


@pytest.mark.parametrize("broken", ["gone", "full", "closed"])
def test_a_release_is_finished_though_progress_cannot_be_shown(tmp_path: Path, broken: str) -> None:
    recipe = ward(tmp_path)
    if broken == "closed":
        done = run("protect", recipe, stdout=subprocess.PIPE, stderr=None, preexec_fn=lambda: os.close(2))
    else:
        stream = closed_pipe() if broken == "gone" else os.open("/dev/full", os.O_WRONLY)
        done = run("protect", recipe, stdout=subprocess.PIPE, stderr=stream)
        os.close(stream)
    assert done.returncode == 0
    assert "checked and holds" in done.stdout
    data = (tmp_path / "release" / "data.csv").read_text()
    assert data.startswith("age,zip,ill\n")


@pytest.mark.parametrize(("command", "unbuffered"), [("schema", ""), ("--help", "1")])
def test_results_that_cannot_be_written_are_an_error(command: str, unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = run(command, stdout=full, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    assert done.returncode == 2, done.stderr
    assert (
        done.stderr
        == "sfumato: standard output: the disk is full; make room there, or choose another place\n"
    )


def test_closed_standard_output_is_nobody(tmp_path: Path) -> None:
    done = run("protect", ward(tmp_path), preexec_fn=lambda: os.close(1))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "release" / "data.csv").read_text().startswith("age,zip,ill\n")
