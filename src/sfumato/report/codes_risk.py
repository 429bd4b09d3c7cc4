"""The section on risk of a report on sets of codes: who could be found, before and after."""

from __future__ import annotations

import re

from sfumato.core.evidence import RiskFigure
from sfumato.core.evidence_codes import StewardCodesEvidence
from sfumato.report.markup import Markup, element, table, together
from sfumato.report.plots import Series, figure, lying_bars
from sfumato.report.sections import section
from sfumato.report.words import capital, numbers, percent, threat

_TITLE = "Risk before and after"
_BELOW_K = re.compile(r"(?P<how>worst|random)-(?P<known>\d+)-below-k")
_BARS = {
    "set-below-k": "same whole set",
    "held-set-below-k": "all codes held",
    "sensitive-certain": "sensitive, surely",
    "sensitive-above": "sensitive, likely",
}


def _pairs(evidence: StewardCodesEvidence) -> list[tuple[RiskFigure, RiskFigure]]:
    """Put figures of the same name together, before and after."""
    after = {one.name: one for one in evidence.risk_after}
    return [(one, after[one.name]) for one in evidence.risk_before if one.name in after]


def before_and_after(evidence: StewardCodesEvidence) -> list[tuple[str, str, str]]:
    """Return the titles of the measures of risk, with their figures before and after."""
    return [(one.title, _value(one), _value(other)) for one, other in _pairs(evidence)]


def _value(one: RiskFigure) -> str:
    return numbers(one.value) if one.people else percent(one.value)


def _bar_label(one: RiskFigure) -> str | None:
    """Return a few words for a bar; of whom nothing is drawn, the table tells.

    >>> _bar_label(RiskFigure(name="worst-2-below-k", title="", threat="identity", value=0.1))
    'worst 2 codes'
    """
    if match := _BELOW_K.fullmatch(one.name):
        known = match["known"]
        return f"{match['how']} {known} code{'s' * (known != '1')}"
    return _BARS.get(one.name)


def _drawn(pairs: list[tuple[RiskFigure, RiskFigure]]) -> tuple[Markup | None, list[Series]]:
    """Draw the shares of people who are one of few."""
    labels, before, after, spoken = [], [], [], []
    for one, other in pairs:
        label = _bar_label(one)
        if label is None or one.value is None or other.value is None:
            continue
        labels.append(label)
        before.append(one.value)
        after.append(other.value)
        spoken.append(f"{one.title} {_value(one)} before, {_value(other)} after")
    series = [Series("before", before, "before"), Series("after", after, "after")]
    return lying_bars("risk-bars", _TITLE, "; ".join(spoken), labels, series) if labels else None, series


def risk_section(evidence: StewardCodesEvidence) -> Markup:
    """Compare how exposed people were and are."""
    pairs = _pairs(evidence)
    paired = {one.name for one, _ in pairs}
    rows = [_row(one, _value(other)) for one, other in pairs]
    rows += [_row(one, "–") for one in evidence.risk_before if one.name not in paired]
    if not rows:
        return section("risk", _TITLE, element("p", "No risk was measured."))
    drawn, series = _drawn(pairs)
    listed = table(_TITLE, ("Measure", "About", "Before", "After", "Meaning"), rows, numbers=[2, 3])
    return section(
        "risk",
        _TITLE,
        element(
            "p",
            "How many people somebody could find, or tell a sensitive code of, who knows some of their "
            "codes: in the data as they were, and in what is released. The bars are the shares of people "
            "who are one of fewer than k.",
        ),
        listed if drawn is None else figure(drawn, _TITLE, series, listed),
        element("ul", [element("li", capital(one), ".") for one in evidence.risk_said])
        if evidence.risk_said
        else None,
    )


def _row(one: RiskFigure, after: str) -> tuple[Markup, str, str, str, str]:
    said = element("span", one.said, class_="under") if one.said else None
    return together(capital(one.title), said), threat(one.threat), _value(one), after, one.meaning
