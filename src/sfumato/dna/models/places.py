"""Positions that a promise is about: by name, as the rows call them (MT:73), or by number from 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.dna.aligned import Aligned

Positions = Sequence[str | int]
"""names of positions, numbers of columns from 1, or both; models keep them as a tuple"""


def checked(value: Any, where: str) -> Positions | None:
    """Return positions as they were given, each once; None is all of them.

    >>> checked(["MT:73", 2, 2], "bins")
    ('MT:73', 2)
    """
    if value is None:
        return None
    given = [] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
    plain = all(isinstance(one, str | int) and not isinstance(one, bool) for one in given)
    if not given or not plain or any(isinstance(one, int) and one < 1 for one in given):
        raise BadInput(
            "positions must be a list of at least one name or number from 1",
            where=where,
            remedy="write [MT:73, MT:150], or leave positions out to mean all of them",
        )
    return tuple(dict.fromkeys(given))


def columns_of(rows: Aligned, positions: Positions | None, where: str) -> NDArray[np.int64]:
    """Return the columns of the positions, counted from 0 and ascending.

    A name that several columns bear means all of them: a promise about fewer would be weaker than it reads.

    >>> from sfumato.dna.aligned import aligned
    >>> columns_of(aligned("ACGT"), ("4", 2), "bins").tolist()
    [1, 3]
    """
    if positions is None:
        return np.arange(rows.width, dtype=np.int64)
    asked = {name for name in positions if isinstance(name, str)}
    named: dict[str, list[int]] = {}
    for column, name in enumerate(rows.positions):
        if name in asked:
            named.setdefault(name, []).append(column)
    found = set[int]()
    for number, position in enumerate(positions, 1):
        if isinstance(position, str):
            if position not in named:
                raise BadInput(
                    f"number {number} of the positions is not among the {rows.width:,} of the rows",
                    where=where,
                    remedy=nearest(position, rows.positions),
                )
            found.update(named[position])
        elif position > rows.width:
            raise BadInput(
                f"number {number} of the positions lies beyond the {rows.width:,} of the rows",
                where=where,
                remedy="numbers count columns from 1; write a position of the genome as its name",
            )
        else:
            found.add(position - 1)
    return np.array(sorted(found), np.int64)


def numbered(rows: Aligned, positions: Positions | None, where: str) -> Positions | None:
    """Return the same positions as numbers of columns of these rows, from 1."""
    if positions is None:
        return None
    return tuple(int(column) + 1 for column in columns_of(rows, positions, where))


def asked_columns(positions: Positions | None, where: str) -> tuple[int, ...] | None:
    """Return columns from 0 for methods, which can be said without rows only of numbers."""
    if positions is None:
        return None
    columns = set[int]()
    for position in positions:
        if isinstance(position, str):
            raise BadInput(
                "positions are given by name, and which columns these are depends on the rows",
                where=where,
                remedy="place the promise on the rows first: model.on(rows)",
            )
        columns.add(position - 1)
    return tuple(sorted(columns))


def in_words(positions: Positions | None) -> str:
    """Say which positions are meant.

    >>> in_words(None), in_words((73,)), in_words(("MT:73", "MT:150"))
    ('', ' on 1 position', ' on 2 positions')
    """
    if positions is None:
        return ""
    return f" on {len(positions):,} position{'s' * (len(positions) != 1)}"
