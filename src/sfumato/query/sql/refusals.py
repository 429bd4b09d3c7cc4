"""Why something is not answered, in the analyst's words, and what to ask instead."""

from __future__ import annotations

from sqlglot import exp

from sfumato.core.errors import BadInput, nearest
from sfumato.query.sql.names import shown
from sfumato.query.sql.read import place

FUNCTIONS = (
    *("COUNT", "SUM", "AVG", "VARIANCE", "VAR_POP", "VAR_SAMP", "MEDIAN", "QUANTILE", "QUANTILE_CONT"),
    *("PERCENTILE_CONT", "ABS", "FLOOR", "CEIL", "LEAST", "GREATEST", "COALESCE", "EXTRACT", "YEAR"),
    *("QUARTER", "MONTH", "DAY", "DAYOFWEEK"),
)
"""what may be called"""

STATISTICS = frozenset(
    [
        *(exp.Count, exp.Sum, exp.Avg, exp.Variance, exp.VariancePop, exp.Median, exp.Quantile),
        *(exp.PercentileCont, exp.PercentileDisc, exp.WithinGroup),
    ]
)
"""the parser's classes of statistics that are answered"""

_RAW = "single rows are never told"
_SELECT = "ask SELECT COUNT(*), SUM, AVG, VARIANCE, MEDIAN or QUANTILE of a table"

CLAUSES: dict[str, tuple[str, str]] = {
    "with_": ("WITH is not answered: it selects raw rows", "ask one SELECT of a table"),
    "distinct": (f"SELECT DISTINCT is not answered: {_RAW}", "count with GROUP BY"),
    "having": ("HAVING is not answered: it looks at exact counts", "filter the noisy answer yourself"),
    "order": (
        "ORDER BY is not answered",
        "groups come in the order of their declared values; sort the answer",
    ),
    "limit": ("LIMIT is not answered", "all groups are told; cut the answer yourself"),
    "offset": ("OFFSET is not answered", "all groups are told; cut the answer yourself"),
    "windows": ("window functions are not answered", "use GROUP BY"),
    "qualify": ("QUALIFY is not answered", "use WHERE"),
    "sample": ("samples are not drawn", "ask of all rows"),
    "laterals": ("LATERAL is not answered", "join declared tables on the person"),
    "into": ("a question writes nothing", "leave INTO out"),
}
"""parts of a SELECT that are refused, by the parser's names for them"""

_NODES: dict[type[exp.Expr], tuple[str, str]] = {
    exp.Subquery: (f"sub-selects are not answered: {_RAW}", "ask one SELECT of a table"),
    exp.Select: (f"sub-selects are not answered: {_RAW}", "ask one SELECT of a table"),
    exp.Exists: (f"sub-selects are not answered: {_RAW}", "ask one SELECT of a table"),
    exp.Star: (f"SELECT * is not answered: {_RAW}", _SELECT),
    exp.Window: ("window functions are not answered", "use GROUP BY"),
    exp.Filter: ("FILTER is not answered", "put CASE WHEN condition THEN x END inside the function"),
    exp.Placeholder: ("parameters are not filled in", "write the constant itself"),
    exp.Parameter: ("parameters are not filled in", "write the constant itself"),
    exp.Cast: ("casts are not answered", "columns have their declared types"),
    exp.Null: ("NULL is no value to compute with", "write IS NULL, or leave ELSE out"),
    exp.Like: ("texts are compared whole, not by patterns", "use = or IN with declared values"),
    exp.ILike: ("texts are compared whole, not by patterns", "use = or IN with declared values"),
    exp.SimilarTo: ("texts are compared whole, not by patterns", "use = or IN with declared values"),
    exp.RegexpLike: ("texts are compared whole, not by patterns", "use = or IN with declared values"),
    exp.Min: ("MIN and MAX would tell of one person", "ask QUANTILE(x, 0.05) or QUANTILE(x, 0.95)"),
    exp.Max: ("MIN and MAX would tell of one person", "ask QUANTILE(x, 0.05) or QUANTILE(x, 0.95)"),
    exp.Stddev: ("standard deviations are not answered", "ask VARIANCE and take its root"),
    exp.StddevPop: ("standard deviations are not answered", "ask VARIANCE and take its root"),
    exp.StddevSamp: ("standard deviations are not answered", "ask VARIANCE and take its root"),
    exp.Round: ("ROUND is not answered", "write FLOOR(x + 0.5)"),
    exp.TimestampTrunc: ("dates are not cut", "group by EXTRACT(YEAR FROM d), EXTRACT(MONTH FROM d)"),
    exp.DateTrunc: ("dates are not cut", "group by EXTRACT(YEAR FROM d), EXTRACT(MONTH FROM d)"),
    exp.Distinct: ("DISTINCT counts people only", "write COUNT(DISTINCT the person column)"),
    exp.Mod: ("remainders are not computed", "use FLOOR and a product"),
    exp.Pow: ("powers are not computed", "multiply: x * x"),
    exp.NullSafeEQ: ("IS DISTINCT FROM is not answered", "use = and IS NULL"),
    exp.NullSafeNEQ: ("IS DISTINCT FROM is not answered", "use = and IS NULL"),
    exp.If: ("IF is not answered", "write CASE WHEN condition THEN x ELSE y END"),
}


def refusal(node: exp.Expr) -> BadInput:
    """Say why this node is not answered."""
    query = node.args.get("query") if isinstance(node, exp.In) else None
    for kind, (what, remedy) in _NODES.items():
        if isinstance(query or node, kind):
            return BadInput(what, where=place(node), remedy=remedy)
    if type(node) in STATISTICS:
        return BadInput(
            "a statistic stands alone in SELECT, with nothing around or beside it",
            where=place(node),
            remedy="ask SELECT COUNT(*), SUM(x) and compute with the answers",
        )
    if isinstance(node, exp.Func):
        name = node.name if isinstance(node, exp.Anonymous) else node.sql_name()
        return BadInput(
            f"the function '{shown(name)}' is not answered",
            where=place(node),
            remedy=nearest(name.upper()[:40], FUNCTIONS),
        )
    return BadInput(
        "this part of the question is not understood",
        where=place(node),
        remedy="use columns, constants, + - * /, comparisons, AND, OR, NOT, IN, BETWEEN, IS NULL and CASE",
    )
