"""The contract of a kind of data: all that the one way out (``release/``) asks of it.

A kind says how its data are protected, written, read again and verified. Everything around that (folders,
fingerprints, schema, evidence and report on disk, the check that a stranger would make, moving into place) is
done once, for all kinds, by ``release/pipeline.py``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from sfumato.core.evidence import DataEvidence, InputEvidence, ReleaseEvidence
from sfumato.core.findings import Verification
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Verdict

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")
P = TypeVar("P", bound=ReleaseEvidence)
E = TypeVar("E", bound=ReleaseEvidence)


@dataclass(frozen=True)
class Folders:
    """Where a release is being made: ``release`` is to be shared, ``steward`` stays at the data holder."""

    release: Path
    steward: Path

    def inside(self, name: str) -> Folders:
        """The folders of an inner release."""
        return Folders(
            self.release.parent / name / self.release.name, self.steward.parent / name / self.steward.name
        )


@dataclass(frozen=True)
class Written:
    """What was written of a release before its evidence: the data and their schema."""

    data: DataEvidence
    schema: BaseModel
    more: Any = None
    """what the kind hands on to its own ``gather``"""


@dataclass(frozen=True)
class Described:
    """What the pipeline found out about every release alike."""

    data: DataEvidence
    schema_sha256: str
    fingerprint: InputEvidence
    seconds: Mapping[str, float]


@dataclass(frozen=True)
class Gathered(Generic[P, E]):
    """The verdicts about a release and both editions of its evidence."""

    verdicts: tuple[Verdict, ...]
    public: P
    steward: E


class Kind(ABC, Generic[Job, Outcome, E]):
    """One way of publishing; ``sfumato.registration`` lists them."""

    # Making a release, in this order.

    @abstractmethod
    def inputs(self, job: Job) -> Iterable[Path]:
        """List the files that are read: none may lie where the release goes."""

    def ready(self, job: Job, target: Path, *, replace: bool) -> Job:
        """Refuse at once what would fail later; return the job, completed by what the target holds."""
        return job

    def inner(self, job: Job) -> str | None:
        """Name a folder with a release of its own that comes with this one, such as a public tier."""
        return None

    @contextmanager
    def opened(self, job: Job, target: Path, progress: Progress) -> Iterator[Any]:
        """Hold what the whole run needs, such as an engine; it is handed to ``protect``."""
        yield None

    @abstractmethod
    def protect(self, job: Job, held: Any, progress: Progress) -> Outcome:
        """Read the data, search, and check what was found before anything is written."""

    @abstractmethod
    def write(self, outcome: Outcome, folders: Folders) -> Written:
        """Write the data, and what only the steward keeps."""

    @abstractmethod
    def input(self, outcome: Outcome) -> tuple[Iterable[bytes], int]:
        """Return the bytes of the input for its fingerprint, and the number of its rows."""

    @abstractmethod
    def gather(
        self, outcome: Outcome, folders: Folders, written: Written, described: Described, progress: Progress
    ) -> Gathered[Any, E]:
        """Check the written files by reading them, measure, attack, and gather the evidence."""

    def finish(self, outcome: Outcome, folders: Folders, gathered: Gathered[Any, E]) -> None:
        """Write what the steward keeps beside evidence and report."""

    def published(self, outcome: Outcome) -> None:
        """Clean up once the release is checked and about to be moved into place."""

    # Checking one as a stranger would.

    @abstractmethod
    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check a release folder from its bytes."""
