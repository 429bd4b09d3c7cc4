"""Runs that are made to hang, and signals: what stops are tested with.

Nothing in the product helps here. A script replaces a function by one that sleeps in a lock of the C library,
as DuckDB did, and then calls the command line.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LIMIT = 30.0
"""seconds after which a run hangs, on a machine that is busy with other work; the product's own limit is 5"""
FREE, HELD = "CDLL", "PyDLL"
"""a library that lets other threads run, and one that holds the interpreter"""
_HANGING = """
import ctypes, os, signal, sys

def hang():
    lock = ctypes.create_string_buffer(64)
    library = ctypes.{library}(None)
    os.write(1, b"HANGS\\n")
    library.pthread_mutex_lock(lock)
    library.pthread_mutex_lock(lock)

{patch}
from sfumato.cli import main
main()
"""
AT_STEP = """
import sfumato.cli.progress as progress
step = progress.TerminalProgress.step
def stepped(self, what):
    step(self, what)
    if what.startswith({step!r}): hang()
progress.TerminalProgress.step = stepped
"""
"""hangs when a step begins"""
IN_CALL = """
import {module} as module
module.{name} = lambda *given, **named: hang()
"""
"""hangs in a function or a method"""


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    code: int | str
    seconds: float
    out: str
    err: str


class Run:
    """A command in a process of its own, with a folder for temporary files of its own."""

    def __init__(
        self, script: str, arguments: Sequence[object], folder: Path, stderr: int = subprocess.PIPE
    ) -> None:
        self.temporary = folder / "temporary"
        self.temporary.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )

    def wait_for(self, line: str) -> str:
        """Read what it prints until a line begins so; return the rest of it."""
        assert self.process.stdout is not None
        for said in self.process.stdout:
            if said.startswith(line):
                return said.removeprefix(line).strip()
        assert self.process.stderr is not None
        raise AssertionError(f"it ended before: {self.process.stderr.read()}")

    def wait_for_handlers(self) -> None:
        """Wait until it meets SIGTERM by a handler: before, it is an interpreter that has not begun."""
        until = time.monotonic() + LIMIT
        while time.monotonic() < until and self.process.poll() is None:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            caught = int(status.partition("SigCgt:")[2].split()[0], 16)
            if caught >> (signal.SIGTERM - 1) & 1:
                return
            time.sleep(0.001)
        raise AssertionError("it never began")

    def stop(self, *signals: signal.Signals, pause: float = 0.7) -> Ended:
        """Send signals, some time between them, and wait for the end."""
        begun = time.monotonic()
        for place, number in enumerate(signals):
            if place:
                time.sleep(pause)
            self.process.send_signal(number)
        return self.ended(begun)

    def ended(self, begun: float | None = None, limit: float = LIMIT) -> Ended:
        """Wait for the end; a run that hangs is killed."""
        begun = time.monotonic() if begun is None else begun
        code: int | str
        try:
            code = self.process.wait(limit)
            seconds = time.monotonic() - begun
        except subprocess.TimeoutExpired:
            self.process.kill()
            code, seconds = "hangs", float("inf")
        out, err = self.process.communicate(timeout=LIMIT)
        return Ended(code, seconds, out, err)

    def left(self) -> list[str]:
        """What lies in its folder for temporary files."""
        return sorted(path.name for path in self.temporary.iterdir())


def hanging_script(patch: str, library: str = FREE) -> str:
    """A program that hangs at some point of the command line."""
    return _HANGING.format(library=library, patch=patch)


def hanging(
    patch: str,
    arguments: Sequence[object],
    folder: Path,
    library: str = FREE,
    stderr: int = subprocess.PIPE,
) -> Run:
    """Start a command that hangs, and wait until it does."""
    run = Run(hanging_script(patch, library), arguments, folder, stderr)
    run.wait_for("HANGS")
    # It has said so a moment before: a signal in between would be met by Python as usual.
    time.sleep(0.3)
    return run


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder but temporary ones, with their bytes; empty folders are listed too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not name.startswith("temporary"):
            found[name] = path.read_bytes() if path.is_file() else b""
    return found
