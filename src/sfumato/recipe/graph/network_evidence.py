"""From an outcome over a network to its evidence, public and for the steward."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sfumato.core import evidence as ev
from sfumato.core import evidence_graph as evg
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.kind import Gathered
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Verdict
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.reading import Read
from sfumato.recipe.graph.network_attacked import attacked_network
from sfumato.recipe.graph.network_measured import curves_of, exposed, measured_for
from sfumato.recipe.graph.network_outcome import NetworkOutcome, Published, only_adds
from sfumato.recipe.graph.network_reading import component_count, left_out_of, stripped_of
from sfumato.recipe.graph.network_shown import grouping_shown, network_shown
from sfumato.recipe.graph.network_warned import NODES_AS_PEOPLE, warnings_of

if TYPE_CHECKING:
    from sfumato.recipe.graph.people_release import PeopleWritten

ORDER = "shuffled"
"""numbers of nodes are new, and files are in their order"""


def gather_network(
    outcome: NetworkOutcome,
    read_again: Published,
    verdicts: Sequence[Verdict],
    data: ev.DataEvidence,
    schema_sha256: str,
    fingerprint: ev.InputEvidence,
    seconds: Mapping[str, float] | None = None,
    people: PeopleWritten | None = None,
    *,
    progress: Progress = SILENT,
) -> Gathered[evg.GraphEvidence, evg.StewardGraphEvidence]:
    """Write down what was found; ``verdicts`` are about what was read again from the files."""
    public = _public(outcome, read_again, verdicts, data, schema_sha256, people)
    spent = {**outcome.seconds, **(seconds or {})}
    progress.step("measuring risk and loss")
    started = time.perf_counter()
    before, after, said = exposed(outcome, progress)
    utility = [*measured_for(outcome, progress), *(outcome.people.utility if outcome.people else [])]
    degrees, candidates = curves_of(outcome)
    spent["measure"] = round(time.perf_counter() - started, 3)
    started = time.perf_counter()
    attacks = attacked_network(outcome, progress)
    spent["attack"] = round(time.perf_counter() - started, 3)
    shared = public.model_dump()
    shared.update(edition="steward")
    steward = evg.StewardGraphEvidence(
        **shared,
        input=fingerprint,
        utility=utility,
        seconds=spent,
        attacks=attacks,
        read=read_told(outcome.read),
        notes=[*outcome.read.told.sentences(), *(outcome.people.notes if outcome.people else ())],
        risk_before=before,
        risk_after=after,
        risk_said=said,
        search=dict(outcome.solution.details),
        degrees=degrees,
        candidates=candidates,
    )
    kept = (*verdicts, *(people.held if people is not None else ()))
    return Gathered(kept, public, steward)


def _public(
    outcome: NetworkOutcome,
    read_again: Published,
    verdicts: Sequence[Verdict],
    data: ev.DataEvidence,
    schema_sha256: str,
    people: PeopleWritten | None,
) -> evg.GraphEvidence:
    job = outcome.job
    told = [
        verdict_told(model, verdict, parameters_of(model))
        for model, verdict in zip(job.models, verdicts, strict=True)
    ]
    network = network_shown(read_again) if isinstance(read_again, Network) else None
    grouping = grouping_shown(read_again) if isinstance(read_again, Grouped) else None
    warnings = list(
        warnings_of(job.models, adds_only=only_adds(job.method), labelled=job.labelled, grouping=grouping)
    )
    if people is not None:
        from sfumato.recipe.graph.people_warned import warnings_of_people

        told += people.verdicts
        warnings += warnings_of_people(people.evidence, people.schema, people.verdicts)
    return evg.GraphEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(),
        data=data,
        verdicts=told,
        people=NODES_AS_PEOPLE,
        order=ORDER,
        truthful=job.method.truthful,
        method=job.method.name,
        warnings=warnings,
        form="grouping" if grouping is not None else "network",
        network=network,
        grouping=grouping,
        table=None if people is None else people.evidence,
        schema_sha256=schema_sha256,
        stripped=stripped_of(outcome.read, job.options.label, table=job.people is not None),
    )


def read_told(read: Read) -> evg.ReadNetworkEvidence:
    """Describe the network as it was read: for the steward."""
    network = read.network
    return evg.ReadNetworkEvidence(
        nodes=network.nodes,
        edges=network.edges,
        isolated=int(np.count_nonzero(network.degrees() == 0)),
        components=component_count(read),
        left_out=left_out_of(read),
    )
