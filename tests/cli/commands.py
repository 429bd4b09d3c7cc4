"""Run a command as a person would type it: in this process, or in one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest

from sfumato.cli import main


@dataclass(frozen=True)
class Done:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def words(self) -> str:
        """What was printed, however its lines were broken."""
        return " ".join(self.out.split())

    @property
    def sentence(self) -> str:
        """The last line of the errors."""
        return self.err.strip().splitlines()[-1]


Run = Callable[..., Done]


def runner(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs commands in a folder."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["sfumato", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run


def sfumato(
    *arguments: object, folder: Path | None = None, columns: int = 80
) -> subprocess.CompletedProcess[str]:
    """Run a command in this process: starting another costs more than most commands."""
    typed = ["sfumato", *map(str, arguments)]
    code, out, err = 0, io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", typed),
        mock.patch.dict(os.environ, COLUMNS=str(columns)),
        contextlib.chdir(folder or Path.cwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return subprocess.CompletedProcess(typed, code, out.getvalue(), err.getvalue())


def as_a_process(*arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, with all that the interpreter says when it ends."""
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, timeout=600)
