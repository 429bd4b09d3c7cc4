"""The risk of a table: all that is measured about it, gathered as evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.verdict import Basis
from sfumato.engine.contract import Table
from sfumato.recipe import risk_figures as figures
from sfumato.recipe.known_columns import Looked, about_empty, exposures, in_one_sentence, is_empty
from sfumato.recipe.risk_ask import MOST_PEOPLE, RiskQuestions
from sfumato.table.cells import Cells
from sfumato.table.count import count
from sfumato.table.protect import check_columns
from sfumato.table.published import PublishedTable
from sfumato.table.risk import ClassSizes, ProsecutorRisk, Uniques
from sfumato.table.risk.against import Against, against
from sfumato.table.risk.grouped import GroupedClasses, grouped
from sfumato.table.risk.household import HouseholdRisk
from sfumato.table.risk.individual import individual_risks
from sfumato.table.risk.log_linear import LogLinearRisk
from sfumato.table.risk.prosecutor import exact_threshold
from sfumato.table.risk.sensitive_values import SensitiveValueRisk
from sfumato.table.risk.subsets import SubsetRisks
from sfumato.table.risk.suda import Suda

Ints = NDArray[np.int64]
NOTHING_ASKED = RiskQuestions()
ROWS_AS_PEOPLE = "rows were taken as people: no column names the person"
PERSONS_COUNTED = "distinct persons were counted"
UPPER_BOUNDS = "some people have rows in several classes: shares of people are upper bounds"
OF_THOSE_MATCHED = "journalist and marketer risk are about those whom the population matches ({:,} of {:,})"


def classes_evidence(sizes: ClassSizes) -> ev.ClassesEvidence:
    """Describe class sizes."""
    return ev.ClassesEvidence(
        number=sizes.number,
        smallest=sizes.smallest,
        largest=sizes.largest,
        mean=round(sizes.mean, 3),
        bins=[ev.Bin(low=b.low, high=b.high, classes=b.classes, records=b.persons) for b in sizes.histogram],
    )


def risk_evidence(
    sizes: Ints,
    persons: int,
    records: int,
    asked: RiskQuestions = NOTHING_ASKED,
    *,
    compared: Against | None = None,
    population: int | None = None,
    quasi: Sequence[str] = (),
    person: str | None = None,
) -> ev.RiskEvidence:
    """Measure what follows from class sizes, from a list of the population, and from its size."""
    risk = ProsecutorRisk.of(sizes, persons, asked.threshold)
    alone = Uniques.of(sizes, persons)
    found: list[ev.RiskFigure] = []
    if len(sizes):
        found += figures.linking(sizes, persons, asked.threshold, compared)
    if compared is not None:
        found += figures.presence(compared)
    people = asked.people_of(persons) if population is None else population
    if people is not None and len(sizes):
        found += figures.unique_in_population(sizes, people, persons)
    if people is not None and len(sizes) and asked.weight is None:
        found += figures.individually(sizes, _evenly(sizes, people, persons), persons, asked.threshold)
    return ev.RiskEvidence(
        records=records,
        persons=persons,
        classes=classes_evidence(ClassSizes.of(sizes, persons)),
        uniques=alone.count,
        unique_share=alone.share,
        highest_risk=risk.highest,
        average_risk=risk.average,
        threshold=float(risk.threshold),
        records_at_risk=risk.share_above,
        quasi=list(quasi),
        people=PERSONS_COUNTED if person else ROWS_AS_PEOPLE,
        figures=found,
        said=list(_said(sizes, persons, compared)),
    )


def risk_of_table(
    table: Table,
    quasi: Sequence[str],
    *,
    person: str | None = None,
    sensitive: Sequence[str] = (),
    population: Table | None = None,
    others: Sequence[Field] = (),
    population_person: str | None = None,
    asked: RiskQuestions = NOTHING_ASKED,
    progress: Progress = SILENT,
) -> ev.RiskEvidence:
    """Measure everything that is asked about a table; ``others`` are columns that may be known, too."""
    progress.step("counting")
    if person is not None:
        check_columns(table, Schema.of([*quasi, person], quasi=quasi, person=person))
    cells = count(table, quasi, person=person).cells
    persons = cells.total_persons
    compared = None
    if population is not None:
        progress.step("comparing with the population")
        compared = against(
            table,
            population,
            quasi,
            person=person,
            persons=persons,
            population_person=population_person,
        )
    groups = None
    if asked.weight is not None or asked.household is not None:
        groups = grouped(table, quasi, person=person, weight=asked.weight, household=asked.household)
    people = _population_size(asked, persons, groups)
    base = risk_evidence(
        cells.persons,
        persons,
        cells.total_rows,
        asked,
        compared=compared,
        population=people,
        quasi=quasi,
        person=person,
    )
    found = list(base.figures)
    if groups is not None:
        found += _of_groups(groups, persons, people, asked)
    if people is not None:
        fraction = min(persons / people, 1.0)
        model = LogLinearRisk.of(cells.codes, cells.persons, fraction=fraction)
        found += figures.modelled(model, persons)
    published = PublishedTable(table, tuple(quasi), tuple(sensitive), person)
    for column in sensitive:
        found += figures.values(column, SensitiveValueRisk.of(published.values_of(column)))
    progress.step("looking at the other columns")
    exposure = _of_others(published, others, asked)
    empty = [domain.name for domain in cells.domains if is_empty(domain)]
    said = [*base.said, *in_one_sentence(exposure), *about_empty(empty)]
    base = base.model_copy(update={"figures": found, "exposure": exposure, "said": said})
    return with_columns(base, cells, asked, people, progress)


def _of_others(
    published: PublishedTable, others: Sequence[Field], asked: RiskQuestions
) -> list[ev.ColumnExposure]:
    """Count candidates when one more column is known: a chance above the threshold is one in fewer than k."""
    own = [Field(name, Role.QUASI_IDENTIFIER) for name in published.quasi]
    who = [Field(published.person, Role.PERSON)] if published.person else []
    k = max(2, math.ceil(1 / exact_threshold(asked.threshold)))
    basis = Basis.ORIGINAL if published.person else Basis.RELEASE
    schema = Schema((*who, *own, *others))
    return list(exposures(published, published.table, schema, Looked(k, basis=basis)))


def with_columns(
    risk: ev.RiskEvidence,
    cells: Cells,
    asked: RiskQuestions,
    population: int | None,
    progress: Progress = SILENT,
) -> ev.RiskEvidence:
    """Add which columns identify: single ones, and combinations of them."""
    size = asked.columns_to_combine(len(cells.domains))
    suda = None
    found = list(risk.figures)
    if asked.suda:
        fraction = 1.0 if population is None else min(cells.total_persons / population, 1.0)
        suda = Suda.of(cells, size or None, fraction=fraction, progress=progress)
        found += figures.special(suda, fraction_known=population is not None)
    if not size and suda is None:
        return risk
    risks = SubsetRisks.of(cells, size or 1, asked.threshold, progress)
    return risk.model_copy(
        update={
            "figures": found,
            "attributes": figures.attributes(risks, suda),
            "growth": figures.growth(risks),
            "identifying": figures.identifying(risks),
        }
    )


def _population_size(asked: RiskQuestions, persons: int, groups: GroupedClasses | None) -> int | None:
    """Return how many people the table was drawn from, also where weights say so."""
    if asked.weight is None or groups is None:
        return asked.people_of(persons)
    with np.errstate(over="ignore"):
        people = float(groups.stand_for.sum())
    if not persons - 0.5 <= people <= MOST_PEOPLE:
        told = f"{people:,.0f}" if people < persons else f"more than {MOST_PEOPLE:,}"
        raise BadInput(
            f"{persons:,} persons stand for {told} of the population by their weights",
            where=f"column '{asked.weight}'",
            remedy="a weight says how many people a row stands for: at least 1 on average",
        )
    return max(round(people), persons)


def _of_groups(
    groups: GroupedClasses, persons: int, population: int | None, asked: RiskQuestions
) -> Iterator[ev.RiskFigure]:
    """Measure individual risk by weights, and the risk of households."""
    sizes = groups.sizes
    stand_for = groups.stand_for
    if asked.weight is not None:
        yield from figures.individually(sizes, stand_for, min(persons, int(sizes.sum())), asked.threshold)
    elif population is not None:
        stand_for = _evenly(sizes, population, persons)
    if asked.household is not None:
        own = individual_risks(sizes, stand_for)[groups.class_of]
        each = np.repeat(own, groups.persons), np.repeat(groups.households, groups.persons)
        yield from figures.living_together(HouseholdRisk.of(*each, asked.threshold))


def _evenly(sizes: Ints, population: int, persons: int) -> NDArray[np.float64]:
    """Let everybody stand for the same number of people."""
    return np.asarray(sizes * (population / persons), np.float64)


def _said(sizes: Ints, persons: int, compared: Against | None) -> Iterator[str]:
    if int(sizes.sum()) > persons:
        yield UPPER_BOUNDS
    if compared is not None:
        yield from compared.sentences()
        if compared.unmatched:
            yield OF_THOSE_MATCHED.format(compared.persons - compared.unmatched, compared.persons)
