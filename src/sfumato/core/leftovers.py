"""What a run would leave behind if it were ended on the spot, and the moment at which it is put in place.

Folders with unfinished work hold raw data. Whoever makes one enters it here, and strikes it out when it is
gone. The library itself does nothing with the list. The terminal hands it to a process that watches over the
run (``cli/guard.py``) and deletes what is left when the run had to be ended, whatever a library was doing.

Finished folders are moved into place by a few renames. While they happen nobody may delete anything, and
afterwards nobody may say that nothing was published: ``publishing`` holds both.
"""

from __future__ import annotations

import fnmatch
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


def delete_folder(folder: str | Path) -> None:
    """Delete a folder and all in it; what cannot be deleted stays.

    Python's own way holds a file open for each level, which fails where too many are open: then it is done
    with one at a time.
    """
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if os.path.isdir(path) and not os.path.islink(path):
                delete_folder(path)
            else:
                with suppress(OSError):
                    os.unlink(path)
        os.rmdir(folder)


@dataclass(frozen=True)
class Leftover:
    """A folder that must not stay as it is.

    ``keep`` are patterns of files that may stay, as long as there is one of ``worth`` among them; without
    such patterns all of the folder goes. A folder that is ``shared`` goes only if nothing lies in it.
    """

    folder: str
    keep: tuple[str, ...] = ()
    worth: str = ""
    shared: bool = False

    def told(self) -> list[Any]:
        """The entry as it is told to a watch."""
        return [self.folder, self.keep, self.worth, self.shared]

    def clear(self) -> None:
        """Delete what may not stay; what cannot be deleted is left to the next one who tries."""
        if self.shared:
            with suppress(OSError):
                os.rmdir(self.folder)
            return
        names = []
        with suppress(OSError):
            names = os.listdir(self.folder)
        if not self.keep or not fnmatch.filter(names, self.worth):
            delete_folder(self.folder)
            return
        for name in names:
            if not any(fnmatch.fnmatch(name, pattern) for pattern in self.keep):
                with suppress(OSError):
                    os.unlink(os.path.join(self.folder, name))


@dataclass(frozen=True)
class Move:
    """A finished folder ``new`` on its way to its ``place``; what was there goes to ``old`` meanwhile."""

    new: str
    place: str
    old: str
    existed: bool

    def do(self) -> None:
        """Move the old folder aside and the new one in."""
        if self.existed:
            os.rename(self.place, self.old)
        os.rename(self.new, self.place)

    def undo(self) -> None:
        """Go back to what was there, from wherever the move was broken off."""
        if not os.path.lexists(self.new) and os.path.lexists(self.place):
            os.rename(self.place, self.new)
        if self.existed and os.path.lexists(self.old):
            os.rename(self.old, self.place)


def put_back(moves: Sequence[Move]) -> None:
    """Undo moves, again and again if interrupted again."""
    while True:
        try:
            for move in moves:
                move.undo()
            return
        except KeyboardInterrupt:
            continue


class Watch(Protocol):
    """Somebody who cleans up after a run that had to be ended."""

    def tell(self, **facts: Any) -> None:
        """Hear of a change: a folder that came or went, moves that begin, that all is in place."""

    def alone(self) -> AbstractContextManager[None]:
        """Give time in which nobody cleans up; wait for ever if somebody has begun to."""


class Leftovers:
    """The list of a process."""

    def __init__(self) -> None:
        self._entries: dict[str, Leftover] = {}
        self._watch: Watch | None = None
        self.published = False
        """whether something was put in place since the command began"""

    def watched_by(self, watch: Watch | None) -> None:
        """Tell somebody of everything from now on."""
        self._watch = watch
        self.published = False

    @contextmanager
    def entered(self, *entries: Leftover) -> Iterator[None]:
        """Keep folders on the list until the block ends: by then they are gone, or what they should be."""
        for entry in entries:
            self._entries[entry.folder] = entry
            self._tell(add=entry.told())
        try:
            yield
        except BaseException:
            # The cleaning of the block may itself have been broken off.
            for entry in reversed(entries):
                if entry.folder in self._entries:
                    entry.clear()
            raise
        finally:
            for entry in entries:
                self.strike(entry.folder)

    def strike(self, folder: str) -> None:
        """Take a folder off the list."""
        if self._entries.pop(folder, None) is not None:
            self._tell(drop=folder)

    def clear(self) -> None:
        """Delete what is still on the list, the youngest first."""
        for entry in reversed(list(self._entries.values())):
            entry.clear()
            self.strike(entry.folder)

    @contextmanager
    def publishing(self, moves: Sequence[Move]) -> Iterator[None]:
        """Carry moves out in the block: from its end on they are final. When it fails they are undone."""
        with nullcontext() if self._watch is None else self._watch.alone():
            self._tell(moves=[[move.new, move.place, move.old, move.existed] for move in moves])
            try:
                yield
            except BaseException:
                put_back(moves)
                self._tell(moves=[])
                raise
            self.published = True
            self._tell(published=True)

    def _tell(self, **facts: Any) -> None:
        if self._watch is not None:
            self._watch.tell(**facts)


LEFTOVERS = Leftovers()


def put_in_place(made: Path, target: Path) -> None:
    """Rename a finished folder to its target. What was there is deleted afterwards, or comes back."""
    old = made.with_name(f"{made.name}-old")
    new, place, aside = (os.path.abspath(path) for path in (made, target, old))
    move = Move(new, place, aside, os.path.lexists(place))
    with LEFTOVERS.publishing([move]):
        move.do()
    shutil.rmtree(old, ignore_errors=True)
