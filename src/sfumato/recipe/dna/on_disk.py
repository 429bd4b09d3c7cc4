"""A folder with released rows of DNA that somebody hands over: evidence and schema that can be read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.evidence_dna import DnaEvidence
from sfumato.recipe.dna.rows_file import Content, read_content
from sfumato.recipe.dna.rows_schema import ReleasedRows
from sfumato.recipe.on_disk import FILES_OF_DNA, data_file, load_part, release_folder
from sfumato.release.names import EVIDENCE, SCHEMA


@dataclass(frozen=True)
class RowsOnDisk:
    """A release folder whose evidence and schema can be read; what they claim is not checked yet."""

    evidence: DnaEvidence
    schema: ReleasedRows
    path: Path
    """the released rows"""

    @classmethod
    def read(cls, release: str | Path) -> RowsOnDisk:
        """Read a release folder, or the folder that holds one."""
        folder = release_folder(release)
        evidence = load_part(folder / EVIDENCE, DnaEvidence)
        if evidence.form == "statistics":
            raise BadInput(
                "this release holds statistics and no rows", where=str(folder), remedy="give one of rows"
            )
        schema = load_part(folder / SCHEMA, ReleasedRows)
        path = data_file(folder, evidence, FILES_OF_DNA)
        for name in schema.shape.more_files:
            if not (folder / name).exists():
                raise BadInput(
                    "the released data are not all there", where=str(folder / name), remedy="get it again"
                )
        return cls(evidence, schema, path)

    def content(self) -> Content:
        """Read the rows; raises ``BadInput`` where they are not what the schema declares."""
        return read_content(self.path, self.schema)
