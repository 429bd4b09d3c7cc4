"""From the parser's tree to numbers, texts and conditions: an allow-list, node by node.

Each method takes the nodes it knows and the arguments it knows of them. Everything else, also what a later
version of the parser may add, is refused.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from sfumato.query.sql.read import place
from sfumato.query.sql.refusals import refusal

MAX_LEVELS = 60
"""steps of a sum or product in a row"""
MAX_TEXT = 1_000
"""characters of a text in a question"""
_LITERAL = re.compile(r"(\d{1,18}(\.\d{0,18})?|\.\d{1,18})([eE][+-]?\d{1,2})?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_COMPARISONS = {exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
_PARTS = {"YEAR": "year", "QUARTER": "quarter", "MONTH": "month", "DAY": "day", "DOW": "dayofweek"}
_PARTS |= {"DAYOFWEEK": "dayofweek", "ISODOW": "isodow"}
_PART_FUNCTIONS = {exp.Year: "year", exp.Quarter: "quarter", exp.Month: "month", exp.Day: "day"}
_PART_FUNCTIONS |= {exp.DayOfWeek: "dayofweek"}


@dataclass(frozen=True)
class Label:
    """A text: its SQL, and its possible values where they are public."""

    sql: str
    values: tuple[str, ...] | None
    nullable: bool = True
    constant: bool = False


Value = Number | Label | Truth


def only(node: exp.Expr, *allowed: str) -> None:
    """Refuse a node that says more than what is understood of it."""
    if any(value for key, value in node.args.items() if key not in allowed):
        raise refusal(node)


@dataclass(frozen=True)
class Reader:
    """Reads expressions over the tables of one question."""

    scope: Scope

    def value(self, node: exp.Expr, level: int = 0) -> Value:
        """Read whatever it is."""
        if level > MAX_LEVELS:
            raise BadInput("the expression has too many steps", where=place(node), remedy="ask it more simply")
        if isinstance(node, exp.Paren):
            only(node, "this")
            return self.value(node.this, level + 1)
        for kinds, read in self._readers().items():
            if isinstance(node, kinds):
                with _placed(node):
                    return read(node, level + 1)
        raise refusal(node)

    def number(self, node: exp.Expr, level: int = 0, *, date: bool | None = False) -> Number:
        """Read a number; ``date``: whether it must be a date, None for either."""
        value = self.value(node, level)
        if isinstance(value, Label) and value.constant and date is not False:
            value = _date_of(node, (value.values or ("",))[0])
        if not isinstance(value, Number):
            kind = "a text" if isinstance(value, Label) else "a condition"
            remedy = "" if isinstance(value, Label) else "write CASE WHEN condition THEN 1 ELSE 0 END"
            raise BadInput(f"a number is needed here, not {kind}", where=place(node), remedy=remedy)
        if date is not None and value.date != date:
            what, remedy = (
                ("a date is needed here, not a number", "name a column of dates")
                if date
                else ("a number is needed here, not a date", "subtract two dates, or take EXTRACT(YEAR FROM …)")
            )
            raise BadInput(what, where=place(node), remedy=remedy)
        return value

    def truth(self, node: exp.Expr, level: int = 0) -> Truth:
        """Read a condition."""
        value = self.value(node, level)
        if isinstance(value, Number | Label):
            raise BadInput(
                "a condition is needed here", where=place(node), remedy="compare it, like age >= 18"
            )
        return value

    def _readers(self) -> dict[type[exp.Expr] | tuple[type[exp.Expr], ...], Callable[[exp.Expr, int], Value]]:
        return {
            exp.Column: self._column,
            exp.Literal: self._literal,
            exp.Boolean: lambda node, _: Always(bool(node.this)),
            (exp.And, exp.Or): self._joined,
            exp.Not: lambda node, level: predicates.negation(self.truth(node.this, level)),
            tuple(_COMPARISONS): self._compared,
            exp.Between: self._between,
            exp.In: self._one_of,
            exp.Is: self._is,
            (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv): self._arithmetic,
            (exp.Neg, exp.Abs, exp.Floor, exp.Ceil): self._of_one,
            (exp.Least, exp.Greatest, exp.Coalesce): self._of_several,
            exp.Case: self._case,
            exp.Extract: self._extract,
            tuple(_PART_FUNCTIONS): self._part_function,
            exp.Cast: self._date_literal,
        }

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
                raise BadInput("this text is too long", where=place(node), remedy="compare with a shorter one")
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
        return self._comparison(_COMPARISONS[type(node)], node.this, node.expression, level)

    def _comparison(self, operator: str, one: exp.Expr, two: exp.Expr, level: int) -> Truth:
        if isinstance(one, exp.Null) or isinstance(two, exp.Null):
            raise BadInput("nothing equals NULL", where=place(one), remedy="write IS NULL or IS NOT NULL")
        left, right = self.value(one, level), self.value(two, level)
        if isinstance(left, Label) and left.constant and isinstance(right, Number) and right.date:
            left = _date_of(one, (left.values or ("",))[0])
        if isinstance(right, Label) and right.constant and isinstance(left, Number) and left.date:
            right = _date_of(two, (right.values or ("",))[0])
        if isinstance(left, Number) and isinstance(right, Number):
            if left.date != right.date:
                raise BadInput(
                    "a date is compared with a number", where=place(one), remedy="write DATE '2024-12-31'"
                )
            return predicates.compared(operator, left, right)
        if operator not in ("=", "<>"):
            raise BadInput(
                "texts and conditions have no order", where=place(one), remedy="compare with = or IN"
            )
        if isinstance(left, Label) and isinstance(right, Label):
            same = _same_labels(one, left, right)
        elif isinstance(left, Number | Label) or isinstance(right, Number | Label):
            raise BadInput(
                "things of different kinds are compared",
                where=place(one),
                remedy="texts stand in quotes, numbers do not",
            )
        elif isinstance(left, Always) or isinstance(right, Always):
            fixed, other = (left, right) if isinstance(left, Always) else (right, left)
            assert isinstance(fixed, Always)
            same = other if fixed.value else predicates.negation(other)
        else:
            same = predicates.same_text(left.sql, right.sql, nullable=left.nullable or right.nullable)
        return same if operator == "=" else predicates.negation(same)

    def _between(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "low", "high")
        low = self._comparison(">=", node.this, node.args["low"], level)
        high = self._comparison("<=", node.this, node.args["high"], level)
        return predicates.joined("AND", [low, high])

    def _one_of(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expressions")
        constants = (exp.Literal, exp.Neg, exp.Cast, exp.Boolean)
        if not node.expressions or any(not isinstance(each, constants) for each in node.expressions):
            raise BadInput(
                "IN takes a list of constants", where=place(node), remedy="write IN (1, 2) or IN ('a', 'b')"
            )
        return predicates.joined(
            "OR", [self._comparison("=", node.this, each, level) for each in node.expressions]
        )

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
        function = {
            exp.Neg: numbers.negative,
            exp.Abs: numbers.absolute,
            exp.Floor: numbers.floor,
            exp.Ceil: numbers.ceiling,
        }[type(node)]
        return function(self.number(node.this, level))

    def _of_several(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "expressions", "ignore_nulls")
        parts = [self.number(part, level, date=None) for part in (node.this, *node.expressions)]
        if isinstance(node, exp.Coalesce):
            return numbers.first_present(parts)
        return numbers.extreme("least" if isinstance(node, exp.Least) else "greatest", parts)

    def _case(self, node: exp.Expr, level: int) -> Value:
        only(node, "this", "ifs", "default")
        conditions, values = [], []
        for arm in node.args["ifs"]:
            only(arm, "this", "true")
            condition = (
                self._comparison("=", node.this, arm.this, level)
                if node.this is not None
                else self.truth(arm.this, level)
            )
            conditions.append(condition.sql)
            values.append(self.value(arm.args["true"], level))
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
        if type(node) is not exp.Cast or not to.is_type("date") or not node.this.is_string:
            raise BadInput("casts are not answered", where=place(node), remedy="columns have their types")
        return _date_of(node, str(node.this.this))


def _date_of(node: exp.Expr, text: str) -> Number:
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise BadInput("this is not a date", where=place(node), remedy="write DATE '2024-12-31'") from None
    return numbers.constant(Fraction((day - numbers.FIRST_DAY).days), date=True)


def _same_labels(node: exp.Expr, left: Label, right: Label) -> Truth:
    """Compare texts; a public list of values tells at once that something is misspelt."""
    if left.constant and right.constant:
        return Always(left.values == right.values)
    if not (left.constant or right.constant):
        return predicates.same_text(left.sql, right.sql, nullable=left.nullable or right.nullable)
    fixed, other = (left, right) if left.constant else (right, left)
    text = (fixed.values or ("",))[0]
    if other.values is not None and text not in other.values:
        raise BadInput(
            "the text is none of the declared values",
            where=place(node),
            remedy=nearest(text[:MAX_TEXT], other.values),
        )
    return predicates.one_of_texts(other.sql, [text], nullable=other.nullable)


def _label_choice(conditions: list[str], labels: list[Label]) -> Label:
    arms = " ".join(
        f"WHEN {condition} THEN {label.sql}" for condition, label in zip(conditions, labels, strict=False)
    )
    complete = len(labels) > len(conditions)
    tail = f" ELSE {labels[-1].sql}" if complete else ""
    values: dict[str, None] | None = {}
    for label in labels:
        values = None if values is None or label.values is None else values | dict.fromkeys(label.values)
    nullable = not complete or any(label.nullable for label in labels)
    return Label(f"(CASE {arms}{tail} END)", None if values is None else tuple(values), nullable)


@contextmanager
def _placed(node: exp.Expr) -> Iterator[None]:
    """Tell where in the question arithmetic was refused."""
    try:
        yield
    except BadInput as problem:
        if problem.where:
            raise
        raise BadInput(problem.what, where=place(node), remedy=problem.remedy) from None
