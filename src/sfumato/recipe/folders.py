"""A release is all or nothing: two folders that appear together, finished, or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sfumato.core.errors import BadInput

RELEASE = "release"
STEWARD = "steward"


@dataclass(frozen=True)
class Folders:
    """Where a release is being made: ``release`` is to be shared, ``steward`` stays in the house."""

    release: Path
    steward: Path


@contextmanager
def all_or_nothing(target: Path, *, replace: bool = False) -> Iterator[Folders]:
    """Give two folders to write in; move them to ``target`` when the block ends well.

    Until then nothing of the target is touched; afterwards both folders are there. When the block
    fails or is interrupted, what was written is deleted.
    """
    refuse_existing(target, replace=replace)
    stage = target / f".sfumato-{secrets.token_hex(6)}"
    made_target = not target.exists()
    try:
        (stage / RELEASE).mkdir(parents=True)
        (stage / STEWARD).mkdir()
    except OSError as problem:
        shutil.rmtree(stage, ignore_errors=True)
        raise BadInput(
            f"the folder cannot be written ({os.strerror(problem.errno or 0).lower()})",
            where=str(target),
            remedy="choose another with --out",
        ) from None
    os.chmod(stage / STEWARD, 0o700)
    try:
        yield Folders(stage / RELEASE, stage / STEWARD)
        _swap(stage, target)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        if made_target:
            with suppress(OSError):
                target.rmdir()


def refuse_existing(target: Path, *, replace: bool) -> None:
    """Refuse a target that holds a release, unless it is to be replaced."""
    if target.exists() and not target.is_dir():
        raise BadInput("this is a file", where=str(target), remedy="choose a folder with --out")
    there = [name for name in (RELEASE, STEWARD) if (target / name).exists()]
    if there and not replace:
        raise BadInput(
            f"there is already a folder '{there[0]}'",
            where=str(target),
            remedy="choose another place with --out, or give --replace to swap it after the check",
        )


def _swap(stage: Path, target: Path) -> None:
    """Put the finished folders in place; if that fails half-way, put the old ones back."""
    old = stage / "old"
    old.mkdir()
    moved: list[tuple[Path, Path]] = []
    try:
        for name in (STEWARD, RELEASE):
            if (target / name).exists():
                (target / name).rename(old / name)
                moved.append((old / name, target / name))
            (stage / name).rename(target / name)
            moved.append((target / name, stage / name))
    except BaseException:
        for now, before in reversed(moved):
            now.rename(before)
        raise
