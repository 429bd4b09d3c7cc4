"""Pages of the ledger that end early when they grow long, without fetching what is left out.

A thousand answers at the limit of their size would fill the memory of the service. Sizes are therefore asked
for first, row by row, and only the rows that fit are then fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, LargeBinary, Row, Select, cast, func

LONGEST_PAGE = 5_000_000
"""bytes of the texts of a page; a longer one ends early"""


def within(
    connection: Connection, page: Select[Any], texts: Sequence[ColumnElement[Any]], most: int
) -> list[Row[Any]]:
    """Return the first rows of a page whose texts together have so many bytes, and one row at the least."""
    size = sum(
        (func.coalesce(_bytes(connection, text), 0) for text in texts[1:]), _bytes(connection, texts[0])
    )
    taken = 0
    with connection.execute(page.with_only_columns(size, maintain_column_froms=True)) as sizes:
        for (taking,) in sizes:
            most -= taking
            if taken and most < 0:
                break
            taken += 1
    return list(connection.execute(page.limit(taken)).all()) if taken else []


def _bytes(connection: Connection, text: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return how many bytes a text has; SQLite's own ``length`` of a text counts letters."""
    if connection.dialect.name == "sqlite":
        return func.length(cast(text, LargeBinary))
    return func.octet_length(text)
