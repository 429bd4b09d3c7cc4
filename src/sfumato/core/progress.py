"""Progress of long work: methods and engines report, doors show."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told what is being done. Called from the thread that works; must be quick."""

    def step(self, what: str) -> None:
        """Begin a new step of the work."""

    def update(self, done: float, note: str = "") -> None:
        """Say how much of the current step is done, between 0 and 1."""


class Within:
    """Work that is a part of a step: its own steps are only notes to that step."""

    def __init__(self, outer: Progress) -> None:
        self._outer = outer

    def step(self, what: str) -> None:
        """Say what is being done, without beginning a step."""
        self._outer.update(0.0, what)

    def update(self, done: float, note: str = "") -> None:
        """Say how much of the part is done."""
        self._outer.update(done, note)


class Silent:
    """Shows nothing."""

    def step(self, what: str) -> None:
        """Ignore the step."""

    def update(self, done: float, note: str = "") -> None:
        """Ignore the update."""


SILENT = Silent()
