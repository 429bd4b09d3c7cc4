"""Measures of what a release has lost, for any solution: maps, boxes, suppression.

Each is a small function of a ``Solution`` with its formula beside it. n is the number of rows, S the
rows that were suppressed, E runs over the classes, m is the number of quasi-identifiers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.table.solution import SUPPRESSED, Solution

_MOST_PAIRS = 4_000_000
"""pairs of a value and what it became that are counted in a plain array"""


@dataclass(frozen=True)
class Measure:
    """A measure of loss: lower is better."""

    name: str
    title: str
    range: str
    meaning: str
    of: Callable[[Solution], float | None]
    """the value, or None where the measure does not apply"""


def class_rows(solution: Solution) -> NDArray[np.int64]:
    """Count the rows of every class that is published."""
    kept = solution.classes != SUPPRESSED
    sizes = np.bincount(
        solution.classes[kept], weights=solution.cells.rows[kept], minlength=solution.boxes.shape[1]
    )
    return sizes.astype(np.int64)


def discernibility(solution: Solution) -> float:
    """DM = Σ_E |E|² + n·S: each record is charged with those it cannot be told from.

    A suppressed record is charged with the whole table. Bayardo & Agrawal (2005).
    """
    sizes = class_rows(solution)
    return float((sizes * sizes).sum() + solution.cells.total_rows * solution.suppressed_rows)


def average_class_size(solution: Solution, reference: int) -> float | None:
    """C_AVG = ((n − S) / number of classes) / reference. LeFevre et al. (2006).

    The reference is the parameter k, or the smallest class: two measures, named apart.
    """
    sizes = class_rows(solution)
    sizes = sizes[sizes > 0]
    if not len(sizes) or reference < 1:
        return None
    return float(sizes.sum() / len(sizes) / reference)


def average_class_size_of_smallest(solution: Solution) -> float | None:
    """C_AVG with the smallest class that is published as its reference."""
    sizes = class_rows(solution)
    sizes = sizes[sizes > 0]
    return average_class_size(solution, int(sizes.min())) if len(sizes) else None


def certainty_penalties(solution: Solution, column: int) -> NDArray[np.float64]:
    """NCP of each generalised value of a column, between 0 and 1. Xu et al. (2006).

    On an axis: width of the interval / width of the domain. In a tree or a set: 0 for a single
    value, else values covered / values of the domain.
    """
    shown = solution.columns[column]
    if np.isfinite(shown.span) and not np.isnan(shown.extent).any():
        return shown.extent / shown.span if shown.span > 0 else np.zeros(len(shown.labels))
    return np.where(shown.leaves > 1, shown.leaves / shown.size, 0.0)


def _per_row(solution: Solution, penalty: Callable[[int], NDArray[np.float64]]) -> list[float]:
    """Average a penalty of generalised values over all rows, for each column; suppressed rows cost 1."""
    sizes = class_rows(solution)
    n = solution.cells.total_rows
    return [
        float((sizes * penalty(j)[solution.boxes[j]]).sum() + solution.suppressed_rows) / n
        for j in range(len(solution.columns))
    ]


def attribute_losses(solution: Solution) -> list[float]:
    """Return the average NCP of each quasi-identifier: 0 nothing lost, 1 everything."""
    return _per_row(solution, lambda j: certainty_penalties(solution, j))


def normalised_certainty_penalty(solution: Solution) -> float:
    """NCP = Σ over rows and quasi-identifiers of the penalty of what the row shows."""
    return sum(attribute_losses(solution)) * solution.cells.total_rows


def global_certainty_penalty(solution: Solution) -> float:
    """GCP = NCP / (m·n): the average penalty. Ghinita et al. (2007)."""
    return sum(attribute_losses(solution)) / len(solution.columns)


def utility_measure(solution: Solution) -> float:
    """UM = (1/h) Σ_groups (1/m) Σ_j penalty: the average penalty of a group, large or small.

    Our reading of the data usefulness of Loukides & Shao (2007): the certainty penalty with every group
    counted once, so that many narrow groups are not outweighed by one wide group of many records.
    Suppressed rows are one more group, of penalty 1.
    """
    shown = class_rows(solution) > 0
    groups = int(np.count_nonzero(shown))
    penalties = sum(
        float(certainty_penalties(solution, j)[solution.boxes[j]][shown].sum())
        for j in range(len(solution.columns))
    )
    lost = 1 if solution.suppressed_rows else 0
    return (penalties / len(solution.columns) + lost) / (groups + lost)


def loss_metric(solution: Solution) -> float:
    """LM: the mean over rows and columns of (values covered − 1) / (values − 1). Iyengar (2002)."""

    def penalty(column: int) -> NDArray[np.float64]:
        shown = solution.columns[column]
        return (shown.leaves - 1) / (shown.size - 1) if shown.size > 1 else np.zeros(len(shown.labels))

    return sum(_per_row(solution, penalty)) / len(solution.columns)


def precision_loss(solution: Solution) -> float | None:
    """1 − Prec: the mean over rows and columns of level / height. Sweeney (2002).

    Only where every value shown comes from a hierarchy.
    """
    if any(np.isnan(shown.levels).any() for shown in solution.columns):
        return None

    def penalty(column: int) -> NDArray[np.float64]:
        shown = solution.columns[column]
        return shown.levels / shown.height if shown.height else np.zeros(len(shown.labels))

    return sum(_per_row(solution, penalty)) / len(solution.columns)


def height(solution: Solution) -> float | None:
    """Σ_j level_j: how high in the lattice. Only where whole columns were generalised."""
    if solution.levels is None:
        return None
    return float(sum(column.levels[0] for column in solution.columns))


def non_uniform_entropy(solution: Solution) -> float:
    """Bits lost: −Σ_rows Σ_j log2( rows with the value that show the same / rows that show the same ).

    For a column generalised as a whole this is the non-uniform entropy of Gionis & Tassa (2009); with
    boxes it is the conditional entropy of the value given what is shown. Suppressed rows all show one
    and the same.
    """
    cells, classes = solution.cells, solution.classes
    out = classes == SUPPRESSED
    total = 0.0
    for j in range(len(cells.domains)):
        width = len(solution.columns[j].labels) + 1
        shown = np.where(out, width - 1, solution.boxes[j][np.where(out, 0, classes)])
        pair = cells.codes[j].astype(np.int64) * width + shown
        if len(cells.domains[j]) * width > _MOST_PAIRS:
            _, pair = np.unique(pair, return_inverse=True)
        both = np.bincount(pair, weights=cells.rows)
        after = np.bincount(shown, weights=cells.rows, minlength=width)
        there = cells.rows > 0
        shares = both[pair[there]] / after[shown[there]]
        total -= float((cells.rows[there] * np.log2(shares)).sum())
    return max(total, 0.0)


MEASURES: tuple[Measure, ...] = (
    Measure(
        "gcp",
        "global certainty penalty (GCP)",
        "0 … 1",
        "how wide the published values are, on average: 0 is exact, 1 says nothing",
        global_certainty_penalty,
    ),
    Measure(
        "ncp",
        "normalised certainty penalty (NCP)",
        "0 … rows × columns",
        "the same, summed over all rows and columns",
        normalised_certainty_penalty,
    ),
    Measure(
        "loss-metric",
        "loss metric (LM)",
        "0 … 1",
        "how many other values a published value could stand for, on average",
        loss_metric,
    ),
    Measure(
        "utility-measure",
        "utility measure (UM)",
        "0 … 1",
        "how wide the published values of a group are, on average over the groups",
        utility_measure,
    ),
    Measure(
        "discernibility",
        "discernibility (DM)",
        "rows … rows²",
        "for each record the number of records it cannot be told from, summed",
        discernibility,
    ),
    Measure(
        "class-size-smallest",
        "average class size / smallest class (C_AVG)",
        "1 …",
        "1 is best: all classes are as small as the smallest",
        average_class_size_of_smallest,
    ),
    Measure(
        "precision",
        "loss of precision (1 − Prec)",
        "0 … 1",
        "how high in their hierarchies the values were lifted",
        precision_loss,
    ),
    Measure("height", "height", "0 … all levels", "levels climbed, summed over the columns", height),
    Measure(
        "entropy",
        "non-uniform entropy (bits)",
        "0 … bits",
        "bits (logarithms to base 2) of information about the original values that were lost, summed over "
        "all rows and columns",
        non_uniform_entropy,
    ),
)
OF_DOMAINS = frozenset({"gcp", "ncp", "loss-metric", "utility-measure"})
"""measures that divide by the values of a column, those of its hierarchy included"""
