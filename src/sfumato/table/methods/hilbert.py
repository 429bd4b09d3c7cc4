"""Partitioning along a Hilbert curve: sort, then cut the order where it loses least.

T. Iwuchukwu and J. Naughton, "K-anonymization as spatial indexing: toward scalable and incremental
anonymization" (VLDB 2007), bulk-load an R-tree along a space-filling curve and publish its leaves;
G. Ghinita et al., "Fast data anonymization with low information loss" (VLDB 2007), cut the order of a
Hilbert curve by dynamic programming. Both are joined here; ``growing`` keeps such leaves as records
arrive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.table.judge import Judge
from sfumato.table.methods._kernels_hilbert import cut_order, hilbert_keys
from sfumato.table.methods.clustering.clustering import finished
from sfumato.table.methods.mondrian import home_persons
from sfumato.table.methods.mondrian_columns import Column, columns_of, shape_of
from sfumato.table.solution import Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility

Output = Literal["tight", "hierarchy"]

_BITS = 10
"""steps of the curve along a column: 1024"""
_MOST_COLUMNS = 62


@dataclass(frozen=True)
class Hilbert:
    """Leaves of a bulk-loaded R-tree: runs of at least k persons along a Hilbert curve.

    Every column is laid on 1024 places: numbers and dates by their place on the axis, categories by the
    order of their values. Cells are sorted along the curve, which keeps near what is near, and the order
    is cut into runs so that

        Σ_runs rows · Σ_j width_j     is least among all cuts with k persons in every run.

    Linear in the number of cells after sorting. Clusterings keep more; this one is fast, and its
    leaves can grow. ``output`` as for Mondrian.

    >>> Hilbert()
    Hilbert(output='tight')
    """

    output: Output = "tight"
    name: ClassVar[str] = "hilbert"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.output not in get_args(Output):
            raise BadInput(
                f"Hilbert knows no output '{self.output}'", remedy=nearest(self.output, get_args(Output))
            )

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Sort and cut. The cut has the least certainty penalty, whatever the ``utility``."""
        cells = problem.cells
        if not cells.domains:
            raise BadInput("the curve needs a quasi-identifier to run along", remedy="declare one")
        judge = Judge.of(problem)
        persons = np.array(home_persons(cells), np.int64)
        total = int(persons.sum())
        if total < judge.smallest:
            raise PromiseNotMet(
                f"every class needs {judge.smallest} persons and the data have {total}",
                remedy="lower k or add data",
            )
        columns = columns_of(problem, hierarchical=self.output == "hierarchy")
        progress.step("sorting along the curve")
        order = curve_order(cells.codes, columns)
        progress.step("cutting")
        owners = runs(cells.codes, order, persons, cells.rows, judge.smallest, columns)
        return finished(problem, judge, persons, columns, owners, self.output, {}, progress)


def curve_order(codes: NDArray[np.int32], columns: tuple[Column, ...]) -> NDArray[np.int64]:
    """Return the cells in the order of a Hilbert curve through the places of their values."""
    if len(columns) > _MOST_COLUMNS:
        raise BadInput(f"the curve runs through at most {_MOST_COLUMNS} quasi-identifiers")
    top = (1 << _BITS) - 1
    axes = np.empty((codes.shape[1], len(columns)), np.int64)
    for j, column in enumerate(columns):
        codes_of = np.arange(len(column.domain))
        share = column.axis if column.span > 0 else codes_of / max(1, len(codes_of) - 1)
        share = np.where(codes_of == column.missing, 1.0, share)
        axes[:, j] = np.rint(share * top).astype(np.int64)[codes[j]]
    keys = np.empty((codes.shape[1], _BITS), np.int64)
    hilbert_keys(axes, _BITS, keys)
    return np.lexsort(keys.T[::-1])


def runs(
    codes: NDArray[np.int32],
    order: NDArray[np.int64],
    persons: NDArray[np.int64],
    rows: NDArray[np.int64],
    k: int,
    columns: tuple[Column, ...],
) -> NDArray[np.int64]:
    """Cut an order of cells into the best runs of k persons; return the run of each cell."""
    before = np.zeros(len(order) + 1, np.int64)
    cut_order(np.array(codes), order, persons, np.array(rows), k, shape_of(columns), before)
    owners = np.empty(len(order), np.int64)
    end = len(order)
    while end > 0:
        owners[order[before[end] : end]] = end
        end = int(before[end])
    return np.unique(owners, return_inverse=True)[1].astype(np.int64)
