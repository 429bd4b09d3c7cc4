"""Make a release of statistics of a network: carry the job out, write, read again, check, and then put it in
place."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_graph import StewardGraphEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.contract import Statistics
from sfumato.graph.reading import read_statistics
from sfumato.graph.writing import write_statistics
from sfumato.recipe.fingerprint import input_fingerprint, key_of_the_house, sha256_of
from sfumato.recipe.finished import refuse_refuted, write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing
from sfumato.recipe.graph.network_reading import input_bytes
from sfumato.recipe.graph.statistics_evidence import GatheredGraphStatistics, gather_graph_statistics
from sfumato.recipe.graph.statistics_file import is_canonical
from sfumato.recipe.graph.statistics_job import GraphStatisticsJob
from sfumato.recipe.graph.statistics_outcome import (
    BUG,
    GraphStatisticsOutcome,
    carry_out_graph_statistics,
    exact_statistics,
)
from sfumato.recipe.graph.statistics_schema import released_graph_statistics
from sfumato.recipe.graph.statistics_verify import verify_graph_statistics
from sfumato.recipe.on_disk import SCHEMA
from sfumato.recipe.release import Released, refuse_input_inside, refuse_path_inside, refuse_seeds
from sfumato.recipe.released_data import released_data

TRUTH = "truth.csv"
"""the figures without noise: for the steward alone"""


def make_graph_statistics_release(
    job: GraphStatisticsJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardGraphEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    key_of_the_house()
    refuse_seeds(job.random, "random")
    if isinstance(job.data, Path):
        refuse_path_inside(job.data, target)
    if job.people is not None:
        refuse_input_inside(job.people.source, target)
    with all_or_nothing(target, replace=replace) as folders:
        outcome = carry_out_graph_statistics(job, progress)
        if not outcome.secret:
            raise PromiseNotMet("noise was not drawn in secret", remedy=BUG)
        gathered = _write(outcome, folders, progress)
    release, steward = target / RELEASE, target / STEWARD
    data = release / gathered.public.data.file
    return Released(release, steward, data, gathered.verdicts, gathered.steward)


def _write(outcome: GraphStatisticsOutcome, folders: Folders, progress: Progress) -> GatheredGraphStatistics:
    job, statistics = outcome.job, outcome.statistics
    progress.step("writing")
    started = time.perf_counter()
    path = folders.release / f"data.{job.format}"
    rows = write_statistics(statistics, path)
    schema = released_graph_statistics(job.method, outcome.public_nodes, path.name)
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2), encoding="utf-8")
    _refuse_difference(statistics, path)
    _write_truth(outcome, folders.steward / TRUTH)
    seconds = {"write": round(time.perf_counter() - started, 3)}
    gathered = gather_graph_statistics(
        outcome,
        released_data(path, rows),
        sha256_of(folders.release / SCHEMA),
        input_fingerprint(input_bytes(job.data), outcome.read.network.edges, folders.steward),
        seconds,
        progress=progress,
    )
    progress.step("writing evidence and report")
    write_evidence(folders, gathered.public, gathered.steward)
    progress.step("checking the release as a reader would")
    refuse_refuted(verify_graph_statistics(folders.release))
    progress.step("putting the release in place")
    return gathered


def _refuse_difference(written: Statistics, path: Path) -> None:
    """What was read again must be what was found, figure by figure, with nothing else in the file."""
    again = read_statistics(path)
    same = (
        list(again.columns) == list(written.columns)
        and all(np.array_equal(again.columns[name], written.columns[name]) for name in written.columns)
        and is_canonical(path, again)
    )
    if not same:
        raise PromiseNotMet("the file that was written does not hold the figures that were found", remedy=BUG)


def _write_truth(outcome: GraphStatisticsOutcome, path: Path) -> None:
    write_statistics(exact_statistics(outcome.job.method, outcome.read.network, outcome.statistics), path)
    os.chmod(path, 0o600)
