"""Progress on the terminal: a spinner for people, plain lines for logs."""

from __future__ import annotations

import time

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from sfumato.cli.stop import STOP


class TerminalProgress:
    """Shows the current step on standard error; with a terminal it is replaced by the next one."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status: Status | None = console.status("") if console.is_terminal else None
        self._what = ""
        self._started = time.monotonic()

    def __enter__(self) -> TerminalProgress:
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()

    def step(self, what: str) -> None:
        """Begin a new step of the work."""
        STOP.check()
        # Names of files and columns may hold brackets, which are no markup.
        self._what = escape(what)
        if self._status:
            self._status.update(self._what)
        else:
            spent = f"{time.monotonic() - self._started:6.1f} s"
            self._console.print(f"[dim]{spent}  {self._what}[/dim]", highlight=False, soft_wrap=True)

    def update(self, done: float, note: str = "") -> None:
        """Say how much of the current step is done."""
        if self._status:
            self._status.update(f"{self._what}: {100 * done:.0f} % {escape(note)}".rstrip())
