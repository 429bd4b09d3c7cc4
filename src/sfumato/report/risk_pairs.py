"""Figures of risk before and after, side by side: all of them in a table, shares of people as bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sfumato.core.evidence import RiskFigure
from sfumato.report.markup import Child, Markup, element, table, together
from sfumato.report.plots import Series, figure, lying_bars
from sfumato.report.sections import section
from sfumato.report.words import capital, numbers, percent, threat

RISK = "Risk before and after"
_MOST_BARS = 12

Pair = tuple[RiskFigure, RiskFigure]


def paired(before: Sequence[RiskFigure], after: Sequence[RiskFigure]) -> list[Pair]:
    """Put figures of the same name together, before and after."""
    found = {one.name: one for one in after}
    return [(one, found[one.name]) for one in before if one.name in found]


def value(one: RiskFigure) -> str:
    """Write a figure: people, or a share of them."""
    return numbers(one.value) if one.people else percent(one.value)


def risk_section(
    before: Sequence[RiskFigure],
    after: Sequence[RiskFigure],
    said: Sequence[str],
    *,
    told: str,
    drawn: Callable[[RiskFigure], bool] = lambda one: True,
    label: Callable[[str], str] = lambda title: title,
) -> Markup:
    """Compare how exposed people were and are.

    ``told`` says what the figures are about, ``drawn`` which of them have bars, and ``label`` how a title
    reads before a bar. Where nothing was measured, the section says so and claims nothing.
    """
    listing = element("ul", [element("li", capital(one), ".") for one in said]) if said else None
    both = paired(before, after)
    names = {one.name for one, _ in both}
    rows = [_row(one, value(one), value(other), other.said) for one, other in both]
    rows += [_row(one, value(one), "–", "") for one in before if one.name not in names]
    rows += [_row(one, "–", value(one), "") for one in after if one.name not in names]
    if not rows:
        nothing = element("p", "No risk was measured: nothing is known of it.")
        return section("risk", RISK, nothing, listing)
    listed = table(RISK, ("Measure", "About", "Before", "After", "Meaning"), rows, numbers=[2, 3])
    # Where there is nothing left to measure, what was measured before is still drawn.
    sides = both if after else [(one, one) for one in before]
    bars = [
        (one, other)
        for one, other in sides
        if drawn(one) and not one.people and one.value is not None and other.value is not None
    ][:_MOST_BARS]
    plot = _plot(bars, label, listed, both=bool(after)) if bars else listed
    return section("risk", RISK, element("p", told), plot, listing)


def _plot(bars: Sequence[Pair], label: Callable[[str], str], listed: Markup, *, both: bool) -> Markup:
    series = [Series("before", [one.value or 0.0 for one, _ in bars], "before")]
    if both:
        series.append(Series("after", [other.value or 0.0 for _, other in bars], "after"))
    spoken = "; ".join(
        f"{one.title} {value(one)} before" + (f", {value(other)} after" if both else "")
        for one, other in bars
    )
    labels = [label(one.title) for one, _ in bars]
    caption = RISK if both else f"{RISK}: before"
    return figure(lying_bars("risk-bars", RISK, spoken, labels, series), caption, series, listed)


def _row(one: RiskFigure, before: str, after: str, said: str) -> tuple[Child, ...]:
    under = [element("span", text, class_="under") for text in _sayings(one.said, said)]
    return together(capital(one.title), under), threat(one.threat), before, after, one.meaning


def _sayings(before: str, after: str) -> list[str]:
    """Return what is said of a figure, once where it is the same before and after."""
    if not after or before == after:
        return [before] if before else []
    return [*([f"before: {before}"] if before else []), f"after: {after}"]
