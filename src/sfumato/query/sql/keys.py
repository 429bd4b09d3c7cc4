"""What a question groups by: public values in order, known before any data are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from sfumato.core.errors import BadInput
from sfumato.query.metadata import Metadata
from sfumato.query.question import Key
from sfumato.query.sql import numbers
from sfumato.query.sql.expressions import Label, Reader, Value
from sfumato.query.sql.measures import is_measure
from sfumato.query.sql.names import RESERVED, match, shown
from sfumato.query.sql.numbers import Number
from sfumato.query.sql.predicates import Always
from sfumato.query.sql.read import WHERE, place

MAX_KEYS = 10
MADE_UP = RESERVED
"""begins the name of a key to which the question gave none"""


@dataclass(frozen=True)
class Selected:
    """A column of SELECT: its expression, and its alias or ''."""

    node: exp.Expr
    alias: str


def read_keys(group: exp.Expr | None, selected: Sequence[Selected], reader: Reader) -> tuple[Key, ...]:
    """Read GROUP BY, and check that SELECT tells nothing but keys and statistics."""
    most = reader.scope.metadata.max_groups
    keys: dict[str, Key] = {}
    for node, alias in _grouped(group, selected, reader):
        made = node.name if isinstance(node, exp.Column) else f"key_{len(keys) + 1}"
        name = alias or MADE_UP + made
        key = _key(reader.value(node), name, node, most)
        keys.setdefault(key.sql, key)
        # Not only at the end: the values of ten long keys together would fill the memory first.
        count_groups(list(keys.values()), reader.scope.metadata)
    for item in selected:
        if is_measure(item.node):
            continue
        key = _key(reader.value(item.node), "", item.node, most)
        if key.sql not in keys:
            name = f"'{shown(item.node.name)}'" if isinstance(item.node, exp.Column) else "an expression"
            raise BadInput(
                f"single rows are never told: {name} in SELECT is neither grouped by nor a statistic",
                where=place(item.node),
                remedy="add it to GROUP BY, or ask AVG, SUM, MEDIAN … of it",
            )
        if item.alias:
            keys[key.sql] = replace(keys[key.sql], name=item.alias)
    return tuple(keys.values())


def count_groups(keys: Sequence[Key], metadata: Metadata) -> int | None:
    """Return how many groups there are, from metadata alone; None where some are not public.

    More than the data set allows are refused.
    """
    groups = 1
    for key in keys:
        groups *= 1 if key.values is None else len(key.values) + key.missing
    if groups > metadata.max_groups:
        raise _too_many(groups, metadata.max_groups, WHERE)
    return None if any(key.values is None for key in keys) else groups


def _grouped(
    group: exp.Expr | None, selected: Sequence[Selected], reader: Reader
) -> list[tuple[exp.Expr, str]]:
    """Return what GROUP BY 1, GROUP BY alias and GROUP BY expression mean, with their aliases."""
    if group is None:
        return []
    if any(value for name, value in group.args.items() if name != "expressions"):
        raise BadInput(
            "GROUP BY takes columns and expressions, no ALL, ROLLUP or CUBE",
            where=place(group),
            remedy="name what to group by",
        )
    if len(group.expressions) > MAX_KEYS:
        raise BadInput(f"a question has at most {MAX_KEYS} keys", where=WHERE, remedy="group by fewer")
    aliases = {item.alias: item for item in selected if item.alias}
    columns = {
        name for table in reader.scope.tables.values() for name in (*table.columns, table.person or "")
    }
    return [_meant(item, selected, aliases, columns) for item in group.expressions]


def _meant(
    item: exp.Expr, selected: Sequence[Selected], aliases: Mapping[str, Selected], columns: set[str]
) -> tuple[exp.Expr, str]:
    chosen = None
    if isinstance(item, exp.Literal) and not item.is_string:
        position = int(item.this) if str(item.this).isdecimal() and len(str(item.this)) < 4 else 0
        if not 1 <= position <= len(selected):
            raise BadInput(
                "this number names no column of SELECT", where=place(item), remedy="name what to group by"
            )
        chosen = selected[position - 1]
    elif isinstance(item, exp.Column) and not item.table and match(item.name, columns) is None:
        # As in DuckDB, a declared column comes before an alias of the same name.
        alias = match(item.name, aliases)
        chosen = None if alias is None else aliases[alias]
    if chosen is None:
        return item, ""
    if is_measure(chosen.node):
        raise BadInput("a statistic cannot be grouped by", where=place(item), remedy="name a column")
    return chosen.node, chosen.alias


def _key(value: Value, name: str, node: exp.Expr, most: int) -> Key:
    if isinstance(value, Always) or (isinstance(value, Number | Label) and value.constant):
        raise BadInput("a constant makes no groups", where=place(node), remedy="leave it out")
    if isinstance(value, Label):
        return Key(name, value.sql, value.values, value.nullable)
    if not isinstance(value, Number):
        return Key(name, value.sql, (False, True), value.nullable)
    if value.date:
        _check_count(value.high - value.low + 1, most, node)
        days = range(value.low, value.high + 1)
        sql = f"CAST({numbers.date_sql(value)} AS VARCHAR)"
        return Key(name, sql, tuple(numbers.as_date(day).isoformat() for day in days), value.nullable)
    if value.grid.denominator != 1:
        raise BadInput(
            "groups are whole numbers", where=place(node), remedy="group by FLOOR(x), or by FLOOR(x / 10)"
        )
    if value.points is not None:
        points = tuple(point.numerator for point in value.points)
    else:
        _check_count(value.high - value.low + 1, most, node)
        step = value.grid.numerator
        points = tuple(range(value.low * step, value.high * step + 1, step))
    return Key(name, numbers.on_grid(value, Fraction(1)).sql, points, value.nullable)


def _check_count(groups: int, most: int, node: exp.Expr) -> None:
    if groups > most:
        raise _too_many(groups, most, place(node))


def _too_many(groups: int, most: int, where: str) -> BadInput:
    return BadInput(
        f"by the declared bounds there could be {groups} groups, and at most {most} are told",
        where=where,
        remedy="group by FLOOR(x / 10), or by fewer columns",
    )
