"""Published records of two kinds: quasi-identifiers and items, side by side."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.codes.published import PublishedSets
from sfumato.core.errors import BadInput
from sfumato.table.published import numbered


@dataclass(frozen=True)
class PublishedRecords:
    """Row r of ``quasi`` and record r of ``sets`` are about the same person.

    ``quasi`` holds the quasi-identifiers as they are published, and nothing else. Records that show the
    same in all of them are a *class*; a missing value is a value of its own.

    >>> shown = PublishedRecords(pa.table({"age": ["[20-30]", "40", "[20-30]"]}),
    ...                          PublishedSets.of([["a"], ["b"], ["a"]]))
    >>> shown.class_of.tolist(), shown.class_sizes.tolist()
    ([0, 1, 0], [2, 1])
    """

    quasi: pa.Table = field(repr=False)
    sets: PublishedSets = field(repr=False)

    def __post_init__(self) -> None:
        if not self.quasi.num_columns:
            raise BadInput("no column is a quasi-identifier", remedy="say what an adversary may know")
        for column in self.quasi.schema:
            if pa.types.is_nested(column.type):
                raise BadInput(
                    "its values are neither texts nor numbers, dates or truth values",
                    where=f"column '{column.name}'",
                    remedy="turn them into text",
                )
        if self.quasi.num_rows != len(self.sets):
            raise BadInput(
                f"there are {self.quasi.num_rows:,} rows and {len(self.sets):,} sets of codes",
                remedy="give one set for each row",
            )

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(self.quasi.column_names)

    @cached_property
    def class_of(self) -> NDArray[np.int64]:
        """The class of every record."""
        if not len(self):
            return np.zeros(0, np.int64)
        return np.asarray(numbered(self.quasi.columns), np.int64)

    @cached_property
    def class_sizes(self) -> NDArray[np.int64]:
        """How many records each class has."""
        return np.bincount(self.class_of).astype(np.int64)
