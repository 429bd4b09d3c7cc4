"""The guard: a small process that ends a run which was told to stop and does not.

A run that is told to stop cleans up by itself, which takes milliseconds. But a library may sleep in a lock
for ever, compute for an hour without looking at signals, or hold the interpreter, and then no line of the run
is carried out any more. The guard is another process, so nothing of that concerns it. It hears of signals
through a pipe that the run's handler in C writes to, and knows from the run which folders it has made.

After its patience it ends the programs that the run has started, deletes the folders, says the one line, and
lets the run leave with 130. After a second signal it does so at once. A run that was killed outright is
cleaned up after, too. It never comes between the renames that put a release in place.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from sfumato.core.leftovers import Leftover, Move, put_back

CONTROL, EXIT, SIGNALS, TOKEN_OUT, TOKEN_IN = 0, 1, 3, 4, 5
"""file descriptors: messages of the run; where its end is asked for; its signals; who may act (``alone``)"""
STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
PATIENCE = 3.5
"""seconds that a run may take to clean up by itself: with the rest it is over within five"""
_TWICE = 0.5
"""seconds after the first signal that are left in any case: some terminals send two at once"""
_FOR_TOKEN, _FOR_CLEARING, _FOR_LEAVING = 0.5, 0.6, 0.4
"""seconds"""
NOTHING = "interrupted; nothing was published"
IN_PLACE = "interrupted; what was already put in place is whole and stays"
CODE = 130


class Guard:
    """Watches over one run."""

    def __init__(self, run: int) -> None:
        self.run = run
        self._entries: dict[str, Leftover] = {}
        self._moves: list[Move] = []
        self._published = self._said = False
        self._patience = PATIENCE
        self._first: float | None = None
        self._due: float | None = None
        self._unread = b""
        self._lives = True
        self._screen = _terminal()

    def watch(self) -> None:
        """Wait until the run has ended, or end it."""
        files = [CONTROL, SIGNALS]
        while self._lives:
            left = 1.0 if self._due is None else max(0.0, min(1.0, self._due - time.monotonic()))
            ready = select.select(files, [], [], left)[0]
            if SIGNALS in ready and not self._signals():
                files.remove(SIGNALS)
            if CONTROL in ready:
                self._listen()
            elif os.getppid() != self.run:
                self._lives = False
            if self._lives and self._due is not None and time.monotonic() >= self._due:
                self._end()
        self._tidy()

    def _signals(self) -> bool:
        """Note that somebody asked to stop; return whether more can come."""
        got = os.read(SIGNALS, 256)
        now = time.monotonic()
        for number in got:
            if number not in STOPS:
                continue
            if self._first is None:
                self._first = now
                self._due = now + self._patience
            else:
                self._due = min(self._due or now, max(now, self._first + _TWICE))
        return bool(got)

    def _listen(self) -> None:
        """Take in what the run tells; its end is the end of the pipe."""
        while select.select([CONTROL], [], [], 0)[0]:
            got = os.read(CONTROL, 1 << 16)
            if not got:
                self._lives = False
                return
            *lines, self._unread = (self._unread + got).split(b"\n")
            for line in lines:
                self._note(json.loads(line))

    def _note(self, told: dict[str, Any]) -> None:
        for fact, value in told.items():
            match fact:
                case "add":
                    folder, keep, worth, shared = value
                    self._entries[folder] = Leftover(folder, tuple(keep), worth, shared)
                case "drop":
                    self._entries.pop(value, None)
                case "moves":
                    self._moves = [Move(*each) for each in value]
                case "published":
                    self._published, self._moves = True, []
                case "said":
                    self._said = True
                case "patience":
                    self._patience = value

    def _end(self) -> None:
        """Clean up in place of the run, and let it leave."""
        self._due = None
        alone = self._alone()
        for process in descendants(self.run):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        if alone and not self._moves:
            clearing = threading.Thread(target=self._clear, daemon=True)
            clearing.start()
            clearing.join(_FOR_CLEARING)
        self._say()
        with suppress(OSError):
            os.write(EXIT, b".")
        if not self._gone() and os.getppid() == self.run:
            os.kill(self.run, signal.SIGKILL)
            self._gone()
        self._lives = False

    def _alone(self) -> bool:
        """Take the right to act, so that nothing is put in place any more; False where that takes long."""
        until = time.monotonic() + _FOR_TOKEN
        while (left := until - time.monotonic()) > 0:
            if select.select([TOKEN_OUT], [], [], left)[0]:
                with suppress(BlockingIOError):
                    os.read(TOKEN_OUT, 1)
                    self._listen()
                    return True
        return False

    def _gone(self) -> bool:
        """Wait a moment for the end of the run."""
        until = time.monotonic() + _FOR_LEAVING
        while time.monotonic() < until:
            if os.getppid() != self.run:
                return True
            time.sleep(0.01)
        return False

    def _say(self) -> None:
        if self._screen is not None:
            self._screen.restore()
        if not self._said:
            with suppress(OSError):
                os.write(2, f"sfumato: {IN_PLACE if self._published else NOTHING}\n".encode())

    def _clear(self) -> None:
        for entry in reversed(list(self._entries.values())):
            entry.clear()

    def _tidy(self) -> None:
        """Clean up after a run that is no more: whatever it was doing, it does it no longer."""
        try:
            put_back(self._moves)
        except OSError:
            # An older release lies in the stage, and is somebody's only copy.
            return
        self._clear()


class _Screen:
    """A terminal as it was before the run."""

    def __init__(self) -> None:
        import termios

        self._attributes = termios.tcgetattr(2)

    def restore(self) -> None:
        """Show the cursor again, on a line of its own, with what is typed."""
        import termios

        with suppress(OSError, termios.error):
            os.write(2, b"\r\x1b[2K\x1b[?25h")
            termios.tcsetattr(2, termios.TCSANOW, self._attributes)


def _terminal() -> _Screen | None:
    if not os.isatty(2):
        return None
    try:
        return _Screen()
    except Exception:
        # Without its attributes the terminal is left as it is.
        return None


def descendants(process: int) -> list[int]:
    """List what a process has started, directly or not, without the one that asks."""
    children: dict[int, list[int]] = {}
    for child, parent in _processes():
        children.setdefault(parent, []).append(child)
    found, waiting = [], [process]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child != os.getpid():
                found.append(child)
                waiting.append(child)
    return found


def _processes() -> Iterator[tuple[int, int]]:
    """Yield every process with its parent."""
    if not os.path.isdir("/proc/self"):
        with os.popen("ps -A -o pid= -o ppid= 2>/dev/null") as listed:
            for line in listed:
                child, parent = line.split()
                yield int(child), int(parent)
        return
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                yield int(name), int(file.read().rpartition(b")")[2].split()[1])


def main() -> None:
    """Be a guard; the run that it watches over has started it."""
    for number in (*STOPS, signal.SIGPIPE, signal.SIGTTOU):
        signal.signal(number, signal.SIG_IGN)
    Guard(int(sys.argv[1])).watch()
    os._exit(0)
