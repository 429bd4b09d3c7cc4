"""A table as the public sees it: what checkers read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.verdict import Witness
from sfumato.engine.contract import Table
from sfumato.table.perturbation.contract import Mechanism


@dataclass(frozen=True)
class PublishedTable:
    """Rows in an engine, and the parts that columns play.

    ``person`` is there only while the data are still in the house: no release holds it.
    """

    table: Table
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    person: str | None = None
    mechanisms: tuple[Mechanism, ...] = ()
    """how columns were randomised, where a step of the recipe did so"""

    @cached_property
    def classes(self) -> pa.Table:
        """The combinations of quasi-identifiers that occur, with their rows and persons.

        Counted once from the published rows, and kept: several checkers ask. The columns are the
        quasi-identifiers in order, then the number of rows, then of persons.
        """
        batches = list(self.table.engine.count(self.table, self.quasi, person=self.person))
        return pa.Table.from_batches(batches) if batches else None

    @cached_property
    def class_persons(self) -> NDArray[np.int64]:
        """The number of persons of every class, in the order of ``classes``."""
        if self.classes is None:
            return np.zeros(0, np.int64)
        return np.asarray(self.classes.column(len(self.quasi) + 1).to_numpy(), np.int64)

    def witness(self, broken: NDArray[np.bool_]) -> Witness:
        """Choose one of the classes that break a promise, always the same, and say where it lies."""
        names = list(self.quasi)
        found = self.classes.filter(pa.array(broken)).rename_columns([*names, "", ""]).select(names)
        order = np.flatnonzero(broken)[
            pc.sort_indices(found, sort_keys=[(name, "ascending") for name in names]).to_numpy()
        ]
        chosen = self.classes.slice(int(order[0]), 1)
        combination = pa.table(chosen.columns[: len(names)], names=names)
        rows = self.table.engine.first_rows(self.table, names, combination)
        return Witness(self.quasi, tuple(rows), int(self.class_persons[order[0]]))
