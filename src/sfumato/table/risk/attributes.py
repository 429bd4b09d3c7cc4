"""How well columns tell people apart: distinction and separation.

R. Motwani & Y. Xu, "Efficient algorithms for masking and finding quasi-identifiers", SDM Workshop on
Practical Privacy-Preserving Data Mining (2007). For a set S of columns of a table of n rows, in which f_i
rows share the i-th combination of values,

    distinction(S) = |{combinations}| / n,        separation(S) = 1 − Σ_i f_i (f_i − 1) / (n (n − 1)):

the share of rows that stay when repeated combinations are removed, and the share of pairs of rows that
differ somewhere in S. Both are 1 for a key and grow with S.

They rank columns by their power to identify (identity disclosure). They say nothing about whether an
adversary knows a column, nor about what is learned once somebody is found.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.table.cells import Cells
from sfumato.table.risk.walk import checked_size, classes_of_subsets


@dataclass(frozen=True)
class AttributeRisk:
    """How well some columns, taken together, tell the rows of a table apart."""

    columns: tuple[str, ...]
    combinations: int
    """distinct combinations of values"""
    rows: int
    agreeing_pairs: int
    """pairs of rows with the same combination"""

    @property
    def distinction(self) -> float:
        """The share of rows that stay when repeated combinations are removed."""
        return self.combinations / self.rows

    @property
    def separation(self) -> float | None:
        """The share of pairs of rows that differ; None where a single row makes no pair."""
        pairs = self.rows * (self.rows - 1) // 2
        return (pairs - self.agreeing_pairs) / pairs if pairs else None

    def __str__(self) -> str:
        apart = "no pairs" if self.separation is None else f"{100 * self.separation:.1f} % of pairs differ"
        return f"{', '.join(self.columns)}: {self.combinations:,} combinations in {self.rows:,} rows, {apart}"


@dataclass(frozen=True)
class AttributeRisks:
    """Distinction and separation of single columns, or of every combination up to some size.

    Combinations of fewer columns come first; ``ranked`` puts those that separate most at the top.

    >>> import pyarrow as pa
    >>> from sfumato.engine import open_engine
    >>> from sfumato.engine.sources import Frame
    >>> from sfumato.table.count import count
    >>> people = pa.table({"age": [30, 31, 32, 33], "sex": ["f", "f", "m", "m"]})
    >>> table = open_engine("duckdb").read(Frame(people))
    >>> print(AttributeRisks.of(count(table, ["sex", "age"]).cells))
    columns  combinations  distinction  separation
    age                 4     100.00 %    100.00 %
    sex                 2      50.00 %     66.67 %
    """

    attributes: tuple[AttributeRisk, ...]

    @classmethod
    def of(cls, cells: Cells, up_to: int = 1) -> AttributeRisks:
        """Measure single columns, or with ``up_to`` every combination of up to so many."""
        size = checked_size(cells, up_to)
        rows = cells.total_rows
        found = []
        for classes in classes_of_subsets(cells, size):
            names = tuple(cells.names[j] for j in classes.columns)
            counts = classes.rows
            agreeing = int((counts * (counts - 1) // 2).sum())
            found.append((len(names), classes.columns, AttributeRisk(names, len(counts), rows, agreeing)))
        return cls(tuple(risk for _, _, risk in sorted(found, key=lambda each: each[:2])))

    @property
    def ranked(self) -> tuple[AttributeRisk, ...]:
        """The same with those first that leave the fewest pairs of rows alike."""
        return tuple(sorted(self.attributes, key=lambda risk: (risk.agreeing_pairs, len(risk.columns))))

    def __str__(self) -> str:
        names = [", ".join(risk.columns) for risk in self.ranked]
        width = max(7, *map(len, names)) if names else 7
        lines = [f"{'columns':<{width}}  combinations  distinction  separation"]
        for name, risk in zip(names, self.ranked, strict=True):
            apart = "–" if risk.separation is None else f"{100 * risk.separation:.2f} %"
            share = f"{100 * risk.distinction:.2f} %"
            lines.append(f"{name:<{width}}  {risk.combinations:>12,}  {share:>11}  {apart:>10}")
        return "\n".join(lines)
