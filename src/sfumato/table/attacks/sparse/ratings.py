"""Who rated what, how, and when: a table of very many columns of which everybody fills few.

Kept by item, since an adversary knows items: entries ``starts[i]`` to ``starts[i + 1]`` are the ratings of
item i, sorted by user. Seven bytes for each rating: a hundred million take 700 MB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import as_day, as_number, as_text
from sfumato.core.errors import BadInput, nearest
from sfumato.engine.contract import Layout, Table
from sfumato.engine.recoding import PerAttribute
from sfumato.table.attacks.matching.candidates import encoded

MOST_VALUES = 255
"""different ratings that there may be; one code more stands for a rating that is missing"""
NO_RATING = MOST_VALUES
NO_DAY = -1
_LONGEST = 2**15
"""days from the first to the last that fit into two bytes"""


@dataclass(frozen=True)
class Ratings:
    """Ratings by item. ``scale[ratings]`` are the values; ``days`` are counted from ``first_day``.

    A rating that is missing has the code 255, a day that is missing is −1.
    """

    user_count: int
    starts: NDArray[np.int64] = field(repr=False)
    users: NDArray[np.int32] = field(repr=False)
    ratings: NDArray[np.uint8] = field(repr=False)
    days: NDArray[np.int16] = field(repr=False)
    scale: NDArray[np.float64] = field(repr=False)
    first_day: int = 0

    def __post_init__(self) -> None:
        for array in (self.starts, self.users, self.ratings, self.days, self.scale):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.users)

    @property
    def item_count(self) -> int:
        """How many items there are."""
        return len(self.starts) - 1

    @property
    def is_dated(self) -> bool:
        """Whether any rating has a date."""
        return bool((self.days != NO_DAY).any())

    @property
    def support(self) -> NDArray[np.int64]:
        """How many ratings every item has."""
        return np.diff(self.starts)

    @classmethod
    def of(
        cls,
        users: NDArray[np.integer[Any]],
        items: NDArray[np.integer[Any]],
        ratings: NDArray[Any] | None = None,
        days: NDArray[Any] | None = None,
        *,
        user_count: int | None = None,
        item_count: int | None = None,
    ) -> Ratings:
        """Sort ratings given as arrays; users and items are numbered from 0, NaN is missing.

        >>> some = Ratings.of(np.array([0, 1, 0]), np.array([1, 1, 0]), np.array([5, 3, 4]))
        >>> some.support.tolist(), some.scale[some.ratings].tolist()
        ([1, 2], [4.0, 5.0, 3.0])
        """
        order = np.lexsort((users, items))
        scale, codes = _scale(ratings, len(users))
        first, counted = _days(days, len(users))
        width = item_count if item_count is not None else int(items.max(initial=-1)) + 1
        starts = np.zeros(width + 1, np.int64)
        np.cumsum(np.bincount(items, minlength=width), out=starts[1:])
        return cls(
            user_count if user_count is not None else int(users.max(initial=-1)) + 1,
            starts,
            np.ascontiguousarray(users[order], np.int32),
            codes[order],
            counted[order],
            scale,
            first,
        )


def _scale(ratings: NDArray[Any] | None, count: int) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Number the different ratings; without a column of ratings all are missing."""
    if ratings is None:
        return np.zeros(0), np.full(count, NO_RATING, np.uint8)
    values = np.asarray(ratings, np.float64)
    missing = np.isnan(values)
    scale = np.unique(values[~missing])
    if len(scale) > MOST_VALUES:
        raise BadInput(
            f"there are {len(scale):,} different ratings", remedy=f"round them to at most {MOST_VALUES}"
        )
    codes = np.searchsorted(scale, np.where(missing, 0.0, values)).astype(np.int64)
    return scale, np.where(missing, NO_RATING, codes).astype(np.uint8)


def _days(days: NDArray[Any] | None, count: int) -> tuple[int, NDArray[np.int16]]:
    if days is None:
        return 0, np.full(count, NO_DAY, np.int16)
    values = np.asarray(days, np.float64)
    missing = np.isnan(values)
    if missing.all():
        return 0, np.full(count, NO_DAY, np.int16)
    first = int(np.floor(values[~missing].min()))
    since = np.floor(np.where(missing, first, values)) - first
    if since.max() >= _LONGEST:
        raise BadInput("the dates lie more than 89 years apart", remedy="check the column of dates")
    return first, np.where(missing, NO_DAY, since).astype(np.int16)


@dataclass(frozen=True)
class Columns:
    """Which columns of a table hold ratings."""

    user: str
    item: str
    rating: str | None = None
    date: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Those that there are."""
        return tuple(name for name in (self.user, self.item, self.rating, self.date) if name is not None)


@dataclass(frozen=True)
class RatingRows:
    """Ratings as they stand in a table: texts of users and items numbered, one entry for each row."""

    users: NDArray[np.int64]
    items: NDArray[np.int64]
    ratings: NDArray[np.float64] | None
    days: NDArray[np.float64] | None
    user_texts: tuple[str, ...] = field(repr=False)
    item_texts: tuple[str, ...] = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    """where each stands in the table, from 1; rows without a user or an item are left out"""
    extra: NDArray[np.int64] | None = None
    """the number of the row's value in ``extra_texts``, −1 where it is missing"""
    extra_texts: tuple[str, ...] = field(default=(), repr=False)

    def first_rows(self) -> NDArray[np.int64]:
        """Return for every user where the first rating of theirs stands in the table."""
        return np.asarray(self.rows[np.unique(self.users, return_index=True)[1]], np.int64)

    def by_item(self) -> Ratings:
        """Sort them by item."""
        return Ratings.of(
            self.users,
            self.items,
            self.ratings,
            self.days,
            user_count=len(self.user_texts),
            item_count=len(self.item_texts),
        )


def read_rows(table: Table, columns: Columns, extra: str | None = None) -> RatingRows:
    """Read the ratings that a table holds, and one more column that says whose they are."""
    wanted = dict.fromkeys([*columns.names, *([extra] if extra else [])])
    for name in wanted:
        if name not in table.names:
            raise BadInput(f"the table of ratings has no column '{name}'", remedy=nearest(name, table.names))
    layout = Layout(tuple(wanted), ())
    picked = table.engine.recode(table, PerAttribute((), {}), layout)
    data = table.engine.arrow(picked)
    if not data.num_rows:
        raise BadInput("there are no ratings", remedy="give a table with rows")
    present = pc.and_(pc.is_valid(data[columns.user]), pc.is_valid(data[columns.item]))
    rows = np.flatnonzero(present.to_numpy()) + 1
    data = data.filter(present)
    if not data.num_rows:
        raise BadInput("no row has both a user and an item", remedy="check the names of the columns")
    users, user_texts = _numbered(data[columns.user])
    items, item_texts = _numbered(data[columns.item])
    more, more_texts = _numbered(data[extra]) if extra else (None, ())
    return RatingRows(
        users,
        items,
        _read(data, columns.rating, (as_number,), "number"),
        _read(data, columns.date, (as_day, as_number), "date such as 2024-02-29 or number of a day"),
        user_texts,
        item_texts,
        rows,
        more,
        more_texts,
    )


def _encoded(column: pa.ChunkedArray) -> tuple[NDArray[np.int64], Sequence[Any]]:
    """Number the different values of a column; missing ones have no number (−1)."""
    values, codes = encoded(column)
    if None not in values:
        return codes, values
    missing = values.index(None)
    numbers = np.arange(len(values)) - (np.arange(len(values)) > missing)
    numbers[missing] = -1
    return numbers[codes], values[:missing] + values[missing + 1 :]


def _numbered(column: pa.ChunkedArray) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    codes, values = _encoded(column)
    return codes, tuple(as_text(value) for value in values)


def _read(data: pa.Table, name: str | None, readings: Sequence[Any], what: str) -> NDArray[np.float64] | None:
    """Read the values of a column, each different one once; the first reading that fits them all holds."""
    if name is None:
        return None
    codes, values = _encoded(data[name])
    for reading in readings:
        placed = [reading(value) for value in values]
        if None not in placed:
            return np.append(np.array(placed, np.float64), np.nan)[codes]
    raise BadInput(f"some values are no {what}", where=f"column '{name}'", remedy="check the column")


def positions(texts: Sequence[str], known: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the number of each text, −1 where it is not known."""
    return np.array([known.get(text, -1) for text in texts], np.int64)
