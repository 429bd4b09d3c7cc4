"""A table as the public sees it: what checkers read."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.engine.contract import Table


@dataclass(frozen=True)
class PublishedTable:
    """Rows in an engine, and the parts that columns play.

    ``person`` is there only while the data are still in the house: no release holds it.
    """

    table: Table
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    person: str | None = None
