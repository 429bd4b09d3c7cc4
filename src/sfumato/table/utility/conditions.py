"""User-given SQL: ``SELECT COUNT(*) FROM t WHERE …``, or the condition alone.

Only what can be answered from boxes is understood: comparisons of a column with a value, BETWEEN, IN,
IS NULL, and their combination by AND, OR, NOT. Everything else is refused by name: nothing is ever run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sqlglot
from sqlglot import expressions as exp
from sqlglot.errors import SqlglotError

from sfumato.core.domain import Scale, as_day, as_number
from sfumato.core.errors import BadInput, nearest
from sfumato.table.utility.predicates import EVERY_NUMBER, Among, Comparison, On, Ranges, both, either
from sfumato.table.utility.records import Conjunction, Records

_COMPARISONS: dict[type[exp.Expression], tuple[Comparison, Comparison]] = {
    exp.EQ: ("=", "<>"),
    exp.NEQ: ("<>", "="),
    exp.LT: ("<", ">="),
    exp.LTE: ("<=", ">"),
    exp.GT: (">", "<="),
    exp.GTE: (">=", "<"),
}
"""each comparison, and what it becomes under NOT (missing values satisfy neither)"""
_TURNED: dict[Comparison, Comparison] = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_REMEDY = "compare columns with values, joined by AND, OR, NOT"


def condition_of(sql: str, records: Records) -> list[Conjunction]:
    """Read a query or condition as alternatives, each a condition for some columns."""
    return _Reader(records).alternatives(_where(sql), negated=False)


def _where(sql: str) -> exp.Expression:
    if not isinstance(sql, str) or not sql.strip():
        raise BadInput("the query is empty", remedy="for example: age > 30 AND sex = 'f'")
    text = sql.strip().rstrip(";")
    query = text if text[:6].upper() == "SELECT" else f"SELECT COUNT(*) FROM t WHERE {text}"
    try:
        parsed = sqlglot.parse(query, read="duckdb")
    except SqlglotError:
        raise BadInput("the query is not SQL", remedy="for example: age > 30 AND sex = 'f'") from None
    statement = parsed[0] if len(parsed) == 1 else None
    if not isinstance(statement, exp.Select):
        raise BadInput("only one SELECT is understood", remedy="SELECT COUNT(*) FROM t WHERE …")
    parts = {key for key, value in statement.args.items() if value}
    extra = sorted(part.rstrip("_") for part in parts - {"expressions", "from", "from_", "where", "kind"})
    if extra:
        raise BadInput(f"'{extra[0]}' is not understood in a query", remedy="SELECT COUNT(*) FROM t WHERE …")
    counted = statement.expressions
    if len(counted) != 1 or not isinstance(counted[0].unalias(), exp.Count):
        raise BadInput("only COUNT(*) can be estimated", remedy="SELECT COUNT(*) FROM t WHERE …")
    if not isinstance(counted[0].unalias().this, exp.Star):
        raise BadInput("only COUNT(*) can be estimated", remedy="SELECT COUNT(*) FROM t WHERE …")
    where = statement.args.get("where")
    if where is None:
        raise BadInput("the query has no WHERE", remedy="say which records to count")
    found: exp.Expression = where.this
    return found


class _Reader:
    def __init__(self, records: Records) -> None:
        self._records = records

    def alternatives(self, node: exp.Expression, *, negated: bool) -> list[Conjunction]:
        if isinstance(node, exp.Paren):
            return self.alternatives(node.this, negated=negated)
        if isinstance(node, exp.Not):
            return self.alternatives(node.this, negated=not negated)
        if isinstance(node, exp.And | exp.Or):
            left = self.alternatives(node.this, negated=negated)
            right = self.alternatives(node.expression, negated=negated)
            if isinstance(node, exp.And) == negated:
                return _any_of(left, right)
            return [_merged(one, other) for one in left for other in right]
        name, predicate = self._atom(node, negated)
        return [{name: predicate}]

    def _atom(self, node: exp.Expression, negated: bool) -> tuple[str, On]:
        if type(node) in _COMPARISONS:
            comparison = _COMPARISONS[type(node)][negated]
            if isinstance(node.this, exp.Column):
                return self._compared(node.this, comparison, node.expression)
            if isinstance(node.expression, exp.Column):
                return self._compared(node.expression, _TURNED[comparison], node.this)
        if isinstance(node, exp.Between) and isinstance(node.this, exp.Column):
            name, low = self._compared(node.this, "<" if negated else ">=", node.args["low"])
            _, high = self._compared(node.this, ">" if negated else "<=", node.args["high"])
            return name, either(low, high) if negated else both(low, high)
        if isinstance(node, exp.In) and isinstance(node.this, exp.Column) and node.expressions:
            atoms = [self._compared(node.this, "<>" if negated else "=", value) for value in node.expressions]
            found = atoms[0][1]
            for _, other in atoms[1:]:
                found = both(found, other) if negated else either(found, other)
            return atoms[0][0], found
        if (
            isinstance(node, exp.Is)
            and isinstance(node.this, exp.Column)
            and isinstance(node.expression, exp.Null)
        ):
            return self._missing(node.this, present=negated)
        raise BadInput(f"'{node.key.upper()}' is not understood in a query", remedy=_REMEDY)

    def _name(self, column: exp.Column) -> str:
        name = column.name
        known = self._records.columns
        if name not in known:
            alike = [one for one in known if one.casefold() == name.casefold()]
            if len(alike) != 1:
                raise BadInput(f"the query names a column '{name}'", remedy=nearest(name, known))
            return alike[0]
        return name

    def _missing(self, column: exp.Column, *, present: bool) -> tuple[str, On]:
        name = self._name(column)
        reader = self._records.reader(name)
        if reader.on_axis:
            return name, EVERY_NUMBER if present else Ranges((), missing=True)
        mask = np.full(reader.codes, present)
        mask[reader.missing_code] = not present
        return name, Among(mask)

    def _compared(self, column: exp.Column, comparison: Comparison, value: exp.Expression) -> tuple[str, On]:
        name = self._name(column)
        reader = self._records.reader(name)
        plain = _literal(value)
        if not reader.on_axis:
            texts = reader.domain.texts
            mask = np.zeros(reader.codes, np.bool_)
            for code, text in enumerate(texts):
                if text is not None:
                    mask[code] = _holds(text, comparison, str(plain))
            return name, Among(mask)
        place = as_number(plain) if reader.domain.scale is Scale.NUMBER else as_day(plain)
        if place is None:
            kind = "numbers" if reader.domain.scale is Scale.NUMBER else "dates"
            raise BadInput(
                f"the column holds {kind} and is compared with something else",
                where=f"column '{name}'",
                remedy="write dates as '2024-02-29'",
            )
        return name, Ranges.of(comparison, place, whole=reader.whole)


def _literal(node: exp.Expression) -> Any:
    if isinstance(node, exp.Cast):
        return _literal(node.this)
    if isinstance(node, exp.Neg):
        return f"-{_literal(node.this)}"
    if isinstance(node, exp.Literal):
        return node.this
    if isinstance(node, exp.Boolean):
        return "true" if node.this else "false"
    raise BadInput(f"'{node.key.upper()}' is not understood in a query", remedy=_REMEDY)


def _holds(text: str, comparison: Comparison, value: str) -> bool:
    match comparison:
        case "=":
            return text == value
        case "<>":
            return text != value
        case "<":
            return text < value
        case "<=":
            return text <= value
        case ">":
            return text > value
        case ">=":
            return text >= value


def _merged(one: Conjunction, other: Conjunction) -> Conjunction:
    found = dict(one)
    for name, predicate in other.items():
        found[name] = both(found[name], predicate) if name in found else predicate
    return found


def _any_of(left: list[Conjunction], right: list[Conjunction]) -> list[Conjunction]:
    """Join alternatives; two on the same single column become one."""
    if len(left) == len(right) == 1 and list(left[0]) == list(right[0]) and len(left[0]) == 1:
        ((name, one),) = left[0].items()
        return [{name: either(one, right[0][name])}]
    return left + right
