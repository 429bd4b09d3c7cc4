"""Files from outside, opened with care: whoever hands one over need not be a friend.

A path may lead to a pipe that never answers, to a device that never ends, round in a circle, or to a file
that unpacks to a thousand times its size. Everything that is read from outside is opened here, so that each
of these is one sentence, and nothing waits or fills the memory.
"""

from __future__ import annotations

import errno
import gzip
import itertools
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from sfumato.core.errors import BadInput, SystemFault
from sfumato.core.system import could_not

GZIP = b"\x1f\x8b"
MOST_UNPACKED = 1 << 30
"""bytes up to which packed data may be of any density"""
DENSEST = 500
"""beyond ``MOST_UNPACKED``, data that unpack to more than so many times their size are a trap"""
LONGEST_KEY = 1 << 20
"""bytes of a file with a key, or with a list of keys"""
_AT_ONCE = 1 << 20
_KINDS = (
    (stat.S_ISDIR, "a folder, not a file"),
    (stat.S_ISFIFO, "a pipe, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
    (stat.S_ISCHR, "a device, not a file"),
    (stat.S_ISBLK, "a device, not a file"),
)
_REASONS = {
    errno.ENOENT: ("there is no such file", "check the path"),
    errno.ENOTDIR: ("there is no such file", "check the path"),
    errno.ELOOP: ("the links lead round in a circle", "give the path of the file itself"),
    errno.ENAMETOOLONG: ("the path is too long", "give a shorter one"),
}


class Unreadable(BadInput):
    """A path from which no file can be read; ``missing`` when nothing is there."""

    missing = False


def open_plain(path: str | Path) -> IO[bytes]:
    """Open a file for reading, and nothing but a file: links are followed, a pipe is never waited for.

    >>> open_plain("/dev/null")
    Traceback (most recent call last):
    ...
    sfumato.core.files.Unreadable: /dev/null: this is a device, not a file; give the path of a file
    """
    # Looked at before it is opened, since to open a device may itself do something; and once more
    # afterwards, since another file may have come in its place.
    try:
        _refuse_others(os.stat(path).st_mode, path)
        # Python itself keeps descriptors from other programs, and not every system has all of these.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags)
    except ValueError:
        raise Unreadable(
            "the path holds a NUL character", where=_shown(path), remedy="check the path"
        ) from None
    except OSError as problem:
        raise unreadable(problem, path) from None
    try:
        _refuse_others(os.fstat(descriptor).st_mode, path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def check_file(path: str | Path) -> None:
    """Refuse a path that is not there, is no plain file, or may not be read."""
    open_plain(path).close()


def is_plain(path: str | Path) -> bool:
    """Tell whether a path leads to a file that can be opened."""
    try:
        check_file(path)
    except (Unreadable, SystemFault):
        return False
    return True


def real_path(path: str | Path) -> Path:
    """Return where a path leads. Links that lead round in a circle stay as they are: opening refuses them."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return Path(os.path.abspath(path))


def unreadable(problem: OSError, path: str | Path) -> Unreadable | SystemFault:
    """Put an error of the operating system into words; what the path is not to blame for is a fault."""
    if problem.errno in (errno.EACCES, errno.EPERM):
        return SystemFault("the file may not be read", where=_shown(path), remedy="check its permissions")
    if problem.errno not in _REASONS:
        clear = could_not(problem, "the file cannot be read", where=_shown(path))
        if isinstance(clear, SystemFault):
            return clear
    what, remedy = _REASONS.get(problem.errno or 0, ("the file cannot be read", "check the path"))
    found = Unreadable(what, where=_shown(path), remedy=remedy)
    found.missing = problem.errno in (errno.ENOENT, errno.ENOTDIR)
    return found


def read_bytes(path: str | Path, most: int | None = None) -> bytes:
    """Return the bytes of a file; one of more than ``most`` bytes is refused before it is read."""
    with open_plain(path) as file:
        return _content(file, path, most)


def _content(file: IO[bytes], path: str | Path, most: int | None) -> bytes:
    try:
        # One more than allowed: the size may be that of a file that still grows.
        content = file.read() if most is None else file.read(most + 1)
    except OSError as problem:
        raise unreadable(problem, path) from None
    if most is not None and len(content) > most:
        raise BadInput(
            f"the file has more than {most:,} bytes",
            where=_shown(path),
            remedy="check that it is the right one",
        )
    return content


def read_text(path: str | Path, encoding: str = "utf-8", most: int | None = None) -> str:
    """Return the text of a file."""
    return _decoded(read_bytes(path, most), path, encoding)


def read_key(path: str | Path) -> str:
    """Return the text of a file with a key that somebody names at the terminal: there it may be a pipe.

    So a password manager hands a key over that lies on no disk: ``--key-file <(pass show sfumato)``.
    """
    if not os.path.exists(path) or not stat.S_ISFIFO(os.stat(path).st_mode):
        return read_text(path, most=LONGEST_KEY)
    with open(path, "rb") as file:
        return _decoded(_content(file, path, LONGEST_KEY), path, "utf-8")


def _decoded(content: bytes, path: str | Path, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise BadInput(
            "the text is not UTF-8", where=f"{_shown(path)}, line {line:,}", remedy="write it as UTF-8"
        ) from None


def unpacked(path: str | Path, *, packed: bool | None = None) -> Iterator[bytes]:
    """Go through the bytes of a file, unpacked where it is gzip data, to the checksum at its end.

    ``packed`` says whether it must be; without it the first bytes decide.
    """
    with open_plain(path) as file:
        if packed is None:
            packed = file.read(2) == GZIP
            file.seek(0)
        if not packed:
            while chunk := file.read(_AT_ONCE):
                yield chunk
            return
        size, seen = os.fstat(file.fileno()).st_size, 0
        try:
            with cast("IO[bytes]", gzip.open(file)) as inner:
                while chunk := inner.read(_AT_ONCE):
                    seen += len(chunk)
                    if seen > MOST_UNPACKED and seen > DENSEST * size:
                        raise too_dense(path)
                    yield chunk
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise damaged(path) from None


def unpacked_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file, unpacked where it is packed."""
    return b"".join(unpacked(path))


def open_unpacked(path: str | Path, *, packed: bool) -> IO[bytes]:
    """Open a file, unpacked where it is ``packed``. Reading may raise what ``gzip`` raises."""
    file = open_plain(path)
    return cast("IO[bytes]", gzip.GzipFile(fileobj=file, mode="rb")) if packed else file


def damaged(path: str | Path) -> BadInput:
    """Refuse gzip data that end too early, or do not fit their checksum."""
    return BadInput(
        "the packed file is cut short or damaged",
        where=_shown(path),
        remedy="copy it again and compare its size with that of the original, or pack it again",
    )


def too_dense(path: str | Path) -> BadInput:
    """Refuse data that would fill memory or disk once unpacked."""
    return BadInput(
        f"the file unpacks to more than {DENSEST} times its size",
        where=_shown(path),
        remedy="if you trust it, unpack it yourself and give the plain file",
    )


def refuse_nul(path: str | Path, *, packed: bool | None = None, allowed: bool = False) -> None:
    """Go through a file of text once: refuse a NUL byte, and packed data that are damaged.

    Engines take a NUL byte for the end of a value or drop it, and some do not look at checksums. NUL bytes
    are ``allowed`` where two bytes make a letter, as in UTF-16.
    """
    for number, chunk in enumerate(unpacked(path, packed=packed)):
        at = -1 if allowed else chunk.find(b"\0")
        if at >= 0:
            # Lines are counted only now: files that are as they should be are gone through at full speed.
            before = itertools.islice(unpacked(path, packed=packed), number)
            lines = sum(earlier.count(b"\n") for earlier in before)
            raise nul_at(path, 1 + lines + chunk.count(b"\n", 0, at))


def nul_at(path: str | Path, line: int) -> BadInput:
    """Refuse a NUL byte in a line of text."""
    return nul_somewhere(f"{_shown(path)}, line {line:,}")


def nul_somewhere(where: str | Path) -> BadInput:
    """Refuse a NUL byte in a text."""
    return BadInput(
        "the text holds a NUL byte",
        where=_shown(where),
        remedy="the file is damaged or in UTF-16: write it again as plain text",
    )


def _refuse_others(mode: int, path: str | Path) -> None:
    if not stat.S_ISREG(mode):
        kind = next((name for holds, name in _KINDS if holds(mode)), "no plain file")
        raise Unreadable(f"this is {kind}", where=_shown(path), remedy="give the path of a file")


def _shown(path: str | Path) -> str:
    return str(path).replace("\0", "\\0")
