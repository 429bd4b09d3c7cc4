"""Binning: SNP values climb a tree until enough SNPs of a row, and enough people, share them.

Lin, Hewett and Altman, *Using binning to maintain confidentiality of medical data* (2002), in two steps:

1. within: in every row each value stands at B or more SNPs. Values climb to their closest ancestors, from the
   bottom up, until none is left with fewer;
2. across: each combination of values on a set of SNPs belongs to B′ or more people. The combination with the
   fewest people is taken first, and generalised until it is shared.

The paper leaves open which cells climb and with whom a combination is shared. Here, in a row of n_v cells of
value v, as few levels are climbed as any choice along the tree allows (a dynamic programme over the tree,
exact); of cells with the same value those climb first that the second step does not look at, then those of
the columns on which people differ most. A combination is joined with the one that costs the fewest levels,
counted over the rows of both. What one step undoes of the other is done again, until nothing changes: cells
only ever climb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Demand, Figure, Problem, Solution
from sfumato.dna.methods.asked import Asked, asked_of
from sfumato.dna.methods.climbing import Climb, climb_of
from sfumato.dna.methods.linked import value_counts
from sfumato.hierarchy.iupac import SIZE


@dataclass(frozen=True)
class Binning:
    """Generalises along a tree: B from a promise of bins within rows, B′ from one about people.

    The tree is that of the problem; without one purines-pyrimidines for bases, carriers for genotypes. With
    ``within`` false only the second step is done, and promises of bins within rows are refused.

    Enforces k-anonymity on all or some positions, and bins; a promise about any m positions of a set is kept
    by making the whole set alike, which is more than it asks. Not promises about a population. It is the
    baseline of the literature: rows are joined greedily along one tree, so that ``dnala`` and
    ``haplotype-blocks`` keep more where only people count.

    >>> from sfumato.dna.aligned import aligned
    >>> from sfumato.dna.models import Bins
    >>> rows = aligned("AAGTC", "AAATC", "CAGTC", "CGGTC")
    >>> solution = Binning().protect(Problem(rows, (Bins(across=2),)))
    >>> [rows.lattice.spelt(row) for row in solution.published.cells]
    ['AARTC', 'AARTC', 'CRGTC', 'CRGTC']
    """

    within: bool = True
    name: ClassVar[str] = "binning"

    def __post_init__(self) -> None:
        if not isinstance(self.within, bool):
            raise BadInput("within is true or false", where=self.name, remedy="leave it out to do both steps")

    def enforces(self, demand: Demand) -> bool:
        """Say whether the demand is about these rows, and about values within them only if that is done."""
        return not demand.mapped and (self.within or demand.alike <= 1)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Do both steps until nothing changes."""
        rows = problem.rows
        asked = asked_of(problem, self)
        climb, named = climb_of(rows, problem.tree)
        bins = max(one.alike for one in asked)
        order = _first_to_climb(rows, asked)
        cells = rows.cells.copy()
        rounds = 0
        changed = True
        while changed:
            rounds += 1
            before = cells.copy()
            progress.step(f"binning, round {rounds}")
            if bins > 1:
                _within(cells, bins, climb, order)
            for at, one in enumerate(asked):
                _across(cells, rows.owners, one, climb, progress)
                progress.update((at + 1) / len(asked))
            changed = bool((cells != before).any())
        levels = rows.lattice.levels
        details: dict[str, Figure] = {
            "tree": named,
            "rounds": rounds,
            "cells_changed": int((cells != rows.cells).sum()),
            "levels_climbed": int((levels[cells] - levels[rows.cells]).sum()),
        }
        return Solution(rows.with_cells(cells), np.arange(len(rows), dtype=np.int64), details)


def _first_to_climb(rows: Aligned, asked: tuple[Asked, ...]) -> NDArray[np.int64]:
    """Columns in the order in which their cells climb, where any would do."""
    looked_at = np.zeros(rows.width, np.int64)
    for one in asked:
        if one.people > 1:
            looked_at[one.columns] = 1
    commonest = value_counts(rows).max(axis=1)
    return np.lexsort((np.arange(rows.width), commonest, looked_at)).astype(np.int64)


def _within(cells: NDArray[np.uint8], bins: int, climb: Climb, order: NDArray[np.int64]) -> None:
    """Let values of each row climb until each stands at enough columns."""
    from sfumato.dna.methods import _kernels_binning as kernels

    nodes = climb.nodes
    number = np.zeros(SIZE, np.int64)
    number[nodes] = np.arange(len(nodes))
    parent = number[climb.parent[nodes]]
    levels = climb.lattice.levels
    rise = levels[climb.parent[nodes]] - levels[nodes]
    # Of more than this some could go back down: each ancestor needs B cells at most, the node itself B − 1.
    most = np.minimum((climb.heights + 1) * bins, cells.shape[1]) * (climb.heights > 0)
    found: dict[bytes, NDArray[np.int64]] = {}
    for row in cells:
        at = number[row]
        own = np.bincount(at, minlength=len(nodes))
        if not ((own > 0) & (own < bins)).any():
            continue
        key = own.tobytes()
        if key not in found:
            found[key] = np.zeros(len(nodes), np.int64)
            kernels.cheapest_climb(own, parent, rise, most, bins, found[key])
        kernels.climb(at, order, parent, found[key])
        row[:] = nodes[at]


def _across(
    cells: NDArray[np.uint8], owners: NDArray[np.int64], asked: Asked, climb: Climb, progress: Progress
) -> None:
    """Join combinations of values on the asked columns, the least represented first, until all have enough
    people."""
    from sfumato.dna.methods import _kernels_binning as kernels

    if not len(asked.columns):
        return
    seen, of_row = np.unique(cells[:, asked.columns], axis=0, return_inverse=True)
    classes = np.ascontiguousarray(seen)
    of_row = of_row.reshape(-1)
    sizes = np.bincount(of_row).astype(np.int64)
    people: list[set[int]] = [set() for _ in classes]
    for one, person in zip(of_row.tolist(), owners.tolist(), strict=True):
        people[one].add(person)
    many = np.array([len(who) for who in people], np.int64)
    joined = np.arange(len(classes))
    rise = climb.rise
    few = int((many < asked.people).sum())
    enough = np.int64(1) << 60
    while True:
        one = int(np.where(sizes > 0, many, enough).argmin())
        if many[one] >= asked.people:
            break
        other = kernels.cheapest_partner(one, classes, sizes, rise)
        classes[other] = climb.joins[classes[one], classes[other]]
        people[other] |= people[one]
        many[other] = len(people[other])
        sizes[other] += sizes[one]
        sizes[one] = 0
        joined[joined == one] = other
        progress.update(1 - (many < asked.people).sum() / (few + 1))
    cells[:, asked.columns] = classes[joined[of_row]]
