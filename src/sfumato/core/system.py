"""Errors of the operating system in one clear sentence: what happened, where, and what to do.

A disk is full, a folder may not be written, too many files are open: whichever kind of data is at work, and
whichever library met the error first, the sentence is the same. DuckDB, SQLite and Spark wrap such errors in
their own; here the number of the operating system is found again. Their texts may quote values of the data,
so nothing of them is repeated but the path.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sfumato.core.errors import BadInput, SfumatoError, SystemFault


@dataclass(frozen=True)
class _Said:
    what: str
    remedy: str


_PERMISSION = _Said("it may not be read or written", "check the permissions of it and of its folder")
_FULL = _Said("the disk is full", "make room there, or choose another place")
_OPEN = _Said("too many files are open", "raise the limit ('ulimit -n'), or run fewer things at once")
_FAULT = _Said("the disk or the network share reports a fault", "check it, and try again")
_MEMORY = _Said("the memory is not enough", "free some, or lower the memory limit of the run")
_SPILL = _Said(
    "the memory limit and the room for temporary files are not enough",
    "raise the memory limit, or set TMPDIR to a folder with more room",
)
_SAID = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _Said("the disk quota is used up", "make room there, or choose another place"),
    errno.EFBIG: _Said(
        "a file would become larger than the system allows",
        "raise the limit ('ulimit -f'), or choose another disk",
    ),
    errno.EACCES: _PERMISSION,
    errno.EPERM: _PERMISSION,
    errno.EROFS: _Said("the disk is read-only", "choose another place, or make it writable"),
    errno.EIO: _FAULT,
    errno.ESTALE: _FAULT,
    errno.EMFILE: _OPEN,
    errno.ENFILE: _OPEN,
    errno.ENAMETOOLONG: _Said("the path is too long", "choose a shorter one"),
    errno.ELOOP: _Said("its links lead in a circle", "mend the links, or give the path without them"),
    errno.ENOENT: _Said(
        "there is no such file or folder", "check the path, and that nobody removes it meanwhile"
    ),
    errno.ENOTDIR: _Said("a part of the path is a file, not a folder", "check the path"),
    errno.EISDIR: _Said("this is a folder, not a file", "give the path of a file"),
    errno.EEXIST: _Said("something of this name is already there", "move it away, or choose another place"),
    errno.ENOTEMPTY: _Said("the folder is not empty", "move away what is in it, or choose another place"),
    errno.EBUSY: _Said("something else is using it", "close what is using it, and try again"),
    errno.ETXTBSY: _Said("something else is using it", "close what is using it, and try again"),
    errno.EXDEV: _Said("it lies on another disk than its folder", "choose a place that is on one disk"),
    errno.ENOMEM: _MEMORY,
    errno.EAGAIN: _Said(
        "the system allows no more processes or threads", "end some, or raise the limit ('ulimit -u')"
    ),
}
"""Missing are numbers of mistakes in a program, such as a bad descriptor or an invalid argument."""
_PATHS = {
    errno.ENAMETOOLONG,
    errno.ELOOP,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EEXIST,
    errno.ENOTEMPTY,
}
"""errors of a path that was given, or of a release that is not as it should be"""
_SPILLED = -1
"""for DuckDB, which found room neither in memory nor in its temporary folder"""
_SQLITE = {
    3: errno.EACCES,  # SQLITE_PERM
    7: errno.ENOMEM,  # SQLITE_NOMEM
    8: errno.EROFS,  # SQLITE_READONLY
    10: errno.EIO,  # SQLITE_IOERR
    13: errno.ENOSPC,  # SQLITE_FULL
    14: errno.EACCES,  # SQLITE_CANTOPEN
    22: errno.EFBIG,  # SQLITE_NOLFS
    23: errno.EACCES,  # SQLITE_AUTH
}
_WORDS = {os.strerror(number): number for number in _SAID if number != errno.EAGAIN}
_WORDED = re.compile("|".join(map(re.escape, sorted(_WORDS, key=len, reverse=True))))
_DUCK_PATH = re.compile(r'(?:file|directory) \\*"([^"\\\n]+)\\*":')
_STAGE = re.compile(r"[/\\](?:\.sfumato-[0-9a-z_]{8,12}|sfumato-[0-9a-f]{16})(?=[/\\]|$)")
"""folders of a run, in which a release is being made or temporary files lie: nobody knows them by name"""


def error_number(problem: BaseException) -> int | None:
    """Return the operating system's number of an error, also where a library has wrapped it; else None.

    >>> error_number(OSError(errno.ENOSPC, "full")) == errno.ENOSPC, error_number(ValueError("full"))
    (True, None)
    """
    seen: list[BaseException] = []
    following: object = problem
    while isinstance(following, BaseException) and following not in seen:
        seen.append(following)
        number = _own_number(following)
        if number is not None:
            return number
        # SQLAlchemy keeps the driver's error in ``orig``; others raise from it.
        following = getattr(following, "orig", None) or following.__cause__
    return None


def _own_number(problem: BaseException) -> int | None:
    if isinstance(problem, MemoryError):
        return errno.ENOMEM
    if isinstance(problem, OSError):
        return problem.errno if problem.errno in _SAID else None
    package, name = type(problem).__module__.lstrip("_").split(".")[0], type(problem).__name__
    if package == "duckdb" and name == "OutOfMemoryException":
        return _SPILLED
    # Only errors of files are looked into: the text of any other could quote a value that reads like one.
    if (package == "duckdb" and name == "IOException") or name in ("Py4JJavaError", "SparkException"):
        found = _WORDED.search(str(problem))
        return _WORDS[found[0]] if found else None
    code = getattr(problem, "sqlite_errorcode", None)
    return _SQLITE.get(code & 0xFF) if isinstance(code, int) else None


def explained(problem: BaseException, *, where: str = "") -> BadInput | SystemFault | None:
    """Return an error of the operating system as one sentence; None when it is something else.

    ``where`` stands in for the place where the error does not tell one.

    >>> print(explained(OSError(errno.ENOSPC, "No space left on device", "out/data.csv")))
    out/data.csv: the disk is full; make room there, or choose another place
    """
    if isinstance(problem, SystemFault):
        return problem
    number = None if isinstance(problem, SfumatoError) else error_number(problem)
    if number is None:
        return None
    said = _SPILL if number == _SPILLED else _SAID[number]
    kind = BadInput if number in _PATHS else SystemFault
    return kind(said.what, where=_place(problem) or _STAGE.sub("", where), remedy=said.remedy)


def system_problem(
    problem: BaseException, otherwise: str, *, where: str = "", remedy: str = "check the path"
) -> BadInput | SystemFault:
    """Return the sentence for an error of the operating system; ``otherwise`` for any other error."""
    return explained(problem, where=where) or BadInput(otherwise, where=where, remedy=remedy)


def could_not(
    problem: BaseException, task: str, *, where: str = "", remedy: str = "check the path"
) -> BadInput | SystemFault:
    """Return what could not be done, and why if the operating system tells.

    >>> full = OSError(errno.ENOSPC, "No space left on device", "/out/report.html")
    >>> print(could_not(full, "it cannot be written there", where="report.html"))
    report.html: it cannot be written there: the disk is full; make room there, or choose another place
    """
    clear = explained(problem)
    if clear is None:
        return BadInput(task, where=where, remedy=remedy)
    return type(clear)(f"{task}: {clear.what}", where=where or clear.where, remedy=clear.remedy)


def raise_system_fault(problem: BaseException) -> None:
    """Raise what the surroundings are to blame for; any other error is left to the caller.

    A release whose file cannot be read because too many files are open is not refuted by that.
    """
    clear = explained(problem)
    if isinstance(clear, SystemFault):
        raise clear from None


@contextmanager
def system_errors(where: str = "", *, hidden: str = "") -> Iterator[None]:
    """Turn errors of the operating system into clear ones while the block runs; others pass.

    ``hidden`` is a folder of whose files nobody knows: ``where`` stands in for them.
    """
    try:
        yield
    except Exception as problem:
        clear = explained(problem, where=where)
        if clear is None:
            raise
        if hidden and clear.where.startswith(hidden):
            clear.where = where
        raise clear from None


def _place(problem: BaseException) -> str:
    """Return the path that an error names, without the hidden folders of a run."""
    path: object = getattr(problem, "filename", None)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if not isinstance(path, str) or not path:
        found = _DUCK_PATH.search(str(problem)) if type(problem).__name__ == "IOException" else None
        path = found[1] if found else ""
    return place_shown(path)


def place_shown(path: str) -> str:
    """Return a path as it stands in a sentence: without the hidden folders of a run."""
    # A path may hold letters that would break the line or move the cursor of a terminal.
    return "".join(c if c.isprintable() else "?" for c in _STAGE.sub("", path))
