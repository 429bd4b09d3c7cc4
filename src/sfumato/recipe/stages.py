"""Folders in which releases are being made: each is held by its process, and what a killed one left goes.

A stage holds what the steward keeps, and lies in the target. The lock is the operating system's: it is gone
with the process, however that ended. So a stage that nobody holds was abandoned.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from pathlib import Path

_NAME = re.compile(r"\.sfumato-[0-9a-f]{12}")
_LOCK = ".lock"


def new_stage_name() -> str:
    """Return a name for a stage that nobody has."""
    return f".sfumato-{secrets.token_hex(6)}"


class Lock:
    """Says that a stage is in use."""

    def __init__(self) -> None:
        self._file: int | None = None

    def make(self, stage: Path) -> None:
        """Make a stage that only its owner can read, and hold it from its first moment."""
        making = stage.with_name(f"{stage.name}-making")
        making.mkdir(0o700)
        self._file = _hold(making / _LOCK)
        making.rename(stage)

    def release(self) -> None:
        """Let go."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def clear_abandoned(target: Path) -> None:
    """Delete what killed runs were about to put in place.

    A stage that holds an older release, moved aside for the new one, is left for somebody to look at.
    """
    for stage in target.glob(".sfumato-*"):
        if not _NAME.fullmatch(stage.name) or stage.is_symlink() or any(stage.glob("old/*")):
            continue
        held = _hold(stage / _LOCK)
        if held is not None:
            shutil.rmtree(stage, ignore_errors=True)
            os.close(held)


def _hold(path: Path) -> int | None:
    """Lock a file; None where somebody else holds it, or nobody can say on this system."""
    try:
        import fcntl
    except ImportError:
        return None
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file
