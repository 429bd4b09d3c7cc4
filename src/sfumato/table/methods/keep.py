"""Keep the quasi-identifiers as they are: the promises are only checked.

For tables that were made safe before: by perturbation (microaggregation of all quasi-identifiers:
J. Domingo-Ferrer and V. Torra (2005)), or by somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.table.judge import Judge
from sfumato.table.left_out import LeftOut, depends
from sfumato.table.solution import SUPPRESSED, Generalised, Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility


@dataclass(frozen=True)
class Keep:
    """Every combination of quasi-identifiers is its own class and is published as it is.

    Classes that break a rule are left out, if they hold at most ⌊suppress · rows⌋ rows; else the promise
    cannot be kept this way and nothing is published. Nothing is generalised. It protects from what the models
    protect from and adds nothing of its own.

    >>> Keep(suppress=0.05).most_suppressed(100)
    5
    """

    suppress: float = 0.0
    name: ClassVar[str] = "keep"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = False
    judges_sizes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0.0 <= self.suppress <= 1.0:
            raise BadInput("suppress must be a share between 0 and 1", remedy="0.05 allows one row in twenty")

    def most_suppressed(self, rows: int) -> int:
        """Return ⌊suppress · rows⌋, exactly, for the share as it was written."""
        return floor(Fraction(str(float(self.suppress))) * rows)

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Ask the rules about every cell; nothing else is decided."""
        cells = problem.cells
        for domain, ladder in zip(cells.domains, problem.ladders, strict=True):
            if ladder is not None and ladder.hides_values(domain):
                raise BadInput(
                    "its hierarchy hides values, and 'keep' publishes all of them",
                    where=f"column '{domain.name}'",
                    remedy="take the hierarchy away, or use another method",
                )
        every = np.arange(len(cells), dtype=np.int32)
        judge = Judge.of(problem)
        good = judge.satisfied(every, len(cells))
        limit = self.most_suppressed(cells.total_rows)
        if depends(problem):
            choice = LeftOut(problem, limit).fewest(judge.classes(every, len(cells)))
            if choice is None:
                raise PromiseNotMet(
                    f"no choice of classes to leave out was found that keeps the promises; {limit} of "
                    f"{cells.total_rows} rows may be left out",
                    where="method 'keep'",
                    remedy="perturb more (a larger k), allow 'suppress', or use a method that generalises",
                )
            good = ~choice
        if absent := int((~good & (cells.rows == 0)).sum()):
            raise PromiseNotMet(
                f"of {absent} combinations in the population nobody is in the table, against the lower bound "
                "on presence",
                where="method 'keep'",
                remedy="use a method that generalises, or set 'min' to 0",
            )
        lost = int(cells.rows[~good].sum())
        if lost > limit:
            raise PromiseNotMet(
                f"{int((~good).sum())} classes break a promise; they hold {lost} of {cells.total_rows} rows, "
                f"and {limit} may be left out",
                where="method 'keep'",
                remedy="perturb more (a larger k), allow 'suppress', or use a method that generalises",
            )
        classes = np.full(len(cells), SUPPRESSED, np.int32)
        classes[good] = np.arange(int(good.sum()), dtype=np.int32)
        return Solution(
            cells=cells,
            classes=classes,
            boxes=np.ascontiguousarray(cells.codes[:, good]),
            columns=tuple(_as_it_is(domain) for domain in cells.domains),
            unchanged=True,
            details={"classes": int(good.sum()), "suppressed_rows": lost, "suppression_limit": limit},
        )


def _as_it_is(domain: Domain) -> Generalised:
    """Every value stands for itself alone."""
    size = len(domain)
    span = np.nan
    if domain.scale is not Scale.CATEGORY and domain.positions is not None:
        present = domain.positions[~np.isnan(domain.positions)]
        span = float(np.ptp(present)) if len(present) else np.nan
    extent = np.zeros(size) if not np.isnan(span) else np.full(size, np.nan)
    nothing = np.full(size, np.nan)
    return Generalised(domain.name, domain.texts, np.ones(size), size, extent, span, nothing, 0)
