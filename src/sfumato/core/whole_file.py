"""A file that is written whole or not at all: what a full disk cut short never stands in its place."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from sfumato.core.temporary import folder_beside

_OPEN = ("/dev/std", "/dev/fd/", "/proc/")


def write_whole(path: Path, content: str | bytes, *, private: bool = False, new: bool = False) -> None:
    """Write a file beside its place and move it there.

    ``private`` is for its owner alone; ``new`` refuses a place that is taken (``FileExistsError``).

    Errors of the operating system are left to the caller, who knows what the file is.
    """
    if new and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    raw = content.encode() if isinstance(content, str) else content
    # A pipe or a device cannot be replaced, nor can what is called by an open file, such as /dev/stdout.
    if os.path.abspath(path).startswith(_OPEN) or (path.exists() and not path.is_file()):
        path.write_bytes(raw)
        return
    # A link must lead where it led.
    place = Path(os.path.realpath(path))
    with folder_beside(place) as folder:
        draft = folder / place.name
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        if place.exists() and not private:
            os.chmod(draft, place.stat().st_mode & 0o777)
        draft.replace(place)
