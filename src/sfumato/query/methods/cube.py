"""Differentially private data cubes: all tables of up to k attributes, from few noisy ones, all in agreement.

B. Ding, M. Winslett, J. Han & Z. Li, "Differentially private data cubes: optimizing noise sources and
consistency" (SIGMOD 2011).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, islice
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT
from sfumato.query.methods.axes import columns_named
from sfumato.query.methods.contract import DpSolution, NoisyTable, Problem
from sfumato.query.methods.cuboids import Choice, Cuboid, Lattice, agreeing, choose, cuboids_up_to
from sfumato.query.methods.curator import Cells, Codes, DataCurator, split
from sfumato.query.methods.range_error import Floats, Integers

_MOST_CANDIDATES = 1024
_MOST_PUBLISHED = 500


class Aim(StrEnum):
    """What the choice of cuboids makes small."""

    TOTAL = "total"
    """the mean over all cuboids of the variance of a cell"""
    WORST = "worst"
    """the largest of them"""


@dataclass(frozen=True)
class DataCube:
    """The counts over every set of up to ``dimensions`` attributes.

    Measuring all of them would spread the price thin; measuring only the finest would add up its noise in
    every sum. Which cuboids are measured is decided from the sizes of the domains: the set that makes the
    expected variance small (``aim``). All others are derived, all estimates are those of least squares, and
    all agree: the sum over an attribute is the table without it, and every table has the same total.

    A person is in one cell of each measured cuboid, so that s cuboids have ε/s each and noise of scale s/ε
    (2s/ε where one person is replaced by another, and the total is then public).

    ``cells`` bounds the size of a cuboid that may be measured. Counts may be negative and are not whole:
    cutting them off at 0 would break the agreement.
    """

    dimensions: int = 2
    attributes: tuple[str, ...] | None = None
    aim: Aim = Aim.TOTAL
    cells: int = 2_000_000
    name: ClassVar[str] = "data-cube"

    def __post_init__(self) -> None:
        if isinstance(self.dimensions, bool) or self.dimensions < 1 or self.cells < 1:
            raise BadInput("dimensions and cells must be at least 1", where=self.name, remedy="try 2")
        if self.aim not in list(Aim):
            raise BadInput(f"there is no aim '{self.aim}'", where=self.name, remedy=nearest(self.aim, Aim))

    def protect(self, problem: Problem) -> DpSolution:
        """Spend the price on the chosen cuboids."""
        progress = problem.progress or SILENT
        curator = DataCurator(problem)
        columns = columns_named(curator.attributes, self.attributes, self.name)
        names = [curator.attributes[c].name for c in columns]
        sizes = [curator.attributes[c].size for c in columns]
        progress.step("choosing cuboids")
        lattice, choice = self.plan(sizes, pure=curator.pure, known_total=curator.people is not None)
        progress.step("counting cuboids")
        noisy: dict[Cuboid, Floats] = {}
        variance: dict[Cuboid, float] = {}
        for cuboid, share in zip(
            choice.measured, split(curator.left, [1] * len(choice.measured)), strict=True
        ):
            shape = [sizes[a] for a in cuboid]
            what = "counts of " + " × ".join(names[a] for a in cuboid)
            found = curator.count(_cells([columns[a] for a in cuboid], shape), math.prod(shape), share, what)
            noisy[cuboid] = found.counts.astype(np.float64).reshape(shape)
            variance[cuboid] = found.deviation**2
            progress.update(len(noisy) / len(choice.measured))
        progress.step("making cuboids agree")
        people = None if curator.people is None else float(curator.people)
        tables = agreeing(lattice, noisy, variance, people)
        precision = np.sum([lattice.precision(c) / variance[c] for c in noisy], axis=0)
        errors = dict(zip(lattice.published, np.sqrt(lattice.variances(precision)).tolist(), strict=True))
        spent, steps = curator.spent()
        return DpSolution(
            spent=spent,
            tables=tuple(
                NoisyTable(tuple(names[a] for a in cuboid), table, errors[cuboid])
                for cuboid, table in tables.items()
            ),
            expected_error={" × ".join(names[a] for a in cuboid): e for cuboid, e in errors.items()},
            steps=steps,
            published={
                "neighbours": problem.neighbours.value,
                "cuboids": len(tables),
                "measured": ", ".join(" × ".join(names[a] for a in c) for c in choice.measured),
            },
        )

    def plan(
        self, sizes: Sequence[int], *, pure: bool = True, known_total: bool = False
    ) -> tuple[Lattice, Choice]:
        """Choose what to measure over attributes of these sizes; no data are needed.

        >>> _, choice = DataCube(dimensions=2).plan([2, 2, 2])
        >>> choice.measured  # one table of eight cells is better than three of four
        ((0, 1, 2),)
        """
        published = cuboids_up_to(min(self.dimensions, len(sizes)), len(sizes))
        lattice = Lattice(tuple(sizes), tuple(published), known_total)
        if len(published) > _MOST_PUBLISHED or max(lattice.cells(c) for c in published) > self.cells:
            raise BadInput(
                f"the cube would have {len(published)} cuboids, the largest of "
                f"{max(lattice.cells(c) for c in published)} cells",
                where=self.name,
                remedy=f"ask for fewer dimensions or attributes (up to {_MOST_PUBLISHED} cuboids of "
                f"{self.cells} cells)",
            )
        candidates = list(published)
        for k in range(self.dimensions + 1, len(sizes) + 1):
            fitting = (c for c in combinations(range(len(sizes)), k) if lattice.cells(c) <= self.cells)
            more = list(islice(fitting, _MOST_CANDIDATES - len(candidates)))
            if not more:
                break
            candidates += more
        return lattice, choose(lattice, candidates, worst=self.aim == Aim.WORST, pure=pure)


def _cells(columns: Sequence[int], shape: Sequence[int]) -> Cells:
    def cells(codes: Codes) -> Integers:
        return np.ravel_multi_index([codes[:, c] for c in columns], shape).astype(np.int64)

    return cells
