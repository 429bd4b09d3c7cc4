"""Suppression of SNPs: whole columns are blanked until the promises hold.

The defence that is used first where genotypes are shared (Lin, Owen and Altman, *Genomic research and human
subject privacy*, 2004: some tens of independent SNPs single a person out). What remains is exact.

Let S be the kept columns. Every promise read here is monotone: if it holds for S it holds for each part of S.
So the columns are offered in the order of what they are worth, the most valuable first, and each is kept with
which the promises still hold. What comes out is minimal: a column that was refused breaks a promise
together with the columns kept before it, hence also together with all that are kept in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Demand, Figure, Problem, Solution
from sfumato.dna.methods.asked import asked_of, placed_population
from sfumato.dna.methods.keeping import watcher_of
from sfumato.dna.methods.linked import linkage, value_counts

ORDERS = ("rarest", "most-linked", "most-identifying")


@dataclass(frozen=True)
class SnpSuppression:
    """Blanks SNPs (N, ./.) for everybody: a minimal set of them, found in one of three orders.

    ``order`` says which SNPs go first: ``rarest`` those whose commonest value is nearest to everybody's,
    ``most-linked`` those with the largest sum of r² with the others (much of them can be told from what
    stays), ``most-identifying`` those of the largest entropy (few go, and those that say most).

    Enforces that combinations of values belong to k people, on all named positions at once or on any m of
    them (SNP exposure), and that each row fits k people of a population; not bins within a row. A published
    value is exact, so a linked SNP that was blanked can often be guessed from its neighbours: the promise
    is about telling people apart, not about hiding a genotype. Missing values are a value of their own: rows
    count as alike where their cells are the same sets, which is more than SNP exposure asks of them.

    No smaller set is promised: another order may need fewer. With many people and rare variants almost
    all columns go, where generalising (``dnala``, ``haplotype-blocks``) keeps most cells.

    >>> from sfumato.dna.aligned import aligned
    >>> from sfumato.dna.models import SequenceKAnonymity
    >>> rows = aligned("AAT", "AAG", "CAT", "CAG")
    >>> solution = SnpSuppression().protect(Problem(rows, (SequenceKAnonymity(2),)))
    >>> [rows.lattice.spelt(row) for row in solution.published.cells]
    ['AAN', 'AAN', 'CAN', 'CAN']
    """

    order: str = "rarest"
    name: ClassVar[str] = "snp-suppression"

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise BadInput(f"{self.name} knows no such order", remedy=nearest(str(self.order), ORDERS))

    def enforces(self, demand: Demand) -> bool:
        """Say whether the demand is about people alone, and, for a population, about all positions."""
        return demand.alike <= 1 and not (demand.mapped and demand.at_a_time is not None)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Keep as many columns as fit, the most valuable first."""
        rows = problem.rows
        asked = asked_of(problem, self)
        progress.step("choosing which SNPs may stay")
        crowd = placed_population(problem) if any(one.mapped for one in asked) else None
        watched = [(set(one.columns.tolist()), watcher_of(rows, one, crowd)) for one in asked]
        order = _most_valuable_first(rows, self.order)
        gone = np.zeros(rows.width, np.bool_)
        for done, column in enumerate(order.tolist()):
            concerned = [watcher for columns, watcher in watched if column in columns]
            if all(watcher.admits(column) for watcher in concerned):
                for watcher in concerned:
                    watcher.keep()
            else:
                gone[column] = True
            if done % 64 == 0:
                progress.update(done / rows.width)
        cells = rows.cells.copy()
        cells[:, gone] = rows.lattice.top
        details: dict[str, Figure] = {
            "order": self.order,
            "snps": rows.width,
            "snps_blanked": int(gone.sum()),
            "snps_kept": int((~gone).sum()),
        }
        return Solution(rows.with_cells(cells), np.arange(len(rows), dtype=np.int64), details)


def _most_valuable_first(rows: Aligned, order: str) -> NDArray[np.int64]:
    """The reverse of the order in which SNPs go; among equals the first column stays."""
    counts = value_counts(rows)
    if order == "rarest":
        cost = counts.max(axis=1).astype(np.float64)
    elif order == "most-linked":
        cost = linkage(rows)
    else:
        share = counts / max(len(rows), 1)
        cost = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1).round(12)
    return np.argsort(cost, kind="stable").astype(np.int64)
