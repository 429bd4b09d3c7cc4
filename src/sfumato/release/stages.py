"""Folders in which releases are being made: each is held by its process, and what a killed one left goes.

A stage holds what the steward keeps, and lies in the target. The lock is the operating system's, on the
folder itself: it is gone with the process, however that ended. So a stage that nobody holds was abandoned.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from pathlib import Path

from sfumato.core.leftovers import Leftover, delete_folder

_NAME = re.compile(r"\.sfumato-[0-9a-f]{12}")


class Stage:
    """A new folder that only its owner can read, held until it is let go."""

    def __init__(self, target: Path) -> None:
        self.path = target / f".sfumato-{secrets.token_hex(6)}"
        self._held: int | None = None

    @property
    def leftover(self) -> Leftover:
        """What must go whatever happens."""
        return Leftover(os.path.abspath(self.path))

    def make(self) -> None:
        """Make the folder and hold it."""
        self.path.mkdir(0o700)
        self._held = _hold(self.path)

    def discard(self) -> None:
        """Delete the folder and hold it no longer."""
        delete_folder(self.path)
        self.let_go()
        # Where too many files are open, the one that held it is the only one left to delete with.
        delete_folder(self.path)

    def let_go(self) -> None:
        """Hold it no longer."""
        if self._held is not None:
            os.close(self._held)
            self._held = None


def clear_abandoned(target: Path) -> None:
    """Delete what killed runs were about to put in place.

    A stage that holds an older release, moved aside for the new one, is left for somebody to look at.
    """
    for stage in target.glob(".sfumato-*"):
        if not _NAME.fullmatch(stage.name) or stage.is_symlink() or any(stage.glob("old/*")):
            continue
        held = _hold(stage)
        if held is not None:
            shutil.rmtree(stage, ignore_errors=True)
            os.close(held)


def _hold(folder: Path) -> int | None:
    """Lock a folder; None where somebody else holds it, or nobody can say on this system."""
    try:
        import fcntl
    except ImportError:
        return None
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        return None
    return opened
