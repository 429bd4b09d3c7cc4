"""How exposed people were before a release was made, and how exposed they are by it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sfumato.core import evidence as ev
from sfumato.engine.contract import Suppressed, Table
from sfumato.recipe.outcome import Outcome
from sfumato.recipe.risk import risk_evidence, with_columns
from sfumato.recipe.risk_ask import RiskQuestions
from sfumato.table.cells import Cells
from sfumato.table.count import count
from sfumato.table.population import repeats_in_words
from sfumato.table.published import PublishedTable
from sfumato.table.risk.against import Against, aligned
from sfumato.table.solution import SUPPRESSED


def risk_before(outcome: Outcome) -> ev.RiskEvidence:
    """Measure the original; against the population too, where the job has one."""
    schema = outcome.job.schema
    persons, records = _people_before(outcome)
    asked = _asked(outcome)
    original = PublishedTable(_before(outcome), schema.quasi, schema.sensitive, schema.person)
    population = asked.people_of(persons)
    found = risk_evidence(
        _sizes_before(outcome, original),
        persons,
        records,
        asked,
        compared=_compared(original, _population_before(outcome), persons),
        population=population,
        quasi=outcome.job.schema.quasi,
        person=outcome.job.schema.person,
    )
    if not asked.up_to and not asked.suda:
        return found
    untouched = _untouched(outcome)
    cells = untouched or count(original.table, schema.quasi, person=schema.person).cells
    return with_columns(found, cells, asked, population)


def risk_after(outcome: Outcome, released: PublishedTable, records: int) -> ev.RiskEvidence:
    """Measure what was released; where people have several rows, with persons still in it."""
    cells, solution = outcome.protected.counted.cells, outcome.protected.solution
    star = outcome.job.suppressed is Suppressed.STAR
    persons = cells.total_persons if star else cells.persons_in(solution.classes != SUPPRESSED)
    several = outcome.job.schema.person is not None and not outcome.rows_are_persons
    seen = outcome.in_house if several else released
    asked = _asked(outcome)
    population = asked.people_of(_people_before(outcome)[0])
    found = risk_evidence(
        seen.class_persons,
        persons,
        records,
        asked,
        compared=_compared(seen, seen.population, persons),
        population=population,
        quasi=outcome.job.schema.quasi,
        person=outcome.job.schema.person,
    )
    if not asked.up_to and not asked.suda:
        return found
    labels = count(seen.table, seen.quasi, person=seen.person).cells
    return with_columns(found, labels, asked, population)


def _asked(outcome: Outcome) -> RiskQuestions:
    """Return what the job asks; columns are combined only if it says so, as that takes time."""
    asked = outcome.job.risk
    return asked if asked.suda or asked.up_to is not None else replace(asked, up_to=0)


def _compared(table: PublishedTable, population: PublishedTable | None, persons: int) -> Against | None:
    if population is None or table.classes is None or population.classes is None:
        return None
    said = repeats_in_words(population.repeats)
    more = (f"{said}: if the same people are listed several times, the risk is higher",) if said else ()
    return aligned(table.classes, population.classes, table.quasi, persons, more)


def _before(outcome: Outcome) -> Table:
    return outcome.masked.before if outcome.masked else outcome.original


def _touched(outcome: Outcome) -> bool:
    """Say whether quasi-identifiers were changed before anything was counted."""
    job = outcome.job
    return any(name in job.masking.masks for name in job.schema.quasi) or bool(outcome.perturbed)


def _untouched(outcome: Outcome) -> Cells | None:
    """Return the cells of the original, if the search counted just these."""
    start = outcome.protected.start
    if start.at_the_bottom and not _touched(outcome) and not outcome.protected.left_out:
        return start.counted.cells
    return None


def _population_before(outcome: Outcome) -> PublishedTable | None:
    """Return the population as it was given."""
    job, start = outcome.job, outcome.protected.start
    if job.population is None or start.population is None:
        return None
    masked = any(name in job.masking.masks for name in job.schema.quasi)
    listed = start.table.engine.read(job.population) if masked else start.population
    protected = outcome.protected
    return PublishedTable(
        listed,
        job.schema.quasi,
        person=protected.population_person,
        repeats=protected.population_repeats,
    )


def _sizes_before(outcome: Outcome, original: PublishedTable) -> NDArray[np.int64]:
    """Return the persons of every class of the original."""
    cells = _untouched(outcome)
    if cells is None:
        return original.class_persons
    # Combinations that only the population has are cells too.
    return cells.persons[cells.rows > 0]


def _people_before(outcome: Outcome) -> tuple[int, int]:
    """Return how many persons and rows there were, also where only a sample of them was searched."""
    cells, person = outcome.protected.counted.cells, outcome.job.schema.person
    left_out = outcome.left_out
    if not left_out:
        return cells.total_persons, cells.total_rows
    rows = cells.total_rows + left_out
    if person is None:
        return rows, rows
    return int(PublishedTable(_before(outcome), (person,)).class_persons.shape[0]), rows
