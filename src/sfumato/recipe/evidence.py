"""From an outcome to its evidence, public and for the steward."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.core import evidence as ev
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.kind import Gathered
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.core.verdict import Verdict
from sfumato.masking.apply import treatment_after
from sfumato.masking.plan import policy_lines
from sfumato.masking.vault import VAULT_FILE
from sfumato.recipe.attacked import attacked
from sfumato.recipe.exposed import risk_after, risk_before
from sfumato.recipe.known_columns import refuse_unconfirmed
from sfumato.recipe.measured import measured_for
from sfumato.recipe.outcome import Outcome, verdicts_of
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE, classes_evidence
from sfumato.recipe.warned import OF_A_SEED, says_little, warnings_about
from sfumato.recipe.warned_columns import (
    exposures_of,
    for_everybody,
    warnings_for_the_steward,
    warnings_of_columns,
)
from sfumato.table.attacks.minimality import open_to_minimality
from sfumato.table.perturbation.contract import FROM_DATA
from sfumato.table.perturbation.run import Done
from sfumato.table.protect import SamplesRecords, rules_of
from sfumato.table.published import PublishedTable
from sfumato.table.risk import ClassSizes
from sfumato.table.rule import smallest_class
from sfumato.table.utility.measures import MEASURES, OF_DOMAINS, attribute_losses, average_class_size

MISSING_IS_A_VALUE = "a missing value is a value of its own"
MISSING_IS_A_WILDCARD = "a missing or suppressed value agrees with every value"
PERTURBED = "perturbed"
OF_THE_SYSTEM = "chance came from the operating system and cannot be drawn again"


def gather(
    outcome: Outcome,
    released: PublishedTable,
    data: ev.DataEvidence,
    fingerprint: ev.InputEvidence,
    seconds: Mapping[str, float],
    *,
    attack_by_default: bool = True,
    progress: Progress = SILENT,
) -> Gathered[ev.PublicEvidence, ev.StewardEvidence]:
    """Check what was released by reading it, attack it, and write down what was found."""
    started = time.perf_counter()
    verdicts = verdicts_of(outcome, released)
    exposure = exposures_of(outcome, released)
    refuse_unconfirmed(exposure)
    public = _public(outcome, verdicts, data, released.class_persons, for_everybody(exposure))
    spent = {**outcome.seconds, **seconds, "check": round(time.perf_counter() - started, 3)}
    started = time.perf_counter()
    attacks = attacked(outcome, released, by_default=attack_by_default, progress=progress)
    spent["attack"] = round(time.perf_counter() - started, 3)
    steward = _steward(outcome, public, fingerprint, released, spent, exposure)
    measured = [*steward.utility, *measured_for(outcome, released)]
    steward = steward.model_copy(update={"utility": measured, "attacks": attacks})
    return Gathered(tuple(verdicts), public, steward)


def _verdicts(outcome: Outcome, verdicts: Sequence[Verdict]) -> list[ev.VerdictEvidence]:
    """Describe the verdicts, and what each promise leaves open."""
    return [
        verdict_told(model, verdict, parameters_of(model))
        for model, verdict in zip(outcome.job.models, verdicts, strict=True)
    ]


def _missing(outcome: Outcome) -> str:
    """Say how the models read missing values."""
    wild = any(getattr(model, "missing", None) == "wildcard" for model in outcome.job.models)
    return MISSING_IS_A_WILDCARD if wild else MISSING_IS_A_VALUE


def _public(
    outcome: Outcome,
    verdicts: Sequence[Verdict],
    data: ev.DataEvidence,
    sizes: NDArray[np.int64],
    exposure: list[ev.ColumnExposure],
) -> ev.PublicEvidence:
    """Gather what everybody may see; ``sizes`` are those of the release itself."""
    job = outcome.job
    # Counts of the whole table, beside a sample that promises to tell little of it, would break that promise.
    counts_told = not isinstance(job.method, SamplesRecords)
    columns = _columns(outcome)
    return ev.PublicEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(),
        data=data,
        columns=columns,
        verdicts=_verdicts(outcome, verdicts),
        classes=classes_evidence(ClassSizes.of(sizes)),
        people=PERSONS_COUNTED if job.schema.person else ROWS_AS_PEOPLE,
        missing=_missing(outcome),
        suppressed_records=outcome.protected.solution.suppressed_rows,
        suppressed_policy=str(job.suppressed),
        order=str(job.order),
        truthful=not job.masking.invents and (outcome.perturbed is None or outcome.perturbed.truthful),
        method=job.method.name,
        warnings=[
            *says_little(columns),
            *warnings_about(outcome),
            *warnings_of_columns(outcome, exposure),
        ],
        exposure=exposure,
        policy=_policy(outcome),
        repairs=_repairs(outcome) if counts_told else [],
        withheld_records=outcome.withheld if counts_told else 0,
        perturbation=[_step(done, _generalised(outcome)) for done in outcome.perturbed.done]
        if outcome.perturbed
        else [],
        unsampled_records=outcome.perturbed.left_out if outcome.perturbed else 0,
    )


def _steward(
    outcome: Outcome,
    public: ev.PublicEvidence,
    fingerprint: ev.InputEvidence,
    released: PublishedTable,
    seconds: dict[str, float],
    exposure: list[ev.ColumnExposure],
) -> ev.StewardEvidence:
    """Add what was computed from the raw data."""
    protected, cells = outcome.protected, outcome.protected.counted.cells
    solution = protected.solution
    levels = None
    if solution.levels is not None:
        climbed = zip(cells.names, solution.levels, protected.start.skipped, strict=True)
        levels = {name: level + skipped for name, level, skipped in climbed}
    shared = public.model_dump()
    shared.update(edition="steward", repairs=_repairs(outcome), withheld_records=outcome.withheld)
    told = open_to_minimality(outcome.job.method, outcome.job.models)
    shared["exposure"] = exposure
    seen = warnings_for_the_steward(outcome, exposure)
    shared["warnings"] = [*public.warnings, *seen, *([told] if told else [])]
    return ev.StewardEvidence(
        **shared,
        input=fingerprint,
        risk_before=risk_before(outcome),
        risk_after=risk_after(outcome, released, public.data.rows),
        utility=_measures(outcome),
        attribute_loss=[
            ev.AttributeLoss(name=name, loss=loss)
            for name, loss in zip(cells.names, attribute_losses(solution), strict=True)
        ],
        search=ev.SearchEvidence(
            score=_plain(solution.score),
            bound=_plain(solution.bound),
            optimal=solution.optimal,
            levels=levels,
            details={**solution.details, **_score_in(outcome)},
        ),
        seconds=seconds,
        withheld_persons=outcome.masked.persons_withheld if outcome.masked else 0,
        agreement=_agreement(outcome),
        masking=_masking(outcome),
        expert_determination=outcome.job.expert_determination,
        perturbation_details=[dict(done.details) for done in outcome.perturbed.done]
        if outcome.perturbed
        else [],
        randomness=_randomness(outcome),
    )


def _repairs(outcome: Outcome) -> list[str]:
    return list(outcome.masked.repairs) if outcome.masked else []


def _mended(outcome: Outcome) -> tuple[str, ...]:
    """Return the columns of which it may be told that damaged values were mended."""
    if outcome.masked is None or isinstance(outcome.job.method, SamplesRecords):
        return ()
    return outcome.masked.mended


def _generalised(outcome: Outcome) -> frozenset[str]:
    """Return the quasi-identifiers whose values the release does not show as they are."""
    names = outcome.protected.solution.cells.names
    return frozenset(name for j, name in enumerate(names) if _treatment(outcome, j)[0] != "unchanged")


def _step(done: Done, generalised: frozenset[str]) -> ev.PerturbationEvidence:
    """Describe a step with what analysts need to know of it.

    A matrix over values that only the data have is left out where the release shows coarser ones.
    """
    hidden = generalised if done.published.get("domain") == FROM_DATA else frozenset()
    return ev.PerturbationEvidence(
        name=done.step.name,
        columns=list(done.step.columns),
        parameters={key: value for key, value in parameters_of(done.step).items() if key != "columns"},
        truthful=done.step.truthful,
        published=dict(done.published),
        mechanisms=[
            ev.MechanismEvidence(
                column=mechanism.column,
                values=list(mechanism.values),
                matrix=[[str(entry) for entry in row] for row in mechanism.matrix],
                where=mechanism.where,
                from_data=mechanism.from_data,
            )
            for mechanism in done.mechanisms
            if mechanism.column not in hidden
        ],
    )


def _randomness(outcome: Outcome) -> str:
    if outcome.perturbed is None:
        return ""
    return OF_THE_SYSTEM if outcome.perturbed.secret else OF_A_SEED


def _policy(outcome: Outcome) -> ev.PolicyEvidence | None:
    """List for every identifier of the policy what was found and done."""
    plan = outcome.job.masking
    if plan.policy is None:
        return None
    return ev.PolicyEvidence(
        name=plan.policy.name,
        title=plan.policy.title,
        source=plan.policy.source,
        lines=[
            ev.PolicyLineEvidence(key=line.key, title=line.title, done=dict(line.columns))
            for line in policy_lines(plan, outcome.job.schema)
        ],
        attestation=plan.policy.attestation,
    )


def _agreement(outcome: Outcome) -> ev.AgreementEvidence | None:
    agreed = outcome.job.masking.agreement
    if agreed is None:
        return None
    expires = agreed.expires.isoformat()
    return ev.AgreementEvidence(recipient=agreed.recipient, purpose=agreed.purpose, expires=expires)


def _masking(outcome: Outcome) -> ev.MaskingEvidence | None:
    """Say where keys and codes lie; the steward needs them to go on or to reveal."""
    plan, masked = outcome.job.masking, outcome.masked
    if masked is None or not plan.masks:
        return None
    codes = len(masked.secrets.vault)
    return ev.MaskingEvidence(
        recipient=plan.scope.recipient,
        purpose=plan.scope.purpose,
        key=str(plan.key) if plan.key else "none was needed",
        vault=f"steward/{VAULT_FILE}" if codes else "none was needed",
        codes=codes,
    )


def _plain(score: float | tuple[float, ...] | None) -> float | list[float] | None:
    return list(score) if isinstance(score, tuple) else score


def _score_in(outcome: Outcome) -> dict[str, str]:
    """Name what the score is counted in, where it is no plain share: logarithms, shares of a whole tree."""
    told = getattr(outcome.job.utility, "score_in", None)
    return {"score_in": told} if told and outcome.protected.solution.score is not None else {}


def _of_whole_trees(outcome: Outcome) -> str:
    """Name the columns whose hierarchy knows more values than occur: what covers them all covers little."""
    solution = outcome.protected.solution
    wider = [
        f"{domain.name} {len(domain):,} of {shown.size:,}"
        for domain, shown in zip(solution.cells.domains, solution.columns, strict=True)
        if shown.size > len(domain)
    ]
    return f"; as a share of whole hierarchies, of whose values occur: {', '.join(wider)}" if wider else ""


def _measures(outcome: Outcome) -> list[ev.MeasureEvidence]:
    solution = outcome.protected.solution
    found = []
    of_trees = _of_whole_trees(outcome)
    for measure in MEASURES:
        # Bits that were lost below the start of the search were never counted.
        known = measure.name != "entropy" or outcome.protected.start.at_the_bottom
        value = measure.of(solution) if known else None
        if value is not None:
            found.append(
                ev.MeasureEvidence(
                    name=measure.name,
                    title=measure.title,
                    value=value,
                    range=measure.range,
                    meaning=measure.meaning + (of_trees if measure.name in OF_DOMAINS else ""),
                )
            )
    k = smallest_class(rules_of(outcome.job.models, outcome.job.schema))
    value = average_class_size(solution, k)
    if value is not None:
        found.append(
            ev.MeasureEvidence(
                name="class-size-k",
                title="average class size / k (C_AVG)",
                value=value,
                range="1 …",
                meaning=f"1 is best: all classes have the {k} persons that were asked for",
            )
        )
    return found


def _columns(outcome: Outcome) -> list[ev.ColumnEvidence]:
    job, solution = outcome.job, outcome.protected.solution
    place = {name: j for j, name in enumerate(solution.cells.names)}
    found = []
    for column in job.schema.fields:
        level = height = distinct = None
        path: list[str] = []
        treatment = "released as it is"
        if column.name not in job.schema.released:
            treatment = "left out"
        elif column.role is Role.QUASI_IDENTIFIER:
            j = place[column.name]
            treatment, level, height = _treatment(outcome, j)
            distinct = len(np.unique(solution.boxes[j]))
            path = _example_path(outcome, j)
        if column.name in _mended(outcome):
            treatment = treatment_after("mended", treatment)
        if outcome.perturbed is not None and column.name in job.schema.released:
            treatment = _after_steps(outcome.perturbed.of(column.name), treatment)
        if column.name in job.masking.masks:
            treatment = treatment_after(job.masking.masks[column.name].describe(), treatment)
        found.append(
            ev.ColumnEvidence(
                name=column.name,
                role=str(column.role),
                type=column.type,
                treatment=treatment,
                level=level,
                height=height,
                distinct=distinct,
                example_path=path,
            )
        )
    return found


def _after_steps(steps: Sequence[str], treatment: str) -> str:
    """Say by which steps a column was perturbed, and what came then."""
    if not steps:
        return treatment
    told = f"{PERTURBED} by {', '.join(steps)}"
    return told if treatment in ("released as it is", "unchanged") else f"{told}, then {treatment}"


def _treatment(outcome: Outcome, j: int) -> tuple[str, int | None, int | None]:
    solution = outcome.protected.solution
    if solution.levels is None:
        shown, texts = solution.columns[j], solution.cells.domains[j].texts
        if bool((shown.leaves == 1).all()) and set(shown.labels) <= set(texts):
            return "unchanged", None, None
        return "generalised in boxes", None, None
    ladder, skipped = outcome.protected.ladders[j], outcome.protected.start.skipped[j]
    assert ladder is not None
    level, height = solution.levels[j] + skipped, ladder.height + skipped
    if level == 0:
        hides = ladder.hides_values(solution.cells.domains[j])
        return "unchanged, values outside the hierarchy hidden" if hides else "unchanged", 0, height
    if level == height and len(ladder.labels[solution.levels[j]]) == 1:
        return "hidden altogether", level, height
    return f"generalised to level {level} of {height}", level, height


def _example_path(outcome: Outcome, j: int) -> list[str]:
    """Follow one released value up its ladder: it begins at the released level, so it shows no data."""
    solution, ladder = outcome.protected.solution, outcome.protected.ladders[j]
    if not solution.levels or ladder is None:
        return []
    if not solution.levels[j] + outcome.protected.start.skipped[j]:
        return []
    group = int(solution.boxes[j, 0])
    code = int(np.flatnonzero(ladder.rungs[solution.levels[j]] == group)[0])
    climb = range(solution.levels[j], ladder.height + 1)
    labels = [ladder.labels[level][ladder.rungs[level, code]] for level in climb]
    return [label for label in labels if label is not None]
