"""SUDA: special uniques, the records that are alone with few values.

M. J. Elliot, A. M. Manning & R. W. Ford, "A computational algorithm for handling the special uniques
problem" (2002); A. M. Manning, D. J. Haglin & J. A. Keane, "A recursive search algorithm for statistical
disclosure assessment" (2008); C. J. Skinner & M. J. Elliot, "A measure of disclosure risk for microdata"
(2002) for DIS.

A *minimal sample unique* (MSU) of a record is a set S of columns by whose values it is alone, while by no
proper part of S it is. With A columns, a record scores for each of its MSUs of size k ≤ m

    elliot:  Π_{i = k}^{min(m, A − 1)} (A − i),       ihsn:  (2^(A − k) − 1) / C(A, k):

few columns weigh more. (Both are known from sdcMicro, as ``original_scores`` TRUE and FALSE, where m = A.)
DIS is the chance that a match with a unique of the sample is correct, for a sampling fraction δ, with U
records that are unique and P records that lie in pairs. DIS–SUDA spreads it over the records by their scores,

    DIS = U δ / (U δ + P (1 − δ)),      DIS–SUDA(r) = 1 / (1 + P (1 − δ) / (δ · s_r^q · Σ_t s_t^−q)),

q = 1 + (8 − A) / 20. It ranks records by identity disclosure to somebody who knows few things about them. A
score is no probability; DIS–SUDA is one only as far as the sample is a simple random one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.cells import Cells
from sfumato.table.risk.minimal_uniques import MinimalUniques
from sfumato.table.risk.walk import checked_size, occupied

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Scoring = Literal["elliot", "ihsn"]
"""what a minimal sample unique of k columns scores"""
Missing = Literal["value", "ignored"]
"""a missing value is one like others, or it takes part in nothing: neither unique nor in anyone's way"""

MOST_COLUMNS_FOR_DIS = 27
"""beyond, the exponent q is not positive, and more special records would come out as safer"""


@dataclass(frozen=True)
class Suda:
    """Scores of special uniques, cell by cell: a cell is a distinct combination of values.

    Only cells of one person have a score above 0; every record of the cell has it. A person whose rows lie
    in several cells counts in each. ``by_record`` gives the cell of every record.

    >>> found, cell = by_record({"sex": list("ffmm"), "age": [1, 1, 1, 2], "job": list("abaa")})
    >>> found.scores[cell].tolist()
    [1.0, 2.0, 1.0, 2.0]
    >>> print(found)
    SUDA: 4 of 4 records are unique by up to 3 of 3 columns
    column  contribution
    age           50.0 %
    job           50.0 %
    sex           33.3 %
    no two records share all values, so DIS takes every match as correct
    """

    columns: tuple[str, ...]
    up_to: int
    """the largest minimal sample uniques that were looked for"""
    scoring: Scoring
    records: int
    """persons, or rows where no person is named"""
    counts: Ints = field(repr=False, compare=False)
    """counts[k − 1, cell]: minimal sample uniques of k columns"""
    scores: Floats = field(repr=False, compare=False)
    """the score of each cell"""
    shares: Floats = field(repr=False, compare=False)
    """shares[cell, column]: what part of the cell's score comes from uniques with this column"""
    dis_scores: Floats | None = field(repr=False, compare=False)
    """DIS–SUDA of each cell; None where it is not defined"""
    fraction: float
    """the sampling fraction δ that DIS was computed for"""
    dis: float | None
    """the chance that a match with a unique of this sample is correct; None where there is no unique"""
    contributions: tuple[float, ...]
    """per cent of all scores that comes from uniques with each column; they add up to more than 100"""
    value_contributions: tuple[Floats, ...] = field(repr=False, compare=False)
    """for each column and each code of its domain, per cent of what the column contributes"""
    said: str = ""
    """what to know about these figures"""

    threat = Threat.IDENTITY

    @classmethod
    def of(
        cls,
        cells: Cells,
        up_to: int | None = None,
        *,
        fraction: float = 0.01,
        scoring: Scoring = "elliot",
        missing: Missing = "value",
        progress: Progress = SILENT,
    ) -> Suda:
        """Find all minimal sample uniques of up to ``up_to`` columns (of all, when it is left out).

        ``fraction`` is the share of the population that is in the table.
        """
        if not 0 < fraction <= 1:
            raise BadInput("the sampling fraction must lie above 0 and up to 1", remedy="for example 0.01")
        for given, known, what in ((scoring, Scoring, "scoring"), (missing, Missing, "missing")):
            if given not in get_args(known):
                raise BadInput(f"'{what}' cannot be '{given}'", remedy=nearest(given, get_args(known)))
        inside = occupied(cells)
        if not len(inside):
            raise BadInput("there is nobody in the table", remedy="give a table with at least one row")
        size = checked_size(inside, up_to)
        progress.step("looking for special uniques")
        weights = _weights(len(inside.domains), size, scoring)
        search = MinimalUniques(inside, size, weights, ignore_missing=missing == "ignored")
        search.run(progress)
        return _summed_up(cls, inside, search, scoring, float(fraction))

    @property
    def scored(self) -> int:
        """How many records are alone by up to ``up_to`` columns."""
        return min(int((self.counts.sum(axis=0) > 0).sum()), self.records)

    def __str__(self) -> str:
        head = (
            f"SUDA: {self.scored:,} of {self.records:,} records are unique by up to {self.up_to} of "
            f"{len(self.columns)} columns"
        )
        if not self.scored:
            return head
        order = sorted(range(len(self.columns)), key=lambda j: -self.contributions[j])
        width = max(6, *map(len, self.columns))
        lines = [f"{'column':<{width}}  contribution"]
        lines += [f"{self.columns[j]:<{width}}  {f'{self.contributions[j]:.1f} %':>12}" for j in order]
        return "\n".join([head, *lines, *([self.said] if self.said else [])])


def by_record(columns: Mapping[str, Sequence[Any]], **options: Any) -> tuple[Suda, Ints]:
    """Score records that lie in memory, column by column; return the scores and the cell of each record.

    ``options`` are those of ``Suda.of``.
    """
    if not columns or not len(next(iter(columns.values()))):
        raise BadInput("there is nobody in the table", remedy="give a table with at least one row")
    domains = tuple(Domain.of(name, values) for name, values in columns.items())
    codes = []
    for domain, values in zip(domains, columns.values(), strict=True):
        code_of = {value: code for code, value in enumerate(domain.values)}
        codes.append([code_of[value] for value in values])
    distinct, cell, rows = np.unique(
        np.array(codes, np.int32), axis=1, return_inverse=True, return_counts=True
    )
    counted = rows.astype(np.int64)
    cells = Cells(domains, np.ascontiguousarray(distinct), counted, counted)
    return Suda.of(cells, **options), cell.reshape(-1).astype(np.int64)


def _weights(columns: int, up_to: int, scoring: Scoring) -> list[float]:
    """Return what a minimal sample unique of 1, 2, … columns scores."""
    if scoring == "ihsn":
        return [(2 ** (columns - k) - 1) / comb(columns, k) for k in range(1, up_to + 1)]
    weights = []
    for k in range(1, up_to + 1):
        product = 1
        for i in range(k, min(up_to, columns - 1) + 1):
            product *= columns - i
        weights.append(float(product))
    return weights


def _summed_up(
    kind: type[Suda], cells: Cells, search: MinimalUniques, scoring: Scoring, fraction: float
) -> Suda:
    """Turn what was found into scores and contributions."""
    counts = search.of_size.astype(np.int64)
    scores = np.array(search.weights) @ counts.astype(np.float64)
    weighed = search.contributions
    total, by_column = float(scores.sum()), weighed.sum(axis=0)
    shares = np.divide(weighed, scores[:, None], out=np.zeros_like(weighed), where=scores[:, None] > 0)
    by_value: list[Floats] = []
    for j, domain in enumerate(cells.domains):
        summed = np.zeros(len(domain))
        np.add.at(summed, cells.codes[j], weighed[:, j])
        by_value.append(100 * summed / by_column[j] if by_column[j] else summed)
    alone, in_pairs = int((cells.persons == 1).sum()), 2 * int((cells.persons == 2).sum())
    matched, missed = alone * fraction, in_pairs * (1 - fraction)
    dis_scores, said = _dis_scores(scores, missed / fraction, len(cells.domains))
    if alone and not in_pairs and not said:
        said = "no two records share all values, so DIS takes every match as correct"
    for array in (counts, scores, shares, *by_value, *(() if dis_scores is None else (dis_scores,))):
        array.flags.writeable = False
    return kind(
        columns=cells.names,
        up_to=search.up_to,
        scoring=scoring,
        records=cells.total_persons,
        counts=counts,
        scores=scores,
        shares=shares,
        dis_scores=dis_scores,
        fraction=fraction,
        dis=matched / (matched + missed) if alone else None,
        contributions=tuple(100 * float(part) / total if total else 0.0 for part in by_column),
        value_contributions=tuple(by_value),
        said=said,
    )


def _dis_scores(scores: Floats, odds: float, columns: int) -> tuple[Floats | None, str]:
    """Spread DIS over the records by their scores; ``odds`` is P (1 − δ) / δ."""
    if columns > MOST_COLUMNS_FOR_DIS:
        return None, f"DIS–SUDA is not defined for more than {MOST_COLUMNS_FOR_DIS} columns"
    power = 1 + (8 - columns) / 20
    scored = scores > 0
    raised = scores[scored] ** power
    found = np.zeros_like(scores)
    found[scored] = 1 / (1 + odds / (raised * (1 / raised).sum()))
    return found, ""
