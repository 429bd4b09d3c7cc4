"""One full-domain generalisation, judged and scored: what the classical baselines look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.judge import Judge
from sfumato.table.left_out import LeftOut
from sfumato.table.methods.lattice.outcome import generalised
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.solution import SUPPRESSED, Problem, Solution
from sfumato.table.utility.contract import Score, Scorer, Utility

Ints = NDArray[np.int64]


def ladders_of(problem: Problem, method: str) -> tuple[Ladder, ...]:
    """Return the ladders; these methods need one for every column."""
    ladders = []
    for name, ladder in zip(problem.cells.names, problem.ladders, strict=True):
        if ladder is None:
            raise BadInput(
                f"{method} needs a hierarchy for every quasi-identifier and this one has none",
                where=f"column '{name}'",
                remedy="give it a hierarchy, or use mondrian",
            )
        ladders.append(ladder)
    if not ladders:
        raise BadInput(
            "there is no quasi-identifier to generalise", remedy="give at least one column that role"
        )
    return tuple(ladders)


@dataclass(frozen=True)
class Generalisation:
    """A node of the lattice, its classes, and which of them are published. Measures read it as a survey.

    ``owner[c]`` is the class of cell c, ``first[i]`` a cell of class i.
    """

    cells: Cells
    ladders: tuple[Ladder, ...]
    levels: Ints
    owner: Ints = field(repr=False)
    first: Ints = field(repr=False)
    good: NDArray[np.bool_] = field(repr=False)
    smallest: int
    allowed: bool = True
    """whether a choice of what is left out was found, where a promise is about what is left"""

    @classmethod
    def of(
        cls, layout: Layout, levels: Ints, judge: Judge, left_out: LeftOut | None = None
    ) -> Generalisation:
        """Group the cells at a node, in the columns that have a level, and judge the classes."""
        everything = np.arange(len(layout.cells), dtype=np.int64)
        grouped = layout.group(levels, everything, np.array(layout.cells.persons, np.int64))
        owner, first = grouped.owner.copy(), grouped.first.copy()
        good = judge.satisfied(owner, len(first))
        allowed = True
        if left_out is not None:
            choice = left_out.fewest(judge.classes(owner, len(first)))
            allowed, good = choice is not None, good if choice is None else ~choice
        return cls(layout.cells, layout.ladders, levels.copy(), owner, first, good, judge.smallest, allowed)

    @property
    def rows(self) -> int:
        """All rows."""
        return self.cells.total_rows

    @cached_property
    def _class_rows(self) -> Ints:
        counted = np.zeros(len(self.first), np.int64)
        np.add.at(counted, self.owner, self.cells.rows)
        return counted

    @cached_property
    def suppressed(self) -> int:
        """Rows in classes that break a rule."""
        return int(self._class_rows[~self.good].sum())

    def fits(self, limit: int) -> bool:
        """Say whether leaving out so many rows is enough; classes without rows cannot be left out."""
        return self.allowed and self.suppressed <= limit and bool(self.good[self._class_rows == 0].all())

    @property
    def surely(self) -> int:
        """Nothing is claimed about nodes below."""
        return 0

    @property
    def kept(self) -> int:
        """Classes that are published."""
        return int(np.count_nonzero(self.class_kept()))

    @property
    def classes(self) -> int:
        """All classes."""
        return int(np.count_nonzero(self._class_rows))

    @property
    def squares_kept(self) -> int:
        """Σ size² over the classes that are published."""
        return int((self._class_rows[self.good] ** 2).sum())

    @property
    def squares(self) -> int:
        """Σ size² over all classes."""
        return int((self._class_rows**2).sum())

    def histogram(self) -> Ints:
        """Suppressed rows by column and by group at the node's level."""
        cells = self.cells
        widest = max(len(labels) for ladder in self.ladders for labels in ladder.labels)
        counted = np.zeros((len(self.ladders), widest), np.int64)
        out = ~self.good[self.owner]
        for j, ladder in enumerate(self.ladders):
            np.add.at(counted[j], ladder.rungs[self.levels[j]][cells.codes[j, out]], cells.rows[out])
        return counted

    def histogram_below(self) -> Ints:
        """Nothing is claimed about nodes below."""
        return np.zeros_like(self.histogram())

    def class_rows(self) -> Ints:
        """Size of every class."""
        return self._class_rows

    def class_kept(self) -> NDArray[np.bool_]:
        """Whether a class is published."""
        kept: NDArray[np.bool_] = self.good & (self._class_rows > 0)
        return kept

    def score(self, scorer: Scorer) -> Score:
        """Return what the generalisation loses."""
        return scorer.score(scorer.appraise(self))

    def solution(self, utility: Utility | None, details: Mapping[str, int | float | str]) -> Solution:
        """Return the generalisation with the broken classes suppressed."""
        cells = self.cells
        kept = self.class_kept()
        number = np.where(kept, np.cumsum(kept) - 1, SUPPRESSED).astype(np.int32)
        shown = self.first[kept]
        boxes = np.empty((len(self.ladders), len(shown)), np.int32)
        for j, ladder in enumerate(self.ladders):
            boxes[j] = ladder.rungs[self.levels[j]][cells.codes[j, shown]]
        return Solution(
            cells=cells,
            classes=number[self.owner],
            boxes=boxes,
            columns=tuple(
                generalised(domain, ladder, int(level))
                for domain, ladder, level in zip(cells.domains, self.ladders, self.levels, strict=True)
            ),
            levels=tuple(self.levels.tolist()),
            score=None if utility is None else self.score(utility.prepare(cells, self.ladders)),
            details={**details, "classes": int(np.count_nonzero(kept))},
        )
