"""Make a release of sets: carry the job out, write, read again, check, and only then put it in place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.policies import write_constraints
from sfumato.codes.published import PublishedSets
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.evidence_codes import CodesEvidence, PolicyFileEvidence, StewardCodesEvidence
from sfumato.core.findings import Verification
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine
from sfumato.engine.files_read import file_of_source, input_bytes
from sfumato.recipe.codes.asked import HIDDEN
from sfumato.recipe.codes.evidence import gather_codes
from sfumato.recipe.codes.job import CodesJob
from sfumato.recipe.codes.outcome import CodesOutcome, carry_out_codes
from sfumato.recipe.codes.places import CHUNKS, file_of
from sfumato.recipe.codes.released_schema import ReleasedCodes, released_codes
from sfumato.recipe.codes.sets_file import read_sets, write_sets
from sfumato.recipe.codes.verify import verify_codes
from sfumato.release.data_files import released_data
from sfumato.release.pipeline import refuse_seeds

PRIVACY_FILE = "privacy-constraints.txt"
UTILITY_FILE = "utility-constraints.txt"


class CodesKind(Kind[CodesJob, CodesOutcome, StewardCodesEvidence]):
    """Sets of codes, or chunks of them."""

    def inputs(self, job: CodesJob) -> Iterable[Path]:
        """The file with the sets, where they come from one."""
        return file_of_source(job.source)

    def ready(self, job: CodesJob, target: Path, *, replace: bool) -> CodesJob:
        """Refuse seeds, and a format that cannot hold what the method publishes."""
        refuse_seeds(job.random, "order")
        _check_format(job)
        return job

    @contextmanager
    def opened(self, job: CodesJob, target: Path, progress: Progress) -> Iterator[Engine]:
        """Hold the engine that the job names."""
        with closing(open_engine(job.engine, memory_limit=job.memory)) as engine:
            yield engine

    def protect(self, job: CodesJob, held: Engine, progress: Progress) -> CodesOutcome:
        """Read the sets and search."""
        return carry_out_codes(job, held, progress)

    def write(self, outcome: CodesOutcome, folders: Folders) -> Written:
        """Write sets or chunks."""
        job, published = outcome.job, outcome.solution.published
        chunks = isinstance(published, Disassociated)
        path = folders.release / file_of("jsonl" if chunks else job.format)
        layout = CHUNKS if chunks else job.output_layout
        rows = write_sets(published, path, job)
        schema = released_codes(published, job.hierarchy, job.sensitive, path.name, layout)
        return Written(released_data(path, rows), schema, layout)

    def input(self, outcome: CodesOutcome) -> tuple[Iterable[bytes], int]:
        """The file, or else the rows."""
        return input_bytes(outcome.job.source, outcome.found.table), outcome.found.read.counts.rows

    def gather(
        self,
        outcome: CodesOutcome,
        folders: Folders,
        written: Written,
        described: Described,
        progress: Progress,
    ) -> Gathered[CodesEvidence, StewardCodesEvidence]:
        """Check the written sets, measure and attack them."""
        assert isinstance(written.schema, ReleasedCodes)
        released = read_sets(folders.release / written.data.file, written.schema)
        _refuse_difference(outcome.solution.published, released, written.more)
        return gather_codes(
            outcome,
            released,
            described.data,
            written.more,
            described.schema_sha256,
            described.fingerprint,
            _write_policies(outcome, folders.steward),
            described.seconds,
            progress=progress,
        )

    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check sets from their bytes."""
        return verify_codes(release, original=original, progress=progress)


CODES = CodesKind()


def _check_format(job: CodesJob) -> None:
    """Chunks lie in JSON lines: another format is refused only if somebody asked for it, before a search."""
    if job.method.name == Disassociation.name and job.format_asked and job.format != "jsonl":
        raise BadInput(
            f"{job.method.name} publishes chunks, which are written as jsonl and not as {job.format}",
            where="output",
            remedy="write 'format: jsonl', or leave it out",
        )


def _refuse_difference(
    published: PublishedSets | Disassociated, released: PublishedSets | Disassociated, layout: str
) -> None:
    """What was read again must be what was found, record by record, in whatever order.

    Of records that show nothing only their number is compared; a long file has none.
    """
    if isinstance(published, Disassociated) or isinstance(released, Disassociated):
        same = (
            isinstance(published, Disassociated)
            and isinstance(released, Disassociated)
            and sorted(published.to_lines()) == sorted(released.to_lines())
        )
    else:
        same = bool(np.array_equal(*_bags(published, released)))
        same = same and (layout == "long" or len(published) == len(released))
    if not same:
        raise PromiseNotMet(
            "the file that was written does not hold the records that were found",
            remedy="nothing was published; please report this as a bug",
        )


def _bags(one: PublishedSets, other: PublishedSets) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Turn the records of both into sorted random sums, equal for equal bags; empty ones are left aside."""
    labels = sorted({*one.items.labels, *other.items.labels})
    drawn = np.frombuffer(os.urandom(8 * len(labels)), np.uint64)
    number = dict(zip(labels, drawn, strict=True))
    found = []
    for sets in (one, other):
        worth = np.array([number[label] for label in sets.items.labels], np.uint64)
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(worth[sets.shown], dtype=np.uint64)])
        totals = sums[sets.starts[1:]] - sums[sets.starts[:-1]]
        found.append(np.sort(totals[np.diff(sets.starts) > 0]))
    return found[0], found[1]


def _write_policies(outcome: CodesOutcome, steward: Path) -> list[PolicyFileEvidence]:
    """Keep the policies that were used, for the steward alone."""
    problem, found = outcome.problem, []
    privacy = tuple(
        dict.fromkeys(constraint for model in problem.models for constraint in getattr(model, HIDDEN[0], ()))
    )
    for what, file, constraints in (
        ("privacy constraints", PRIVACY_FILE, privacy),
        ("utility constraints", UTILITY_FILE, problem.utility),
    ):
        if constraints:
            write_constraints(steward / file, constraints)
            found.append(PolicyFileEvidence(what=what, file=file, constraints=len(constraints)))
    return found
