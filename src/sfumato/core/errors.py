"""Errors that say what is wrong, where, and what to do about it.

One base class for everything the user can cause. Messages hold names of columns, row numbers and
counts, never values of the data.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SfumatoError(Exception):
    """Something the user can mend. ``what`` went wrong, ``where``, and the ``remedy``.

    >>> print(BadInput("the column is empty", where="patients.csv, column 'age'", remedy="drop it"))
    patients.csv, column 'age': the column is empty; drop it
    """

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(what)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{place}{self.what}{remedy}"


class BadInput(SfumatoError):
    """The data, the recipe or the call cannot be understood (exit code 2)."""


class SystemFault(SfumatoError):
    """The surroundings refuse: disk, permission, memory, temporary folder (exit code 2).

    It says nothing about the data or the release, so it is no ``BadInput``: whoever reads a broken file as a
    refuted claim, or leaves out what cannot be measured, must let it pass.
    """


class PromiseNotMet(SfumatoError):
    """A promise does not hold and cannot be made to hold as asked (exit code 1)."""

    exit_code = 1


class MissingPart(SfumatoError):
    """An optional part of Sfumato is needed and not installed (exit code 2)."""


class SfumatoWarning(UserWarning):
    """Something that works but deserves a second look."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``did you mean 'x'?`` for the closest known name, else a list of what exists.

    >>> nearest("senstive", ["sensitive", "person"])
    "did you mean 'sensitive'?"
    >>> nearest("x", ["b", "a"])
    'known are: a, b'
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    return f"known are: {shown}" if names else "there are none"
