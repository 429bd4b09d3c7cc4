"""Questions to a comparison: what is on the front, and what is best under bounds.

The R-U confidentiality map: G. Duncan, S. Keller-McNulty and S. Stokes, "Disclosure risk vs. data
utility: the R-U confidentiality map" (Los Alamos National Laboratory, LA-UR-01-6428, 2001).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.core.errors import BadInput
from sfumato.core.evidence import AnswerEvidence


@dataclass(frozen=True)
class Point:
    """A configuration on the map; ``position`` is its place in the comparison."""

    position: int
    name: str
    risk: float
    loss: float


def front(points: Sequence[Point]) -> list[Point]:
    """Return the points that no other beats: none has less of one and no more of the other.

    Vilfredo Pareto's front, by increasing risk. Points that coincide are all on it or all off it.

    >>> a, b, c = Point(0, "a", 0.5, 0.1), Point(1, "b", 0.2, 0.3), Point(2, "c", 0.5, 0.2)
    >>> [point.name for point in front([a, b, c])]
    ['b', 'a']
    """
    kept: list[Point] = []
    least = math.inf
    for point in sorted(points, key=lambda point: (point.risk, point.loss)):
        same = kept and (kept[-1].risk, kept[-1].loss) == (point.risk, point.loss)
        if point.loss < least or same:
            kept.append(point)
            least = point.loss
    return kept


def ask(
    points: Sequence[Point],
    *,
    risk_at_most: float | None = None,
    loss_at_most: float | None = None,
    risk: str = "risk",
    loss: str = "loss",
) -> AnswerEvidence | None:
    """Answer one of three questions; None when no bound is given.

    With a bound on the risk: the least loss. With a bound on the loss: the lowest risk. With both: a
    configuration that keeps both, with the least loss; or which bound cannot be kept, and the nearest.

    Risks are quotients of counts and bounds are decimals: both are rounded to the nearest float, so
    that a risk of 1/10 keeps a bound of 0.1.
    """
    for name, bound in (("the bound on the risk", risk_at_most), ("the bound on the loss", loss_at_most)):
        if bound is not None and not (math.isfinite(bound) and bound >= 0):
            raise BadInput(f"{name} must be a number of at least 0", remedy="for example 0.1")
    if risk_at_most is None and loss_at_most is None:
        return None
    asked = [f"{risk} ≤ {risk_at_most:g}"] if risk_at_most is not None else []
    asked += [f"{loss} ≤ {loss_at_most:g}"] if loss_at_most is not None else []
    question = f"{'lowest ' + risk if risk_at_most is None else 'least ' + loss} with {' and '.join(asked)}"
    if not points:
        return AnswerEvidence(
            question=question, met=False, best=None, nearest=None, said="No configuration gave a release."
        )
    within_risk = [p for p in points if risk_at_most is None or p.risk <= risk_at_most]
    within_loss = [p for p in points if loss_at_most is None or p.loss <= loss_at_most]
    both = [p for p in within_risk if p in within_loss]
    if both:
        best = _lowest_risk(both) if risk_at_most is None else _least_loss(both)
        said = f"{best.name}: {_figures(best, risk, loss)}."
        return AnswerEvidence(question=question, met=True, best=best.position, nearest=None, said=said)
    near = _nearest(points, risk_at_most, loss_at_most)
    parts = []
    if not within_risk:
        lowest = _lowest_risk(points)
        parts.append(
            f"No configuration keeps {asked[0]}: the {risk} is {lowest.risk:.4g} or more ({lowest.name})."
        )
    if not within_loss:
        least = _least_loss(points)
        parts.append(
            f"No configuration keeps {asked[-1]}: the {loss} is {least.loss:.4g} or more ({least.name})."
        )
    if not parts:
        cheap, safe = _least_loss(within_risk), _lowest_risk(within_loss)
        parts.append(
            f"Each bound can be kept, but not both: with {asked[0]} the {loss} is {cheap.loss:.4g} or more "
            f"({cheap.name}); with {asked[1]} the {risk} is {safe.risk:.4g} or more ({safe.name})."
        )
    parts.append(f"Nearest: {near.name}, {_figures(near, risk, loss)}.")
    return AnswerEvidence(
        question=question, met=False, best=None, nearest=near.position, said=" ".join(parts)
    )


def _figures(point: Point, risk: str, loss: str) -> str:
    return f"{risk} {point.risk:.4g}, {loss} {point.loss:.4g}"


def _least_loss(points: Sequence[Point]) -> Point:
    return min(points, key=lambda p: (p.loss, p.risk, p.position))


def _lowest_risk(points: Sequence[Point]) -> Point:
    return min(points, key=lambda p: (p.risk, p.loss, p.position))


def _nearest(points: Sequence[Point], risk_at_most: float | None, loss_at_most: float | None) -> Point:
    """Return the point that exceeds the bounds least, each excess in parts of what the points span."""

    def spread(values: list[float]) -> float:
        return (max(values) - min(values)) or 1.0

    risks, losses = spread([p.risk for p in points]), spread([p.loss for p in points])

    def excess(point: Point) -> float:
        over = max(0.0, point.risk - risk_at_most) / risks if risk_at_most is not None else 0.0
        return over + (max(0.0, point.loss - loss_at_most) / losses if loss_at_most is not None else 0.0)

    return min(points, key=lambda p: (excess(p), p.loss, p.risk, p.position))
