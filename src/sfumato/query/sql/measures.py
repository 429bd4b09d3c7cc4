"""The statistics of a SELECT, and the proof that none of their totals can overflow."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from sfumato.core.errors import BadInput
from sfumato.query.question import Expression, Measure, Statistic
from sfumato.query.sql.expressions import Reader, only
from sfumato.query.sql.numbers import Number, as_date
from sfumato.query.sql.predicates import missing
from sfumato.query.sql.read import place
from sfumato.query.sql.refusals import STATISTICS

MAX_SUM = 2**120
"""no sum over all rows reaches it, so that 128-bit totals cannot overflow"""
MAX_SQUARES = 2**118
"""no sum of squared widths reaches it; squares of doubled distances from the middle are four times that"""
WIDEST = 10**100
"""no value lies beyond it and no grid is finer than one by it: floats hold answers, squares and error bars"""
_MOMENTS: dict[type[exp.Expr], Statistic] = {
    exp.Sum: Statistic.SUM,
    exp.Avg: Statistic.MEAN,
    exp.Variance: Statistic.VARIANCE,
    exp.VariancePop: Statistic.VARIANCE,
}


def is_measure(node: exp.Expr) -> bool:
    """Tell whether a node is a statistic that is answered."""
    return type(node) in STATISTICS


def read_measure(node: exp.Expr, name: str, reader: Reader) -> Measure:
    """Read a statistic."""
    if type(node) is exp.Count:
        return _count(node, name, reader)
    if type(node) in _MOMENTS:
        only(node, "this")
        statistic = _MOMENTS[type(node)]
        return Measure(name or _name(statistic, node.this), statistic, _expression(node.this, reader))
    return _quantile(node, name, reader)


def check_overflow(measure: Measure, rows: int) -> None:
    """Refuse a statistic whose total over that many rows, or whose answer, could be too large."""
    expression = measure.expression
    if expression is None or measure.statistic is Statistic.COUNT:
        return
    far = max(abs(expression.lower), abs(expression.upper), expression.grid)
    if far > WIDEST or expression.grid * WIDEST < 1:
        raise BadInput(
            "the answer could be too large, or too small, to be written as a number",
            where=f"statistic '{measure.name}'",
            remedy="multiply and divide by fewer constants",
        )
    if measure.statistic is Statistic.QUANTILE:
        return
    largest = max(abs(expression.lower), abs(expression.upper)) / expression.grid
    width = (expression.upper - expression.lower) / expression.grid
    squares = width**2 * rows if measure.statistic is Statistic.VARIANCE else 0
    if largest * rows >= MAX_SUM or squares >= MAX_SQUARES:
        raise BadInput(
            "the sum could overflow: by the declared bounds and number of rows it may be too large",
            where=f"statistic '{measure.name}'",
            remedy="multiply fewer columns, or ask the owner for narrower bounds or a coarser grid",
        )


def _count(node: exp.Expr, name: str, reader: Reader) -> Measure:
    only(node, "this", "big_int")
    if isinstance(node.this, exp.Star):
        only(node.this)
        return Measure(name or "count", Statistic.COUNT)
    if isinstance(node.this, exp.Distinct):
        return _persons(node.this, name, reader)
    value = reader.value(node.this)
    if not value.nullable:
        return Measure(name or "count", Statistic.COUNT)
    there = f"(CASE WHEN {missing(value.sql, nullable=True).sql} THEN NULL ELSE 1::BIGINT END)"
    one = Fraction(1)
    return Measure(name or _name("count", node.this), Statistic.COUNT, Expression(there, one, one, one))


def _persons(node: exp.Expr, name: str, reader: Reader) -> Measure:
    only(node, "expressions")
    counted = node.expressions
    if len(counted) == 1 and reader.scope.person_of(counted[0]) is not None:
        return Measure(name or "persons", Statistic.PERSONS)
    persons = sorted({table.person for table in reader.scope.tables.values() if table.person is not None})
    raise BadInput(
        "COUNT(DISTINCT …) counts people only",
        where=place(node),
        remedy=f"write COUNT(DISTINCT {persons[0]})" if persons else "a row is a person here: use COUNT(*)",
    )


def _expression(node: exp.Expr, reader: Reader, *, date: bool | None = False) -> Expression:
    return _checked(reader.number(node, date=date), node)


def _checked(number: Number, node: exp.Expr) -> Expression:
    if number.constant:
        raise BadInput("this looks at no column", where=place(node), remedy="use COUNT(*) and multiply")
    return Expression(number.sql, number.lower, number.upper, number.grid)


def _quantile(node: exp.Expr, name: str, reader: Reader) -> Measure:
    """Read MEDIAN(x), QUANTILE(x, q), or PERCENTILE_CONT(q) WITHIN GROUP (ORDER BY x)."""
    share: exp.Expr | None = None
    subject: exp.Expr = node.this
    match node:
        case exp.Median():
            only(node, "this")
        case exp.Quantile():
            only(node, "this", "quantile")
            share = node.args.get("quantile")
        case exp.WithinGroup():
            only(node, "this", "expression")
            subject, share = _within_group(node)
        case _:
            only(node, "this", "expression")
            share = node.args.get("expression")
    if share is None and not isinstance(node, exp.Median):
        raise _no_share(node)
    quantile = Fraction(1, 2) if share is None else _share(share, reader)
    number = reader.number(subject, date=None)
    if number.date:
        # Every candidate must be a date that can be told: what fails later would tell which one was drawn.
        try:
            as_date(number.low), as_date(number.high)
        except BadInput as problem:
            raise BadInput(problem.what, where=place(node), remedy=problem.remedy) from None
    label = "median" if quantile == Fraction(1, 2) else "quantile"
    return Measure(
        name or _name(label, subject), Statistic.QUANTILE, _checked(number, node), quantile, number.date
    )


def _within_group(node: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    inner, order = node.this, node.expression
    if type(inner) not in (exp.PercentileCont, exp.PercentileDisc) or inner.args.get("expression"):
        raise _no_share(node)
    only(inner, "this")
    only(order, "expressions")
    if len(order.expressions) != 1 or type(order.expressions[0]) is not exp.Ordered:
        raise _no_share(node)
    only(order.expressions[0], "this")
    return order.expressions[0].this, inner.this


def _share(node: exp.Expr, reader: Reader) -> Fraction:
    number = reader.number(node)
    if not number.constant or not 0 < number.lower < 1:
        raise _no_share(node)
    return number.lower


def _no_share(node: exp.Expr) -> BadInput:
    return BadInput(
        "a quantile takes an expression and a constant between 0 and 1",
        where=place(node),
        remedy="write QUANTILE(x, 0.25)",
    )


def _name(statistic: str, node: exp.Expr) -> str:
    return f"{statistic}_{node.name}" if isinstance(node, exp.Column) else str(statistic)
