"""Where rows live: read, count, recode, write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput, MissingPart, nearest

if TYPE_CHECKING:
    from sfumato.engine.contract import Engine

ENGINES = ("duckdb", "spark")


def open_engine(
    name: str = "duckdb", *, memory_limit: str | None = None, threads: int | None = None
) -> Engine:
    """Start an engine by name."""
    if name == "duckdb":
        from sfumato.engine.duckdb import DuckEngine

        return DuckEngine(memory_limit, threads)
    if name == "spark":
        try:
            from sfumato.engine.spark import SparkEngine
        except ImportError:
            raise MissingPart(
                "the Spark engine is not installed", remedy="install sfumato[spark] and Java 17"
            ) from None
        return SparkEngine(memory_limit, threads)
    raise BadInput(f"there is no engine '{name}'", remedy=nearest(name, ENGINES))
