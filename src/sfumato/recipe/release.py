"""How a table goes through the steps of a release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace as dc_replace
from pathlib import Path

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.findings import Verification
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Order, Suppressed
from sfumato.engine.files_read import file_of_source, input_bytes
from sfumato.engine.sources import CsvFile, Frame, ParquetFile, Source
from sfumato.masking.tiers import count_people
from sfumato.masking.vault import VAULT_FILE, Vault
from sfumato.recipe.evidence import gather
from sfumato.recipe.job import Job
from sfumato.recipe.outcome import Outcome, carry_out
from sfumato.recipe.released_schema import released_schema
from sfumato.recipe.verify import verify_table
from sfumato.release.data_files import released_data
from sfumato.release.folders import STEWARD
from sfumato.release.names import EVIDENCE
from sfumato.release.pipeline import refuse_seeds

PUBLIC = "public"
"""the folder of the public tier, which has a release and a steward's folder of its own"""


class TableKind(Kind[Job, Outcome, ev.StewardEvidence]):
    """A table, released row by row."""

    def inputs(self, job: Job) -> Iterable[Path]:
        """The file of the table, where it comes from one."""
        return file_of_source(job.source)

    def ready(self, job: Job, target: Path, *, replace: bool) -> Job:
        """Go on with the codes of the release that is replaced."""
        if job.perturb:
            refuse_seeds(job.random, "perturb")
        return _with_earlier_codes(job, target / STEWARD / VAULT_FILE) if replace else job

    def inner(self, job: Job) -> str | None:
        """The public tier, where one is asked for."""
        return None if job.tier is None else PUBLIC

    @contextmanager
    def opened(self, job: Job, target: Path, progress: Progress) -> Iterator[Engine]:
        """Hold the engine that the job names."""
        with closing(open_engine(job.engine, memory_limit=job.memory)) as engine:
            yield engine

    def protect(self, job: Job, held: Engine, progress: Progress) -> Outcome:
        """Count, search and recode."""
        return carry_out(job, held, progress)

    def write(self, outcome: Outcome, folders: Folders) -> Written:
        """Write the rows, in a fresh order unless the recipe keeps theirs."""
        job, engine = outcome.job, outcome.original.engine
        path = folders.release / f"data.{job.format}"
        rows = engine.write(outcome.protected.table, path, order=job.order)
        _account_for_rows(outcome, rows)
        return Written(released_data(path, rows), released_schema(outcome, path.name))

    def input(self, outcome: Outcome) -> tuple[Iterable[bytes], int]:
        """The file, or else the rows."""
        total = outcome.protected.counted.cells.total_rows + outcome.withheld + outcome.left_out
        return input_bytes(outcome.job.source, outcome.original), total

    def gather(
        self, outcome: Outcome, folders: Folders, written: Written, described: Described, progress: Progress
    ) -> Gathered[ev.PublicEvidence, ev.StewardEvidence]:
        """Check the written rows, and attack them."""
        path, engine = folders.release / written.data.file, outcome.original.engine
        source: Source = (
            ParquetFile(path)
            if outcome.job.format == "parquet"
            else CsvFile(path, ",", quoted_missing=False, keep=False)
        )
        released = outcome.protected.published(engine.read(source))
        return gather(
            outcome, released, described.data, described.fingerprint, described.seconds, progress=progress
        )

    def finish(
        self, outcome: Outcome, folders: Folders, gathered: Gathered[ev.PublicEvidence, ev.StewardEvidence]
    ) -> None:
        """Write the vault of codes, and the public tier."""
        if outcome.masked is not None and len(outcome.masked.secrets.vault):
            outcome.masked.secrets.vault.write(folders.steward / VAULT_FILE)
        if outcome.job.tier is not None:
            _write_tier(outcome, folders.inside(PUBLIC), gathered.steward)

    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check a table from its bytes."""
        return verify_table(release, original=original, progress=progress)


TABLE = TableKind()


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


def _account_for_rows(outcome: Outcome, written: int) -> None:
    """Every row is released or counted as suppressed."""
    total = outcome.protected.counted.cells.total_rows
    dropped = 0 if outcome.job.suppressed is Suppressed.STAR else outcome.protected.solution.suppressed_rows
    if written + dropped != total:
        raise PromiseNotMet(
            f"{written} rows were written and {dropped} suppressed, of {total}",
            remedy="the input may have changed while it was read: nothing was published, run it again",
        )
