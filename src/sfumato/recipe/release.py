"""Make a release: carry the job out, write, read again, check, and only then put it in place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace as dc_replace
from pathlib import Path
from typing import Generic, TypeVar

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.files import real_path
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.core.verdict import Verdict
from sfumato.engine import open_engine
from sfumato.engine.contract import Order, Suppressed
from sfumato.engine.sources import FILES, CsvFile, Frame, ParquetFile, Source
from sfumato.masking.tiers import count_people
from sfumato.masking.vault import VAULT_FILE, Vault
from sfumato.recipe.evidence import Gathered, gather
from sfumato.recipe.fingerprint import chunks_of, input_fingerprint, key_of_the_house
from sfumato.recipe.finished import write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing
from sfumato.recipe.job import Job
from sfumato.recipe.on_disk import EVIDENCE, SCHEMA
from sfumato.recipe.outcome import Outcome, carry_out
from sfumato.recipe.released_data import released_data
from sfumato.recipe.released_schema import released_schema

PUBLIC = "public"
"""the folder of the public tier, which has a release and a steward's folder of its own"""


E = TypeVar("E", bound=ev.ReleaseEvidence)


@dataclass(frozen=True)
class Released(Generic[E]):
    """A release on disk, with the evidence that the steward keeps."""

    release: Path
    steward: Path
    data: Path
    verdicts: tuple[Verdict, ...]
    evidence: E


def make_release(
    job: Job, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[ev.StewardEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    name = f"data.{job.format}"
    key_of_the_house()
    if job.perturb:
        refuse_seeds(job.random, "perturb")
    refuse_input_inside(job.source, target)
    if replace:
        job = _with_earlier_codes(job, target / STEWARD / VAULT_FILE)
    inner = None if job.tier is None else PUBLIC
    with all_or_nothing(target, replace=replace, inner=inner) as folders:
        engine = open_engine(job.engine, memory_limit=job.memory)
        try:
            outcome = carry_out(job, engine, progress)
            gathered = _write(outcome, folders, name, progress)
            if job.tier is not None:
                _write_tier(outcome, folders.inside(PUBLIC), gathered.public)
        finally:
            engine.close()
    release, steward = target / RELEASE, target / STEWARD
    return Released(release, steward, release / name, gathered.verdicts, gathered.steward)


def _write(outcome: Outcome, folders: Folders, name: str, progress: Progress) -> Gathered:
    job, engine, path = outcome.job, outcome.original.engine, folders.release / name
    progress.step("writing")
    started = time.perf_counter()
    rows = engine.write(outcome.protected.table, path, order=job.order)
    _account_for_rows(outcome, rows)
    seconds = {"write": round(time.perf_counter() - started, 3)}
    progress.step("checking the release by reading it again")
    source: Source = (
        ParquetFile(path) if job.format == "parquet" else CsvFile(path, ",", quoted_missing=False, keep=False)
    )
    released = outcome.protected.published(engine.read(source))
    data = released_data(path, rows)
    total = outcome.protected.counted.cells.total_rows + outcome.withheld + outcome.left_out
    fingerprint = input_fingerprint(_input_bytes(outcome), total, folders.steward)
    gathered = gather(outcome, released, data, fingerprint, seconds, progress=progress)
    progress.step("writing evidence and report")
    if outcome.masked is not None and len(outcome.masked.secrets.vault):
        outcome.masked.secrets.vault.write(folders.steward / VAULT_FILE)
    schema = released_schema(outcome, name)
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2, by_alias=True), encoding="utf-8")
    write_evidence(folders, gathered.public, gathered.steward)
    progress.step("putting the release in place")
    return gathered


def _write_tier(outcome: Outcome, folders: Folders, public: ev.PublicEvidence) -> None:
    """Write the counts of the released classes, and what was counted how."""
    job = outcome.job
    assert job.tier is not None
    in_persons = job.schema.person is not None
    table = outcome.in_house.table if in_persons else outcome.protected.table
    counts = count_people(table, job.tier, job.schema.person)
    engine = outcome.original.engine
    path = folders.release / "data.csv"
    rows = engine.write(engine.read(Frame(counts.data)), path, order=Order.KEPT)
    data = released_data(path, rows)
    told = ev.TierEvidence(
        title=public.title,
        created=public.created,
        by=list(job.tier.by),
        counted=public.people,
        smallest=job.tier.smallest,
        data=data,
    )
    for folder, evidence in (
        (folders.release, told),
        (folders.steward, told.model_copy(update={"left_out": counts.left_out})),
    ):
        (folder / EVIDENCE).write_text(
            evidence.model_dump_json(indent=2, exclude_none=True), encoding="utf-8"
        )


def _with_earlier_codes(job: Job, vault: Path) -> Job:
    """Go on with the vault of the release that is replaced, or with one that holds its codes, too."""
    if not vault.is_file():
        return job
    if job.masking.vault is not None:
        if not Vault.read(job.masking.vault).holds(Vault.read(vault)):
            raise BadInput(
                "the release that is replaced has codes that the named vault does not hold, and they would "
                "be lost",
                where=str(vault),
                remedy="leave 'vault' out to go on with these codes, or move the old steward's folder away",
            )
        return job
    return dc_replace(job, masking=dc_replace(job.masking, vault=vault))


def refuse_seeds(random: Random, where: str) -> None:
    """Chance that can be drawn again can be undone: such a release is for tests alone."""
    if not random.secret:
        raise BadInput(
            "the steps drew from a seeded generator, and whoever knows the seed could undo them",
            where=where,
            remedy="leave 'random' out to draw from the operating system",
        )


def refuse_input_inside(source: Source, target: Path) -> None:
    """What is to be released must not lie where the release goes."""
    if isinstance(source, FILES):
        refuse_path_inside(source.path, target)


def refuse_path_inside(path: Path, target: Path) -> None:
    """The same of a file, whatever it holds."""
    for name in (RELEASE, STEWARD):
        if real_path(path).is_relative_to(real_path(target / name)):
            raise BadInput(
                f"the data lie in the folder '{name}' that is to be written",
                where=str(path),
                remedy="choose another place with --out",
            )


def _account_for_rows(outcome: Outcome, written: int) -> None:
    """Every row is released or counted as suppressed."""
    total = outcome.protected.counted.cells.total_rows
    dropped = 0 if outcome.job.suppressed is Suppressed.STAR else outcome.protected.solution.suppressed_rows
    if written + dropped != total:
        raise PromiseNotMet(
            f"{written} rows were written and {dropped} suppressed, of {total}",
            remedy="the input may have changed while it was read: nothing was published, run it again",
        )


def _input_bytes(outcome: Outcome) -> Iterator[bytes]:
    """Return what the fingerprint is made of: the file, or else the rows."""
    source = outcome.job.source
    if isinstance(source, CsvFile | ParquetFile):
        return chunks_of(source.path)
    batches = outcome.original.engine.scan(outcome.original)
    return (batch.serialize().to_pybytes() for batch in batches)
