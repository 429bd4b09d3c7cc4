"""DNALA: DNA lattice anonymisation (Malin 2005).

*Protecting DNA Sequence Anonymity with Generalization Lattices*, Methods of Information in Medicine: each
sequence is grouped with those closest to it, and at each position a group publishes the smallest set of
bases that holds all of its own. With z the join of a group G at a position,

    d(x, y) = 2·level(x ∨ y) − level(x) − level(y),     loss = Σ over groups, rows x ∈ G: level(z) − level(x)

and for pairs the loss is the sum of their distances. Every published row then stands for k persons or more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Demand, Problem, Solution
from sfumato.dna.methods.asked import asked_of, numbered_persons
from sfumato.hierarchy.iupac import Lattice, iupac

Pairing = Literal["closest-first", "exact", "input-order"]
PAIRINGS: tuple[Pairing, ...] = ("closest-first", "exact", "input-order")
NEIGHBOURS = 16


@dataclass(frozen=True)
class Dnala:
    """Groups rows of k persons or more and publishes their joins: k-anonymity, truthful, no row left out.

    ``pairing`` is ``closest-first`` with local search (any k; groups may be larger than k where that loses
    less), ``exact`` (k = 2: the best of all pairings; extra ``matching``), or ``input-order`` (greedy in the
    order of the file, as published). Each row looks at the ``neighbours`` nearest distinct rows, and
    ``effort`` / k disturbances for each row are tried. Rows that are left over when k does not divide their
    number join the group that they add least to; with ``leave_out`` as many as persons are over a multiple
    of k are left out instead, those first whose leaving saves most.

    Where a promise names positions, only these are compared and generalised; the others stay as they are and
    may well tell who somebody is. A person may have several rows: they may stand in one group or in several,
    and every group holds k distinct persons. The numbers of persons must not be published with the rows.

    It bounds linkage on the positions, not what a group has in common: where all of a group have an allele,
    it is published as it is. Nor does it hide people from their own group: a join is no larger than it must
    be, so that who stands in a pair knows the other's row, and k − 1 who compare theirs know the last one. An
    allele at a position that was not generalised may tell of relatives. Whoever knows that positions are
    linked may undo some of the generalisation.

    >>> from sfumato.dna.aligned import aligned
    >>> from sfumato.dna.models.sequence_k_anonymity import SequenceKAnonymity
    >>> rows = aligned("AATTA", "AATGA", "ATTCA", "AATGA")
    >>> found = Dnala().protect(Problem(rows, (SequenceKAnonymity(2),)))
    >>> [rows.lattice.spelt(row) for row in found.published.cells], found.details["loss"]
    (['AWTYA', 'AATGA', 'AWTYA', 'AATGA'], 4)
    """

    pairing: Pairing = "closest-first"
    seed: int = 0
    gap_level: int | None = None
    """how much a gap leaves open, from 1 to 4; as the lattice of the rows says (3) unless given"""
    leave_out: bool = False
    neighbours: int = NEIGHBOURS
    effort: int = 20

    name: ClassVar[str] = "dnala"

    def __post_init__(self) -> None:
        if self.pairing not in PAIRINGS:
            hint = nearest(str(self.pairing), PAIRINGS)
            raise BadInput("dnala does not know this pairing", where="dnala, pairing", remedy=hint)
        for what, value, least in (
            ("seed", self.seed, 0),
            ("neighbours", self.neighbours, 1),
            ("effort", self.effort, 0),
        ):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise BadInput(f"{what} must be a whole number of at least {least}", where=f"dnala, {what}")
        if self.gap_level is not None:
            iupac(self.gap_level)

    def enforces(self, demand: Demand) -> bool:
        """Say whether the demand is about persons alike among those published, on whatever positions.

        Rows that are alike on all positions are alike on any few of them.
        """
        return demand.alike <= 1 and not demand.mapped

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Group the rows and publish what each group has in common."""
        asked = [one for one in asked_of(problem, self) if one.people > 1 and len(one.columns)]
        rows = problem.rows
        if not asked:
            return Solution(rows, np.arange(len(rows), dtype=np.int64), {"loss": 0, "distance": 0})
        k = max(one.people for one in asked)
        if self.pairing == "exact" and k != 2:
            raise BadInput(
                f"exact pairing makes pairs and groups of {k:,} are asked for",
                where="dnala, pairing",
                remedy="take pairing: closest-first",
            )
        columns = np.unique(np.concatenate([one.columns for one in asked]))
        known = rows.cells if len(columns) == rows.width else rows.cells[:, columns]
        owner, _ = numbered_persons(rows.owners)
        group, details = self._grouped(known, self._measured_by(rows.lattice), owner, k, progress)
        progress.step("joining the rows of each group")
        kept = np.flatnonzero(group >= 0).astype(np.int64)
        cells = rows.cells[kept]
        joined = joined_by_group(known[kept], group[kept], rows.lattice)
        if len(columns) == rows.width:
            cells = joined
        else:
            cells[:, columns] = joined
        return Solution(rows.rows(kept).with_cells(cells), kept, {"pairing": self.pairing, **details})

    def _measured_by(self, lattice: Lattice) -> Lattice:
        return lattice if self.gap_level is None or lattice.gap is None else iupac(self.gap_level)

    def _grouped(
        self, cells: NDArray[np.uint8], lattice: Lattice, owner: NDArray[np.int64], k: int, progress: Progress
    ) -> tuple[NDArray[np.int64], dict[str, int]]:
        """Return the group of each row (−1: left out), and figures of the search."""
        # Here and not above: kernels take time to load, and naming a method must not.
        from sfumato.dna.methods.pairing.closest_first import closest_first
        from sfumato.dna.methods.pairing.distances import Bits
        from sfumato.dna.methods.pairing.exact import exact
        from sfumato.dna.methods.pairing.exchange import improve
        from sfumato.dna.methods.pairing.groups import figures_of, leave_out
        from sfumato.dna.methods.pairing.input_order import input_order
        from sfumato.dna.methods.pairing.neighbours import points_of

        chance = np.random.default_rng(self.seed)
        n = len(cells)
        # Ties are broken by the order of the rows. It is drawn, lest groups tell of the order in the file.
        order = np.arange(n) if self.pairing == "input-order" else chance.permutation(n)
        progress.step("comparing rows")
        bits = Bits.of(cells[order], lattice)
        shuffled = np.ascontiguousarray(owner[order])
        if self.pairing == "input-order":
            groups = input_order(bits, shuffled, k)
        elif self.pairing == "exact":
            groups = exact(bits, shuffled)
        else:
            points = points_of(bits, self.neighbours, progress)
            groups = closest_first(bits, shuffled, k, points)
            progress.step("improving the groups")
            improve(groups, points, self.effort * n // k, chance, progress)
        if self.leave_out:
            leave_out(groups)
        group = np.empty(n, np.int64)
        group[order] = groups.group
        return group, figures_of(groups)


def joined_by_group(
    cells: NDArray[np.uint8], group: NDArray[np.int64], lattice: Lattice
) -> NDArray[np.uint8]:
    """Replace every row by the join of its group.

    >>> joined_by_group(np.array([[1], [2], [4]], np.uint8), np.array([0, 0, 1]), iupac()).ravel().tolist()
    [3, 3, 4]
    """
    if not len(cells):
        return cells.copy()
    _, number = np.unique(group, return_inverse=True)
    order = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[order], np.arange(number.max() + 1))
    merged = np.bitwise_or.reduceat(cells[order], starts, axis=0)
    joined: NDArray[np.uint8] = lattice.closed[merged][number]
    return joined
