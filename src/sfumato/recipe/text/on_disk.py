"""A folder with released notes that somebody hands over, and its rows, read as they lie there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.core.evidence_text import TextEvidence
from sfumato.core.system import system_problem
from sfumato.engine.sources import CsvFile, JsonLines
from sfumato.recipe.on_disk import data_file, load_part, release_folder
from sfumato.recipe.text.released_schema import ReleasedText
from sfumato.release.names import EVIDENCE, SCHEMA
from sfumato.text.stream.reading import rows_of

FILES_OF_NOTES = ("data.csv", "data.csv.gz", "data.parquet", "data.jsonl")


@dataclass(frozen=True)
class TextOnDisk:
    """A release folder whose evidence and schema can be read; what they claim is not checked yet."""

    evidence: TextEvidence
    schema: ReleasedText
    path: Path
    """the released notes"""

    @classmethod
    def read(cls, release: str | Path) -> TextOnDisk:
        """Read a release folder, or the folder that holds one."""
        folder = release_folder(release)
        evidence = load_part(folder / EVIDENCE, TextEvidence)
        schema = load_part(folder / SCHEMA, ReleasedText)
        return cls(evidence, schema, data_file(folder, evidence, FILES_OF_NOTES))


def columns_in(path: Path) -> tuple[str, ...]:
    """Return the columns of released notes."""
    if path.suffix == ".parquet":
        return tuple(_schema(path).names)
    with rows_of(_lines(path)) as rows:
        return rows.names


def released_pieces(path: Path) -> Iterator[pa.RecordBatch]:
    """Read released notes in pieces of bounded size."""
    if path.suffix == ".parquet":
        try:
            yield from pq.ParquetFile(path).iter_batches(batch_size=256)
        except (pa.ArrowException, OSError) as problem:
            raise system_problem(
                problem, "the file is not Parquet", where=str(path), remedy="get it again"
            ) from None
        return
    with rows_of(_lines(path)) as rows:
        yield from rows.pieces()


def remarks_in(path: Path) -> bool:
    """Say whether a Parquet file carries words of its own beside the columns."""
    if path.suffix != ".parquet":
        return False
    schema = _schema(path)
    # The number of a column is all that Parquet itself says of it.
    told = (set(column.metadata or {}) - {b"PARQUET:field_id"} for column in schema)
    return bool(schema.metadata) or any(told)


def _schema(path: Path) -> pa.Schema:
    try:
        return pq.read_schema(path)
    except (pa.ArrowException, OSError) as problem:
        raise system_problem(
            problem, "the file is not Parquet", where=str(path), remedy="get it again"
        ) from None


def _lines(path: Path) -> CsvFile | JsonLines:
    return JsonLines(path) if path.suffix == ".jsonl" else CsvFile(path, ",", missing=())
