"""A directory of people, to be looked up by what somebody may let slip: names, places, years of birth."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.domain import as_day, as_text
from sfumato.core.errors import BadInput

Ints = NDArray[np.int64]
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class Fits:
    """A hint: of which kind (name, place, age), whom it fits, and how often it was given."""

    kind: str
    people: Ints
    mentions: int


@dataclass(frozen=True)
class Directory:
    """Who is called what, lives where and was born when; people are numbered by their rows, from 0."""

    size: int
    surnames: Mapping[str, Ints] = field(repr=False)
    full_names: Mapping[tuple[str, str], Ints] = field(repr=False)
    """by first name and surname"""
    places: Mapping[str, Ints] = field(repr=False)
    born: NDArray[np.int64] | None = field(repr=False)
    """years of birth, −1 where they are not known"""
    ids: tuple[str, ...] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return self.size

    @classmethod
    def of(
        cls, table: pa.Table, person: str | None, *, names: str, places: str | None, births: str | None
    ) -> Directory:
        """Read a directory; the last word of a name is the surname, the first one the first name.

        >>> people = pa.table({"name": ["Ann Lee", "Bob Lee"], "town": ["a", "b"]})
        >>> some = Directory.of(people, None, names="name", places="town", births=None)
        >>> some.surnames["lee"].tolist(), some.full_names["bob", "lee"].tolist(), len(some)
        ([0, 1], [1], 2)
        """
        if not table.num_rows:
            raise BadInput("the directory is empty", remedy="give one with at least one person")
        words = [
            _WORD.findall(as_text(name).lower()) if name is not None else []
            for name in table[names].to_pylist()
        ]
        held = table.column_names
        return cls(
            table.num_rows,
            _grouped([some[-1] if some else None for some in words]),
            _grouped([(some[0], some[-1]) if len(some) > 1 else None for some in words]),
            _grouped(
                [None if at is None else as_text(at) for at in table[places].to_pylist()]
                if places in held
                else []
            ),
            _years(table[births].to_pylist(), births) if births in held else None,
            tuple(as_text(number) for number in table[person].to_pylist()) if person in held else None,
        )

    def fitting(self, kind: str, what: Any, mentions: int) -> Fits | None:
        """Return whom a hint fits, None when that is nobody or everybody."""
        if kind == "age":
            first, last = what
            people = (
                np.zeros(0, np.int64)
                if self.born is None
                else np.flatnonzero((self.born >= first) & (self.born <= last))
            )
        else:
            named: dict[str, Mapping[Any, Ints]] = {
                "name": self.surnames,
                "full name": self.full_names,
                "place": self.places,
            }
            people = named[kind].get(what, np.zeros(0, np.int64))
        kind = "name" if kind == "full name" else kind
        return Fits(kind, people, mentions) if 0 < len(people) < self.size else None


def _grouped(values: list[Any]) -> dict[Any, Ints]:
    found: dict[Any, list[int]] = {}
    for place, value in enumerate(values):
        if value is not None:
            found.setdefault(value, []).append(place)
    return {value: np.array(places, np.int64) for value, places in found.items()}


def _years(values: list[Any], column: str | None) -> Ints:
    """Read years of birth from dates, or from years."""
    found = []
    for value in values:
        day = as_day(value)
        text = "" if value is None else as_text(value)
        if day is not None:
            found.append(
                int(np.datetime64(int(day) - 719_163, "D").astype("datetime64[Y]").astype(int)) + 1970
            )
        elif value is None or re.fullmatch(r"\d{4}", text):
            found.append(int(text) if text else -1)
        else:
            raise BadInput(
                "some values are neither dates such as 1961-09-15 nor years",
                where=f"column '{column}'",
                remedy="check the column, or leave it out",
            )
    return np.array(found, np.int64)
