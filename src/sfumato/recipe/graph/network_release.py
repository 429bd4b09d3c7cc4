"""Make a release of a network: carry the job out, write, read again, check, and only then put it in place."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_graph import GraphEvidence, StewardGraphEvidence
from sfumato.core.findings import Verification
from sfumato.core.fingerprint import sha256_of
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.grouped import Grouped
from sfumato.graph.writing import publish, publish_grouped
from sfumato.graph.writing.files import write_table
from sfumato.recipe.graph.network_evidence import gather_network
from sfumato.recipe.graph.network_file import Published, read_published, same, write_published
from sfumato.recipe.graph.network_job import NetworkJob
from sfumato.recipe.graph.network_outcome import BUG, NetworkOutcome, carry_out_network, held
from sfumato.recipe.graph.network_reading import input_bytes, network_files
from sfumato.recipe.graph.network_schema import ReleasedNetwork, columns_of, files_of
from sfumato.recipe.graph.network_verify import verify_network
from sfumato.release.data_files import others_of, released_data
from sfumato.release.pipeline import refuse_seeds

TRUTH = "truth.csv"
"""which number or group everybody has: for the steward, who may want to attack the release again"""


@dataclass(frozen=True, eq=False)
class Numbered:
    """What is published under its new numbers, and the number (or group) of each node that was read."""

    published: Published
    node: NDArray[np.int64]


def numbered(outcome: NetworkOutcome) -> Numbered:
    """Give nodes, or groups, new numbers at random."""
    published, random = outcome.published, outcome.job.random
    if isinstance(published, Grouped):
        groups = publish_grouped(published, random=random)
        return Numbered(groups.grouped, groups.group[outcome.node])
    nodes = publish(published, random=random)
    return Numbered(nodes.network, nodes.node)


class NetworkKind(Kind[NetworkJob, NetworkOutcome, StewardGraphEvidence]):
    """A network with other edges, or as groups of nodes."""

    def inputs(self, job: NetworkJob) -> Iterable[Path]:
        """The network, and the table about its nodes."""
        return network_files(job.data, job.people)

    def ready(self, job: NetworkJob, target: Path, *, replace: bool) -> NetworkJob:
        """Refuse seeds."""
        refuse_seeds(job.random, "numbers")
        return job

    def protect(self, job: NetworkJob, held: None, progress: Progress) -> NetworkOutcome:
        """Read the network and search."""
        return carry_out_network(job, progress)

    def write(self, outcome: NetworkOutcome, folders: Folders) -> Written:
        """Write what is published under new numbers; whose they are is the steward's."""
        job, new = outcome.job, numbered(outcome)
        path = write_published(new.published, job.written, folders.release)
        people = None
        if outcome.people is not None:
            from sfumato.recipe.graph.people_release import write_people

            people = write_people(outcome.people, new.node, folders.release, job.written)
        schema = ReleasedNetwork(
            form="grouping" if isinstance(new.published, Grouped) else "network",
            file=path.name,
            labelled=job.labelled,
            columns=columns_of(job.form, job.written, labelled=job.labelled),
            more={name: sha256_of(folders.release / name) for name in files_of(job.form, job.written)[1]},
            people=None if people is None else people.schema,
        )
        _write_truth(outcome, new.node, folders.steward / TRUTH)
        data = released_data(path, rows_in(new.published), others_of(path))
        return Written(data, schema, (new.published, people))

    def input(self, outcome: NetworkOutcome) -> tuple[Iterable[bytes], int]:
        """The network."""
        return input_bytes(outcome.job.data), outcome.read.network.edges

    def gather(
        self,
        outcome: NetworkOutcome,
        folders: Folders,
        written: Written,
        described: Described,
        progress: Progress,
    ) -> Gathered[GraphEvidence, StewardGraphEvidence]:
        """Check the written network, measure and attack it."""
        job, started = outcome.job, time.perf_counter()
        published, people = written.more
        again = read_published(folders.release, job.form, job.written)
        if not same(published, again):
            raise PromiseNotMet("the files that were written do not hold what was found", remedy=BUG)
        verdicts = tuple(held(model, again) for model in job.models)
        seconds = {**described.seconds, "check": round(time.perf_counter() - started, 3)}
        return gather_network(
            outcome,
            again,
            verdicts,
            described.data,
            described.schema_sha256,
            described.fingerprint,
            seconds,
            people,
            progress=progress,
        )

    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check a network or groups from their bytes."""
        return verify_network(release, original=original, progress=progress)


NETWORK = NetworkKind()


def rows_in(published: Published) -> int:
    """Return how many rows the released file has: a row for each edge, or for each group."""
    return len(published.sizes) if isinstance(published, Grouped) else published.edges


def _write_truth(outcome: NetworkOutcome, node: NDArray[np.int64], path: Path) -> None:
    what = "group" if isinstance(outcome.published, Grouped) else "node"
    write_table(pa.table({"name": outcome.read.names, what: node + 1}), path)
    os.chmod(path, 0o600)
