"""Generalisation that knows which SNPs hang together: people are grouped by their haplotypes.

DNALA (Malin 2005) counts all SNPs alike. Here a SNP has a weight that comes from its haplotype block
(``methods/blocks``), and groups of k people are sought whose joins lose the least (``methods/grouping``):

    loss = Σ_rows Σ_j weight(j) · (level(published_j) − level(original_j))

With s(j) = Σ_{i in the block of j} r²(i, j), the number of SNPs that j speaks for, the weight is s(j), 1 or
1/s(j). The last, the default, counts each independent piece of information once. The first is for studies of
association, where a cause shows in all SNPs linked to it. The search begins with DNALA's groups, so that the
weighted loss is never more than theirs; with all weights 1 nor is the plain one. For given groups the join is
the least that truthful rows can lose, so only the choice of groups is left to win by, and the gain is small:
about one per cent of the weighted loss (``benchmarks/dna_methods``). The error of linkage and the hits of a
study are lower on most data, not on all: neither is promised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Demand, Figure, Problem, Solution
from sfumato.dna.methods.asked import asked_of
from sfumato.dna.methods.blocks import haplotype_blocks
from sfumato.dna.methods.dnala import Dnala
from sfumato.dna.methods.grouping import Grouping

POWERS = {"linked": 1, "alike": 0, "independent": -1}


@dataclass(frozen=True)
class HaplotypeBlocks:
    """Publishes groups of k people as the join of their rows, at the least loss of weighted SNPs.

    ``weigh`` is ``independent`` (each independent piece of information counts once), ``alike`` (plain lattice
    loss) or ``linked`` (a SNP counts for all that it speaks for). Blocks are found in the rows themselves,
    in the order of the columns. ``rounds`` is how often neighbouring groups are dissolved and rebuilt; the
    same ``seed`` gives the same groups.

    Rows of a group are the same on *all* asked columns, never block by block: a cell that could be told from
    linked SNPs tells no member from another. Enforces k-anonymity on all or some positions; a promise about
    any m of them is kept by making all alike, which is more than it asks, and of several promises the largest
    k on all their positions together. Not bins within a row, nor promises about a population. Like every
    k-anonymous release it does not hide what a whole group shares, nor relatives.

    >>> from sfumato.dna.aligned import aligned
    >>> from sfumato.dna.models import SequenceKAnonymity
    >>> rows = aligned("AATTA", "AATGA", "ATTCA", "AATGA")
    >>> solution = HaplotypeBlocks().protect(Problem(rows, (SequenceKAnonymity(2),)))
    >>> [rows.lattice.spelt(row) for row in solution.published.cells]
    ['AWTYA', 'AATGA', 'AWTYA', 'AATGA']
    """

    weigh: str = "independent"
    rounds: int = 4
    seed: int = 0
    name: ClassVar[str] = "haplotype-blocks"

    def __post_init__(self) -> None:
        if self.weigh not in POWERS:
            raise BadInput(f"{self.name} knows no such weights", remedy=nearest(str(self.weigh), POWERS))
        for value, what in ((self.rounds, "rounds"), (self.seed, "seed")):
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise BadInput(
                    f"{what} is a whole number from 0", where=self.name, remedy=f"{what}: 4 is usual"
                )

    def enforces(self, demand: Demand) -> bool:
        """Say whether the demand is about these people alone."""
        return demand.alike <= 1 and not demand.mapped

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Weigh the SNPs, group the people, join the rows of each group."""
        rows = problem.rows
        asked = [one for one in asked_of(problem, self) if one.people > 1]
        k = max((one.people for one in asked), default=1)
        columns = np.unique(np.concatenate([np.zeros(0, np.int64), *(one.columns for one in asked)]))
        # A column that is the same for everybody is published as it is, whatever the groups.
        columns = columns[(rows.cells[:, columns] != rows.cells[0, columns]).any(axis=0)]
        cells = rows.cells.copy()
        details: dict[str, Figure] = {"k": k, "snps_that_vary": len(columns)}
        if k > 1 and len(columns):
            some = rows.columns(columns)
            progress.step("looking for haplotype blocks")
            blocks = haplotype_blocks(some)
            weights = blocks.linked ** POWERS[self.weigh]
            plain = Dnala(seed=self.seed).protect(problem, progress=progress).published.cells[:, columns]
            # Groups that DNALA publishes alike are one from here on.
            _, given = np.unique(plain, axis=0, return_inverse=True)
            given = given.reshape(-1).astype(np.int64)
            persons = np.unique(np.stack([given, rows.owners]), axis=1)[0]
            if np.bincount(persons).min() < k:
                raise AssertionError("the search begins with groups of k persons")
            groups, distinct = Grouping(self.rounds, self.seed).groups(some, weights, k, given, progress)
            order = np.argsort(groups, kind="stable")
            for members in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
                cells[np.ix_(members, columns)] = rows.lattice.join(some.cells[members])
            climbed = rows.lattice.levels[cells[:, columns]] - rows.lattice.levels[some.cells]
            details |= {
                "groups": len(np.unique(groups)),
                "blocks": len(blocks),
                "independent_snps": round(blocks.independent, 1),
                "different_snps": distinct,
                "levels_climbed": int(climbed.sum()),
                "independent_levels_climbed": round(float((climbed / blocks.linked).sum()), 1),
            }
        return Solution(rows.with_cells(cells), np.arange(len(rows), dtype=np.int64), details)
