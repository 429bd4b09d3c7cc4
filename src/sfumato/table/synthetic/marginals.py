"""Independent marginals: every column is drawn on its own.

The simplest of the synthesisers of D. B. Rubin's "Statistical disclosure limitation" (1993), and the
baseline that others must beat: columns keep their distributions and lose all they have to do with each
other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pyarrow as pa

from sfumato.core.randomness import Random
from sfumato.core.schema import Schema
from sfumato.table.synthetic.columns import Values, drawn_like, refuse_empty


@dataclass(frozen=True)
class FittedMarginals:
    """The values of every column, as often as they occur."""

    columns: tuple[Values, ...]

    def sample(self, rows: int, random: Random) -> pa.Table:
        """Draw every column on its own."""
        return pa.table(
            {column.name: column.written(drawn_like(column.codes, rows, random)) for column in self.columns}
        )


@dataclass(frozen=True)
class Marginals:
    """P(x1, …, xm) = Π P(xj), each estimated by how often its values occur.

    Promises nothing by itself: a value that only one person has is drawn again.

    >>> from sfumato.core.randomness import SeededRandom
    >>> records = pa.table({"a": [1, 1, 1, 2]})
    >>> Marginals().fit(records, Schema.of(["a"]), SeededRandom(1)).sample(3, SeededRandom(1)).to_pydict()
    {'a': [1, 1, 2]}
    """

    name: ClassVar[str] = "marginals"
    private: ClassVar[bool] = False

    def fit(self, records: pa.Table, schema: Schema, random: Random) -> FittedMarginals:
        """Count the values of every column."""
        refuse_empty(records)
        return FittedMarginals(tuple(Values.of(records, name) for name in schema.columns))
