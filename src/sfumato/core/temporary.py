"""Where temporary files lie: in the folder that the environment names, or nowhere.

Temporary files hold raw data. Python's own ``tempfile`` takes another folder when the one that ``TMPDIR``
names is missing or cannot be written, and says nothing: data that were to stay on an encrypted disk would lie
on another. Here a folder that was named is used, or the run is refused. All of Sfumato asks here.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sfumato.core.errors import SystemFault
from sfumato.core.leftovers import LEFTOVERS, Leftover
from sfumato.core.system import could_not, place_shown, system_errors

VARIABLES = ("TMPDIR", "TEMP", "TMP")
"""in the order in which they are asked; an empty one counts as not set"""
_ORDINARY = ("/tmp", "/var/tmp", "/usr/tmp")
"""where Python looks when nothing is set, before it takes the current folder"""


def temporary_root() -> Path:
    """Return the folder below which temporary files lie; refuse one that cannot be used."""
    for name in VARIABLES:
        named = os.environ.get(name)
        if named:
            return _usable(Path(named).absolute(), name)
    try:
        found = tempfile.gettempdir()
        # Python's last resort is the current folder, which may be shared or be a release.
        last_resort = found not in _ORDINARY and os.path.samefile(found, os.curdir)
    except OSError:
        last_resort = True
    if last_resort:
        raise SystemFault(
            "there is no folder for temporary files", remedy="set TMPDIR to one that you can write to"
        )
    return _usable(Path(found).absolute(), "TMPDIR")


def _usable(folder: Path, name: str) -> Path:
    """Refuse a folder in which nothing can be made. Asking for permissions would not do: so one is made."""
    where, remedy = f"{name}={folder}", f"make the folder, or set {name} to one that you can write to"
    try:
        if not folder.is_dir():
            what = "is not a folder" if folder.exists() else "is not there"
            raise SystemFault(f"the folder for temporary files {what}", where=where, remedy=remedy)
        os.rmdir(tempfile.mkdtemp(prefix="sfumato-", dir=folder))
    except (OSError, ValueError) as problem:
        clear = could_not(problem, "the folder for temporary files cannot be used", where=where)
        raise SystemFault(clear.what, where=where, remedy=remedy) from None
    return folder


def new_temporary_folder(prefix: str = "sfumato-") -> Path:
    """Make a folder that only its owner can open; the caller deletes it."""
    with system_errors("temporary files"):
        return Path(tempfile.mkdtemp(prefix=prefix, dir=temporary_root()))


@contextmanager
def temporary_folder(prefix: str = "sfumato-") -> Iterator[Path]:
    """Give a folder that only its owner can open, until the block ends.

    >>> with temporary_folder() as folder:
    ...     folder.is_dir()
    True
    >>> folder.exists()
    False
    """
    root = temporary_root()
    where = f"{place_shown(str(root))} (temporary files)"
    with (
        system_errors(where),
        tempfile.TemporaryDirectory(prefix=prefix, dir=root) as folder,
        system_errors(where, hidden=place_shown(folder)),
    ):
        yield Path(folder)


@contextmanager
def folder_beside(target: Path, prefix: str = ".sfumato-") -> Iterator[Path]:
    """Give a folder beside a target, on its disk, until the block ends: what is finished is renamed."""
    with (
        tempfile.TemporaryDirectory(prefix=prefix, dir=target.absolute().parent) as folder,
        LEFTOVERS.entered(Leftover(folder)),
    ):
        yield Path(folder)
