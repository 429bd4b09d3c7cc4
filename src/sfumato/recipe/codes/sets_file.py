"""The released file of sets or chunks: written, and read the way its schema says."""

from __future__ import annotations

from pathlib import Path

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading import read_published
from sfumato.codes.writing import write_published
from sfumato.core.files import read_text
from sfumato.recipe.codes.job import CodesJob
from sfumato.recipe.codes.released_schema import ReleasedCodes


def write_sets(published: PublishedSets | Disassociated, path: Path, job: CodesJob) -> int:
    """Write what was found, in an order that says nothing; return the number of rows."""
    if isinstance(published, Disassociated):
        lines = published.to_lines()
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        return len(lines)
    written = write_published(published, path, job.output_layout, order=job.order, random=job.random)
    return len(published.shown) if job.output_layout == "long" else written.records


def read_sets(path: Path, schema: ReleasedCodes) -> PublishedSets | Disassociated:
    """Read a released file the way its schema says."""
    if schema.form == "disassociated":
        return Disassociated.from_lines(read_text(path).splitlines(), str(path))
    return read_published(path, schema.layout, schema.declared())
