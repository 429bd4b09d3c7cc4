"""From an outcome over notes to its evidence, public and for the steward."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sfumato.core import evidence as ev
from sfumato.core import evidence_text as evt
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.kind import Gathered
from sfumato.core.named import parameters_of
from sfumato.core.schema import Field, Role
from sfumato.masking.contract import Mask
from sfumato.masking.plan import policy_lines
from sfumato.masking.vault import VAULT_FILE
from sfumato.recipe.risk import PERSONS_COUNTED
from sfumato.recipe.text.evaluated import Evaluated
from sfumato.recipe.text.job import TextJob
from sfumato.recipe.text.outcome import TextOutcome
from sfumato.recipe.text.warned import NOT_PROMISED, warnings_of
from sfumato.text.stream.handling import REPLACED, of_losses
from sfumato.text.utility import measured_losses, measures, over_redacted

NOTES_AS_PEOPLE = "every note was taken as another person's: no column names the person"
LEFT_OUT = "left out"
AS_IT_IS = "released as it is"
SEARCHED = "searched, and what was found replaced"


def gather_text(
    outcome: TextOutcome,
    data: ev.DataEvidence,
    fingerprint: ev.InputEvidence,
    evaluated: Evaluated | None,
    found_again: evt.FoundAgainEvidence | None,
    seconds: Mapping[str, float] | None = None,
) -> Gathered[evt.TextEvidence, evt.StewardTextEvidence]:
    """Write down what was found, what was done with it, and what was measured."""
    public = _public(outcome, data, evaluated, found_again)
    shared = public.model_dump()
    shared.update(edition="steward")
    job, counts, facts = outcome.job, outcome.counts, outcome.facts
    steward = evt.StewardTextEvidence(
        **shared,
        input=fingerprint,
        utility=_lost(counts, job.finding.language, evaluated),
        attacks=list(outcome.against.attacks),
        singled_out_before=outcome.against.before,
        singled_out_after=outcome.against.after,
        seconds={**outcome.seconds, **(seconds or {})},
        read=evt.TextReadEvidence(
            rows=facts["rows"],
            people=counts["persons"],
            characters=counts["characters"],
            missing=counts["missing"],
            touched=counts["touched"],
            other_encoding=facts["other_encoding"],
            lone_surrogates=facts["lone_surrogates"],
            withheld_persons=facts["withheld_persons"],
        ),
        sampled=len(outcome.samples),
        agreement=_agreement(job),
        masking=_masking(outcome),
    )
    return Gathered(outcome.verdicts, public, steward)


def _public(
    outcome: TextOutcome,
    data: ev.DataEvidence,
    evaluated: Evaluated | None,
    found_again: evt.FoundAgainEvidence | None,
) -> evt.TextEvidence:
    job, counts = outcome.job, outcome.counts
    replacement = job.method.replacement(job.finding.language)
    measured = None if evaluated is None else evaluated.measured
    return evt.TextEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(),
        data=data,
        verdicts=[
            verdict_told(model, verdict, parameters_of(model))
            for model, verdict in zip(job.models, outcome.verdicts, strict=True)
        ],
        people=people_told(named=job.schema.person is not None),
        order=str(job.order),
        truthful=not (replacement.invents or job.masking.invents),
        method=job.method.name,
        warnings=list(
            warnings_of(
                roles=[(c.name, c.role, c.name in job.masking.masks) for c in job.schema.fields],
                measured=measured,
                promised=bool(job.models),
                shifted=job.method.moves_dates,
                invents=replacement.invents,
                order=str(job.order),
            )
        ),
        columns=[_column(job, column) for column in job.schema.fields],
        text_column=job.text,
        notes=counts["notes"],
        empty=counts["empty"],
        characters=counts["released characters"],
        searched=evt.SearchedEvidence(
            language=job.finding.language,
            model=job.model_told,
            threshold=job.finding.threshold,
            known=dict(job.known),
            written=job.written,
        ),
        replacement=replacement.name,
        transformations=_transformations(job),
        replaced=replaced_told(counts),
        measured=measured,
        residual=None if evaluated is None else evaluated.residual(counts),
        found_again=found_again,
        not_promised=NOT_PROMISED,
        withheld_records=outcome.facts["withheld_rows"],
        policy=_policy(job),
        repairs=list(outcome.facts["repairs"]),
    )


def _transformations(job: TextJob) -> str:
    done = job.method.replacement(job.finding.language).describe()
    sanitiser = job.method.sanitiser()
    if sanitiser is None:
        return done
    words = sanitiser.describe()
    return f"{done} {words[0].upper()}{words[1:]}."


def replaced_told(counts: Counter[str]) -> list[evt.ReplacedEvidence]:
    """List what was found by kind and by what was done with it, the commonest first."""
    found = []
    for what, number in counts.items():
        start, _, rest = what.partition("/")
        if start == REPLACED:
            kind, _, how = rest.partition("/")
            found.append(evt.ReplacedEvidence(kind=kind, how=how, number=number))
    return sorted(found, key=lambda one: (-one.number, one.kind, one.how))


def people_told(*, named: bool) -> str:
    """Say who was taken as a person."""
    return PERSONS_COUNTED if named else NOTES_AS_PEOPLE


def treatment_told(text: bool, mask: Mask | None, released: bool) -> str:
    """Say what became of a column."""
    if text:
        return SEARCHED
    if mask is not None:
        return mask.describe()
    return AS_IT_IS if released else LEFT_OUT


def _column(job: TextJob, column: Field) -> ev.ColumnEvidence:
    treatment = treatment_told(
        column.role is Role.TEXT,
        job.masking.masks.get(column.name),
        column.name in job.schema.released,
    )
    return ev.ColumnEvidence(name=column.name, role=str(column.role), type=column.type, treatment=treatment)


def _lost(counts: Counter[str], language: str, evaluated: Evaluated | None) -> list[ev.MeasureEvidence]:
    """Say how much of the text was replaced: what analysts cannot read any more."""
    replaced = sum(number for what, number in counts.items() if what.startswith(f"{REPLACED}/"))
    if not counts["characters"]:
        return []
    sums = of_losses(counts)
    losses = measured_losses(sums, language)
    told = [
        ev.MeasureEvidence(
            name=one.name,
            title=one.title,
            value=losses[one.name].value,
            range=one.range,
            meaning=one.meaning,
        )
        for one in measures(language)
        if one.name in losses
    ]
    changed = losses.get("tokens-changed")
    if evaluated is not None and changed is not None:
        expected, most = over_redacted(
            evaluated.evaluation, sums["tokens-changed/changed"], sums["tokens-changed/tokens"]
        )
        told.append(
            ev.MeasureEvidence(
                name="over-redacted",
                title="words and numbers changed that pointed at nobody, estimated",
                value=expected,
                range="0 … 1",
                meaning="by the precision on annotated notes; with 95 % confidence it is at most "
                f"{100 * most:.2f} %",
            )
        )
    return [
        *told,
        ev.MeasureEvidence(
            name="replaced-per-1000",
            title="things found in 1,000 characters",
            value=1000 * replaced / counts["characters"],
            range="0 …",
            meaning="how often the text of a note is broken by something that was put there",
        ),
    ]


def _policy(job: TextJob) -> ev.PolicyEvidence | None:
    plan = job.masking
    if plan.policy is None:
        return None
    return ev.PolicyEvidence(
        name=plan.policy.name,
        title=plan.policy.title,
        source=plan.policy.source,
        lines=[
            ev.PolicyLineEvidence(key=line.key, title=line.title, done=dict(line.columns))
            for line in policy_lines(plan, job.schema)
        ],
        attestation=plan.policy.attestation,
    )


def _agreement(job: TextJob) -> ev.AgreementEvidence | None:
    agreed = job.masking.agreement
    if agreed is None:
        return None
    return ev.AgreementEvidence(
        recipient=agreed.recipient, purpose=agreed.purpose, expires=agreed.expires.isoformat()
    )


def _masking(outcome: TextOutcome) -> ev.MaskingEvidence | None:
    """Say where keys and codes lie; the steward needs them to go on or to reveal."""
    plan, codes = outcome.job.masking, len(outcome.vault)
    if plan.key is None and not codes:
        return None
    return ev.MaskingEvidence(
        recipient=plan.scope.recipient,
        purpose=plan.scope.purpose,
        key=str(plan.key) if plan.key else "none was needed",
        vault=f"steward/{VAULT_FILE}" if codes else "none was needed",
        codes=codes,
    )
