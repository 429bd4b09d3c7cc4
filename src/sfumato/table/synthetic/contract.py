"""Synthetic tables: records of nobody, drawn from what was learned of the real ones.

One interface for all of them, whether they promise something or not.
"""

from __future__ import annotations

from typing import Protocol

import pyarrow as pa

from sfumato.core.randomness import Random
from sfumato.core.schema import Schema


class Fitted(Protocol):
    """What was learned, ready to be drawn from."""

    def sample(self, rows: int, random: Random) -> pa.Table:
        """Draw records: the columns that were learned, in their order and with their types."""


class Synthesiser(Protocol):
    """A way to learn a table and to draw records that are like it."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def private(self) -> bool:
        """Whether what it learns keeps a promise by itself (differential privacy)."""

    def fit(self, records: pa.Table, schema: Schema, random: Random) -> Fitted:
        """Learn the columns of the schema from records. Private ones need chance here, too."""
