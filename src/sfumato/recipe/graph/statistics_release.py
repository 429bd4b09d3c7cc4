"""Make a release of statistics of a network: carry the job out, write, read again, check, and then put it in
place."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_graph import GraphEvidence, StewardGraphEvidence
from sfumato.core.findings import Verification
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.contract import Statistics
from sfumato.graph.reading import read_statistics
from sfumato.graph.writing import write_statistics
from sfumato.recipe.graph.network_reading import input_bytes, network_files
from sfumato.recipe.graph.statistics_evidence import gather_graph_statistics
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
from sfumato.release.data_files import released_data
from sfumato.release.pipeline import refuse_seeds

TRUTH = "truth.csv"
"""the figures without noise: for the steward alone"""


class GraphStatisticsKind(Kind[GraphStatisticsJob, GraphStatisticsOutcome, StewardGraphEvidence]):
    """Statistics of a network, under differential privacy."""

    def inputs(self, job: GraphStatisticsJob) -> Iterable[Path]:
        """The network, and the table about its nodes."""
        return network_files(job.data, job.people)

    def ready(self, job: GraphStatisticsJob, target: Path, *, replace: bool) -> GraphStatisticsJob:
        """Refuse seeds."""
        refuse_seeds(job.random, "random")
        return job

    def protect(self, job: GraphStatisticsJob, held: None, progress: Progress) -> GraphStatisticsOutcome:
        """Count, and draw the noise."""
        outcome = carry_out_graph_statistics(job, progress)
        if not outcome.secret:
            raise PromiseNotMet("noise was not drawn in secret", remedy=BUG)
        return outcome

    def write(self, outcome: GraphStatisticsOutcome, folders: Folders) -> Written:
        """Write the figures; those without noise are the steward's."""
        job = outcome.job
        path = folders.release / f"data.{job.format}"
        rows = write_statistics(outcome.statistics, path)
        _write_truth(outcome, folders.steward / TRUTH)
        schema = released_graph_statistics(job.method, outcome.public_nodes, path.name)
        return Written(released_data(path, rows), schema)

    def input(self, outcome: GraphStatisticsOutcome) -> tuple[Iterable[bytes], int]:
        """The network."""
        return input_bytes(outcome.job.data), outcome.read.network.edges

    def gather(
        self,
        outcome: GraphStatisticsOutcome,
        folders: Folders,
        written: Written,
        described: Described,
        progress: Progress,
    ) -> Gathered[GraphEvidence, StewardGraphEvidence]:
        """Check the written figures, and measure what noise did to them."""
        _refuse_difference(outcome.statistics, folders.release / written.data.file)
        return gather_graph_statistics(
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
        return verify_graph_statistics(release, original=original, progress=progress)


GRAPH_STATISTICS = GraphStatisticsKind()


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
