"""Metadata that contradict themselves are refused before any data are loaded.

``database.yaml`` is checked where it is read (``declared``), in the owner's words, with its lines. Metadata
can be made in Python too, and a guarantee must not hang on how: a table under another table's name would be
planned with that one's rows per person, and a bound below 1 would be none. All that is checked here is
public.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.query.fitting import units_of
from sfumato.query.metadata import Column, Metadata, Table, Type

RESERVED = "__"
"""begins our own names"""
_ENGINE = "rowid"
"""a name that the engine gives to rows itself"""


def check_metadata(metadata: Metadata) -> None:
    """Refuse metadata that could be read in two ways, or that bound nothing."""
    _check_names(metadata.tables, "tables")
    for name, number in (
        ("groups_per_person", metadata.groups_per_person),
        ("max_groups", metadata.max_groups),
    ):
        _check_bound(number, name, "metadata")
    if not 0 <= metadata.max_delta < 1:
        raise BadInput("max_delta must be at least 0 and less than 1", where="metadata", remedy="try 1e-9")
    for name, table in metadata.tables.items():
        where = f"table '{name}'"
        if table.name != name:
            raise BadInput("a table stands under another name than its own", where=where, remedy="rename it")
        _check_table(table, where)


def _check_table(table: Table, where: str) -> None:
    _check_bound(table.rows_per_person, "rows_per_person", where)
    _check_bound(table.max_rows, "max_rows", where)
    _check_names([*table.columns, *([table.person] if table.person is not None else [])], where)
    for name, column in table.columns.items():
        if column.name != name:
            raise BadInput(
                f"the column '{name}' stands under another name than its own", where=where, remedy="rename it"
            )
        _check_column(column, f"{where}, column '{name}'")


def _check_column(column: Column, where: str) -> None:
    for bound in (column.lower, column.upper, column.grid):
        if bound is not None and not isinstance(bound, Fraction | int):
            raise BadInput("bounds and grids are exact numbers", where=where, remedy="write Fraction('0.1')")
    if column.grid <= 0 or (column.type is Type.DATE and column.grid != 1):
        raise BadInput(
            "the grid must be more than 0, and one day for dates", where=where, remedy="write a grid of 1"
        )
    if (column.lower is None) != (column.upper is None):
        raise BadInput("a column has both bounds or none", where=where, remedy="give 'lower' and 'upper'")
    if column.type in (Type.INTEGER, Type.NUMBER, Type.DATE):
        units_of(column)
    values = column.values
    if values is not None and (not values or len(set(values)) < len(values)):
        raise BadInput(
            "the list of values is empty or holds one twice", where=where, remedy="list each value once"
        )


def _check_bound(number: int, name: str, where: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise BadInput(f"{name} must be a whole number of at least 1", where=where, remedy="try 1")


def _check_names(names: Iterable[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if not name or name.startswith(RESERVED) or name.casefold() == _ENGINE:
            raise BadInput(
                f"a name cannot be empty, '{_ENGINE}', or begin with '{RESERVED}'",
                where=where,
                remedy="choose another name",
            )
        if name.casefold() in seen:
            raise BadInput(
                "two names are the same but for upper and lower case", where=where, remedy="rename one"
            )
        seen.add(name.casefold())
