"""Large tables for benchmarks: nine quasi-identifiers with the domain sizes and the skew of Adult."""

from __future__ import annotations

from pathlib import Path

import duckdb

from benchmarks.result import DATA
from sfumato.hierarchy import Hierarchy, HierarchyTable

COLUMNS = {
    "sex": (2, 1.8),
    "age": (74, 1.5),
    "race": (5, 10.7),
    "marital": (7, 2.6),
    "education": (16, 2.5),
    "country": (41, 39.0),
    "workclass": (7, 6.5),
    "occupation": (14, 1.3),
    "salary": (2, 2.4),
}
"""for each column the number of values and how skewed they are"""

TYPES = 800_000
"""different people before some of them turn out alike"""


def adult_like(rows: int) -> Path:
    """Generate (once) a Parquet file of people of many types, a few of them frequent.

    Column j of type t holds ⌊size · u^skew⌋, where u is a hash of t and j, uniform between 0 and 1.
    """
    DATA.mkdir(exist_ok=True)
    path = DATA / f"adult_like_{rows}.parquet"
    if not path.exists():
        picked = ", ".join(
            f"CAST(floor({size} * pow((hash(type * 16 + {j}) % 1000000) / 1e6, {skew})) AS INTEGER) AS {name}"
            for j, (name, (size, skew)) in enumerate(COLUMNS.items())
        )
        with duckdb.connect(config={"memory_limit": "2GB"}) as connection:
            connection.execute("SET preserve_insertion_order = false")
            connection.execute("SELECT setseed(0.5)").fetchall()
            people = f"SELECT CAST(floor({TYPES} * pow(random(), 2)) AS BIGINT) AS type FROM range({rows})"
            connection.execute(
                f"COPY (SELECT {picked}, CAST(floor(1000 * random()) AS INTEGER) AS disease "
                f"FROM ({people})) TO '{path}' (FORMAT parquet, COMPRESSION zstd)"
            ).fetchall()
    return path


def hierarchies() -> dict[str, Hierarchy]:
    """Return a hierarchy for each column: halves of halves."""
    found: dict[str, Hierarchy] = {}
    for name, (size, _) in COLUMNS.items():
        depth = max(1, (size - 1).bit_length())
        paths = []
        for value in range(size):
            ups = [
                f"{(value >> up) << up}-{((value >> up) << up) + (1 << up) - 1}" for up in range(2, depth, 2)
            ]
            paths.append([str(value), *ups, "*"])
        found[name] = HierarchyTable.of(paths)
    return found
