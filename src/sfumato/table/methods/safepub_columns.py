"""Which columns SafePub can cover, and how records look at given levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, nearest
from sfumato.core.schema import Role, Schema
from sfumato.engine.contract import Table
from sfumato.hierarchy import Apart, Cuts, Dates, Flat, HierarchyTable, Intervals, Mask, RootForOthers, Tree
from sfumato.hierarchy.ladder import Hierarchy, Ladder

_WHERE = "safepub"


def refuse_what_is_not_covered(table: Table, schema: Schema, hierarchies: Mapping[str, Hierarchy]) -> None:
    """Refuse columns that would be released without protection, and hierarchies that come from the data."""
    for name in schema.released:
        role = schema.field(name).role
        if role is not Role.QUASI_IDENTIFIER:
            raise BadInput(
                f"it is {role} and would be released beside what is protected",
                where=f"column '{name}'",
                remedy="make it a quasi-identifier with a hierarchy, or an identifier to leave it out",
            )
    types = {column.name: column.type for column in table.columns}
    for name in schema.quasi:
        if name not in hierarchies:
            raise BadInput(
                "it has no hierarchy, and inferring one would look at the data",
                where=f"column '{name}'",
                remedy="give it a hierarchy",
            )
        problem = rests_on_data(hierarchies[name], types[name])
        if problem:
            raise BadInput(problem[0], where=f"column '{name}'", remedy=problem[1])


def rests_on_data(hierarchy: Hierarchy, kind: str) -> tuple[str, str] | None:
    """Say why the label of a value may depend on other values (and what to do), or None if it does not.

    >>> rests_on_data(Intervals(5), "integer") is None
    True
    """
    if isinstance(hierarchy, Apart | RootForOthers):
        return rests_on_data(hierarchy.hierarchy, kind)
    if isinstance(hierarchy, HierarchyTable | Tree | Flat | Dates):
        return None
    if isinstance(hierarchy, Intervals | Cuts):
        if kind == "integer":
            return None
        return (
            "its intervals are labelled by whether all values are whole, which looks at the data",
            "declare 'type: integer', or give the intervals as a file",
        )
    if isinstance(hierarchy, Mask):
        if hierarchy.length is not None:
            return None
        return ("its mask takes its length from the data", "give the mask its 'length'")
    return ("its hierarchy is taken from the data", "give one that was made beforehand")


def fixed_levels(levels: Mapping[str, int], ladders: Sequence[Ladder]) -> tuple[int, ...]:
    """Return the level of every column in order."""
    names = [ladder.name for ladder in ladders]
    for name in levels:
        if name not in names:
            raise BadInput(
                f"there is no quasi-identifier '{name}' to have a level",
                where=_WHERE,
                remedy=nearest(name, names),
            )
    for ladder in ladders:
        level = levels.get(ladder.name)
        if type(level) is not int or not 0 <= level <= ladder.height:
            raise BadInput(
                f"it needs a level between 0 and {ladder.height}",
                where=f"column '{ladder.name}'",
                remedy="give it in 'levels'",
            )
    return tuple(levels[name] for name in names)


def class_numbers(
    records: pa.Table, domains: Sequence[Domain], ladders: Sequence[Ladder], levels: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the class of every record as it will be published, and the size of every class."""
    number = np.zeros(records.num_rows, np.int64)
    for domain, ladder, level in zip(domains, ladders, levels, strict=True):
        shown = [ladder.labels[level][group] for group in ladder.rungs[level]]
        position = {label: i for i, label in enumerate(dict.fromkeys(shown))}
        label_of = {value: position[shown[code]] for code, value in enumerate(domain.values)}
        column = records.column(domain.name).combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        encoded = pc.dictionary_encode(column, null_encoding="encode")
        labels = np.array([label_of[value] for value in encoded.dictionary.to_pylist()], np.int64)
        codes = labels[np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)]
        _, number = np.unique(number * len(position) + codes, return_inverse=True)
    return number.astype(np.int64), np.bincount(number).astype(np.int64)
