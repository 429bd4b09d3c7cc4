"""From an outcome over statistics of a network to its evidence, public and for the steward."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sfumato.core import evidence as ev
from sfumato.core import evidence_graph as evg
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.kind import Gathered
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.graph.network_evidence import read_told
from sfumato.recipe.graph.network_warned import NODES_AS_PEOPLE
from sfumato.recipe.graph.statistics_job import ORDER
from sfumato.recipe.graph.statistics_measured import curves_of_statistics, lost
from sfumato.recipe.graph.statistics_outcome import GraphStatisticsOutcome
from sfumato.recipe.graph.statistics_price import IN_WORDS, meaning_of, neighbours_of, text_of
from sfumato.recipe.graph.statistics_warned import warnings_of_statistics
from sfumato.recipe.query.warned import OF_THE_SYSTEM
from sfumato.recipe.warned import OF_A_SEED

STRIPPED = ("names of nodes", "nodes and edges themselves")
RISK_SAID = "no node and no edge is released: what figures tell of anybody is what the price allows"


def gather_graph_statistics(
    outcome: GraphStatisticsOutcome,
    data: ev.DataEvidence,
    schema_sha256: str,
    fingerprint: ev.InputEvidence,
    seconds: Mapping[str, float] | None = None,
    *,
    progress: Progress = SILENT,
) -> Gathered[evg.GraphEvidence, evg.StewardGraphEvidence]:
    """Write down what is released, and for the steward what was lost to noise."""
    public = _public(outcome, data, schema_sha256)
    spent = {**outcome.seconds, **(seconds or {})}
    progress.step("measuring what was lost")
    started = time.perf_counter()
    utility = lost(outcome)
    degrees = curves_of_statistics(outcome)
    spent["measure"] = round(time.perf_counter() - started, 3)
    shared = public.model_dump()
    shared.update(edition="steward")
    steward = evg.StewardGraphEvidence(
        **shared,
        input=fingerprint,
        utility=utility,
        seconds=spent,
        read=read_told(outcome.read),
        notes=outcome.read.told.sentences(),
        risk_said=[RISK_SAID],
        search=dict(outcome.solution.details),
        degrees=degrees,
    )
    return Gathered(outcome.verdicts, public, steward)


def _public(outcome: GraphStatisticsOutcome, data: ev.DataEvidence, schema_sha256: str) -> evg.GraphEvidence:
    """Gather what everybody may see: nothing that was computed without noise but what is public."""
    job, statistics = outcome.job, outcome.statistics
    neighbours = neighbours_of(job.method)
    return evg.GraphEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(),
        data=data,
        verdicts=[
            verdict_told(model, verdict, parameters_of(model))
            for model, verdict in zip(job.models, outcome.verdicts, strict=True)
        ],
        people=NODES_AS_PEOPLE,
        order=ORDER,
        truthful=False,
        method=job.method.name,
        warnings=list(warnings_of_statistics(job.method, outcome.epsilon, secret=outcome.secret)),
        form="statistics",
        figures=evg.GraphFiguresEvidence(
            statistic=statistics.statistic,
            columns=list(statistics.columns),
            rows=data.rows,
            epsilon=text_of(outcome.epsilon),
            nodes=outcome.public_nodes,
            neighbours=IN_WORDS[neighbours],
            meaning=meaning_of(outcome.epsilon, neighbours),
            randomness=OF_THE_SYSTEM if outcome.secret else OF_A_SEED,
        ),
        schema_sha256=schema_sha256,
        stripped=list(STRIPPED),
    )
