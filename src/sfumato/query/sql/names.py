"""Which declared table and column a name means.

A name is matched as written, or else in any case where only one declared name fits. The column that names
the person is matched too, so that its use can be refused by name; names that begin with ``__`` are ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from sfumato.core.errors import BadInput, nearest
from sfumato.engine.sql import quote
from sfumato.query.metadata import Column, Metadata, Table
from sfumato.query.sql.read import place

RESERVED = "__"
SHOWN = 40
"""characters of a name that are told back"""


def shown(name: str) -> str:
    """Shorten a name for a message."""
    return name if len(name) <= SHOWN else name[:SHOWN] + "…"


def match(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is meant, or None.

    >>> match("AGE", ["age", "sex"]), match("Age", ["age", "AGE"])
    ('age', None)
    """
    names = list(known)
    if name in names:
        return name
    fits = [other for other in names if name.isascii() and other.isascii() and other.lower() == name.lower()]
    return fits[0] if len(fits) == 1 else None


@dataclass
class Scope:
    """The tables of a question under the names by which it calls them, and what it looked at."""

    metadata: Metadata
    tables: dict[str, Table] = field(default_factory=dict)
    looked_at: set[str] = field(default_factory=set)

    def add(self, node: exp.Expr) -> Table:
        """Take in a table of FROM or JOIN."""
        if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
            raise BadInput(
                "only declared tables can be asked: no sub-select, function or file",
                where=place(node),
                remedy=nearest("", self.metadata.tables),
            )
        extra = [key for key, value in node.args.items() if value and key not in ("this", "alias")]
        alias = node.args.get("alias")
        if extra or (alias is not None and alias.args.get("columns")):
            raise BadInput(
                "a table is called by its name alone",
                where=place(node),
                remedy="write FROM table, or FROM table AS t",
            )
        name = node.this.name
        found = match(name, self.metadata.tables)
        if found is None or name.startswith(RESERVED):
            raise BadInput(
                f"there is no table '{shown(name)}'",
                where=place(node),
                remedy=nearest(name[:SHOWN], self.metadata.tables),
            )
        table = self.metadata.tables[found]
        called = alias.name if alias is not None else found
        if table in self.tables.values():
            raise BadInput(f"the table '{found}' is there twice", where=place(node), remedy="join it once")
        if called in self.tables or called.startswith(RESERVED):
            raise BadInput(
                f"the table name '{shown(called)}' cannot be used here",
                where=place(node),
                remedy="choose another after AS",
            )
        self.tables[called] = table
        return table

    def sql_of(self, table: Table, column: str) -> str:
        """Name a column of a prepared table; with its table where there are several."""
        return quote(column) if len(self.tables) == 1 else f"{quote(table.name)}.{quote(column)}"

    def is_person(self, node: exp.Expr) -> bool:
        """Tell whether a node is the column that names the person."""
        return self.person_of(node) is not None

    def person_of(self, node: exp.Expr) -> Table | None:
        """Return the table whose person column the node is."""
        if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier):
            return None
        for table in self._tables_of(node):
            if table.person is not None and match(node.name, [*table.columns, table.person]) == table.person:
                return table
        return None

    def column(self, node: exp.Column) -> tuple[Table, Column]:
        """Return the declared column that is meant, and note that it was looked at."""
        name = node.name
        spot = place(node)
        extra = [key for key, value in node.args.items() if value and key not in ("this", "table")]
        if extra or not isinstance(node.this, exp.Identifier):
            raise BadInput(
                "a column is called 'column' or 'table.column'",
                where=spot,
                remedy="ask for COUNT(*), or for statistics of one column",
            )
        tables = self._tables_of(node)
        if self.is_person(node):
            raise BadInput(
                f"'{shown(name)}' names the person, who cannot be asked about",
                where=spot,
                remedy="it may only stand in COUNT(DISTINCT …) and in JOIN … ON",
            )
        found = [
            (table, table.columns[fits])
            for table in tables
            if (fits := match(name, table.columns)) is not None and not name.startswith(RESERVED)
        ]
        if not found:
            known = {column for table in tables for column in table.columns}
            raise BadInput(
                f"there is no column '{shown(name)}'", where=spot, remedy=nearest(name[:SHOWN], known)
            )
        if len(found) > 1:
            raise BadInput(
                f"'{shown(name)}' is a column of several tables", where=spot, remedy="write table.column"
            )
        table, column = found[0]
        self.looked_at.add(f"{table.name}.{column.name}")
        return table, column

    def _tables_of(self, node: exp.Column) -> list[Table]:
        if not node.table:
            return list(self.tables.values())
        called = match(node.table, self.tables)
        if called is None:
            raise BadInput(
                f"there is no table '{shown(node.table)}' in FROM",
                where=place(node),
                remedy=nearest(node.table[:SHOWN], self.tables),
            )
        return [self.tables[called]]
