"""Being told to stop: Ctrl-C, a request to end, a terminal that is gone.

The first signal raises KeyboardInterrupt, so that the run cleans up by itself. An interrupt may vanish inside
a library that catches everything, so it is also written down, and every step of the work looks whether it was
asked for. A run that does not end all the same is ended by its guard, and so is one that is told twice.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import shutil
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import Any

from sfumato.cli import ignored_hang_up
from sfumato.cli.guard import CODE, IN_PLACE, NOTHING, STOPS
from sfumato.core.leftovers import LEFTOVERS, Leftover

_TO_END = 30.0
"""seconds that the interpreter may take to end when all is done"""


class Stop:
    """Remembers that somebody asked to stop."""

    def __init__(self) -> None:
        self.asked = False
        self._code: int | None = None
        self._guard: Any = None
        self._earlier: dict[int, Any] = {}
        self._folder: str | None = None

    def listen(self, *, guarded: bool = False) -> None:
        """Meet all signals alike: temporary files hold raw data and must go.

        Only a program is ``guarded``: whoever calls the command line from Python has a process of his own,
        which it leaves as it was.
        """
        self.asked, self._code = False, None
        LEFTOVERS.watched_by(None)
        if threading.current_thread() is not threading.main_thread():
            return
        self._earlier = {
            number: signal.signal(number, self._note) for number in STOPS if not ignored_hang_up(number)
        }
        if self._guard:
            LEFTOVERS.watched_by(self._guard)
        elif guarded and hasattr(os, "posix_spawn"):
            # A signal waits until the guard can hear of it.
            signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
            try:
                self._begin_guard()
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def _begin_guard(self) -> None:
        """Put this process under guard until it ends. Without one, signals are all there is."""
        from sfumato.cli.guarded import Guarded, own_temporary_folder

        try:
            self._guard = Guarded()
        except (OSError, NotImplementedError, TypeError):
            # No more processes, no such call, or no interpreter that could be started.
            return
        LEFTOVERS.watched_by(self._guard)
        self._guard.hear_signals()
        # The first that is entered is the last that is run: others may still use temporary files.
        atexit.register(self._end)
        self._folder = own_temporary_folder()
        if self._folder is not None:
            self._guard.tell(add=Leftover(self._folder).told())

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        again, self.asked = self.asked, True
        if self._guard and "logging" in sys.modules:
            # Libraries write down at length that they were interrupted, and what they say may quote data.
            sys.modules["logging"].disable()
        # Once is enough: raised again it would break off the cleaning, and the guard does not wait for it.
        if self._code is None and not (again and self._guard and self._guard.lives()):
            raise KeyboardInterrupt

    def check(self) -> None:
        """Stop now if it was asked for."""
        if self.asked:
            raise KeyboardInterrupt

    def patience(self, seconds: float) -> None:
        """Give the run so long to end by itself."""
        if self._guard:
            self._guard.tell(patience=seconds)

    def say(self) -> None:
        """Tell in one line what became of a run that was interrupted."""
        if self._guard:
            self._guard.tell(said=True)
        with suppress(OSError, ValueError):
            # The terminal may be gone: that is what SIGHUP says.
            print(f"sfumato: {IN_PLACE if LEFTOVERS.published else NOTHING}", file=sys.stderr, flush=True)

    def leave(self, code: int) -> None:
        """Note how the command ended: from now on signals change nothing, and what is left is deleted."""
        self._code = code
        if self.asked:
            if self._guard:
                self._guard.end_programs()
            LEFTOVERS.clear()
        if self._guard is None:
            for number, earlier in self._earlier.items():
                signal.signal(number, earlier)
            self._earlier = {}

    def _end(self) -> None:
        """Do what is left when the interpreter ends."""
        # It takes its handlers away soon, and a signal would then end the process by itself.
        for number in STOPS:
            signal.signal(number, signal.SIG_IGN)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._guard.dismiss()
        if self._code == CODE:
            # What is still to be taken down may hang, and whoever asked to stop waits.
            for stream in (sys.stdout, sys.stderr):
                with suppress(Exception):
                    stream.flush()
            os._exit(CODE)
        # Nothing can be asked of it any more, so it must not hang either.
        faulthandler.dump_traceback_later(_TO_END, exit=True, file=open(os.devnull, "w"))  # noqa: SIM115


STOP = Stop()
