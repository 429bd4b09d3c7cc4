"""The classification metric (CM) of V. S. Iyengar, "Transforming data to satisfy privacy constraints"
(KDD 2002): groups that mix class labels are of little use to a classifier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.table.utility.records import Records


def classification_metric(released: pa.Table, quasi: tuple[str, ...], target: str, rows: int) -> float:
    """CM = (1/n) Σ_records penalty: 1 if it was suppressed or is not of its group's majority, else 0.

    ``rows`` is n, the number of original records; those that the release does not hold were suppressed.
    """
    counted = released.group_by([*quasi, target], use_threads=False).aggregate([([], "count_all")])
    of_group = counted.group_by(list(quasi), use_threads=False).aggregate([("count_all", "max")])
    majority = int(np.sum(of_group.column("count_all_max").to_numpy())) if of_group.num_rows else 0
    return (rows - majority) / rows


@dataclass(frozen=True)
class Classification:
    """The classification metric: which part of the records is suppressed or in the minority of its group.

        CM = (1/n) Σ_i [record i is suppressed, or its ``target`` is not the most frequent of its group]

    The same share is told for the original and for one single group, between which CM lies when nothing
    is suppressed. It looks at groups, not at a model: a classifier may do better than its groups.
    """

    target: str
    name: ClassVar[str] = "classification"
    title: ClassVar[str] = "classification metric (CM)"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "share of the records that are suppressed or in the minority of their group"

    def measure(self, records: Records) -> Measured:
        """Count the minorities of the groups."""
        records.check(self.target)
        if self.target in records.quasi:
            raise BadInput(
                "the target is itself a quasi-identifier",
                where=f"column '{self.target}'",
                remedy="name a column that is released as it is",
            )
        if not records.quasi:
            raise BadInput("there are no quasi-identifiers", where=self.name, remedy="name them in 'quasi'")
        rows = records.original.num_rows
        counts = records.original.group_by([self.target]).aggregate([([], "count_all")])
        most = int(np.max(counts.column("count_all").to_numpy()))
        return Measured(
            classification_metric(records.released, records.quasi, self.target, rows),
            {
                "original": classification_metric(records.original, records.quasi, self.target, rows),
                "one_group": (rows - most) / rows,
            },
        )
