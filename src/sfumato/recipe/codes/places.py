"""Formats and layouts of released sets: which file holds them, and how records lie in it."""

from __future__ import annotations

from pathlib import Path

from sfumato.codes.writing import layout_for
from sfumato.core.errors import BadInput

CHUNKS = "chunks"
"""the layout of a disassociated release, which lies in JSON lines"""


def format_like(path: str | None) -> str:
    """Return the format of a release whose input lies at a path.

    >>> format_like("visits.csv.gz"), format_like("baskets.dat.gz"), format_like(None)
    ('csv.gz', 'dat', 'csv')
    """
    name = "" if path is None else path.lower()
    if name.endswith((".parquet", ".pq")):
        return "parquet"
    if name.endswith((".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")):
        return "jsonl"
    if name.endswith((".dat", ".dat.gz")):
        return "dat"
    return "csv.gz" if name.endswith(".gz") else "csv"


def file_of(format_: str) -> str:
    """Return the name of the released file."""
    return f"data.{format_}"


def release_layout(asked: str | None, format_: str) -> str:
    """Return how records lie in the released file; refuse what its format cannot hold.

    >>> release_layout(None, "jsonl"), release_layout("long", "csv")
    ('lists', 'long')
    """
    try:
        return str(layout_for(Path(file_of(format_)), asked))
    except BadInput as problem:
        raise BadInput(problem.what, where="output", remedy=problem.remedy) from None
