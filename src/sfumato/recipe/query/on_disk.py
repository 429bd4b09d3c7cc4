"""A folder with a release under differential privacy that somebody hands over."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.evidence_query import QueryEvidence
from sfumato.recipe.on_disk import DATA_FILES, data_file, load_part, release_folder
from sfumato.recipe.query.released_schema import ReleasedQuery
from sfumato.release.folders import COUNTS
from sfumato.release.names import EVIDENCE, SCHEMA


@dataclass(frozen=True)
class QueryOnDisk:
    """A release folder whose evidence and schema can be read; what they claim is not checked yet."""

    evidence: QueryEvidence
    schema: ReleasedQuery
    folder: Path

    @classmethod
    def read(cls, release: str | Path) -> QueryOnDisk:
        """Read a release folder, or the folder that holds one."""
        folder = release_folder(release)
        evidence = load_part(folder / EVIDENCE, QueryEvidence)
        schema = load_part(folder / SCHEMA, ReleasedQuery)
        names = [evidence.data.file, *(table.data.file for table in evidence.tables)]
        names += [*([schema.file] if schema.file else []), *(table.file for table in schema.tables)]
        known = {*DATA_FILES, *(name for name in names if COUNTS.fullmatch(name))}
        data_file(folder, evidence, known)
        for name in names:
            path = folder / name
            if name not in known:
                raise BadInput("a file has a strange name", where=str(folder), remedy="get the release again")
            if path.is_symlink() or not path.is_file():
                raise BadInput(
                    "the file is not there, or no plain file", where=str(path), remedy="get the whole release"
                )
        return cls(evidence, schema, folder)
