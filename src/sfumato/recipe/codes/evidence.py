"""From an outcome over sets of codes to its evidence, public and for the steward."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sfumato.codes.contract import SetModel
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.codes.utility import CertaintyPenalty
from sfumato.core import evidence as ev
from sfumato.core import evidence_codes as evc
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.kind import Gathered
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Basis, Verdict
from sfumato.recipe.codes.asked import HIDDEN, IN_HOUSE
from sfumato.recipe.codes.attacked import attacked_codes
from sfumato.recipe.codes.exposed import exposed
from sfumato.recipe.codes.job import public_parameters
from sfumato.recipe.codes.keeps_more import advice
from sfumato.recipe.codes.measured import measured_for
from sfumato.recipe.codes.outcome import CodesOutcome, held
from sfumato.recipe.codes.released_schema import sensitive_shown
from sfumato.recipe.codes.shown import root_of, shown_by
from sfumato.recipe.codes.warned import warnings_about
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE
from sfumato.report.answer import little_left


def gather_codes(
    outcome: CodesOutcome,
    released: PublishedSets | Disassociated,
    data: ev.DataEvidence,
    layout: str,
    schema_sha256: str,
    fingerprint: ev.InputEvidence,
    policies: Sequence[evc.PolicyFileEvidence] = (),
    seconds: Mapping[str, float] | None = None,
    *,
    progress: Progress = SILENT,
) -> Gathered[evc.CodesEvidence, evc.StewardCodesEvidence]:
    """Check what was released by reading it, and write down what was found."""
    started = time.perf_counter()
    lost = len(outcome.solution.published) - len(released)
    verdicts = tuple(
        held(model, released, lost=lost) if model.basis is Basis.RELEASE else verdict
        for model, verdict in zip(outcome.problem.models, outcome.verdicts, strict=True)
    )
    public = _public(outcome, released, verdicts, data, layout, schema_sha256)
    spent = {**outcome.seconds, **(seconds or {}), "check": round(time.perf_counter() - started, 3)}
    progress.step("measuring risk and loss")
    started = time.perf_counter()
    before, after, said = exposed(outcome, progress)
    utility = measured_for(outcome)
    spent["measure"] = round(time.perf_counter() - started, 3)
    started = time.perf_counter()
    attacks = attacked_codes(outcome, progress)
    spent["attack"] = round(time.perf_counter() - started, 3)
    shared = public.model_dump()
    shared.update(
        edition="steward",
        verdicts=[
            verdict_told(model, verdict, _for_the_steward(model))
            for model, verdict in zip(outcome.problem.models, verdicts, strict=True)
        ],
    )
    steward = evc.StewardCodesEvidence(
        **shared,
        input=fingerprint,
        utility=utility,
        seconds=spent,
        attacks=attacks,
        original=_original(outcome),
        became=_became(outcome),
        notes=list(outcome.found.notes),
        risk_before=before,
        risk_after=after,
        risk_said=said,
        search=dict(outcome.solution.details),
        policies=list(policies),
        truth="" if outcome.truth is None else str(outcome.truth),
    )
    if little_left(steward):
        penalty = next((one.value for one in utility if one.name == CertaintyPenalty.name), 1.0)
        steward = steward.model_copy(
            update={
                "keeps_more": advice(
                    outcome.problem, outcome.job.method, penalty if isinstance(penalty, float) else 1.0
                )
            }
        )
    return Gathered(verdicts, public, steward)


def _public(
    outcome: CodesOutcome,
    released: PublishedSets | Disassociated,
    verdicts: Sequence[Verdict],
    data: ev.DataEvidence,
    layout: str,
    schema_sha256: str,
) -> evc.CodesEvidence:
    job = outcome.job
    told = [
        _for_everybody(verdict_told(model, verdict, public_parameters(model)))
        for model, verdict in zip(outcome.problem.models, verdicts, strict=True)
    ]
    shown = shown_by(released, root_of(outcome.solution.published))
    return evc.CodesEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(outcome.problem.models, sensitive_shown(released, job.sensitive)),
        data=data,
        verdicts=told,
        people=PERSONS_COUNTED if job.schema.person else ROWS_AS_PEOPLE,
        order=str(job.order),
        truthful=True,
        method=job.method.name,
        warnings=list(warnings_about(outcome, layout, shown)),
        form="disassociated" if isinstance(released, Disassociated) else "sets",
        layout=layout,
        schema_sha256=schema_sha256,
        shown=shown,
    )


def _for_everybody(told: ev.VerdictEvidence) -> ev.VerdictEvidence:
    """Leave out figures that tell how many constraints there are and how rare they were."""
    if not set(HIDDEN) & set(told.parameters):
        return told
    return told.model_copy(update=IN_HOUSE)


def _for_the_steward(model: SetModel) -> dict[str, Any]:
    """Count the constraints of a model, which may be thousands: they lie in a file of their own."""
    listed = {key: tuple(getattr(model, key)) for key in HIDDEN if hasattr(model, key)}
    return {**parameters_of(model), **{key: f"{len(told):,}" for key, told in listed.items()}}


def _original(outcome: CodesOutcome) -> evc.OriginalEvidence:
    sets, visits = outcome.problem.sets, outcome.problem.visits
    return evc.OriginalEvidence(
        records=len(sets),
        empty=int(np.count_nonzero(np.diff(sets.starts) == 0)),
        codes=len(sets.domain),
        occurrences=sets.occurrences,
        visits=None if visits is None else len(visits.sets),
    )


def _became(outcome: CodesOutcome) -> evc.BecameEvidence | None:
    """Count what became of the codes, where records are published one to one."""
    from sfumato.codes.utility.occurrences import Occurrences

    found = Occurrences().of(outcome.problem.sets, outcome.solution.published)
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
