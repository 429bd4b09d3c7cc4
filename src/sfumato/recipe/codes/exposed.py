"""How exposed people are by their codes, before and after: for the steward alone."""

from __future__ import annotations

from fractions import Fraction

from sfumato.codes.published import PublishedSets
from sfumato.codes.risk import exposure, release_exposure
from sfumato.core.evidence import RiskFigure
from sfumato.core.progress import SILENT, Progress, Within
from sfumato.recipe.codes.outcome import CodesOutcome

USUAL_K = 5
"""fewer people than this who look alike are few, where no promise says how many"""
_USUAL_KNOWN, _MOST_KNOWN = 2, 3
_USUAL_THRESHOLD = Fraction(1, 2)


def exposed(
    outcome: CodesOutcome, progress: Progress = SILENT
) -> tuple[list[RiskFigure], list[RiskFigure], list[str]]:
    """Measure the original, and the same people in what would be published; say what holds for all of it."""
    job, problem, published = outcome.job, outcome.problem, outcome.solution.published
    questions = [model.question() for model in problem.models]
    k = max((question.support for question in questions if question.support > 1), default=USUAL_K)
    sizes = [question.size for question in questions if question.size is not None]
    known = job.up_to or min(max(sizes, default=_USUAL_KNOWN), _MOST_KNOWN)
    threshold = _USUAL_THRESHOLD if job.threshold is None else Fraction(str(job.threshold))
    before = exposure(
        problem.sets,
        k=k,
        m=known,
        visits=problem.visits,
        population=outcome.found.population,
        sensitive=job.sensitive,
        threshold=threshold,
        progress=Within(progress),
    )
    if not isinstance(published, PublishedSets):
        said = (
            "after disassociation nobody's codes stand together: what is left of these risks is not measured"
        )
        return before.figures(), [], [*before.said, said]
    after = release_exposure(
        problem.sets, published, k=k, m=known, threshold=threshold, progress=Within(progress)
    )
    return before.figures(), after.figures(), list(dict.fromkeys((*before.said, *after.said)))
