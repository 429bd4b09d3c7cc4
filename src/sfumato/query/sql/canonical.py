"""One text for all spellings of a question: what is cached, logged and compared.

It is written from what runs (the SQL over prepared tables, bounds, grids, public values, limits), and holds
all of it. So two questions with one text are one question; the converse holds as far as the normal form of
conditions and arithmetic reaches. Names that an analyst gave to columns of the answer are not in it.
"""

from __future__ import annotations

import hashlib

from sfumato.query.metadata import Metadata
from sfumato.query.question import Key, Measure

_SHOWN = 20
"""public values that are listed; more are named by a digest"""


def canonical(
    metadata: Metadata,
    tables: tuple[str, ...],
    where: str,
    keys: tuple[Key, ...],
    measures: tuple[Measure, ...],
    limits: tuple[int, int],
) -> str:
    """Write the text of a question. ``limits`` are rows and groups per person."""
    parts = ["SELECT " + ", ".join(_measure(measure) for measure in measures), f"FROM {_list(tables)}"]
    if where:
        parts.append(f"WHERE {where}")
    if keys:
        parts.append("GROUP BY " + ", ".join(_key(key) for key in keys))
    rows, groups = limits
    parts.append(f"OF {_list((metadata.data_set,))} ({metadata.neighbours}, {rows} rows, {groups} groups)")
    return " ".join(parts)


def _measure(measure: Measure) -> str:
    expression = measure.expression
    if expression is None:
        return f"{measure.statistic}()"
    share = "" if measure.quantile is None else f" AT {measure.quantile}"
    bounds = f"[{expression.lower}, {expression.upper}] BY {expression.grid}"
    return f"{measure.statistic}({expression.sql} IN {bounds}{share}{' AS DATE' if measure.date else ''})"


def _key(key: Key) -> str:
    missing = " OR NULL" if key.missing else ""
    if key.values is None:
        return f"{key.sql} IN ANY{missing}"
    if len(key.values) <= _SHOWN:
        return f"{key.sql} IN {_list(key.values)}{missing}"
    digest = hashlib.sha256(_list(key.values).encode()).hexdigest()
    return f"{key.sql} IN {len(key.values)} VALUES {digest}{missing}"


def _list(values: tuple[str | int | bool, ...]) -> str:
    return "(" + ", ".join(repr(value) for value in values) + ")"
