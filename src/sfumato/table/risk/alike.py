"""Values of a column that mean the same in a table and in a list, although they are written differently.

A column is compared as it is written. Where another reading finds more values in common, it is compared so,
and that is said: as numbers (``02135`` and 2135), as dates (``9/15/61`` and ``1961-09-15``), or without case
and outer blanks. A reading that takes two different values of a side for one is not taken, except that a date
may be spelt in several ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import as_day, as_number, as_text
from sfumato.core.errors import BadInput

Ints = NDArray[np.int64]
Texts = list[str | None]


@dataclass(frozen=True)
class Alike:
    """Codes for the values of two sides, equal where they mean the same, and how they were read.

    >>> found = Alike.of("zip", ["02135", "12000"], [12000, 2135])
    >>> found.ours.tolist(), found.theirs.tolist(), found.said
    ([0, 1], [1, 0], ("'zip' was compared as numbers: it is written differently in both",))
    """

    ours: Ints = field(repr=False)
    theirs: Ints = field(repr=False)
    said: tuple[str, ...] = ()

    @classmethod
    def of(cls, column: str, ours: Sequence[Any], theirs: Sequence[Any]) -> Alike:
        """Compare the distinct values of both sides; missing (None) is a value of its own."""
        sides = (ours, theirs)
        present = [sum(value is not None for value in side) for side in sides]
        best = [_read(as_text, side) for side in sides]
        most = _common(*best)
        said: tuple[str, ...] = ()
        for words, read in _READINGS:
            if most == min(present):
                break
            texts = [_read(read, side) for side in sides]
            if _common(*texts) > most and all(len(set(side)) == len(side) for side in texts):
                best, most = texts, _common(*texts)
                said = (f"'{column}' was compared {words}: it is written differently in both",)
        if most < min(present):
            texts, notes = _as_spelt_dates(column, sides, certain=bool(most))
            if _common(*texts) > most:
                told = f"'{column}' was compared as dates: they are spelt differently"
                best, most, said = texts, _common(*texts), (told, *notes)
        if not most and all(present):
            raise BadInput(
                f"none of its {present[0]:,} different values is among the {present[1]:,} of the population",
                where=f"column '{column}'",
                remedy="write them alike on both sides, or leave the column out",
            )
        codes: dict[str | None, int] = {}
        coded = [np.array([codes.setdefault(text, len(codes)) for text in side], np.int64) for side in best]
        return cls(coded[0], coded[1], said)


def _read(how: Callable[[Any], str], side: Sequence[Any]) -> Texts:
    return [None if value is None else how(value) for value in side]


def _common(ours: Texts, theirs: Texts) -> int:
    return len((set(ours) & set(theirs)) - {None})


def _number(value: Any) -> str:
    found = as_number(value)
    return as_text(value if found is None else found)


def _day(value: Any) -> str:
    found = as_day(value)
    return as_text(value) if found is None else f"day {as_text(found)}"


def _without_case(value: Any) -> str:
    return as_text(value).strip().casefold()


_READINGS: tuple[tuple[str, Callable[[Any], str]], ...] = (
    ("as numbers", _number),
    ("as dates", _day),
    ("without case and blanks around it", _without_case),
)


def _as_spelt_dates(
    column: str, sides: tuple[Sequence[Any], Sequence[Any]], *, certain: bool
) -> tuple[list[Texts], tuple[str, ...]]:
    """Read dates that are spelt in any of the usual ways; doubt stops the run unless values agree anyway."""
    # The attacks import measures of risk: at the top this would be a circle.
    from sfumato.table.attacks.matching.coerce import same_terms

    try:
        terms = same_terms(column, *sides)
    except BadInput:
        if certain:
            return [[], []], ()
        raise
    return [_read(_day, terms.values), _read(_day, terms.labels)], terms.notes
