"""Measures of what a release of sets has lost, asked for by name. What they find is for the steward alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.codes.utility import MEASURES, SET_MEASURES, ConstraintsBroken
from sfumato.codes.utility.contract import SetMeasure
from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.recipe.named import build

if TYPE_CHECKING:
    from sfumato.recipe.codes.outcome import CodesOutcome


def set_measures(given: Any) -> tuple[SetMeasure, ...]:
    """Take measures as they are, or make them from the spelling of recipes."""
    listed: list[Any] = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    found: list[SetMeasure] = []
    for number, one in enumerate(listed):
        if isinstance(one, str | Mapping):
            found.append(build(SET_MEASURES, one, "measure", f"measures[{number}]"))
        elif isinstance(one, type) or not hasattr(one, "of"):
            raise BadInput(
                f"a measure is a {type(one).__name__}",
                remedy=f"give an object, or a name: {', '.join(SET_MEASURES)}",
            )
        else:
            found.append(one)
    names = [measure.name for measure in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"the measure '{twice}' is there twice", where="measures", remedy="keep one of them")
    return tuple(found)


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
