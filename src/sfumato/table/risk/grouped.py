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
    """Groups of people who share class, weight and household, and what the classes sum up to.

    ``class_of[g]`` is the class of group g, ``persons[g]`` its people and ``households[g]`` the number of
    their household. Somebody with several households is in several groups, and once in their class.
    """

    class_of: Ints = field(repr=False)
    persons: Ints = field(repr=False)
    households: Ints = field(repr=False)
    """−1 where none is known"""
    sizes: Ints = field(repr=False)
    """f: the persons of every class"""
    stand_for: Numbers = field(repr=False)
    """F: the people of the population for whom every class stands; f without weights"""


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
    groups = _counted(table, names, person)
    classes = weighed = groups
    if person is not None:
        # Rows of one person may name several households; counted by group they would be several people.
        classes = _counted(table, quasi, person)
        weighed = classes if weight is None else _counted(table, [*quasi, weight], person)
    class_of, place, weighed_place = _numbered(len(quasi), groups, classes, weighed)
    sizes = _summed(place, _persons(classes)).astype(np.int64)
    stand_for = sizes.astype(np.float64)
    if weight is not None:
        _refuse_several(weight, int(_persons(weighed).sum()) - int(sizes.sum()))
        weights = _weights(weight, weighed.column(len(quasi)), _rows(weighed))
        stand_for = _summed(weighed_place, _persons(weighed) * weights)
    households = np.full(groups.num_rows, ALONE, np.int64)
    if household is not None:
        values, households = _encoded(groups.column(len(names) - 1))
        households = np.where(households == _place_of_missing(values), ALONE, households)
    return GroupedClasses(class_of, _persons(groups), households, sizes, stand_for)


def _counted(table: Table, names: Sequence[str], person: str | None) -> pa.Table:
    batches = list(table.engine.count(table, names, person=person))
    counted = pa.Table.from_batches(batches) if batches else None
    if counted is None or not counted.num_rows:
        raise BadInput("the table has no rows", remedy="give a table with at least one row")
    return counted


def _numbered(width: int, *counted: pa.Table) -> list[Ints]:
    """Number the classes by the first columns, alike in all of these tables."""
    parts = list({id(part): part for part in counted}.values())
    number = np.zeros(sum(part.num_rows for part in parts), np.int64)
    for j in range(width):
        column = pa.chunked_array([chunk for part in parts for chunk in part.column(j).chunks])
        values, codes = _encoded(column)
        _, number = np.unique(number * len(values) + codes, return_inverse=True)
    ends = np.cumsum([part.num_rows for part in parts])
    places = dict(zip(map(id, parts), np.split(number, ends[:-1]), strict=True))
    return [places[id(part)] for part in counted]


def _rows(counted: pa.Table) -> Ints:
    return np.asarray(counted.column(counted.num_columns - 2).to_numpy(), np.int64)


def _persons(counted: pa.Table) -> Ints:
    return np.asarray(counted.column(counted.num_columns - 1).to_numpy(), np.int64)


def _refuse_several(name: str, more: int) -> None:
    """Refuse people with several weights in one class: for how many they stand is not known then."""
    if more:
        raise BadInput(
            f"some people have several weights, {more:,} more than one for each person and class",
            where=f"column '{name}'",
            remedy="give all rows of a person the same weight",
        )


def _weights(name: str, column: pa.ChunkedArray, rows: Ints) -> Numbers:
    """Read the weights, also those that are written as text."""
    values, codes = _encoded(column)
    read = [as_number(value) for value in values]
    sound = np.array([number is not None and number > 0 for number in read], np.bool_)
    broken = int(rows[~sound[codes]].sum())
    if broken:
        rows_have = "row has" if broken == 1 else "rows have"
        raise BadInput(
            f"{broken:,} {rows_have} no number above 0 there: how many people that stands for is not known",
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
