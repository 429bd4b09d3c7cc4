"""The section on class sizes: how many lie in groups of which size."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.core.evidence import ClassesEvidence, PublicEvidence, StewardEvidence
from sfumato.report.answer import promised_k, unit
from sfumato.report.markup import Markup, element, table
from sfumato.report.plots import Mark, Series, figure, standing_bars
from sfumato.report.sections import section
from sfumato.report.words import bin_label, capital, count, number, percent

Edge = tuple[int, int | None]
Side = tuple[str, ClassesEvidence]


def edges(sides: Sequence[Side]) -> list[Edge]:
    """Return the bins of all sides in order, without the empty ones above the largest class."""
    bins = sorted(
        {(one.low, one.high) for _, classes in sides for one in classes.bins},
        key=lambda edge: (edge[0], float("inf") if edge[1] is None else edge[1]),
    )
    held = {(one.low, one.high) for _, classes in sides for one in classes.bins if one.records}
    while bins and bins[-1] not in held:
        bins.pop()
    return bins


def shares(classes: ClassesEvidence, bins: Sequence[Edge]) -> list[float]:
    """Return for each bin the share of all who were counted that lie in its classes."""
    counted = {(one.low, one.high): one.records for one in classes.bins}
    total = sum(counted.values())
    return [counted.get(edge, 0) / total if total else 0.0 for edge in bins]


def _numbers(sides: Sequence[Side], bins: Sequence[Edge], who: str) -> Markup:
    """Build the table behind the plot."""
    header = ["Size of the group"]
    columns: list[list[str]] = [[bin_label(low, high) for low, high in bins]]
    for side, classes in sides:
        beside = f", {side}" if len(sides) > 1 else ""
        header += [f"Groups{beside}", f"{capital(who)}{beside}", f"Share of {who}{beside}"]
        by_edge = {(one.low, one.high): (one.classes, one.records) for one in classes.bins}
        found = [by_edge.get(edge, (0, 0)) for edge in bins]
        columns.append([number(groups) for groups, _ in found])
        columns.append([number(counted) for _, counted in found])
        columns.append([percent(share) for share in shares(classes, bins)])
    rows = list(zip(*columns, strict=True))
    return table(f"Groups and {who} by size of the group", header, rows, numbers=range(1, len(header)))


def sizes_figure(sides: Sequence[Side], k: int | None, who: str) -> Markup:
    """Draw how many lie in groups of which size; with two sides, before and after."""
    bins = edges(sides)
    if not bins:
        return element("p", "There are no groups to show.")
    labels = [bin_label(low, high) for low, high in bins]
    series = [
        Series(side, shares(classes, bins), "before" if len(sides) == 2 and not position else "after")
        for position, (side, classes) in enumerate(sides)
    ]
    lows = [low for low, _ in bins]
    # With k in the middle of a bin a line would lie.
    mark = Mark(lows.index(k), f"promised: {k:,} or more") if k is not None and k > 1 and k in lows else None
    spoken = "; ".join(
        f"{one.name}: "
        + ", ".join(f"{label} {percent(share)}" for label, share in zip(labels, one.shares, strict=True))
        for one in series
    )
    title = f"{capital(who)} by the size of their group, in per cent of all {who}"
    axis = f"size of the group ({who} that look alike)"
    plot = standing_bars("sizes", title, spoken, labels, series, axis=axis, mark=mark)
    return figure(plot, title, series, _numbers(sides, bins, who))


def of_release(evidence: PublicEvidence) -> Markup:
    """Describe the sizes of the classes of the release."""
    classes = evidence.classes
    return section(
        "groups",
        "How large the groups are",
        element(
            "p",
            "Records that look alike on the quasi-identifiers form a group. The file has "
            f"{_described(classes)}. "
            "The larger the group, the better a person is hidden in it.",
        ),
        sizes_figure([("in this release", classes)], promised_k(evidence), "records"),
    )


def before_and_after(evidence: StewardEvidence) -> Markup:
    """Compare the sizes of the classes before and after."""
    before, after = evidence.risk_before.classes, evidence.risk_after.classes
    who = "people" if unit(evidence) == "person" else "records"
    return section(
        "groups",
        "How large the groups are",
        element(
            "p",
            f"{capital(who)} that look alike on the quasi-identifiers form a group. "
            f"Before: {_described(before)}. After: {_described(after)}. "
            "The larger the group, the better a person is hidden in it.",
        ),
        sizes_figure([("before", before), ("after", after)], promised_k(evidence), who),
    )


def _described(classes: ClassesEvidence) -> str:
    """Say how many classes there are and how large they are."""
    return (
        f"{count(classes.number, 'group')}, the smallest of {number(classes.smallest)}, the largest of "
        f"{number(classes.largest)}, on average {number(round(classes.mean, 1))}"
    )
