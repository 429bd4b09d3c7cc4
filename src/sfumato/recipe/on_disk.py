"""A release folder that somebody hands over: plain files, evidence and schema that can be read."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from sfumato.core.errors import BadInput
from sfumato.core.evidence import EVIDENCE_VERSION, PublicEvidence, ReleaseEvidence
from sfumato.core.files import Unreadable, read_text
from sfumato.core.json_once import loads_once
from sfumato.core.registry import entries
from sfumato.engine.contract import Engine, Suppressed
from sfumato.engine.sources import CsvFile, ParquetFile, Source
from sfumato.recipe.mechanisms import mechanisms_in
from sfumato.recipe.released_schema import ReleasedSchema
from sfumato.release.names import EVIDENCE, MOST_JSON, SCHEMA
from sfumato.table.published import PublishedTable

M = TypeVar("M", bound=BaseModel)
DATA_FILES = ("data.csv", "data.csv.gz", "data.parquet")
FILES_OF_CODES = ("data.csv", "data.csv.gz", "data.parquet", "data.jsonl", "data.dat")
FILES_OF_DNA = (*DATA_FILES, "data.fasta", "data.vcf", "data.bed")
FILES_BESIDE_DNA = ("data.bim", "data.fam")
FILES_OF_GRAPH = (*DATA_FILES, "data.txt", "data.gml", "data.graphml", "groups.csv", "groups.parquet")
FILES_BESIDE_GRAPH = tuple(
    f"{stem}.{suffix}" for stem in ("nodes", "links", "people") for suffix in ("csv", "parquet")
)


@dataclass(frozen=True)
class ReleaseOnDisk:
    """A release folder whose evidence and schema can be read; what they claim is not checked yet."""

    evidence: PublicEvidence
    schema: ReleasedSchema
    path: Path
    """the released data"""

    @classmethod
    def read(cls, release: str | Path) -> ReleaseOnDisk:
        """Read a release folder, or the folder that holds one."""
        folder = release_folder(release)
        kind = kind_of(folder)
        if kind != "table":
            known = entries()[kind]
            raise BadInput(
                f"this release holds {known.released or known.holds}, and only tables are understood here",
                where=str(folder),
                remedy=known.remedy,
            )
        evidence = load_part(folder / EVIDENCE, PublicEvidence)
        schema = load_part(folder / SCHEMA, ReleasedSchema)
        return cls(evidence, schema, data_file(folder, evidence, DATA_FILES))

    def published(self, engine: Engine) -> PublishedTable:
        """Open the data with the roles that the schema names."""
        evidence, schema, path = self.evidence, self.schema, self.path
        source: Source = (
            ParquetFile(path) if path.suffix == ".parquet" else CsvFile(path, ",", quoted_missing=False)
        )
        table = engine.read(source)
        for name in (*schema.quasi, *schema.sensitive):
            if name not in table.names:
                raise BadInput(
                    f"the data have no column '{name}', which the schema names",
                    where=str(path),
                    remedy="get the release again",
                )
        return PublishedTable(
            table,
            schema.quasi,
            schema.sensitive,
            known=schema.known,
            hierarchies=schema.sensitive_hierarchies,
            mechanisms=mechanisms_in(evidence),
            blanked=evidence.suppressed_records if evidence.suppressed_policy == Suppressed.STAR else 0,
        )


def release_folder(release: str | Path) -> Path:
    """Find the folder of a release, given it or the one that holds it; refuse what is no plain release."""
    release = Path(release)
    if not release.is_dir():
        raise BadInput("this is no folder", where=str(release), remedy="give the folder of a release")
    if (release / "release").is_dir():
        release = release / "release"
    refuse_tricks(release)
    return release


def kind_of(folder: Path) -> str:
    """Return the kind of data of a release; what cannot be read is taken as a table, and refused later."""
    kind = _claimed(folder, "kind")
    return kind if kind in entries() else "table"


def form_of(folder: Path) -> str:
    """Return the form in which a release publishes its kind of data."""
    return _claimed(folder, "form")


def _claimed(folder: Path, field: str) -> str:
    try:
        found = json.loads(read_text(folder / EVIDENCE, most=MOST_JSON))
    except (BadInput, OSError, ValueError, RecursionError):
        return ""
    claimed = found.get(field) if isinstance(found, dict) else None
    return claimed if isinstance(claimed, str) else ""


def data_file(folder: Path, evidence: ReleaseEvidence, known: Collection[str]) -> Path:
    """Return where the released data lie; refuse evidence that points elsewhere or is too new."""
    if not 1 <= evidence.version <= EVIDENCE_VERSION:
        raise BadInput(
            f"the evidence has version {evidence.version}", where=str(folder), remedy="use a newer Sfumato"
        )
    if evidence.data.file not in known:
        raise BadInput("the data file has a strange name", where=str(folder), remedy="get the release again")
    path = folder / evidence.data.file
    if not path.exists():
        raise BadInput("the released data are not there", where=str(path), remedy="get the whole release")
    return path


def refuse_tricks(release: Path) -> None:
    """A release is plain files: nothing that leads elsewhere, blocks, or is too large to be what it says."""
    of_graph = (*FILES_OF_GRAPH, *FILES_BESIDE_GRAPH)
    for name in (EVIDENCE, SCHEMA, *FILES_OF_CODES, *FILES_OF_DNA, *FILES_BESIDE_DNA, *of_graph):
        path = release / name
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise BadInput("this is no plain file", where=str(path), remedy="get the release again")
        if name in (EVIDENCE, SCHEMA) and path.exists() and path.stat().st_size > MOST_JSON:
            raise BadInput("the file is far too large", where=str(path), remedy="get the release again")


def load_part(path: Path, kind: type[M]) -> M:
    """Read evidence or schema; say of what is not as it should be where it stands."""
    try:
        found = loads_once(read_text(path, most=MOST_JSON), finite=True)
    except Unreadable as problem:
        if not problem.missing:
            raise
        raise BadInput(
            "the file is not there", where=str(path), remedy="give the folder of a release"
        ) from None
    except (BadInput, OSError, ValueError, RecursionError):
        raise BadInput(
            "this is not JSON, or a number in it is none", where=str(path), remedy="get the release again"
        ) from None
    if isinstance(found, dict) and found.get("format") == "sfumato-tier":
        raise BadInput(
            "this is a public tier of counts, which make no promise about persons",
            where=str(path.parent),
            remedy="give the folder of the person-level release",
        )
    of_release = issubclass(kind, ReleaseEvidence)
    if of_release and isinstance(found, dict) and found.get("edition") == "steward":
        raise BadInput(
            "this is the steward's folder", where=str(path.parent), remedy="give the folder 'release'"
        )
    try:
        return kind.model_validate(found)
    except (ValidationError, RecursionError) as problem:
        place = ""
        if isinstance(problem, ValidationError):
            place = ".".join(str(step) for step in problem.errors()[0]["loc"])
        raise BadInput(
            f"'{place}' is not as it should be", where=str(path), remedy="get the release again"
        ) from None
