"""Make a release: protect, write, read again, check, attack, verify as a stranger would, move into place.

Every kind of data goes through these steps in this order. A kind (``core/kind.py``) fills them; none can
leave one out.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.evidence import ReleaseEvidence
from sfumato.core.files import real_path
from sfumato.core.findings import Verification
from sfumato.core.fingerprint import input_fingerprint, key_of_the_house, sha256_of
from sfumato.core.kind import Described, Folders, Gathered, Kind
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.core.verdict import Verdict
from sfumato.release.folders import RELEASE, STEWARD, all_or_nothing, refuse_existing
from sfumato.release.names import EVIDENCE, REPORT, SCHEMA
from sfumato.report import write as write_report

BUG = "nothing was published; please report this as a bug"
E = TypeVar("E", bound=ReleaseEvidence)


@dataclass(frozen=True)
class Released(Generic[E]):
    """A release on disk, with the evidence that the steward keeps."""

    release: Path
    steward: Path
    data: Path
    verdicts: tuple[Verdict, ...]
    evidence: E


def make_release(
    kind: Kind[Any, Any, E], job: Any, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[E]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    key_of_the_house()
    for path in kind.inputs(job):
        _refuse_inside(path, target)
    job = kind.ready(job, target, replace=replace)
    refuse_existing(target, replace=replace)
    with (
        kind.opened(job, target, progress) as held,
        all_or_nothing(target, replace=replace, inner=kind.inner(job)) as folders,
    ):
        outcome = kind.protect(job, held, progress)
        gathered = _written(kind, outcome, folders, progress)
        progress.step("checking the release as a reader would")
        refuse_refuted(kind.verify(folders.release))
        kind.published(outcome)
        progress.step("putting the release in place")
    release = target / RELEASE
    return Released(
        release, target / STEWARD, release / gathered.public.data.file, gathered.verdicts, gathered.steward
    )


def _written(kind: Kind[Any, Any, E], outcome: Any, folders: Folders, progress: Progress) -> Gathered[Any, E]:
    progress.step("writing")
    started = time.perf_counter()
    written = kind.write(outcome, folders)
    # No kind's schema leaves a field out, and names of fields are those that a reader expects.
    text = written.schema.model_dump_json(indent=2, by_alias=True)
    (folders.release / SCHEMA).write_text(text, encoding="utf-8")
    seconds = {"write": round(time.perf_counter() - started, 3)}
    progress.step("checking the release by reading it again")
    described = Described(
        written.data,
        sha256_of(folders.release / SCHEMA),
        input_fingerprint(*kind.input(outcome), folders.steward),
        seconds,
    )
    gathered = kind.gather(outcome, folders, written, described, progress)
    progress.step("writing evidence and report")
    for folder, evidence in ((folders.release, gathered.public), (folders.steward, gathered.steward)):
        (folder / EVIDENCE).write_text(evidence.model_dump_json(indent=2), encoding="utf-8")
        write_report(evidence, folder / REPORT)
    kind.finish(outcome, folders, gathered)
    return gathered


def refuse_refuted(verification: Verification) -> None:
    """What a reader would refute is not published: the same check, from the written bytes."""
    if verification.refuted:
        raise PromiseNotMet(
            f"the release that was written is not what it claims to be: {verification.refuted[0].claim}",
            remedy=BUG,
        )


def refuse_seeds(random: Random, where: str) -> None:
    """Chance that can be drawn again can be undone: such a release is for tests alone."""
    if not random.secret:
        raise BadInput(
            "the steps drew from a seeded generator, and whoever knows the seed could undo them",
            where=where,
            remedy="leave 'random' out to draw from the operating system",
        )


def _refuse_inside(path: Path, target: Path) -> None:
    """What is to be released must not lie where the release goes."""
    for name in (RELEASE, STEWARD):
        if real_path(path).is_relative_to(real_path(target / name)):
            raise BadInput(
                f"the data lie in the folder '{name}' that is to be written",
                where=str(path),
                remedy="choose another place with --out",
            )
