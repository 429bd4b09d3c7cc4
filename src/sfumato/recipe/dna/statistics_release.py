"""Make a release of statistics: carry the job out, write, read again, check, and then put it in place."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_dna import StewardDnaEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Statistics
from sfumato.dna.reading import read_statistics
from sfumato.recipe.dna.statistics_evidence import GatheredStatistics, gather_statistics
from sfumato.recipe.dna.statistics_file import is_canonical, write_file
from sfumato.recipe.dna.statistics_job import StatisticsJob
from sfumato.recipe.dna.statistics_outcome import BUG, StatisticsOutcome, carry_out_statistics
from sfumato.recipe.dna.statistics_reading import input_bytes, paths_of
from sfumato.recipe.dna.statistics_schema import released_statistics
from sfumato.recipe.dna.statistics_verify import verify_statistics
from sfumato.recipe.fingerprint import input_fingerprint, key_of_the_house, sha256_of
from sfumato.recipe.finished import refuse_refuted, write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing
from sfumato.recipe.on_disk import SCHEMA
from sfumato.recipe.release import Released, refuse_input_inside, refuse_path_inside, refuse_seeds
from sfumato.recipe.released_data import released_data


def make_statistics_release(
    job: StatisticsJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardDnaEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    key_of_the_house()
    refuse_seeds(job.random, "random")
    for path in (*paths_of(job.data), *paths_of(job.reference)):
        refuse_path_inside(path, target)
    if job.people is not None:
        refuse_input_inside(job.people, target)
    with all_or_nothing(target, replace=replace) as folders:
        outcome = carry_out_statistics(job, progress)
        gathered = _write(outcome, folders, progress)
    release, steward = target / RELEASE, target / STEWARD
    data = release / gathered.public.data.file
    return Released(release, steward, data, gathered.verdicts, gathered.steward)


def _write(outcome: StatisticsOutcome, folders: Folders, progress: Progress) -> GatheredStatistics:
    job, statistics = outcome.job, outcome.published.statistics
    progress.step("writing")
    started = time.perf_counter()
    path = folders.release / f"data.{job.format}"
    sites = write_file(statistics, path)
    schema = released_statistics(statistics, job.method, path.name)
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2), encoding="utf-8")
    _refuse_difference(statistics, path)
    seconds = {"write": round(time.perf_counter() - started, 3)}
    gathered = gather_statistics(
        outcome,
        released_data(path, sites),
        sha256_of(folders.release / SCHEMA),
        input_fingerprint(input_bytes(job), outcome.read.samples, folders.steward),
        seconds,
        progress=progress,
    )
    progress.step("writing evidence and report")
    write_evidence(folders, gathered.public, gathered.steward)
    progress.step("checking the release as a reader would")
    refuse_refuted(verify_statistics(folders.release))
    progress.step("putting the release in place")
    return gathered


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
