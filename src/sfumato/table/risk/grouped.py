"""Classes with what a sample says of each row: how many people it stands for, and who lives together.

One GROUP BY over the quasi-identifiers and these columns. L. Franconi & S. Polettini, "Individual risk
estimation in μ-Argus: a review" (2004), measure risk from the sums of weights and over households.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import as_number
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.table.risk.household import ALONE

Ints = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class GroupedClasses:
    """Groups of people who share class, weight and household.

    ``class_of[g]`` is the class of group g, ``persons[g]`` its people, ``weights[g]`` how many of the
    population each stands for (1 without weights), ``households[g]`` the number of their household.
    """

    class_of: Ints = field(repr=False)
    persons: Ints = field(repr=False)
    weights: Numbers = field(repr=False)
    households: Ints = field(repr=False)
    """−1 where none is known"""

    @property
    def sizes(self) -> Ints:
        """f: the persons of every class."""
        return _summed(self.class_of, self.persons).astype(np.int64)

    @property
    def stand_for(self) -> Numbers:
        """F: the people of the population for whom every class stands."""
        return _summed(self.class_of, self.persons * self.weights)


def grouped(
    table: Table,
    quasi: Sequence[str],
    *,
    person: str | None = None,
    weight: str | None = None,
    household: str | None = None,
) -> GroupedClasses:
    """Count a table by its quasi-identifiers, its weights and its households."""
    names = [*quasi, *(name for name in (weight, household) if name is not None)]
    batches = list(table.engine.count(table, names, person=person))
    counted = pa.Table.from_batches(batches) if batches else None
    if counted is None or not counted.num_rows:
        raise BadInput("the table has no rows", remedy="give a table with at least one row")
    class_of = np.zeros(counted.num_rows, np.int64)
    for j in range(len(quasi)):
        values, codes = _encoded(counted.column(j))
        _, class_of = np.unique(class_of * len(values) + codes, return_inverse=True)
    persons = np.asarray(counted.column(len(names) + 1).to_numpy(), np.int64)
    rows = np.asarray(counted.column(len(names)).to_numpy(), np.int64)
    weights = np.ones(len(persons))
    if weight is not None:
        weights = _weights(weight, counted.column(len(quasi)), rows)
    households = np.full(len(persons), ALONE, np.int64)
    if household is not None:
        values, households = _encoded(counted.column(len(names) - 1))
        households = np.where(households == _place_of_missing(values), ALONE, households)
    return GroupedClasses(class_of, persons, weights, households)


def _weights(name: str, column: pa.ChunkedArray, rows: Ints) -> Numbers:
    """Read the weights, also those that are written as text."""
    values, codes = _encoded(column)
    read = [as_number(value) for value in values]
    sound = np.array([number is not None and number > 0 for number in read], np.bool_)
    broken = int(rows[~sound[codes]].sum())
    if broken:
        raise BadInput(
            f"{broken:,} rows have no number above 0 there, so that it is not known how many they stand for",
            where=f"column '{name}'",
            remedy="give every row its weight, or leave the weights out",
        )
    return np.array([number or 0.0 for number in read])[codes]


def _place_of_missing(values: list[Any]) -> int:
    return values.index(None) if None in values else -1


def _encoded(column: pa.ChunkedArray) -> tuple[list[Any], Ints]:
    array = column.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    encoded = pc.dictionary_encode(array, null_encoding="encode")
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _summed(place: Ints, what: NDArray[Any]) -> Numbers:
    return np.bincount(place, weights=what).astype(np.float64)
