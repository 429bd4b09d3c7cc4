"""A release is all or nothing: two folders that appear together, finished, or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.kind import Folders
from sfumato.core.leftovers import LEFTOVERS, Leftover, Move
from sfumato.core.system import could_not, system_errors
from sfumato.release.stages import Stage, clear_abandoned

RELEASE = "release"
STEWARD = "steward"
WRITTEN = frozenset(
    [
        "data.csv",
        "data.csv.gz",
        "data.parquet",
        "data.jsonl",
        "data.dat",
        "data.fasta",
        "data.vcf",
        "data.bed",
        "data.bim",
        "data.fam",
        "data.txt",
        "data.gml",
        "data.graphml",
        "nodes.csv",
        "nodes.parquet",
        "groups.csv",
        "groups.parquet",
        "links.csv",
        "links.parquet",
        "people.csv",
        "people.parquet",
        "truth.csv",
        "evidence.json",
        "schema.json",
        "report.html",
        "fingerprint.key",
        "vault.jsonl",
        "privacy-constraints.txt",
        "utility-constraints.txt",
        "notes.html",
    ]
)
"""every file that a release may hold, beside tables of counts"""
COUNTS = re.compile(r"counts-[1-9][0-9]{0,5}\.(csv|csv\.gz|parquet)")
"""tables of noisy counts, one file each"""


@contextmanager
def all_or_nothing(target: Path, *, replace: bool = False, inner: str | None = None) -> Iterator[Folders]:
    """Give two folders to write in; move them to ``target`` when the block ends well.

    Until then nothing of the target is touched; afterwards both folders are there. When the block
    fails or is interrupted, what was written is deleted. ``inner`` names a folder in the target that has
    such folders, too (``Folders.inside``): all four come together, or none.
    """
    where = [Path(), *([Path(inner)] if inner else [])]
    for part in where:
        refuse_existing(target / part, replace=replace)
    made = [folder for part in where for folder in _missing(target / part)]
    begun = Stage(target)
    known = [*(Leftover(os.path.abspath(each), shared=True) for each in made), begun.leftover]
    with LEFTOVERS.entered(*known):
        yield from _staged(begun, target, where, made, replace=replace)


def _staged(
    begun: Stage, target: Path, where: list[Path], made: list[Path], *, replace: bool
) -> Iterator[Folders]:
    stage = begun.path
    try:
        target.mkdir(parents=True, exist_ok=True)
        clear_abandoned(target)
        begun.make()
        for part in where:
            (stage / part / RELEASE).mkdir(parents=True)
            (stage / part / STEWARD).mkdir()
            (target / part).mkdir(exist_ok=True)
    except OSError as problem:
        begun.discard()
        begun.let_go()
        _remove_empty(made)
        raise could_not(
            problem, "the folder cannot be written", where=str(target), remedy="choose another with --out"
        ) from None
    for part in where:
        os.chmod(stage / part / STEWARD, 0o700)
    swap = _Swap(stage, target, where, replace=replace)
    try:
        with system_errors(str(target)):
            yield Folders(stage / RELEASE, stage / STEWARD)
            swap.do()
    finally:
        if swap.nothing_is_at_stake():
            begun.discard()
        else:
            LEFTOVERS.strike(begun.leftover.folder)
        begun.let_go()
        _remove_empty(made)


def _remove_empty(folders: list[Path]) -> None:
    for folder in reversed(folders):
        with suppress(OSError):
            folder.rmdir()


def _missing(folder: Path) -> list[Path]:
    """List a folder and those above it that are not there, the highest first."""
    path = folder.absolute()
    return [one for one in reversed([path, *path.parents]) if not os.path.lexists(one)]


def refuse_existing(target: Path, *, replace: bool) -> None:
    """Refuse a target that holds a release, unless it is to be replaced."""
    if target.exists() and not target.is_dir():
        raise BadInput("this is a file", where=str(target), remedy="choose a folder with --out")
    there = [name for name in (RELEASE, STEWARD) if os.path.lexists(target / name)]
    if there and replace:
        _refuse_foreign(target, there)
    if there and not replace:
        raise BadInput(
            f"there is already a folder '{there[0]}'",
            where=str(target),
            remedy="choose another place with --out, or give --replace to swap it after the check",
        )


def _refuse_foreign(target: Path, there: list[str]) -> None:
    """Replace only what Sfumato wrote: the input or somebody's notes may lie there."""
    for name in there:
        folder = target / name
        foreign = folder.is_symlink() or not folder.is_dir()
        if foreign or any(not _is_ours(path.name) for path in folder.iterdir()):
            raise BadInput(
                f"the folder '{name}' holds what Sfumato did not write",
                where=str(target),
                remedy="move it away, or choose another place with --out",
            )


def _is_ours(name: str) -> bool:
    return name in WRITTEN or COUNTS.fullmatch(name) is not None


class _Swap:
    """Puts the finished folders in place; if that is broken off, puts the old ones back."""

    def __init__(self, stage: Path, target: Path, where: list[Path], *, replace: bool) -> None:
        self._stage, self._target, self._old = stage, target, stage / "old"
        self._where, self._replace = where, replace
        self._moves: list[Move] = []

    def do(self) -> None:
        """Move the old folders aside and the new ones in."""
        for part in self._where:
            refuse_existing(self._target / part, replace=self._replace)
            (self._old / part).mkdir(parents=True, exist_ok=True)
        self._moves = [self._move(part / name) for part in self._where for name in (STEWARD, RELEASE)]
        with LEFTOVERS.publishing(self._moves):
            for move in self._moves:
                move.do()

    def _move(self, name: Path) -> Move:
        new, place, old = (
            os.path.abspath(folder / name) for folder in (self._stage, self._target, self._old)
        )
        return Move(new, place, old, os.path.exists(place))

    def nothing_is_at_stake(self) -> bool:
        """Whether the stage holds no folder of an older release that still belongs to the target."""
        # Asked of the disk: an interrupt may come after the last rename and before anything is noted.
        unfinished = any(os.path.exists(move.new) for move in self._moves)
        return not (unfinished and any(os.path.exists(move.old) for move in self._moves))
