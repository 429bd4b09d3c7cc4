"""What a search is given and what it hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.rule import Rule
from sfumato.table.whole_rule import WholeRule

SUPPRESSED = -1
"""the class of a cell whose rows are left out"""


@dataclass(frozen=True)
class Problem:
    """Cells, the ladder of each quasi-identifier (None where it has no hierarchy), the rules."""

    cells: Cells
    ladders: tuple[Ladder | None, ...]
    rules: tuple[Rule, ...]
    sensitive_ladders: Mapping[str, Ladder] = field(default_factory=dict)
    """hierarchies of sensitive columns, where a rule needs one"""
    bases: Mapping[tuple[str, bool], NDArray[np.int64]] = field(default_factory=dict)
    """by column and whether rows are counted: who has which sensitive value in the table that is released,
    for rules that compare with it (``Rule.as_released``); the cells' own where absent"""
    whole: tuple[WholeRule, ...] = ()
    """what is asked of the sizes of all classes together"""
    starred: bool = False
    """suppressed rows stay, as a class that shows nothing: the public counts it too"""

    def __post_init__(self) -> None:
        if len(self.ladders) != len(self.cells.domains):
            raise BadInput("there must be one ladder (or None) for each quasi-identifier")


@dataclass(frozen=True)
class Generalised:
    """The generalised values that one column may show, and how wide each of them is.

    For value v: ``labels[v]`` is what is published; ``leaves[v]`` how many values of the domain it
    may stand for, of ``size`` in all; ``extent[v]`` the width of its interval on the axis, of
    ``span`` in all (NaN where the column has no axis); ``levels[v]`` its level, of ``height`` (NaN
    where it comes from no hierarchy).
    """

    name: str
    labels: tuple[str | None, ...]
    leaves: NDArray[np.float64] = field(compare=False)
    size: int
    extent: NDArray[np.float64] = field(compare=False)
    span: float = field(compare=False)
    levels: NDArray[np.float64] = field(compare=False)
    height: int


@dataclass(frozen=True)
class Solution:
    """What a method decided about the cells.

    ``classes[c]`` is the class of cell c, or SUPPRESSED; ``boxes[j, i]`` is the generalised value
    (a position in ``columns[j].labels``) that class i shows in column j.
    ``levels`` says that each column was generalised as a whole; ``columns[j].labels`` are then the
    labels of that level of its ladder, in the ladder's order.
    """

    cells: Cells
    classes: NDArray[np.int32] = field(repr=False)
    boxes: NDArray[np.int32] = field(repr=False)
    columns: tuple[Generalised, ...] = field(repr=False)
    levels: tuple[int, ...] | None = None
    score: float | tuple[float, ...] | None = None
    """value of the utility that was searched for (lower is better)"""
    bound: float | tuple[float, ...] | None = None
    """no solution of this method can score lower"""
    optimal: bool = False
    unchanged: bool = False
    """every class is one cell that shows its own values"""
    details: Mapping[str, int | float | str] = field(default_factory=dict)

    @property
    def hiding(self) -> tuple[str, ...]:
        """The columns in which some values are shown as missing that are not."""
        kept = self.classes != SUPPRESSED
        found = []
        for j, (domain, column) in enumerate(zip(self.cells.domains, self.columns, strict=True)):
            empty = np.array([label is None for label in column.labels], np.bool_)
            there = np.array([value is not None for value in domain.values], np.bool_)
            if (
                empty.any()
                and (empty[self.boxes[j, self.classes[kept]]] & there[self.cells.codes[j, kept]]).any()
            ):
                found.append(domain.name)
        return tuple(found)

    @property
    def suppressed_rows(self) -> int:
        """How many rows are left out."""
        return int(self.cells.rows[self.classes == SUPPRESSED].sum())
