"""From an outcome over a table and codes to its evidence, public and for the steward."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.utility import MEASURES as SET_MEASURES
from sfumato.codes.utility.occurrences import Occurrences
from sfumato.core import evidence as ev
from sfumato.core import evidence_codes as evc
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.named import parameters_of
from sfumato.core.verdict import Threat, Verdict
from sfumato.hierarchy import to_spec
from sfumato.recipe.codes.shown import root_of, shown_by
from sfumato.recipe.codes.warned import says_little
from sfumato.recipe.records.keeps_more import advice_on_records
from sfumato.recipe.records.outcome import RecordsOutcome
from sfumato.recipe.records.warned import warnings_of_records
from sfumato.recipe.risk import PERSONS_COUNTED
from sfumato.record.relational_codes.published import PublishedRecords
from sfumato.report.answer import little_left
from sfumato.table.utility.measures import MEASURES

_OF_TABLES = ("gcp", "loss-metric")
"""the measures of tables that are told beside those of sets"""


def public_evidence(
    outcome: RecordsOutcome,
    released: PublishedRecords,
    verdict: Verdict,
    data: ev.DataEvidence,
    schema_sha256: str,
) -> evc.CodesEvidence:
    """Write down what everybody may see."""
    job = outcome.job
    hierarchy = job.asked.code_hierarchy
    shown = shown_by(released.sets, root_of(outcome.solution.published.sets))
    return evc.CodesEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(),
        data=data,
        verdicts=[verdict_told(job.asked.model, verdict, parameters_of(job.asked.model))],
        people=PERSONS_COUNTED,
        order=str(job.order),
        truthful=True,
        method=job.asked.method.name,
        warnings=[
            *says_little(shown),
            *warnings_of_records(job.asked.model, to_spec(hierarchy) if hierarchy else None),
        ],
        layout=job.output_layout,
        schema_sha256=schema_sha256,
        shown=shown,
        quasi=list(released.columns),
    )


def steward_evidence(
    outcome: RecordsOutcome,
    public: evc.CodesEvidence,
    fingerprint: ev.InputEvidence,
    seconds: Mapping[str, float],
) -> evc.StewardCodesEvidence:
    """Add what was computed from the raw data."""
    problem, published = outcome.opened.found.problem, outcome.solution.published
    sets = problem.sets
    before = _alone(problem.cell_of, sets.starts, sets.codes, len(sets.domain))
    after = _alone(published.class_of, published.sets.starts, published.sets.shown, len(published.sets.items))
    shared = public.model_dump()
    shared.update(edition="steward")
    steward = evc.StewardCodesEvidence(
        **shared,
        input=fingerprint,
        utility=list(_utility(outcome)),
        seconds={**outcome.seconds, **seconds},
        original=evc.OriginalEvidence(
            records=len(sets),
            empty=outcome.opened.found.joined.without_codes,
            codes=len(sets.domain),
            occurrences=sets.occurrences,
        ),
        became=_became(outcome),
        notes=list(outcome.notes),
        risk_before=before,
        risk_after=after,
        risk_said=["an adversary is taken to know that somebody is in the data"],
        search=dict(outcome.solution.details),
        truth=str(outcome.truth),
    )
    if not little_left(steward):
        return steward
    lost = next((one.value for one in steward.utility if one.name == "codes-ncp"), 1.0)
    told = advice_on_records(
        problem, outcome.job.asked.method, float(lost) if isinstance(lost, float) else 1.0
    )
    return steward.model_copy(update={"keeps_more": told})


def _utility(outcome: RecordsOutcome) -> Iterable[ev.MeasureEvidence]:
    """Measure what either part has lost."""
    for measure in MEASURES:
        value = measure.of(outcome.solution.relational) if measure.name in _OF_TABLES else None
        if value is not None:
            title = f"quasi-identifiers: {measure.title}"
            yield ev.MeasureEvidence(
                name=measure.name, title=title, value=value, range=measure.range, meaning=measure.meaning
            )
    sets = outcome.opened.found.joined.sets
    for one in SET_MEASURES:
        found = one.of(sets, outcome.solution.published.sets)
        if found is not None:
            yield ev.MeasureEvidence(
                name=f"codes-{one.name}",
                title=f"codes: {one.title}",
                value=found.value,
                range=one.range,
                meaning=one.meaning,
                details=dict(found.details),
            )


def _became(outcome: RecordsOutcome) -> evc.BecameEvidence | None:
    found = Occurrences().of(outcome.opened.found.joined.sets, outcome.solution.published.sets)
    if found is None:
        return None
    told = {key: int(value) for key, value in found.details.items() if isinstance(value, int)}
    return evc.BecameEvidence(
        kept=told["kept"],
        generalised=told["generalised"],
        suppressed=told["suppressed"],
        codes_suppressed=told["distinct codes"] - told["distinct codes shown"],
        emptied=told["emptied records"],
    )


def _alone(
    owner: NDArray[np.int64], starts: NDArray[np.int64], codes: NDArray[np.int32], kinds: int
) -> list[ev.RiskFigure]:
    """Count who is alone with their quasi-identifiers, and with these and all codes."""
    people = max(len(owner), 1)
    drawn = np.frombuffer(os.urandom(8 * (kinds + 1)), np.uint64)
    # Equal sets have equal sums of drawn numbers; that two others have is as unlikely as a guessed key.
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(drawn[codes], dtype=np.uint64)])
    each = np.stack([owner.astype(np.uint64), sums[starts[1:]] - sums[starts[:-1]]])
    _, sizes = np.unique(each, axis=1, return_counts=True)
    figures = []
    for name, title, alone, meaning in (
        (
            "alone-on-quasi",
            "alone with their quasi-identifiers",
            int((np.bincount(owner) == 1).sum()),
            "people whom nobody else shares all quasi-identifiers with",
        ),
        (
            "alone-on-both",
            "alone with quasi-identifiers and codes",
            int((sizes == 1).sum()),
            "people whom nobody else shares all quasi-identifiers and all codes with",
        ),
    ):
        figures.append(
            ev.RiskFigure(
                name=name, title=title, threat=str(Threat.IDENTITY), value=alone / people, meaning=meaning
            )
        )
    return figures
