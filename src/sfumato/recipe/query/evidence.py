"""From an outcome under differential privacy to its evidence, public and for the steward."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from decimal import Decimal

from sfumato.core import evidence as ev
from sfumato.core import evidence_query as evq
from sfumato.core.describe import software, today, verdict_told
from sfumato.core.kind import Gathered
from sfumato.core.named import parameters_of
from sfumato.dp.exact import as_decimal
from sfumato.dp.group_privacy import NOT_PROMISED
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.models.contract import Spending
from sfumato.query.risk import households, meanings
from sfumato.recipe.query.measured import marginals, measures, tables_measured
from sfumato.recipe.query.outcome import QueryOutcome
from sfumato.recipe.query.released_schema import written_tables
from sfumato.recipe.query.warned import OF_THE_SYSTEM, warnings_of
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE
from sfumato.recipe.warned import OF_A_SEED


def gather_query(
    outcome: QueryOutcome,
    data: ev.DataEvidence,
    tables: Sequence[ev.DataEvidence],
    schema_sha256: str,
    fingerprint: ev.InputEvidence,
    seconds: Mapping[str, float] | None = None,
) -> Gathered[evq.QueryEvidence, evq.StewardQueryEvidence]:
    """Write down what was spent, what it means, and for the steward what was lost."""
    public = _public(outcome, data, tables, schema_sha256)
    started = time.perf_counter()
    steward = _steward(outcome, public, fingerprint)
    spent = {**outcome.seconds, **(seconds or {}), "measure": round(time.perf_counter() - started, 3)}
    return Gathered(outcome.verdicts, public, steward.model_copy(update={"seconds": spent}))


def _public(
    outcome: QueryOutcome, data: ev.DataEvidence, tables: Sequence[ev.DataEvidence], schema_sha256: str
) -> evq.QueryEvidence:
    """Gather what everybody may see: nothing here is computed from people without noise."""
    job, solution = outcome.job, outcome.solution
    spent, secret = solution.spent, job.random.secret
    records = solution.records is not None
    written = written_tables(job, solution)
    return evq.QueryEvidence(
        title=job.title,
        created=today(),
        software=software(),
        recipe=job.public_recipe(),
        data=data,
        verdicts=[
            verdict_told(model, verdict, parameters_of(model))
            for model, verdict in zip(job.models, outcome.verdicts, strict=True)
        ],
        people=ROWS_AS_PEOPLE if job.table.person is None else PERSONS_COUNTED,
        order="shuffled",
        truthful=False,
        method=job.method.name,
        warnings=list(
            warnings_of(
                spent,
                job.neighbours,
                person=job.table.person is not None,
                records=records,
                secret=secret,
            )
        ),
        form="records and tables" if records and written else "records" if records else "tables",
        data_set=job.metadata.data_set,
        neighbours=str(job.neighbours),
        spent=price_told(spent),
        steps=[step_told(what, price) for what, price in solution.steps],
        expected_error=[
            evq.ErrorEvidence(what=what, people=float(error))
            for what, error in solution.expected_error.items()
        ],
        published=dict(solution.published),
        domains=[
            evq.DomainEvidence(
                name=attribute.name,
                type=str(job.table.columns[attribute.name].type),
                positions=attribute.size,
            )
            for attribute in job.attributes
        ],
        tables=[
            evq.NoisyTableEvidence(
                columns=list(table.attributes), cells=table.counts.size, error=table.error, data=file
            )
            for (table, _), file in zip(written, tables, strict=True)
        ],
        meaning=meaning_told(spent, job.neighbours),
        households=households_told(spent),
        not_promised=NOT_PROMISED,
        randomness=OF_THE_SYSTEM if secret else OF_A_SEED,
        metadata_sha256=job.metadata_sha256,
        schema_sha256=schema_sha256,
    )


def _steward(
    outcome: QueryOutcome, public: evq.QueryEvidence, fingerprint: ev.InputEvidence
) -> evq.StewardQueryEvidence:
    """Add what was computed from the people themselves."""
    job, people, solution, facts = outcome.job, outcome.coded, outcome.solution, outcome.facts
    notes: list[str] = []
    if len(solution.tables) > len(public.tables):
        notes.append(
            "a table over generalised values was not written: its labels belong to no declared domain"
        )
    lost = measures(job, people, solution, notes)
    shared = public.model_dump()
    shared.update(edition="steward")
    return evq.StewardQueryEvidence(
        **shared,
        input=fingerprint,
        utility=lost,
        seconds={},
        read=evq.ReadEvidence(
            rows=facts.rows,
            people=len(people.codes),
            without_person=facts.without_person,
            beyond_one_row=facts.beyond_rows_per_person,
            made_missing=dict(facts.made_missing),
        ),
        measured=tables_measured(job, people, solution),
        marginals=marginals(job, people, solution),
        notes=notes,
    )


def price_told(price: Price) -> evq.PriceEvidence:
    """Write a price without losing a digit."""
    return evq.PriceEvidence(
        epsilon=None if price.epsilon is None else _text(price.epsilon),
        delta=_text(price.delta),
        rho=None if price.rho is None else _text(price.rho),
    )


def step_told(what: str, price: Price) -> evq.StepEvidence:
    """Write a step in the money that adds up: ε of pure prices, ρ of others."""
    if price.epsilon is not None:
        return evq.StepEvidence(what=what, epsilon=_text(price.epsilon))
    return evq.StepEvidence(what=what, rho=_text(price.rho))


def meaning_told(price: Price, neighbours: Neighbours) -> list[evq.MeaningEvidence]:
    """Say what ε means among so many people."""
    return [evq.MeaningEvidence(among=line.m, at_most=line.rho) for line in meanings(price, neighbours)]


def households_told(price: Price) -> list[evq.HouseholdEvidence]:
    """Say what the price means for people together."""
    return [
        evq.HouseholdEvidence(
            people=home.people,
            epsilon=None if home.price is None or home.price.epsilon is None else _text(home.price.epsilon),
            delta=None if home.price is None else _text(home.price.delta),
        )
        for home in households(price)
    ]


def spending_in(evidence: evq.QueryEvidence) -> Spending:
    """Read back what a release cost; raises ``BadInput`` where the texts are no prices."""
    told = evidence.spent
    epsilon = None if told.epsilon is None else as_decimal(told.epsilon)
    rho = None if told.rho is None else as_decimal(told.rho)
    delta = as_decimal(told.delta)
    if epsilon is None and rho is None:
        raise ValueError
    steps = tuple(
        (
            step.what,
            Price.pure(step.epsilon) if step.epsilon is not None else Price.concentrated(step.rho or 0),
        )
        for step in evidence.steps
    )
    return Spending(Neighbours(evidence.neighbours), Price(epsilon, delta, rho), steps)


def _text(amount: object) -> str:
    """Write a decimal in full: 1E-9 as 0.000000001."""
    return format(Decimal(str(amount)), "f")
