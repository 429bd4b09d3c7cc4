"""What rows have lost, and how exposed people are by them, before and after: for the steward alone."""

from __future__ import annotations

import dataclasses

from sfumato.core import evidence as ev
from sfumato.core.describe import measure_told
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress, Within
from sfumato.core.schema import Role
from sfumato.dna.risk import exposure
from sfumato.dna.utility import MEASURES, RowMeasure
from sfumato.recipe.dna.rows_job import demand_of
from sfumato.recipe.dna.rows_outcome import RowsOutcome

USUAL = ("lattice-loss", "cells-changed", "frequency-error")
"""measures of every release"""
OF_STUDIES = ("ranking-error", "hits-lost")
"""measures where it is known who is a case"""
USUAL_K = 5
MOST_CELLS = 200_000_000
"""cells of all rows up to which exposure is measured"""


def measured_for(outcome: RowsOutcome) -> list[ev.MeasureEvidence]:
    """Carry out the usual measures and those that a job asks for; a usual one that does not apply is left
    out, one that was asked for is refused."""
    asked = {measure.name: measure for measure in outcome.job.measures}
    cases = outcome.read.cases
    names = (*USUAL, *(OF_STUDIES if cases is not None and cases.any() and not cases.all() else ()))
    usual: dict[str, RowMeasure] = {name: MEASURES[name]() for name in names if name in MEASURES}
    found = []
    for name, measure in {**usual, **asked}.items():
        value = measure.of(outcome.read.rows, outcome.released, kept=outcome.kept, cases=cases)
        if value is None:
            if name in asked:
                raise BadInput(
                    "the measure says nothing about these rows",
                    where=f"measures, {name}",
                    remedy="leave it out",
                )
            continue
        found.append(measure_told(measure, value))
    return found


def exposed(
    outcome: RowsOutcome, progress: Progress = SILENT
) -> tuple[list[ev.RiskFigure], list[ev.RiskFigure], list[str]]:
    """Measure the rows as they were read and as they are released; say what holds for all of it."""
    original = outcome.read.rows
    released = dataclasses.replace(outcome.released, persons=original.owners[outcome.kept])
    if original.cells.size > MOST_CELLS:
        return [], [], [f"exposure is not measured where rows have more than {MOST_CELLS:,} cells"]
    k = max((demand_of(model).people for model in outcome.job.models), default=1)
    k = k if k > 1 else USUAL_K
    told = _sensitive(outcome)
    left = None if told is None else [told[at] for at in outcome.kept.tolist()]
    try:
        before = exposure(original, k=k, phenotype=told, independent=False, progress=Within(progress))
        as_they_are = original.rows(outcome.kept)
        after = exposure(
            released, k=k, phenotype=left, truth=as_they_are, independent=False, progress=Within(progress)
        )
    except BadInput as problem:
        return [], [], [f"exposure could not be measured: {problem.what}"]
    return before.figures(), after.figures(), list(dict.fromkeys((*before.said, *after.said)))


def _sensitive(outcome: RowsOutcome) -> list[object] | None:
    """Return what rows that look alike may share: who is a case, else the first sensitive column."""
    read = outcome.read
    if read.phenotype is not None:
        return list(read.phenotype.states.tolist())
    named = outcome.job.schema.with_role(Role.SENSITIVE)
    if read.beside is None or not named:
        return None
    return list(read.beside.column(named[0]).to_pylist())
