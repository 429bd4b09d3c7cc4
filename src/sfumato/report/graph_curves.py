"""The sections with lines, for the steward: degrees before and after, and how many candidates people have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sfumato.core.evidence_graph import Curve, StewardGraphEvidence
from sfumato.report.graph_plots import Line, candidates_plot, degree_plot
from sfumato.report.markup import Markup, element, table
from sfumato.report.plots import Series, figure
from sfumato.report.sections import section
from sfumato.report.words import capital, number, percent

_BEFORE = "before"
_MOST_LINES = 8
_MOST_ROWS = 24
"""of each line, in the table behind a plot"""


def lines_of(curves: Sequence[Curve]) -> list[Line]:
    """Give each curve its tone, and dots where another of its tone came before.

    >>> [(one.tone, one.dotted) for one in lines_of([Curve(title=t, x=[1], y=[1]) for t in ("before", "b")])]
    [('before', False), ('after', False)]
    """
    found: list[Line] = []
    for curve in curves[:_MOST_LINES]:
        tone: Literal["before", "after"] = "before" if curve.title.endswith(_BEFORE) else "after"
        dotted = sum(one.tone == tone for one in found) % 2 == 1
        points = list(zip(curve.x, curve.y, strict=False))
        found.append(Line(f"{curve.title}{' (dotted)' * dotted}", points, tone, dotted))
    return found


def degrees(evidence: StewardGraphEvidence) -> Markup | None:
    """Draw the degrees before and after."""
    lines = lines_of(evidence.degrees)
    if not any(line.points for line in lines):
        return None
    title = "Share of nodes with so many edges or more"
    both = {line.tone for line in lines} == {"before", "after"}
    told = "Both axes are logarithmic: equal steps are equal ratios."
    if both:
        told += (
            " Where the lines lie on each other, the release has the degrees of the network that was read."
        )
    if both and evidence.form == "statistics":
        told += " The released ones carry noise."
    return section(
        "degrees",
        "Degrees before and after" if both else "Degrees",
        element("p", told),
        _figure(degree_plot("degree-lines", title, lines), title, lines, "Edges, at least"),
    )


def candidates(evidence: StewardGraphEvidence, k: int | None) -> Markup | None:
    """Draw how many candidates people have, by what is known of them."""
    lines = lines_of(evidence.candidates)
    if not any(line.points for line in lines):
        return None
    title = "Share of people with so many candidates or fewer"
    return section(
        "candidates",
        "How many candidates people have",
        element(
            "p",
            "Somebody who knows a thing about a person finds all nodes that it fits: the candidates. Who has "
            "one candidate is found, of c candidates a guess is right once in c. A line further to the right "
            "hides people better.",
        ),
        _figure(candidates_plot("candidate-lines", title, lines, k), title, lines, "Candidates, at most"),
    )


def _figure(plot: Markup, title: str, lines: Sequence[Line], along: str) -> Markup:
    rows = [
        (capital(line.name), number(x), percent(share))
        for line in lines
        for x, share in _thinned(line.points)
    ]
    listed = table(title, ("Line", along, "Share"), rows, numbers=[1, 2])
    caption = title if len(lines) > 1 else f"{title}: {lines[0].name}"
    return figure(plot, caption, [Series(line.name, [], line.tone) for line in lines], listed)


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return some of many points, the first and the last among them.

    >>> len(_thinned([(i, 0.5) for i in range(500)])) <= 24, _thinned([(1, 1)])
    (True, [(1, 1)])
    """
    if len(points) <= _MOST_ROWS:
        return list(points)
    last = len(points) - 1
    places = {round(last * at / (_MOST_ROWS - 1)) for at in range(_MOST_ROWS)}
    return [points[place] for place in sorted(places)]
