"""Which layout a file of codes has: said by the recipe, or guessed from the file and the roles."""

from __future__ import annotations

from sfumato.codes.reading import Baskets, Cells, Lists, Long, SearchLog, SetLayout
from sfumato.core.errors import BadInput
from sfumato.core.schema import Role, Schema
from sfumato.engine.contract import Table
from sfumato.engine.lines import BASKET

LAYOUTS = ("long", "cells", "lists", "baskets", "search-log")
"""the layouts that a recipe can name"""
_NO_PLAIN_TYPE = "other"
"""what engines call the type of columns that hold no plain values: lists, here"""


def layout_of(table: Table, schema: Schema, told: str | None, separator: str | None) -> SetLayout:
    """Return the layout of a table that was opened.

    Guessed is: lists for a column of lists, baskets for lines of codes, a search log for two columns of
    codes, cells where a separator is given or nobody is named, else one code on each row.
    """
    codes, person = schema.with_role(Role.CODES), schema.person
    visits = schema.with_role(Role.VISIT)
    name = told or _guessed(table, codes, person, separator)
    if len(codes) > 1 and name != "search-log":
        raise BadInput(
            f"{len(codes)} columns have the role codes, and the layout '{name}' has one",
            where="resources[0]",
            remedy="make the others identifiers, or write 'layout: search-log' for queries and addresses",
        )
    if visits and name != "long":
        raise BadInput(
            f"visits are known only in the layout long, and this is '{name}'",
            where=f"column '{visits[0]}'",
            remedy="make it an identifier, or write 'layout: long' if every row has one code",
        )
    if separator is not None and name != "cells":
        raise BadInput(
            f"a separator is for cells that hold several codes, and the layout is '{name}'",
            where=f"column '{codes[0]}'",
            remedy="leave it out, or write 'layout: cells'",
        )
    match name:
        case "long":
            return Long(person, codes[0], visits[0] if visits else None)
        case "cells":
            return Cells(codes[0], separator, person)
        case "lists":
            return Lists(codes[0], person)
        case "baskets":
            return Baskets()
        case _:
            return _search_log(codes, person)


def _guessed(table: Table, codes: tuple[str, ...], person: str | None, separator: str | None) -> str:
    if table.names == (BASKET,):
        return "baskets"
    kinds = {column.name: column.type for column in table.columns}
    if len(codes) > 1:
        return "search-log"
    if kinds.get(codes[0]) == _NO_PLAIN_TYPE:
        return "lists"
    return "cells" if separator is not None or person is None else "long"


def _search_log(codes: tuple[str, ...], person: str | None) -> SearchLog:
    """Tell queries from addresses by the names of their columns."""
    if person is None:
        raise BadInput("a search log needs the column of the person", remedy="give a column the role person")
    urls = [name for name in codes if "url" in name.lower()]
    queries = [name for name in codes if name not in urls]
    if len(urls) > 1 or len(queries) > 1:
        raise BadInput(
            "a search log has one column of queries and one of addresses",
            where="resources[0]",
            remedy="make the others identifiers; the column of addresses has 'url' in its name",
        )
    return SearchLog(person, queries[0] if queries else None, urls[0] if urls else None, None, None)
