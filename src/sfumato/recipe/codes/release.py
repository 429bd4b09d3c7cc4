"""Make a release of sets: carry the job out, write, read again, check, and only then put it in place."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.policies import write_constraints
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading import read_published
from sfumato.codes.writing import write_published
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.evidence_codes import PolicyFileEvidence, StewardCodesEvidence
from sfumato.core.files import read_text
from sfumato.core.progress import SILENT, Progress
from sfumato.engine import open_engine
from sfumato.engine.sources import FILES
from sfumato.recipe.codes.asked import HIDDEN
from sfumato.recipe.codes.evidence import GatheredCodes, gather_codes
from sfumato.recipe.codes.job import CodesJob
from sfumato.recipe.codes.outcome import CodesOutcome, carry_out_codes
from sfumato.recipe.codes.places import CHUNKS, file_of
from sfumato.recipe.codes.released_schema import ReleasedCodes, released_codes
from sfumato.recipe.fingerprint import chunks_of, input_fingerprint, key_of_the_house, sha256_of
from sfumato.recipe.finished import write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing
from sfumato.recipe.on_disk import SCHEMA
from sfumato.recipe.release import Released, refuse_input_inside, refuse_seeds
from sfumato.recipe.released_data import released_data

PRIVACY_FILE = "privacy-constraints.txt"
UTILITY_FILE = "utility-constraints.txt"


def make_codes_release(
    job: CodesJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardCodesEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    key_of_the_house()
    refuse_seeds(job.random, "order")
    refuse_input_inside(job.source, target)
    _check_format(job)
    with all_or_nothing(target, replace=replace) as folders:
        engine = open_engine(job.engine, memory_limit=job.memory)
        try:
            outcome = carry_out_codes(job, engine, progress)
            name, gathered = _write(outcome, folders, progress)
        finally:
            engine.close()
    release, steward = target / RELEASE, target / STEWARD
    return Released(release, steward, release / name, gathered.verdicts, gathered.steward)


def _write(outcome: CodesOutcome, folders: Folders, progress: Progress) -> tuple[str, GatheredCodes]:
    job, published = outcome.job, outcome.solution.published
    chunks = isinstance(published, Disassociated)
    name = file_of("jsonl" if chunks else job.format)
    path, layout = folders.release / name, CHUNKS if chunks else job.output_layout
    progress.step("writing")
    started = time.perf_counter()
    rows = write_sets(published, path, job)
    seconds = {"write": round(time.perf_counter() - started, 3)}
    schema = released_codes(published, job.hierarchy, job.sensitive, name, layout)
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2), encoding="utf-8")
    progress.step("checking the release by reading it again")
    released = read_sets(path, schema)
    _refuse_difference(published, released, layout)
    gathered = gather_codes(
        outcome,
        released,
        released_data(path, rows),
        layout,
        sha256_of(folders.release / SCHEMA),
        input_fingerprint(_input_bytes(outcome), outcome.found.read.counts.rows, folders.steward),
        _write_policies(outcome, folders.steward),
        seconds,
        progress=progress,
    )
    progress.step("writing evidence and report")
    write_evidence(folders, gathered.public, gathered.steward)
    progress.step("putting the release in place")
    return name, gathered


def _check_format(job: CodesJob) -> None:
    """Chunks lie in JSON lines: another format is refused only if somebody asked for it, before a search."""
    if job.method.name == Disassociation.name and job.format_asked and job.format != "jsonl":
        raise BadInput(
            f"{job.method.name} publishes chunks, which are written as jsonl and not as {job.format}",
            where="output",
            remedy="write 'format: jsonl', or leave it out",
        )


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


def _input_bytes(outcome: CodesOutcome) -> Iterator[bytes]:
    """Return what the fingerprint is made of: the file, or else the rows."""
    source = outcome.job.source
    if isinstance(source, FILES):
        return chunks_of(source.path)
    table = outcome.found.table
    return (batch.serialize().to_pybytes() for batch in table.engine.scan(table))
