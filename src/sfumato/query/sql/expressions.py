"""From the parser's tree to numbers, texts and conditions: an allow-list, node by node.

Each method takes the nodes it knows and the arguments it knows of them. Everything else, also what a later
version of the parser may add, is refused.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from sfumato.core.errors import BadInput, nearest
from sfumato.engine.sql import literal
from sfumato.query.metadata import Type
from sfumato.query.sql import numbers, predicates
from sfumato.query.sql.names import Scope, shown
from sfumato.query.sql.numbers import Number
from sfumato.query.sql.predicates import Always, Truth
from sfumato.query.sql.read import WHERE, place
from sfumato.query.sql.refusals import refusal

MAX_LEVELS = 60
"""steps of a sum or product in a row"""
MAX_TEXT = 1_000
"""characters of a text in a question"""
MAX_SQL = 100_000
"""characters of what runs"""
_LITERAL = re.compile(r"(\d{1,18}(\.\d{0,18})?|\.\d{1,18})([eE][+-]?\d{1,2})?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_OF_ONE: dict[type[exp.Expr], Callable[[Number], Number]] = {
    exp.Neg: numbers.negative,
    exp.Abs: numbers.absolute,
    exp.Floor: numbers.floor,
    exp.Ceil: numbers.ceiling,
}
_PARTS = {"YEAR": "year", "QUARTER": "quarter", "MONTH": "month", "DAY": "day", "DOW": "dayofweek"}
_PARTS |= {"DAYOFWEEK": "dayofweek", "ISODOW": "isodow"}
_PART_FUNCTIONS: dict[type[exp.Expr], str] = {
    exp.Year: "year",
    exp.Quarter: "quarter",
    exp.Month: "month",
    exp.Day: "day",
    exp.DayOfWeek: "dayofweek",
}


@dataclass(frozen=True)
class Label:
    """A text: its SQL, and its possible values where they are public."""

    sql: str
    values: tuple[str, ...] | None
    nullable: bool = True
    constant: bool = False

    @property
    def plain(self) -> str:
        """As SQL of type VARCHAR: a column may be an enumeration, into which not every text can be cast."""
        return self.sql if self.constant else f"CAST({self.sql} AS VARCHAR)"


Value = Number | Label | Truth


def only(node: exp.Expr, *allowed: str) -> None:
    """Refuse a node that says more than what is understood of it."""
    if any(value for key, value in node.args.items() if key not in allowed):
        raise refusal(node)


class Reader:
    """Reads expressions over the tables of one question."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        # Looked up by the very class of a node: a class derived from an allowed one is not allowed with it.
        self._readers: dict[type[exp.Expr], Callable[[exp.Expr, int], Value]] = {
            exp.Column: self._column,
            exp.Literal: self._literal,
            exp.Boolean: self._boolean,
            exp.Paren: self._bracket,
            exp.And: self._joined,
            exp.Or: self._joined,
            exp.Not: self._negated,
            **dict.fromkeys(_COMPARISONS, self._compared),
            exp.Between: self._between,
            exp.In: self._one_of,
            exp.Is: self._is,
            **dict.fromkeys((exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv), self._arithmetic),
            **dict.fromkeys(_OF_ONE, self._of_one),
            **dict.fromkeys((exp.Least, exp.Greatest, exp.Coalesce), self._of_several),
            exp.Case: self._case,
            exp.Extract: self._extract,
            **dict.fromkeys(_PART_FUNCTIONS, self._part_function),
            exp.Cast: self._date_literal,
        }

    def value(self, node: exp.Expr | None, level: int = 0) -> Value:
        """Read whatever it is; the parser leaves None where something is missing."""
        if not isinstance(node, exp.Expr):
            raise BadInput("something is missing", where=WHERE, remedy="check the brackets and signs")
        if level > MAX_LEVELS:
            raise BadInput(
                "the expression has too many steps", where=place(node), remedy="ask it more simply"
            )
        read = self._readers.get(type(node))
        if read is None:
            raise refusal(node)
        try:
            found = read(node, level + 1)
        except BadInput as problem:
            if problem.where:
                raise
            raise BadInput(problem.what, where=place(node), remedy=problem.remedy) from None
        _check_length(len(found.sql))
        return found

    def number(self, node: exp.Expr | None, level: int = 0, *, date: bool | None = False) -> Number:
        """Read a number; ``date``: whether it must be a date, None for either."""
        value = self.value(node, level)
        if not isinstance(value, Number):
            kind = "a text" if isinstance(value, Label) else "a condition"
            remedy = (
                "name a column of numbers"
                if isinstance(value, Label)
                else "write CASE WHEN condition THEN 1 ELSE 0 END"
            )
            raise BadInput(f"a number is needed here, not {kind}", where=place(node), remedy=remedy)
        if date is not None and value.date != date:
            what, remedy = (
                ("a date is needed here, not a number", "name a column of dates")
                if date
                else (
                    "a number is needed here, not a date",
                    "subtract two dates, or take EXTRACT(YEAR FROM …)",
                )
            )
            raise BadInput(what, where=place(node), remedy=remedy)
        return value

    def truth(self, node: exp.Expr | None, level: int = 0) -> Truth:
        """Read a condition."""
        value = self.value(node, level)
        if isinstance(value, Number | Label):
            raise BadInput(
                "a condition is needed here", where=place(node), remedy="compare it, like age >= 18"
            )
        return value

    def _boolean(self, node: exp.Expr, _: int) -> Value:
        return Always(bool(node.this))

    def _bracket(self, node: exp.Expr, level: int) -> Value:
        only(node, "this")
        return self.value(node.this, level)

    def _negated(self, node: exp.Expr, level: int) -> Value:
        only(node, "this")
        return predicates.negation(self.truth(node.this, level))

    def _column(self, node: exp.Expr, _: int) -> Value:
        assert isinstance(node, exp.Column)
        table, column = self.scope.column(node)
        sql = self.scope.sql_of(table, column.name)
        if column.type is Type.BOOLEAN:
            return predicates.flag(sql)
        if column.type is Type.CATEGORY:
            return Label(sql, column.values)
        if column.lower is None or column.upper is None:
            raise BadInput(
                f"'{column.name}' is an unbounded column: its least and largest values are not declared",
                where=place(node),
                remedy="ask the owner to declare 'lower' and 'upper'",
            )
        date = column.type is Type.DATE
        grid = Fraction(1) if date else column.grid
        return numbers.column(sql, column.lower, column.upper, grid, date=date)

    def _literal(self, node: exp.Expr, _: int) -> Value:
        text = str(node.this)
        if node.is_string:
            if len(text) > MAX_TEXT:
                raise BadInput(
                    "this text is too long", where=place(node), remedy="compare with a shorter one"
                )
            return Label(literal(text), (text,), nullable=False, constant=True)
        if not _LITERAL.fullmatch(text):
            raise BadInput(
                "this number has too many digits", where=place(node), remedy="write at most 18 digits"
            )
        return numbers.constant(Fraction(text))

    def _joined(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expression")
        kind = type(node)
        parts, waiting = [], [node]
        while waiting:  # a long chain leans to one side: it is walked, not descended into
            part = waiting.pop()
            if type(part) is kind:
                waiting += [part.this, part.expression]
            else:
                parts.append(self.truth(part, level))
        return predicates.joined("AND" if kind is exp.And else "OR", parts)

    def _compared(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expression")
        left, right = self._operand(node.this, level), self._operand(node.expression, level)
        return compared(_COMPARISONS[type(node)], left, right)

    def _operand(self, node: exp.Expr | None, level: int) -> Value:
        if isinstance(node, exp.Null):
            raise BadInput("nothing equals NULL", where=place(node), remedy="write IS NULL or IS NOT NULL")
        return self.value(node, level)

    def _between(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "low", "high")
        value = self._operand(node.this, level)
        low = compared(">=", value, self._operand(node.args.get("low"), level))
        high = compared("<=", value, self._operand(node.args.get("high"), level))
        return predicates.joined("AND", [low, high])

    def _one_of(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expressions")
        constants = (exp.Literal, exp.Neg, exp.Cast, exp.Boolean)
        if not node.expressions or any(not isinstance(each, constants) for each in node.expressions):
            raise BadInput(
                "IN takes a list of constants", where=place(node), remedy="write IN (1, 2) or IN ('a', 'b')"
            )
        value = self._operand(node.this, level)
        listed = [compared("=", value, self._operand(each, level)) for each in node.expressions]
        return predicates.joined("OR", listed)

    def _is(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expression")
        value = self.value(node.this, level)
        if isinstance(node.expression, exp.Null):
            return predicates.missing(value.sql, nullable=value.nullable)
        if isinstance(node.expression, exp.Boolean) and not isinstance(value, Number | Label):
            return predicates.is_value(value, bool(node.expression.this))
        raise BadInput("IS takes NULL, TRUE or FALSE", where=place(node), remedy="write x IS NULL, or x = 1")

    def _arithmetic(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expression", "typed", "safe")
        days = isinstance(node, exp.Add | exp.Sub)
        left = self.number(node.this, level, date=None if days else False)
        right = self.number(node.expression, level, date=None if days else False)
        match node:
            case exp.Add():
                return numbers.plus(left, right)
            case exp.Sub():
                return numbers.plus(left, right, -1)
            case exp.Mul():
                return numbers.times(left, right)
            case exp.Div():
                return numbers.divided(left, right)
        # In SQL // cuts towards 0 for whole numbers and downwards for others: taken only where both agree.
        if left.low < 0 or right.low < 0:
            raise BadInput("// is for numbers from 0 up", where=place(node), remedy="write FLOOR(x / y)")
        return numbers.floor(numbers.divided(left, right))

    def _of_one(self, node: exp.Expr, level: int) -> Value:
        only(node, "this")
        return _OF_ONE[type(node)](self.number(node.this, level))

    def _of_several(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expressions", "ignore_nulls")
        parts = [self.number(part, level, date=None) for part in (node.this, *node.expressions)]
        if isinstance(node, exp.Coalesce):
            return numbers.first_present(parts)
        return numbers.extreme("least" if isinstance(node, exp.Least) else "greatest", parts)

    def _case(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "ifs", "default")
        conditions: list[str] = []
        values: list[Value] = []
        subject = None if node.this is None else self._operand(node.this, level)
        for arm in node.args["ifs"]:
            only(arm, "this", "true")
            condition = (
                self.truth(arm.this, level)
                if subject is None
                else compared("=", subject, self._operand(arm.this, level))
            )
            conditions.append(condition.sql)
            _check_length(sum(map(len, conditions)))
            values.append(self.value(arm.args.get("true"), level))
        default = node.args.get("default")
        other = None if default is None or isinstance(default, exp.Null) else self.value(default, level)
        every = [*values, *([] if other is None else [other])]
        figures = [value for value in every if isinstance(value, Number)]
        labels = [value for value in every if isinstance(value, Label)]
        if len(figures) == len(every):
            last = figures[-1] if other is not None else None
            return numbers.choice(conditions, figures[: len(conditions)], last)
        if len(labels) == len(every):
            return _label_choice(conditions, labels)
        raise BadInput(
            "the branches of CASE must all be numbers or all be texts",
            where=place(node),
            remedy="for a condition, write the condition itself",
        )

    def _extract(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expression")
        name = node.this.name.upper()
        if name not in _PARTS:
            raise BadInput(
                f"EXTRACT does not take '{shown(name)}' from a date",
                where=place(node),
                remedy=nearest(name, _PARTS),
            )
        return numbers.part_of_date(_PARTS[name], self.number(node.expression, level, date=True))

    def _part_function(self, node: exp.Expr, level: int) -> Value:
        only(node, "this")
        return numbers.part_of_date(_PART_FUNCTIONS[type(node)], self.number(node.this, level, date=True))

    def _date_literal(self, node: exp.Expr, _: int) -> Value:
        only(node, "this", "to", "_type")
        to = node.args["to"]
        if not to.is_type("date") or not node.this.is_string:
            raise BadInput("casts are not answered", where=place(node), remedy="columns have their types")
        return _date_of(str(node.this.this))


def compared(operator: str, left: Value, right: Value) -> Truth:
    """Compare two values of one kind; texts and conditions for equality only."""
    if isinstance(left, Number) and left.date and isinstance(right, Label) and right.constant:
        right = _date_of(_text_of(right))
    elif isinstance(right, Number) and right.date and isinstance(left, Label) and left.constant:
        left = _date_of(_text_of(left))
    if isinstance(left, Number) and isinstance(right, Number):
        if left.date != right.date:
            raise BadInput("a date is compared with a number", remedy="write DATE '2024-12-31'")
        return predicates.compared(operator, left, right)
    if operator not in ("=", "<>"):
        raise BadInput("texts and conditions have no order", remedy="compare with = or IN")
    if isinstance(left, Label) and isinstance(right, Label):
        same = _same_texts(left, right)
    elif isinstance(left, Number | Label) or isinstance(right, Number | Label):
        raise BadInput(
            "things of different kinds are compared", remedy="texts stand in quotes, numbers do not"
        )
    elif isinstance(left, Always):
        same = right if left.value else predicates.negation(right)
    elif isinstance(right, Always):
        same = left if right.value else predicates.negation(left)
    else:
        same = predicates.equal(left.sql, right.sql, nullable=left.nullable or right.nullable)
    return same if operator == "=" else predicates.negation(same)


def _check_length(length: int) -> None:
    if length > MAX_SQL:
        raise BadInput("the question is too long when spelt out", remedy="ask it more simply")


def _date_of(text: str) -> Number:
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise BadInput("this is not a date", remedy="write DATE '2024-12-31'") from None
    return numbers.constant(Fraction((day - numbers.FIRST_DAY).days), date=True)


def _text_of(constant: Label) -> str:
    assert constant.values is not None
    return constant.values[0]


def _same_texts(left: Label, right: Label) -> Truth:
    """Compare texts; a public list of values tells at once that something is misspelt."""
    if left.constant and right.constant:
        return Always(left.values == right.values)
    if not (left.constant or right.constant):
        return predicates.equal(left.plain, right.plain, nullable=left.nullable or right.nullable)
    fixed, other = (left, right) if left.constant else (right, left)
    text = _text_of(fixed)
    if other.values is not None and text not in other.values:
        raise BadInput(
            "the text is none of the declared values", remedy=nearest(text, map(shown, other.values))
        )
    return predicates.one_of_texts(other.sql, [text], nullable=other.nullable)


def _label_choice(conditions: list[str], labels: list[Label]) -> Label:
    arms = " ".join(
        f"WHEN {condition} THEN {label.plain}" for condition, label in zip(conditions, labels, strict=False)
    )
    complete = len(labels) > len(conditions)
    tail = f" ELSE {labels[-1].plain}" if complete else ""
    values: dict[str, None] | None = {}
    for label in labels:
        values = None if values is None or label.values is None else values | dict.fromkeys(label.values)
    nullable = not complete or any(label.nullable for label in labels)
    return Label(f"(CASE {arms}{tail} END)", None if values is None else tuple(values), nullable)
