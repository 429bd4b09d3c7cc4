"""What a release warns of single columns: whom they tell apart when known, and what ranges print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sfumato.core.evidence import ColumnExposure
from sfumato.core.verdict import Basis
from sfumato.engine.contract import Table
from sfumato.recipe.known_columns import Looked, about_empty, about_outliers, exposures, is_empty, sentences
from sfumato.recipe.outcome import Outcome
from sfumato.recipe.vocabulary import topic_of
from sfumato.table.perturbation.synthetic import Synthetic
from sfumato.table.protect import SamplesRecords, rules_of
from sfumato.table.published import PublishedTable
from sfumato.table.risk.known_columns import candidates_asked
from sfumato.table.risk.printed_outliers import printed_outliers


def exposures_of(outcome: Outcome, released: PublishedTable) -> list[ColumnExposure]:
    """Look at the columns of a release; where people have several rows, with persons still in it."""
    job = outcome.job
    several = job.schema.person is not None and not outcome.rows_are_persons
    looked = Looked(
        candidates_asked(rules_of(job.models, job.schema)),
        wildcards=any(getattr(model, "missing", None) == "wildcard" for model in job.models),
        basis=Basis.ORIGINAL if several else Basis.RELEASE,
        codes=frozenset(_made_up(outcome)),
    )
    seen = outcome.in_house if several else released
    return list(exposures(seen, _before(outcome, seen), job.schema, looked))


def for_everybody(found: Sequence[ColumnExposure]) -> list[ColumnExposure]:
    """Leave out which values are a single person's where the release does not show whose its rows are.

    That one value of three rows is a single person's would tell that these rows belong together.
    """
    return [
        one if one.basis == Basis.RELEASE else one.model_copy(update={"singles": None, "amounts": False})
        for one in found
    ]


def _made_up(outcome: Outcome) -> Iterator[str]:
    """List the columns whose values nobody outside can know: codes, surrogates, moved dates, drawn rows."""
    yield from (name for name, mask in outcome.job.masking.masks.items() if mask.repeats or mask.invents)
    for done in outcome.perturbed.done if outcome.perturbed is not None else ():
        if isinstance(done.step, Synthetic):
            yield from done.step.columns


def _before(outcome: Outcome, seen: PublishedTable) -> Table:
    """Return the people before they were generalised, with every other column as it is released."""
    # A sample that promises to tell little of the whole table is looked at alone.
    if isinstance(outcome.job.method, SamplesRecords):
        return seen.table
    if outcome.perturbed is not None:
        return outcome.perturbed.table
    return outcome.masked.table if outcome.masked is not None else outcome.original


def warnings_of_columns(outcome: Outcome, found: Sequence[ColumnExposure]) -> Iterator[str]:
    """Write what everybody is warned of."""
    yield from sentences(found, covered_by(outcome))
    # Whether a column is empty is a fact of all records, of which such a sample promises to tell little.
    if isinstance(outcome.job.method, SamplesRecords):
        return
    domains = outcome.protected.counted.cells.domains
    yield from about_empty(domain.name for domain in domains if is_empty(domain))


def covered_by(outcome: Outcome) -> set[str]:
    """Return the sensitive columns that a promise is about."""
    rules = rules_of(outcome.job.models, outcome.job.schema)
    return {rule.column for rule in rules if rule.column is not None}


def warnings_for_the_steward(outcome: Outcome, found: Sequence[ColumnExposure] = ()) -> Iterator[str]:
    """Write what was seen in the raw data: how many people have a value would be told of single ones."""
    told = set(sentences(for_everybody(found), covered_by(outcome)))
    yield from (one for one in sentences(found, covered_by(outcome)) if one not in told)
    # Of all records, those included that are suppressed or not drawn: no release may tell of them.
    yield from outcome.sighted
    if isinstance(outcome.job.method, SamplesRecords):
        return
    k = candidates_asked(rules_of(outcome.job.models, outcome.job.schema))
    outliers = printed_outliers(outcome.protected.solution, k)
    yield from about_outliers({name: people for name, people in outliers.items() if not is_postcode(name)})


def is_postcode(column: str) -> bool:
    """Check whether a name means a place: its digits are no amount, and none lies far away."""
    match = topic_of(column)
    return match is not None and match.topic.name == "postcode"
