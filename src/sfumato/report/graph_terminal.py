"""What the summary in the terminal says of released networks."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sfumato.core.evidence_graph import GraphEvidence, GraphFiguresEvidence, StewardGraphEvidence
from sfumato.report.risk_pairs import paired, value
from sfumato.report.words import count, number, percent

_TOLD = ("degree-unique", "h2-unique", "neighbourhood-unique")
"""risks that are told, in this order"""


def of_graph(evidence: GraphEvidence) -> Iterator[tuple[str, str]]:
    """Say what the release holds, and for the steward what was read and how exposed people were and are."""
    network, grouping = evidence.network, evidence.grouping
    if network is not None:
        parts = f" in {count(network.components, 'connected part')}"
        yield "network", f"{count(network.nodes, 'node')}, {count(network.edges, 'edge')}{parts}"
        yield (
            "degrees",
            f"{number(network.different)} different, the highest {number(network.highest)}, the smallest "
            f"group with one degree of {number(network.smallest)}",
        )
    if grouping is not None:
        sizes = number(grouping.smallest)
        if grouping.largest != grouping.smallest:
            sizes += f" to {number(grouping.largest)}"
        behind = f"{count(grouping.nodes, 'node')} and {count(grouping.edges, 'edge')}"
        yield "groups", f"{count(grouping.groups, 'group')} of {sizes}, for {behind}"
        yield "worlds", f"{_worlds(grouping.log_worlds)}; {count(grouping.certain, 'edge')} certain"
    if evidence.figures is not None:
        yield from _of_figures(evidence.figures)
    if evidence.table is not None:
        told = evidence.table
        blanked = f", {number(told.blanked)} of them blanked" if told.blanked else ""
        yield "people", f"{count(told.rows, 'row')} about nodes{blanked}"
    if isinstance(evidence, StewardGraphEvidence):
        yield from _of_steward(evidence)


def _worlds(log_worlds: float) -> str:
    """Say how many networks have the counts.

    >>> _worlds(0.0), _worlds(230.2585)
    ('one network has these counts', '1e100 networks have these counts')
    """
    if not math.isfinite(log_worlds):
        return "how many networks have these counts is not known"
    if log_worlds <= 0:
        return "one network has these counts"
    tens = log_worlds / math.log(10)
    many = number(round(math.exp(log_worlds))) if tens < 6 else f"1e{round(tens):,}"
    return f"{many} networks have these counts"


def _of_figures(figures: GraphFiguresEvidence) -> Iterator[tuple[str, str]]:
    columns = ", ".join(figures.columns) or "no columns"
    yield "figures", f"{figures.statistic or 'figures'}: {count(figures.rows, 'row')} of {columns}"
    if figures.epsilon is not None:
        delta = f", δ = {figures.delta}" if figures.delta not in (None, "0") else ""
        compared = f"; compared: {figures.neighbours}" if figures.neighbours else ""
        yield "price", f"ε = {figures.epsilon}{delta}{compared}"


def _of_steward(evidence: StewardGraphEvidence) -> Iterator[tuple[str, str]]:
    read = evidence.read
    yield "read", f"{count(read.nodes, 'node')}, {count(read.edges, 'edge')}"
    if read.left_out:
        yield "left out", ", ".join(f"{reason}: {number(amount)}" for reason, amount in read.left_out.items())
    both = {one.name: (one, other) for one, other in paired(evidence.risk_before, evidence.risk_after)}
    risks = [
        f"{both[name][0].title.removesuffix(', unique')} {value(both[name][0])} → {value(both[name][1])}"
        for name in _TOLD
        if name in both and both[name][0].value is not None
    ]
    if risks:
        yield "risk", f"unique by {', by '.join(risks)}"
    elif evidence.risk_before and not evidence.risk_after:
        alone = next((one for one in evidence.risk_before if one.name == _TOLD[0]), None)
        if alone is not None:
            yield "risk", f"{percent(alone.value)} were unique by degree before; no node is released"
