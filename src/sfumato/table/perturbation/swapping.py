"""Swapping: values stay in the table but go to other people.

T. Dalenius and S. P. Reiss, "Data-swapping: a technique for disclosure control" (1982); rank swapping:
R. A. Moore, "Controlled data-swapping techniques for masking public use microdata sets" (1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.table.perturbation import reading
from sfumato.table.perturbation.contract import Perturbed

I64 = NDArray[np.int64]


@dataclass(frozen=True)
class RankSwapping:
    """Exchange each value with one whose rank differs by at most p per cent of the records:

        |rank(x) − rank(x')| ≤ ⌈p · n / 100⌉.

    Each column on its own: how often each value occurs stays exactly as it is; how columns hang together is
    blurred, the more the larger p. Missing values stay where they are; equal values are ranked by chance.
    Values are true of somebody, so a value that only one person can have still tells that they are there.

    >>> RankSwapping(["income"], percent=5).columns
    ('income',)
    """

    columns: tuple[str, ...]
    percent: float = 5.0
    name: ClassVar[str] = "rank-swapping"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", reading.names_of(self.columns))
        reading.check_names(self.name, self.columns)
        if not 0.0 < self.percent <= 100.0:
            raise BadInput("percent must lie between 0 and 100", where=self.name, remedy="try percent: 5")

    def window(self, values: int) -> int:
        """Return how many ranks a value may move, exactly: ⌈p · n / 100⌉."""
        return ceil(Fraction(str(self.percent)) * values / 100)

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Swap within each column."""
        from sfumato.table.perturbation._kernels_swapping import partners

        changed = 0
        for name in self.columns:
            column = reading.column_of(records, name)
            order = _ranked(records, name, random)
            partner = np.empty(len(order), np.int64)
            partners(random.uniform(len(order)), self.window(len(order)), partner)
            source = np.arange(len(column), dtype=np.int64)
            source[order] = order[partner]
            swapped = column.take(pa.array(source))
            changed += reading.count_changed(column, swapped)
            records = reading.with_column(records, name, swapped)
        return Perturbed(records, details={"changed_values": changed})


def _ranked(records: pa.Table, name: str, random: Random) -> I64:
    """Return the rows that have a value, from the lowest value to the highest, ties by chance."""
    column = reading.column_of(records, name)
    rows = np.flatnonzero(~column.is_null().to_numpy(zero_copy_only=False))
    rows = rows[random.permutation(len(rows))]
    if pa.types.is_boolean(column.type) or pa.types.is_temporal(column.type):
        keys = pc.rank(column, tiebreaker="dense").to_numpy(zero_copy_only=False).astype(np.float64)
    else:
        keys = reading.axis_of(records, name).values
        rows = rows[~np.isnan(keys[rows])]
    found: I64 = rows[np.argsort(keys[rows], kind="stable")].astype(np.int64)
    return found


@dataclass(frozen=True)
class ValueSwapping:
    """Deal the values of a column out anew, within strata: x'_i = x_π(i) for a random order π of the stratum.

    ``share`` is the part of each stratum's records that takes part, ⌊share · n⌋ of them, chosen by chance.
    Columns are dealt out each on its own, or ``together``, so that what belongs together stays so. How
    often each value occurs in each stratum stays exactly as it is.

    >>> ValueSwapping(["income"], strata=["region"]).strata
    ('region',)
    """

    columns: tuple[str, ...]
    strata: tuple[str, ...] = ()
    share: float = 1.0
    together: bool = False
    name: ClassVar[str] = "value-swapping"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check_swap(self, "strata", self.strata)

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Shuffle values within strata."""
        strata = reading.strata_of(records, self.strata)
        units = [self.columns] if self.together else [(name,) for name in self.columns]
        changed = 0
        for unit in units:
            source = np.arange(records.num_rows, dtype=np.int64)
            for members in strata:
                chosen = members[random.permutation(len(members))[: _part(self.share, len(members))]]
                source[chosen] = chosen[random.permutation(len(chosen))]
            records, moved = _moved(records, unit, source)
            changed += moved
        return Perturbed(records, details={"changed_values": changed})


@dataclass(frozen=True)
class RecordSwapping:
    """Exchange the key columns of pairs of records that agree on the columns of ``match``.

    ⌊share · n⌋ records are chosen by chance and paired by chance within equal values of ``match``; each
    pair exchanges all key columns at once. Whoever finds a person by the keys may find the record of
    somebody else. Tables that cross ``match`` with columns outside the keys stay exactly as they are. Where
    a chosen record finds no partner it stays.

    >>> RecordSwapping(["region"], match=["age"], share=0.1).share
    0.1
    """

    columns: tuple[str, ...]
    match: tuple[str, ...] = ()
    share: float = 0.05
    name: ClassVar[str] = "record-swapping"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check_swap(self, "match", self.match)

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Pair records and exchange their keys."""
        chosen = np.zeros(records.num_rows, np.bool_)
        chosen[random.permutation(records.num_rows)[: _part(self.share, records.num_rows)]] = True
        source = np.arange(records.num_rows, dtype=np.int64)
        pairs = 0
        for members in reading.strata_of(records, self.match):
            mine = members[chosen[members]]
            mine = mine[random.permutation(len(mine))]
            half = len(mine) // 2
            one, other = mine[:half], mine[half : 2 * half]
            source[one], source[other] = other, one
            pairs += half
        records, changed = _moved(records, self.columns, source)
        return Perturbed(records, details={"changed_values": changed, "swapped_pairs": pairs})


def _check_swap(step: ValueSwapping | RecordSwapping, what: str, others: tuple[str, ...]) -> None:
    object.__setattr__(step, "columns", reading.names_of(step.columns))
    object.__setattr__(step, what, reading.names_of(others))
    reading.check_names(step.name, step.columns)
    if not 0.0 < step.share <= 1.0:
        raise BadInput("share must lie between 0 and 1", where=step.name, remedy="try share: 0.05")
    both = set(step.columns) & set(getattr(step, what))
    if both:
        raise BadInput(
            f"'{min(both)}' is swapped and cannot be in '{what}' too", where=step.name, remedy="drop one"
        )


def _part(share: float, size: int) -> int:
    return floor(Fraction(str(share)) * size)


def _moved(records: pa.Table, columns: tuple[str, ...], source: I64) -> tuple[pa.Table, int]:
    """Let each row take the values of its source row in some columns; count the values that changed."""
    changed = 0
    rows = pa.array(source)
    for name in columns:
        column = reading.column_of(records, name)
        swapped = column.take(rows)
        changed += reading.count_changed(column, swapped)
        records = reading.with_column(records, name, swapped)
    return records, changed
