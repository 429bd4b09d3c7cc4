"""Make a release of a network: carry the job out, write, read again, check, and only then put it in place."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_graph import StewardGraphEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.grouped import Grouped
from sfumato.graph.writing import publish, publish_grouped
from sfumato.graph.writing.files import write_table
from sfumato.recipe.fingerprint import input_fingerprint, key_of_the_house, sha256_of
from sfumato.recipe.finished import refuse_refuted, write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing
from sfumato.recipe.graph.network_evidence import GatheredNetwork, gather_network
from sfumato.recipe.graph.network_file import Published, read_published, same, write_published
from sfumato.recipe.graph.network_job import NetworkJob
from sfumato.recipe.graph.network_outcome import BUG, NetworkOutcome, carry_out_network, held
from sfumato.recipe.graph.network_reading import input_bytes
from sfumato.recipe.graph.network_schema import ReleasedNetwork, columns_of, files_of
from sfumato.recipe.graph.network_verify import verify_network
from sfumato.recipe.on_disk import SCHEMA
from sfumato.recipe.release import Released, refuse_input_inside, refuse_path_inside, refuse_seeds
from sfumato.recipe.released_data import others_of, released_data

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


def make_network_release(
    job: NetworkJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardGraphEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    key_of_the_house()
    refuse_seeds(job.random, "numbers")
    if isinstance(job.data, Path):
        refuse_path_inside(job.data, target)
    if job.people is not None:
        refuse_input_inside(job.people.source, target)
    with all_or_nothing(target, replace=replace) as folders:
        outcome = carry_out_network(job, progress)
        gathered = _write(outcome, folders, progress)
    release, steward = target / RELEASE, target / STEWARD
    data = release / gathered.public.data.file
    return Released(release, steward, data, gathered.verdicts, gathered.steward)


def _write(outcome: NetworkOutcome, folders: Folders, progress: Progress) -> GatheredNetwork:
    job = outcome.job
    progress.step("writing")
    started = time.perf_counter()
    new = numbered(outcome)
    path = write_published(new.published, job.written, folders.release)
    people = None
    if outcome.people is not None:
        from sfumato.recipe.graph.people_release import write_people

        people = write_people(outcome.people, new.node, folders.release, job.written)
    more = {name: sha256_of(folders.release / name) for name in files_of(job.form, job.written)[1]}
    schema = ReleasedNetwork(
        form="grouping" if isinstance(new.published, Grouped) else "network",
        file=path.name,
        labelled=job.labelled,
        columns=columns_of(job.form, job.written, labelled=job.labelled),
        more=more,
        people=None if people is None else people.schema,
    )
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2, by_alias=True), encoding="utf-8")
    _write_truth(outcome, new.node, folders.steward / TRUTH)
    seconds = {"write": round(time.perf_counter() - started, 3)}
    progress.step("checking the release by reading it again")
    started = time.perf_counter()
    again = read_published(folders.release, job.form, job.written)
    if not same(new.published, again):
        raise PromiseNotMet("the files that were written do not hold what was found", remedy=BUG)
    verdicts = tuple(held(model, again) for model in job.models)
    seconds["check"] = round(time.perf_counter() - started, 3)
    gathered = gather_network(
        outcome,
        again,
        verdicts,
        released_data(path, rows_in(again), others_of(path)),
        sha256_of(folders.release / SCHEMA),
        input_fingerprint(input_bytes(job.data), outcome.read.network.edges, folders.steward),
        seconds,
        people,
        progress=progress,
    )
    progress.step("writing evidence and report")
    write_evidence(folders, gathered.public, gathered.steward)
    progress.step("checking the release as a reader would")
    refuse_refuted(verify_network(folders.release))
    progress.step("putting the release in place")
    return gathered


def rows_in(published: Published) -> int:
    """Return how many rows the released file has: a row for each edge, or for each group."""
    return len(published.sizes) if isinstance(published, Grouped) else published.edges


def _write_truth(outcome: NetworkOutcome, node: NDArray[np.int64], path: Path) -> None:
    what = "group" if isinstance(outcome.published, Grouped) else "node"
    write_table(pa.table({"name": outcome.read.names, what: node + 1}), path)
    os.chmod(path, 0o600)
