"""What a method for records of two kinds is handed, and what it hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.hierarchy.ladder import Ladder
from sfumato.record.relational_codes.k_km_anonymity import KKmAnonymity
from sfumato.record.relational_codes.published import PublishedRecords
from sfumato.table.cells import Cells
from sfumato.table.solution import Solution


@dataclass(frozen=True)
class RecordsProblem:
    """One row and one set of codes for each person: record r lies in cell ``cell_of[r]``."""

    cells: Cells
    cell_of: NDArray[np.int64] = field(repr=False)
    ladders: tuple[Ladder | None, ...]
    sets: CodeSets
    model: KKmAnonymity
    tree: CodeTree | None = None
    """the hierarchy over the codes, for methods that need one"""


@dataclass(frozen=True)
class RecordsSolution:
    """What a method found: published record r is record r of the problem."""

    published: PublishedRecords
    relational: Solution = field(repr=False)
    """what became of the quasi-identifiers, for the measures of tables"""
    details: Mapping[str, int | float | str] = field(default_factory=dict)
    """figures of the search, for the steward"""
