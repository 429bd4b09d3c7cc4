"""A run under guard: starts the guard, tells it what there is to clean up, and asks before publishing."""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sfumato.cli.guard import CODE, CONTROL, EXIT, SIGNALS, STOPS, TOKEN_IN, TOKEN_OUT, descendants
from sfumato.cli.native_exit import exit_when_told

_PROGRAM = "import sys; sys.path.append(sys.argv.pop(1)); from sfumato.cli.guard import main; main()"
"""last on the path, as for any program: beside Sfumato may lie old copies of what Python brings itself"""
_BEYOND = 10
"""file descriptors below it are those of the guard, or standard ones that may be closed"""
_TO_GO = 1.0
"""seconds that the guard may take to end; it may not even have begun to work"""


class Guarded:
    """The run's side of its guard."""

    def __init__(self) -> None:
        control, self._control = _pipe()
        told, end = _pipe()
        signals, self._signals = _pipe()
        self._token_out, self._token_in = _pipe()
        os.set_blocking(self._signals, False)
        os.set_blocking(self._token_out, False)
        os.write(self._token_in, b".")
        self._end = end
        """kept open: the end of the pipe would end this process"""
        given = ((control, CONTROL), (end, EXIT), (signals, SIGNALS), (self._token_out, TOKEN_OUT))
        self._process = os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", "-c", _PROGRAM, _sources(), str(os.getpid())],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, file, at) for file, at in (*given, (self._token_in, TOKEN_IN))
            ],
            # Ctrl-C in a terminal reaches the whole group, and the guard is not meant.
            setpgroup=0,
            setsigmask=STOPS,
        )
        os.close(control)
        os.close(signals)
        exit_when_told(told, CODE)

    def hear_signals(self) -> None:
        """Let the interpreter's handler in C pass signals on: it runs whatever Python is doing."""
        signal.set_wakeup_fd(self._signals, warn_on_full_buffer=False)

    def tell(self, **facts: Any) -> None:
        """Tell the guard something; where it is gone the run goes on without."""
        with suppress(OSError):
            os.write(self._control, json.dumps(facts).encode() + b"\n")

    def end_programs(self) -> None:
        """End what this run has started, also what nobody has noted yet, such as a Java that is starting."""
        for process in descendants(os.getpid()):
            if process != self._process:
                with suppress(OSError):
                    os.kill(process, signal.SIGKILL)

    def lives(self) -> bool:
        """Whether there still is a guard."""
        with suppress(ChildProcessError):
            return os.waitpid(self._process, os.WNOHANG)[0] == 0
        return False

    def dismiss(self) -> None:
        """Let the guard go and wait for it: one that nobody waits for would stay in the list of processes."""
        signal.set_wakeup_fd(-1)
        os.close(self._control)
        until = time.monotonic() + _TO_GO
        while self.lives() and time.monotonic() < until:
            time.sleep(0.002)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Take the right to act from the guard and give it back; once the guard has it, it keeps it."""
        while not select.select([self._token_out], [], [], 1.0)[0]:
            if not self.lives():
                # It was killed while it acted, and nobody else cleans up.
                break
        with suppress(BlockingIOError):
            os.read(self._token_out, 1)
        try:
            yield
        finally:
            os.write(self._token_in, b".")


def _pipe() -> tuple[int, int]:
    import fcntl

    ends = os.pipe()
    moved: list[int] = []
    try:
        moved += [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _BEYOND) for end in ends]
    finally:
        for end in ends:
            os.close(end)
    return moved[0], moved[1]


def _sources() -> str:
    return str(Path(__file__).resolve().parents[2])


def own_temporary_folder() -> str | None:
    """Make one folder for all temporary files of this run and of what it starts; None where none can be made.

    Whoever needs a temporary folder has reasons to complain of his own.
    """
    root = next((os.environ[name] for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name)), "/tmp")
    folder = os.path.join(os.path.abspath(root), f"sfumato-{secrets.token_hex(8)}")
    try:
        os.mkdir(folder, 0o700)
    except (OSError, ValueError):
        return None
    _hold(folder)
    os.environ["TMPDIR"] = folder
    return folder


def _hold(folder: str) -> None:
    """Lock a folder until the process ends: what clears old files (tmpfiles.d) leaves it alone then.

    A service may run for months, and for days nothing may lie in there.
    """
    import fcntl

    with suppress(OSError):
        fcntl.flock(os.open(folder, os.O_RDONLY | os.O_CLOEXEC), fcntl.LOCK_SH | fcntl.LOCK_NB)
