"""Make a release of statistics: carry the job out, write, read again, check, and then put it in place."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_dna import DnaEvidence, StewardDnaEvidence
from sfumato.core.findings import Verification
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Statistics
from sfumato.dna.reading import read_statistics
from sfumato.engine.files_read import file_of_source
from sfumato.recipe.dna.statistics_evidence import gather_statistics
from sfumato.recipe.dna.statistics_file import is_canonical, write_file
from sfumato.recipe.dna.statistics_job import StatisticsJob
from sfumato.recipe.dna.statistics_outcome import BUG, StatisticsOutcome, carry_out_statistics
from sfumato.recipe.dna.statistics_reading import input_bytes, paths_of
from sfumato.recipe.dna.statistics_schema import released_statistics
from sfumato.recipe.dna.statistics_verify import verify_statistics
from sfumato.release.data_files import released_data
from sfumato.release.pipeline import refuse_seeds


class StatisticsKind(Kind[StatisticsJob, StatisticsOutcome, StewardDnaEvidence]):
    """Statistics of sites."""

    def inputs(self, job: StatisticsJob) -> Iterable[Path]:
        """Genotypes, the reference, and the table of people."""
        people = () if job.people is None else file_of_source(job.people)
        return [*paths_of(job.data), *paths_of(job.reference), *people]

    def ready(self, job: StatisticsJob, target: Path, *, replace: bool) -> StatisticsJob:
        """Refuse seeds."""
        refuse_seeds(job.random, "random")
        return job

    def protect(self, job: StatisticsJob, held: None, progress: Progress) -> StatisticsOutcome:
        """Count, and draw the noise where there is some."""
        return carry_out_statistics(job, progress)

    def write(self, outcome: StatisticsOutcome, folders: Folders) -> Written:
        """Write a row for each site."""
        job, statistics = outcome.job, outcome.published.statistics
        path = folders.release / f"data.{job.format}"
        sites = write_file(statistics, path)
        schema = released_statistics(statistics, job.method, path.name)
        return Written(released_data(path, sites), schema)

    def input(self, outcome: StatisticsOutcome) -> tuple[Iterable[bytes], int]:
        """All that was read."""
        return input_bytes(outcome.job), outcome.read.samples

    def gather(
        self,
        outcome: StatisticsOutcome,
        folders: Folders,
        written: Written,
        described: Described,
        progress: Progress,
    ) -> Gathered[DnaEvidence, StewardDnaEvidence]:
        """Check the written figures, and attack them."""
        _refuse_difference(outcome.published.statistics, folders.release / written.data.file)
        return gather_statistics(
            outcome,
            described.data,
            described.schema_sha256,
            described.fingerprint,
            described.seconds,
            progress=progress,
        )

    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check statistics from their bytes."""
        return verify_statistics(release, original=original, progress=progress)


STATISTICS = StatisticsKind()


def _refuse_difference(written: Statistics, path: Path) -> None:
    """What was read again must be what was found, figure by figure, with nothing else in the file."""
    again = read_statistics(path)
    same = (
        list(again.columns) == list(written.columns)
        and np.array_equal(again.sites.position, written.sites.position)
        and np.array_equal(again.sites.chromosome, written.sites.chromosome)
        and np.array_equal(again.sites.reference, written.sites.reference)
        and np.array_equal(again.sites.alternate, written.sites.alternate)
        and all(np.array_equal(again.columns[n], written.columns[n], equal_nan=True) for n in written.columns)
        and is_canonical(path, again)
    )
    if not same:
        raise PromiseNotMet("the file that was written does not hold the figures that were found", remedy=BUG)
