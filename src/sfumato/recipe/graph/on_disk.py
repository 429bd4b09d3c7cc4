"""A folder with a released network or grouping that somebody hands over: evidence and schema that can be
read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.recipe.graph.network_file import read_published
from sfumato.recipe.graph.network_schema import ReleasedNetwork, files_of
from sfumato.recipe.on_disk import FILES_OF_GRAPH, data_file, load_part, release_folder
from sfumato.release.names import EVIDENCE, SCHEMA


@dataclass(frozen=True)
class NetworkOnDisk:
    """A release folder whose evidence and schema can be read; what they claim is not checked yet."""

    evidence: GraphEvidence
    schema: ReleasedNetwork
    path: Path
    """the edges, or the groups"""

    @classmethod
    def read(cls, release: str | Path) -> NetworkOnDisk:
        """Read a release folder, or the folder that holds one."""
        folder = release_folder(release)
        evidence = load_part(folder / EVIDENCE, GraphEvidence)
        if evidence.form == "statistics":
            raise BadInput(
                "this release holds statistics and no network",
                where=str(folder),
                remedy="give one of a network or of groups",
            )
        schema = load_part(folder / SCHEMA, ReleasedNetwork)
        path = data_file(folder, evidence, FILES_OF_GRAPH)
        for name in files_of(evidence.form, path.name.partition(".")[2])[1]:
            if not (folder / name).exists():
                raise BadInput(
                    "the released data are not all there", where=str(folder / name), remedy="get it again"
                )
        return cls(evidence, schema, path)

    @property
    def format(self) -> str:
        """The format, as the name of the file tells it."""
        return self.path.name.partition(".")[2]

    def published(self) -> Network | Grouped:
        """Read what is published; raises ``BadInput`` where it is not as it is written."""
        return read_published(self.path.parent, self.evidence.form, self.format)
