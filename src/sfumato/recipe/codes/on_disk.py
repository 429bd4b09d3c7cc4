"""A folder with released sets that somebody hands over: evidence and schema that can be read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.core.evidence_codes import CodesEvidence
from sfumato.recipe.codes.released_records import read_records
from sfumato.recipe.codes.released_schema import ReleasedCodes
from sfumato.recipe.codes.sets_file import read_sets
from sfumato.recipe.on_disk import FILES_OF_CODES, data_file, load_part, release_folder
from sfumato.record.relational_codes.published import PublishedRecords
from sfumato.release.names import EVIDENCE, SCHEMA


@dataclass(frozen=True)
class CodesOnDisk:
    """A release folder whose evidence and schema can be read; what they claim is not checked yet."""

    evidence: CodesEvidence
    schema: ReleasedCodes
    path: Path
    """the released data"""

    @classmethod
    def read(cls, release: str | Path) -> CodesOnDisk:
        """Read a release folder, or the folder that holds one."""
        folder = release_folder(release)
        evidence = load_part(folder / EVIDENCE, CodesEvidence)
        schema = load_part(folder / SCHEMA, ReleasedCodes)
        return cls(evidence, schema, data_file(folder, evidence, FILES_OF_CODES))

    def published(self) -> PublishedSets | Disassociated:
        """Read the data; raises ``BadInput`` where they show what the schema does not declare."""
        return read_sets(self.path, self.schema)

    def records(self) -> PublishedRecords:
        """Read data in which quasi-identifiers stand beside the items."""
        return read_records(self.path, self.schema)
