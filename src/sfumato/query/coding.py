"""People as positions in public domains: what releases without interaction are made from.

Everything that decides a position (lists of values, bounds, grids, edges, hierarchies) is metadata; a row is
coded from itself alone. So one person more or less changes one row of the coded data and nothing else, which
is what every sensitivity rests on.
"""

from __future__ import annotations

import datetime
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.randomness import Random, SecretRandom
from sfumato.dp.exact import Number, exact
from sfumato.query.metadata import Column, Table, Type
from sfumato.query.methods.contract import Attribute, Coded

MISSING = "(missing)"
"""the last position of every domain"""
MOST_POSITIONS = 100
"""a number with at most so many values on its grid has one position for each"""
_FIRST_DAY = datetime.date(1970, 1, 1)


def attribute_of(column: Column, edges: Sequence[Number] | None = None) -> Attribute:
    """Return the public domain of a column, with a last position for missing values.

    Numbers and dates get one position for each value of the grid where these are at most 100, else 100 bins
    of equal width; or public ``edges``: bin i is edges[i] ≤ value < edges[i + 1], and what lies outside goes
    to the first or last bin.

    >>> age = Column("age", Type.INTEGER, Fraction(0), Fraction(119))
    >>> attribute_of(age, [0, 18, 65, 120]).labels
    ('[0, 18)', '[18, 65)', '[65, 120)', '(missing)')
    """
    where = f"column '{column.name}'"
    if column.type in (Type.CATEGORY, Type.BOOLEAN):
        labels = ("false", "true") if column.type is Type.BOOLEAN else column.values
        if labels is None:
            raise BadInput(
                "the values are not public", where=where, remedy="list them in the metadata, or leave it out"
            )
        if MISSING in labels or len(set(labels)) != len(labels):
            raise BadInput(
                f"the values hold one twice, or '{MISSING}'", where=where, remedy="list each value once"
            )
        return Attribute(column.name, (*labels, MISSING))
    units = _edges(column, edges, where)
    labels = tuple(_label(column, a, b) for a, b in itertools.pairwise(units))
    return Attribute(column.name, (*labels, MISSING), tuple(float(u * column.grid) for u in units))


def coded(
    data: pa.Table,
    table: Table,
    columns: Sequence[str] | None = None,
    *,
    edges: Mapping[str, Sequence[Number]] | None = None,
    random: Random | None = None,
) -> Coded:
    """Code people by the metadata of their table: one row per person.

    Of a person with several rows one is drawn at random, and rows without a person are left out: they could
    all be the same one's. A row is a person where the table names none. Numbers are clamped to their bounds;
    values that are not listed, or cannot be read, are missing: no person's value is an error.
    """
    names = tuple(columns) if columns is not None else tuple(n for n in table.columns if n != table.person)
    for name in names:
        if name not in table.columns or name == table.person:
            raise BadInput(
                f"there is no column '{name}' to release",
                where=f"table '{table.name}'",
                remedy=nearest(name, [n for n in table.columns if n != table.person]),
            )
        if name not in data.column_names:
            raise BadInput(f"the data have no column '{name}'", where=f"table '{table.name}'")
    if not names:
        raise BadInput("there are no columns to release", where=f"table '{table.name}'", remedy="name some")
    if table.person is not None:
        data = _one_each(data, table.person, random or SecretRandom())
    attributes = tuple(attribute_of(table.columns[n], (edges or {}).get(n)) for n in names)
    codes = np.empty((data.num_rows, len(names)), np.int32)
    for i, (name, attribute) in enumerate(zip(names, attributes, strict=True)):
        codes[:, i] = _positions(data.column(name), table.columns[name], attribute)
    codes.setflags(write=False)
    return Coded(attributes, codes)


def decoded(records: Coded, table: Table, random: Random | None = None) -> pa.Table:
    """Return records as values: of a bin, a value of the grid drawn evenly; missing is null."""
    draw = random or SecretRandom()
    columns: dict[str, pa.Array] = {}
    for i, attribute in enumerate(records.attributes):
        column, codes = table.columns[attribute.name], records.codes[:, i]
        absent = codes == attribute.size - 1
        if attribute.edges is None:
            labels = pa.array([*attribute.labels[:-1], None])
            values = labels.take(pa.array(codes))
            columns[attribute.name] = pc.equal(values, "true") if column.type is Type.BOOLEAN else values
            continue
        units = np.array([round(Fraction(e) / column.grid) for e in attribute.edges], np.int64)
        bins = np.where(absent, 0, codes)
        widths = np.diff(units)[bins]
        chosen = units[bins] + np.floor(draw.uniform(len(codes)) * widths).astype(np.int64)
        columns[attribute.name] = _values(chosen, column, absent)
    return pa.table(columns)


def with_parents(attribute: Attribute, paths: Mapping[str, Sequence[str]]) -> Attribute:
    """Give an attribute a public hierarchy: for each label its ever coarser names, the last the same for all.

    The position for missing values stays on its own until the last level.

    >>> sex = Attribute("sex", ("f", "m", MISSING))
    >>> with_parents(sex, {"f": ["person"], "m": ["person"]}).parents
    ((0, 0, 0),)
    """
    where = f"hierarchy of '{attribute.name}'"
    missing = [label for label in attribute.labels if label not in paths and label != MISSING]
    depths = {len(path) for path in paths.values()}
    if missing or len(depths) != 1 or 0 in depths:
        raise BadInput(
            "some values have no path, or paths are not equally long",
            where=where,
            remedy="give each value one",
        )
    (depth,) = depths
    top = next(iter(paths.values()))[-1]
    parents, finer = [], list(range(attribute.size))
    for level in range(depth):
        names = [
            paths[label][level] if label in paths else (top if level == depth - 1 else MISSING)
            for label in attribute.labels
        ]
        number = {name: i for i, name in enumerate(dict.fromkeys(names))}
        groups = [number[name] for name in names]
        if len(set(zip(finer, groups, strict=True))) != len(set(finer)):
            raise BadInput(
                "a group is not within one coarser group", where=where, remedy="mend the hierarchy"
            )
        parents.append(tuple(groups))
        finer = groups
    if len(set(finer)) != 1:
        raise BadInput("the last level is not one group", where=where, remedy="end every path with '*'")
    return replace(attribute, parents=tuple(parents))


def _edges(column: Column, edges: Sequence[Number] | None, where: str) -> list[int]:
    """Return edges in whole units of the grid; the last one is just above the upper bound."""
    if column.lower is None or column.upper is None or column.lower > column.upper:
        raise BadInput("the column has no bounds", where=where, remedy="declare lower and upper")
    if edges is None:
        first, last = math.ceil(column.lower / column.grid), math.floor(column.upper / column.grid) + 1
        bins = min(last - first, MOST_POSITIONS)
        if bins < 1:
            raise BadInput("no value of the grid lies within the bounds", where=where)
        return [first + (last - first) * i // bins for i in range(bins + 1)]
    units = [exact(e, where=where) / column.grid for e in edges]
    steps = [math.ceil(u) for u in units]
    if len(steps) < 2 or any(b <= a for a, b in itertools.pairwise(steps)):
        raise BadInput(
            "edges must ascend, by at least one step of the grid",
            where=where,
            remedy="for example [0, 18, 65]",
        )
    return steps


def _label(column: Column, low: int, high: int) -> str:
    if column.type is Type.DATE:
        one, two = (_day(int(u * column.grid)) for u in (low, high))
        return one if high - low == 1 else f"[{one}, {two})"
    one_number, two_number = (_shown(u * column.grid) for u in (low, high))
    return one_number if high - low == 1 else f"[{one_number}, {two_number})"


def _day(number: int) -> str:
    last = (datetime.date.max - _FIRST_DAY).days
    return str(_FIRST_DAY + datetime.timedelta(days=number)) if number <= last else "the end of time"


def _shown(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else str(float(value))


def _one_each(data: pa.Table, person: str, random: Random) -> pa.Table:
    """Keep one row of every person, whichever comes first in a random order."""
    named = data.column(person).combine_chunks()
    if pa.types.is_dictionary(named.type):
        # A dictionary may hold a name twice, or none.
        named = named.dictionary_decode()
    data, named = data.filter(named.is_valid()), named.drop_null()
    people = named.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    order = random.permutation(data.num_rows)
    _, first = np.unique(people[order], return_index=True)
    return data.take(pa.array(np.sort(order[first])))


def _read(values: pa.ChunkedArray, column: Column) -> pa.ChunkedArray:
    """Return texts of categories and booleans, and numbers of everything else."""
    try:
        if column.type is Type.BOOLEAN:
            values = _cast(values, pa.bool_())
        if column.type in (Type.BOOLEAN, Type.CATEGORY):
            return _cast(values, pa.string())
        if column.type is Type.DATE:
            values = _cast(_cast(values, pa.date32()), pa.int32())
        return _cast(values, pa.float64())
    except pa.ArrowNotImplementedError:
        # The types alone decide this, and no value.
        raise BadInput(
            f"the data are not of type {column.type.value}",
            where=f"column '{column.name}'",
            remedy="convert them, or declare another type",
        ) from None


def _cast(values: pa.ChunkedArray, to: pa.DataType) -> pa.ChunkedArray:
    """Convert values; those that cannot be are missing."""
    try:
        return pc.cast(values, to, safe=False)
    except pa.ArrowInvalid:
        distinct = pc.unique(values)
        read = pa.array([_cast_one(distinct[i : i + 1], to) for i in range(len(distinct))], to)
        return pc.take(read, pc.index_in(values, distinct))


def _cast_one(value: pa.Array, to: pa.DataType) -> object:
    try:
        return pc.cast(value, to, safe=False)[0].as_py()
    except pa.ArrowInvalid:
        return None


def _positions(values: pa.ChunkedArray, column: Column, attribute: Attribute) -> NDArray[np.int32]:
    absent = attribute.size - 1
    read = _read(values, column)
    if attribute.edges is None:
        found = pc.index_in(read, pa.array(attribute.labels[:-1], pa.string()))
        return np.asarray(pc.fill_null(found, absent).to_numpy(), np.int32)
    numbers = read.to_numpy()
    units = np.array([round(Fraction(e) / column.grid) for e in attribute.edges], np.int64)
    known = np.isfinite(numbers)
    with np.errstate(over="ignore"):
        nearest_unit = np.rint(np.where(known, numbers, 0.0) / float(column.grid))
    within = np.clip(nearest_unit, units[0], units[-1] - 1).astype(np.int64)
    place = np.searchsorted(units, within, side="right") - 1
    return np.where(known, place, absent).astype(np.int32)


def _values(units: NDArray[np.int64], column: Column, absent: NDArray[np.bool_]) -> pa.Array:
    if column.type is Type.NUMBER:
        return pa.array(units * float(column.grid), mask=absent)
    values = np.rint(units * float(column.grid)).astype(np.int64)
    if column.type is Type.DATE:
        return pa.array(values, pa.int32(), mask=absent).cast(pa.date32())
    return pa.array(values, mask=absent)
