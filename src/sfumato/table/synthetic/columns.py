"""Columns as small integers and numbers, for synthesisers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput, nearest
from sfumato.core.randomness import Random

_FEW = 20
"""numbers with at most so many values are categories; categories of at most so many get a column each"""


@dataclass(frozen=True)
class Values:
    """One column: ``codes`` are positions in ``distinct``, which has the column's own type."""

    name: str
    distinct: pa.Array
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, records: pa.Table, name: str) -> Values:
        """Read a column; missing is a value of its own."""
        if name not in records.column_names:
            raise BadInput(f"there is no column '{name}'", remedy=nearest(name, records.column_names))
        column = records.column(name).combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        encoded = pc.dictionary_encode(column, null_encoding="encode")
        codes = np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)
        return cls(name, encoded.dictionary, codes)

    def written(self, codes: NDArray[np.int64]) -> pa.Array:
        """Return values by their codes."""
        return self.distinct.take(pa.array(codes))

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """Where the values lie on an axis (NaN for missing), or None if they are categories."""
        listed = self.distinct.to_pylist()
        domain = Domain.of(self.name, listed)
        if domain.scale is Scale.CATEGORY or domain.positions is None or len(domain) <= _FEW:
            return None
        place = dict(zip(domain.values, domain.positions.tolist(), strict=True))
        return np.array([place[value] for value in listed], np.float64)

    def features(self, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what a tree may split on: the number and whether it is there, or a column for each value.

        Categories of many values are split by how often they occur: codes alone have no order.
        """
        numbers = self.numbers
        if numbers is not None:
            shown = numbers[codes]
            missing = np.isnan(shown)
            return np.stack([np.where(missing, 0.0, shown), missing.astype(np.float64)], axis=1)
        if len(self.distinct) <= _FEW:
            one_for_each: NDArray[np.float64] = np.eye(len(self.distinct))[codes]
            return one_for_each
        often = np.bincount(self.codes, minlength=len(self.distinct))
        rank = np.empty(len(often), np.int64)
        rank[np.argsort(-often, kind="stable")] = np.arange(len(often))
        return rank[codes].astype(np.float64)[:, None]


def drawn_like(codes: NDArray[np.int64], rows: int, random: Random) -> NDArray[np.int64]:
    """Draw codes as often as they occur."""
    return codes[random.integers(len(codes), rows)] if rows else np.zeros(0, np.int64)


def refuse_empty(records: pa.Table) -> None:
    """Refuse a table of no rows: there is nothing to learn from."""
    if records.num_rows == 0:
        raise BadInput("there is no record to learn from", where="synthetic", remedy="check the input")
