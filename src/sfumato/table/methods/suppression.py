"""Attribute suppression: hide whole columns, as few as will do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from sfumato.core.progress import SILENT, Progress
from sfumato.hierarchy.ladder import ROOT
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.methods.suppression_ladders import suppression_ladders
from sfumato.table.solution import Problem, Solution
from sfumato.table.utility.contract import Utility
from sfumato.table.utility.height import Height


@dataclass(frozen=True)
class AttributeSuppression:
    """Every column is published as it is or not at all (as ``*``), as in A. Meyerson and R. Williams (2004).

    Of all choices of columns that satisfy the rules with at most ⌊suppress · rows⌋ rows suppressed,
    one that hides the fewest columns is taken; of these, one that suppresses the fewest rows. What is
    left of the table is exact, and its columns can be analysed as before. It costs much more than
    generalisation: use it when there are no hierarchies, or when some columns are not needed.

    >>> AttributeSuppression()
    AttributeSuppression(suppress=0.0)
    """

    suppress: float = 0.0
    name: ClassVar[str] = "attribute-suppression"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = False
    judges_sizes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        OptimalLattice(self.suppress)

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Choose the columns: the fewest, whatever the ``utility``."""
        flat = replace(problem, ladders=suppression_ladders(problem, ROOT))
        found = OptimalLattice(self.suppress).search(flat, Height(), progress=progress)
        assert found.levels is not None
        hidden = [name for name, level in zip(problem.cells.names, found.levels, strict=True) if level]
        details = {
            **found.details,
            "hidden_columns": len(hidden),
            "hidden": ", ".join(hidden),
        }
        # Levels are those of the problem's own ladders, and these are others.
        return replace(found, levels=None, details=details)
