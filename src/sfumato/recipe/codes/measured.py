"""Measures of what a release of sets has lost, asked for by name. What they find is for the steward alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.codes.utility import MEASURES, SET_MEASURES, ConstraintsBroken
from sfumato.codes.utility.contract import SetMeasure
from sfumato.core import evidence as ev
from sfumato.core.named import measures_named

if TYPE_CHECKING:
    from sfumato.recipe.codes.outcome import CodesOutcome


def set_measures(given: Any) -> tuple[SetMeasure, ...]:
    """Take measures as they are, or make them from the spelling of recipes."""
    return measures_named(SET_MEASURES, given, "of")


def measured_for(outcome: CodesOutcome) -> list[ev.MeasureEvidence]:
    """Carry out the usual measures and those that a job asks for; one that does not apply is left out."""
    asked = {measure.name: measure for measure in outcome.job.measures}
    usual: dict[str, SetMeasure] = {measure.name: measure for measure in MEASURES}
    if outcome.problem.utility:
        policy = ConstraintsBroken(outcome.problem.utility)
        usual[policy.name] = policy
    found = []
    for measure in {**usual, **asked}.values():
        figure = measure.of(outcome.problem.sets, outcome.solution.published)
        if figure is not None:
            found.append(
                ev.MeasureEvidence(
                    name=measure.name,
                    title=measure.title,
                    value=figure.value,
                    range=measure.range,
                    meaning=measure.meaning,
                    details=dict(figure.details),
                )
            )
    return found
