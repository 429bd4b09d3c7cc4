"""The sections on released figures of a network: what ε means, and what the figures are."""

from __future__ import annotations

from sfumato.core.evidence_graph import GraphEvidence, GraphFiguresEvidence
from sfumato.report.graph_shown import file_facts
from sfumato.report.markup import Child, Markup, element, facts
from sfumato.report.sections import section
from sfumato.report.words import capital, count, names, number


def held(evidence: GraphEvidence) -> str:
    """Say in a sentence what the file holds."""
    figures = evidence.figures
    if figures is None:
        return "What the figures show was not counted."
    rows = count(figures.rows, "row")
    return f"The file holds {rows} of {_statistic(figures)}, with noise: no node and no edge is released."


def _statistic(figures: GraphFiguresEvidence) -> str:
    return f"the {figures.statistic.replace('-', ' ')}" if figures.statistic else "figures"


def key_figures(evidence: GraphEvidence) -> list[tuple[str, Child]]:
    """Return the numbers that people look for first."""
    figures = evidence.figures
    if figures is None:
        return [("rows in the file", number(evidence.data.rows))]
    pairs: list[tuple[str, Child]] = [("rows in the file", number(figures.rows))]
    if figures.epsilon is not None:
        pairs.append(("ε", figures.epsilon))
    if figures.delta not in (None, "0"):
        pairs.append(("δ", str(figures.delta)))
    if figures.nodes is not None:
        pairs.append(("nodes (public)", number(figures.nodes)))
    return pairs


def meaning(evidence: GraphEvidence) -> Markup | None:
    """Say what the price means, in words."""
    figures = evidence.figures
    if figures is None or figures.epsilon is None:
        return None
    delta = f", δ = {figures.delta}" if figures.delta not in (None, "0") else ""
    compared = figures.neighbours or "networks that differ by one edge or one node"
    return section(
        "meaning",
        "What the promise means",
        element(
            "p",
            "Noise was added, and ε says how much of what is released may depend on what is hidden (ε = "
            f"{figures.epsilon}{delta}; compared: {compared}). It holds against everybody, whatever they "
            "know besides.",
        ),
        element("ul", [element("li", capital(one), ".") for one in figures.meaning])
        if figures.meaning
        else None,
    )


def shown(evidence: GraphEvidence) -> Markup:
    """Say which figures are released."""
    figures = evidence.figures
    pairs: list[tuple[str, Child]] = []
    if figures is not None:
        pairs = [
            ("Statistic", figures.statistic or "not told"),
            ("Columns", names(figures.columns, most=20) if figures.columns else "none"),
            ("Rows", number(figures.rows)),
            ("Nodes", "not told" if figures.nodes is None else number(figures.nodes)),
        ]
        if figures.neighbours:
            pairs.append(("Differential privacy compares", figures.neighbours))
        if figures.randomness:
            pairs.append(("Noise", capital(figures.randomness)))
    truth = "The figures are those that were counted." if evidence.truthful else "Noise was added to figures."
    return section(
        "shown",
        "What the release shows",
        element("p", "Figures of the network as a whole: no row is about a person."),
        facts([*pairs, *file_facts(evidence, truth)]),
    )
