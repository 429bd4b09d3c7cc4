"""Run a command in this process, as a person would type it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
