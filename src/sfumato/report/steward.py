"""The sections for the steward alone: they show what was computed from the raw data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sfumato.core.evidence import (
    HouseEvidence,
    MeasureEvidence,
    ReleaseEvidence,
    RiskEvidence,
    StewardEvidence,
)
from sfumato.report.answer import all_hold
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.plots import Series, figure, lying_bars
from sfumato.report.sections import section
from sfumato.report.words import capital, chance, name, number, numbers, percent

_MOST_BARS = 20


def risk(evidence: StewardEvidence) -> Markup:
    """Compare the risks of being found before and after."""
    before, after = evidence.risk_before, evidence.risk_after

    def above(side: RiskEvidence) -> str:
        return f"{percent(side.records_at_risk)} above {percent(side.threshold)}"

    rows = [
        ("Records", number(before.records), number(after.records), "rows that were counted"),
        ("Persons", number(before.persons), number(after.persons), "people that were counted"),
        ("Groups", number(before.classes.number), number(after.classes.number), "records that look alike"),
        ("One of a kind", number(before.uniques), number(after.uniques), "people alone in their group"),
        (
            "Share one of a kind",
            percent(before.unique_share),
            percent(after.unique_share),
            "of all who were counted",
        ),
        (
            "Highest risk",
            chance(before.highest_risk),
            chance(after.highest_risk),
            "for a person in the smallest group",
        ),
        (
            "Average risk",
            chance(before.average_risk),
            chance(after.average_risk),
            "for a person drawn from the file",
        ),
        (
            "Records at risk",
            above(before),
            above(after),
            "share of records whose risk is above the threshold",
        ),
    ]
    labels = ["Highest risk", "Average risk", "Records at risk", "One of a kind"]
    series = [
        Series(
            side,
            [one.highest_risk, one.average_risk, one.records_at_risk, one.unique_share],
            "before" if side == "before" else "after",
        )
        for side, one in (("before", before), ("after", after))
    ]
    spoken = "; ".join(
        f"{label} {percent(series[0].shares[i])} before, {percent(series[1].shares[i])} after"
        for i, label in enumerate(labels)
    )
    title = "Risk of being found, before and after"
    return section(
        "risk",
        "Risk before and after",
        element(
            "p",
            "The risk that somebody who knows that a person is in the file, and knows their ",
            "quasi-identifiers, picks the right record: one in the size of the group. ",
            "For the person who is hidden least it was ",
            element("strong", chance(before.highest_risk)),
            " and is ",
            element("strong", chance(after.highest_risk)),
            ".",
        ),
        figure(
            lying_bars("risk-bars", title, spoken, labels, series),
            title,
            series,
            table(title, ("Measure", "Before", "After", "Meaning"), rows, numbers=[1, 2]),
        ),
    )


def loss(evidence: StewardEvidence) -> Markup:
    """Show what was lost, by column and by measure."""
    # A loss that was not measured (NaN) goes last instead of scrambling the order.
    losses = sorted(
        evidence.attribute_loss, key=lambda one: -one.loss if math.isfinite(one.loss) else math.inf
    )
    shown = losses[:_MOST_BARS]
    title = "Loss of each column"
    caption = (
        title if len(shown) == len(losses) else f"{title} (the {len(shown)} that lost most, of {len(losses)})"
    )
    by_column: Markup | None = None
    if losses:
        series = [Series("loss", [one.loss for one in shown])]
        spoken = ", ".join(f"{one.name} {percent(one.loss)}" for one in shown)
        by_column = figure(
            lying_bars("loss-bars", title, spoken, [one.name for one in shown], series),
            caption,
            series,
            table(
                title,
                ("Column", "Loss"),
                [(name(one.name), percent(one.loss)) for one in losses],
                numbers=[1],
            ),
        )
    return section(
        "loss",
        "What was lost",
        element("p", "0% means that nothing was lost in a column, 100% that it says nothing any more."),
        by_column,
        measures_table(evidence.utility),
    )


def measures_table(utility: Sequence[MeasureEvidence]) -> Markup:
    """List the measures of loss with what they mean."""
    if not utility:
        return element("p", "No measure was computed.")
    rows = [
        (
            together(capital(measure.title), element("span", measure.name, class_="under")),
            numbers(measure.value),
            measure.range,
            measure.meaning,
        )
        for measure in utility
    ]
    return table(
        "Measures of loss: lower is better", ("Measure", "Value", "Range", "Meaning"), rows, numbers=[1]
    )


def measures_made_of(utility: Sequence[MeasureEvidence]) -> Markup | None:
    """List the figures that measures of loss are made of, to be unfolded; None when there are none."""
    details = [
        (measure.title, ", ".join(f"{key} {told(value)}" for key, value in measure.details.items()))
        for measure in utility
        if measure.details
    ]
    if not details:
        return None
    return element("details", element("summary", "What the measures are made of"), facts(details))


def told(value: float | str) -> str:
    """Write a figure that may be a word."""
    return value if isinstance(value, str) else numbers(value)


def _quality(evidence: StewardEvidence) -> str:
    """Say how good the recoding is among those that the method could have chosen."""
    search = evidence.search
    if search.optimal:
        return "The search proved that no other choice of this method keeps the promises and scores better."
    if search.bound is None:
        return "The method does not search for the best of all choices and makes no claim about it."
    lowest = numbers(search.bound)
    words = f"The search ended before it could prove its choice the best; none can score below {lowest}"
    if isinstance(search.bound, float) and isinstance(search.score, float) and search.score > 0:
        gap = (search.score - search.bound) / search.score
        return f"{words}, so at most {percent(gap)} is left to gain."
    return f"{words}."


def search(evidence: StewardEvidence) -> Markup:
    """Say what the search found, how sure it is, and how long it took."""
    found = evidence.search
    pairs: list[tuple[str, str]] = [
        ("Score (lower is better)", numbers(found.score)),
        ("Proven bound", numbers(found.bound)),
        ("Proven to be the best", "yes" if found.optimal else "no"),
    ]
    if found.levels:
        pairs.append(("Levels", ", ".join(f"{column} {level}" for column, level in found.levels.items())))
    pairs += [
        (capital(key.replace("_", " ")), numbers(value) if isinstance(value, int | float) else value)
        for key, value in found.details.items()
    ]
    if evidence.seconds:
        steps = ", ".join(f"{step} {number(seconds)}" for step, seconds in evidence.seconds.items())
        pairs.append(("Seconds", steps))
    return section("search", "How this was chosen", element("p", _quality(evidence)), facts(pairs))


def loss_by_measures(utility: Sequence[MeasureEvidence]) -> Markup:
    """Show what was lost where there are no columns to lose it from."""
    return section("loss", "What was lost", measures_table(utility), measures_made_of(utility))


def how_made(method: str, figures: Mapping[str, float | str], spent: Mapping[str, float]) -> Markup:
    """Say which method made the release, the figures of its search, and how long the steps took."""
    pairs = [("Method", method)]
    pairs += [(capital(key.replace("_", " ")), told(value)) for key, value in figures.items()]
    if spent:
        pairs.append(("Seconds", ", ".join(f"{step} {number(seconds)}" for step, seconds in spent.items())))
    return section("search", "How this was made", facts(pairs))


def source(evidence: HouseEvidence, *more: Child) -> Markup:
    """Say which input the release was made from."""
    given = evidence.input
    return section(
        "source",
        "Where it came from",
        element("p", "The input is fingerprinted with a key, so that nobody can test guesses against it."),
        facts(
            [
                ("Rows", number(given.rows)),
                ("Keyed fingerprint", element("code", given.fingerprint)),
                ("Key", given.key),
            ]
        ),
        *more,
    )


def signature(evidence: ReleaseEvidence) -> Markup:
    """Give the steward a place to sign; a release that breaks a promise has none."""
    if not all_hold(evidence):
        return section(
            "signature",
            "Signature",
            element(
                "p", "There is nothing to sign: not every promise was checked and holds.", class_="warning"
            ),
        )
    lines = [
        element("div", element("span", "", class_="blank"), element("span", label), class_="line-to-sign")
        for label in ("Name", "Function", "Place and date", "Signature")
    ]
    return section(
        "signature",
        "Signature",
        element(
            "p",
            "I have read this report, with what could still be learned, and decide about the file ",
            element("bdi", evidence.data.file, class_="name"),
            [" with the fingerprint ", element("code", evidence.data.sha256[:16], "…")]
            if evidence.data.sha256
            else None,
            ":",
        ),
        element(
            "p",
            element("span", "☐ it may be shared", class_="choice"),
            element("span", "☐ it may not be shared", class_="choice"),
            element("span", "☐ it may be shared on these conditions:", class_="choice"),
        ),
        element("div", lines, class_="signing"),
    )
