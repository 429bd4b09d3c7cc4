"""From an outcome over statistics to its evidence, public and for the steward."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sfumato.core import evidence as ev
from sfumato.core import evidence_dna as evd
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.kind import Gathered
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Verdict
from sfumato.dna.contract import Statistics, StatisticsModel
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.statistics.columns import Counted
from sfumato.dna.statistics.peaks import peaks
from sfumato.recipe.dna.statistics_attacked import attacked_statistics
from sfumato.recipe.dna.statistics_job import ORDER
from sfumato.recipe.dna.statistics_measured import measured_for
from sfumato.recipe.dna.statistics_outcome import StatisticsOutcome
from sfumato.recipe.dna.statistics_price import meaning_of, neighbours_of
from sfumato.recipe.dna.statistics_warned import warnings_of
from sfumato.recipe.query.warned import OF_THE_SYSTEM
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE
from sfumato.recipe.warned import OF_A_SEED

STRIPPED = ("sample names, and everything that files say of samples", "names of sites of the house")
IN_THE_HOUSE = "measured in the house, on people who were held out"


def gather_statistics(
    outcome: StatisticsOutcome,
    data: ev.DataEvidence,
    schema_sha256: str,
    fingerprint: ev.InputEvidence,
    seconds: Mapping[str, float] | None = None,
    *,
    progress: Progress = SILENT,
) -> Gathered[evd.DnaEvidence, evd.StewardDnaEvidence]:
    """Write down what is released, and for the steward what was lost and what adversaries reach."""
    job, study = outcome.job, outcome.study
    public = _public(outcome, data, schema_sha256)
    spent = {**outcome.seconds, **(seconds or {})}
    progress.step("measuring what was lost")
    started = time.perf_counter()
    counted = Counted.of(study, progress=progress)
    utility = measured_for(outcome, counted)
    spent["measure"] = round(time.perf_counter() - started, 3)
    started = time.perf_counter()
    attacked = attacked_statistics(outcome, counted, progress)
    spent["attack"] = round(time.perf_counter() - started, 3)
    shared = public.model_dump()
    shared.update(
        edition="steward",
        verdicts=[
            verdict_told(model, verdict, parameters_of(model)).model_dump()
            for model, verdict in zip(job.models, outcome.verdicts, strict=True)
        ],
    )
    steward = evd.StewardDnaEvidence(
        **shared,
        input=fingerprint,
        utility=utility,
        seconds=spent,
        attacks=attacked.attacks,
        read=_read(outcome, counted),
        notes=[*outcome.read.notes, *attacked.notes],
        search=dict(outcome.published.details),
        curves=attacked.curves,
    )
    return Gathered(outcome.verdicts, public, steward)


def public_verdict(model: StatisticsModel, verdict: Verdict) -> VerdictEvidence:
    """Describe a verdict for everybody: that a measured bound holds, and not how far."""
    if isinstance(model, MembershipBound):
        verdict = replace(verdict, achieved=verdict.required, note=IN_THE_HOUSE)
    return verdict_told(model, verdict, parameters_of(model))


def _public(outcome: StatisticsOutcome, data: ev.DataEvidence, schema_sha256: str) -> evd.DnaEvidence:
    """Gather what everybody may see: of noisy figures nothing that was computed without noise."""
    job, statistics, cost = outcome.job, outcome.published.statistics, outcome.cost
    secret = outcome.secret
    return evd.DnaEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(),
        data=data,
        verdicts=[
            public_verdict(model, verdict)
            for model, verdict in zip(job.models, outcome.verdicts, strict=True)
        ],
        people=PERSONS_COUNTED if job.counts_persons else ROWS_AS_PEOPLE,
        order=ORDER,
        truthful=not job.noisy,
        method=job.method.name,
        warnings=list(warnings_of(job.method, job.models, cost, person=job.counts_persons, secret=secret)),
        form="statistics",
        figures=evd.FiguresEvidence(
            sites=len(statistics.sites),
            columns=list(statistics.columns),
            people=statistics.people,
            cases=statistics.cases,
            epsilon=None if cost is None else cost.epsilon_text,
            delta=None if cost is None else cost.delta_text,
            neighbours=neighbours_of(job.method),
            meaning=[] if cost is None else meaning_of(cost, neighbours_of(job.method)),
            randomness="" if cost is None else OF_THE_SYSTEM if secret else OF_A_SEED,
            peaks=peaks_told(statistics),
        ),
        schema_sha256=schema_sha256,
        stripped=list(STRIPPED),
    )


def peaks_told(statistics: Statistics) -> list[evd.PeakEvidence]:
    """Tell how the published p-values lie along the genome."""
    return [evd.PeakEvidence(**peak._asdict()) for peak in peaks(statistics)]


def _read(outcome: StatisticsOutcome, counted: Counted) -> evd.ReadDnaEvidence:
    counts = counted.everybody
    alternate = counts[:, 1] + 2 * counts[:, 2]
    reference = counts[:, 1] + 2 * counts[:, 0]
    sites = len(outcome.study.pool.sites)
    left_out = dict(outcome.read.left_out)
    gone = sites - len(outcome.published.kept)
    if gone:
        left_out["sites that are not published"] = gone
    return evd.ReadDnaEvidence(
        rows=outcome.read.samples,
        persons=outcome.study.pool.people,
        positions=sites,
        varying=int(np.count_nonzero((alternate > 0) & (reference > 0))),
        missing=int(counts[:, 3].sum()),
        left_out=left_out,
    )
