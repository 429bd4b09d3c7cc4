"""The sections on what a released network or grouping shows: nodes, edges, degrees, groups, possible worlds.

Possible worlds of a grouping: M. Hay, G. Miklau, D. Jensen, D. Towsley and P. Weis (2008).
"""

from __future__ import annotations

import math

from sfumato.core.evidence import Bin, ClassesEvidence
from sfumato.core.evidence_graph import (
    GraphEvidence,
    GroupingEvidence,
    NetworkEvidence,
    PeopleTableEvidence,
)
from sfumato.report.exposure import known_too
from sfumato.report.groups import sizes_figure
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.plots import Series, figure, standing_bars
from sfumato.report.sections import ORDERS, section
from sfumato.report.words import bin_label, capital, count, names, number, percent

_FEW_WORLDS = math.log(1e6)
"""below it worlds are written as a number, above as a power of ten"""
_MOST_LABELS = 20


def held(evidence: GraphEvidence) -> str:
    """Say in a sentence what the release holds."""
    network, grouping = evidence.network, evidence.grouping
    if network is not None:
        return f"The network has {count(network.nodes, 'node')} and {count(network.edges, 'edge')}."
    if grouping is not None:
        return (
            f"{capital(count(grouping.nodes, 'node'))} with {count(grouping.edges, 'edge')} are released as "
            f"{count(grouping.groups, 'group')}: their sizes, and how many edges are in and between them."
        )
    return "What the release shows was not counted."


def key_figures(evidence: GraphEvidence) -> list[tuple[str, Child]]:
    """Return the numbers that people look for first."""
    network, grouping = evidence.network, evidence.grouping
    if network is not None:
        return [
            ("nodes", number(network.nodes)),
            ("edges", number(network.edges)),
            ("smallest group with one degree", number(network.smallest)),
            ("most edges of a node", number(network.highest)),
        ]
    if grouping is not None:
        return [
            ("groups", number(grouping.groups)),
            ("smallest group", number(grouping.smallest)),
            ("nodes behind them", number(grouping.nodes)),
            ("edges that are certain", number(grouping.certain)),
        ]
    return [("rows in the file", number(evidence.data.rows))]


def file_facts(evidence: GraphEvidence, truth: str) -> list[tuple[str, Child]]:
    """Return method, truth, what of the input is not in the release, who was counted, and the order."""
    return [
        ("Method", evidence.method),
        ("Truthfulness", truth),
        ("Not released", ", ".join(evidence.stripped) or "nothing is listed"),
        ("Who was counted", evidence.people),
        ("Numbers and order", ORDERS.get(evidence.order, evidence.order)),
    ]


def shown(evidence: GraphEvidence) -> Markup:
    """Describe the released network or its groups."""
    network, grouping = evidence.network, evidence.grouping
    parts: list[Markup | None] = []
    if network is not None:
        parts = _of_network(network)
    elif grouping is not None:
        parts = _of_groups(grouping)
    truth = (
        "Every count is one of the network that was read."
        if grouping is not None
        else "Every edge is one that was read."
    )
    untrue = "Edges were changed: which of them are true is not told."
    told = facts(file_facts(evidence, truth if evidence.truthful else untrue))
    return section("shown", "What the release shows", parts, told)


def _of_network(network: NetworkEvidence) -> list[Markup | None]:
    pairs: list[tuple[str, Child]] = [
        ("Nodes", number(network.nodes)),
        ("Edges", number(network.edges)),
        ("Nodes without an edge", number(network.isolated)),
        ("Connected parts", number(network.components)),
        ("Most edges of a node", number(network.highest)),
        ("Edges of a node on average", number(_mean(network))),
        ("Different degrees", number(network.different)),
        ("Nodes of the smallest group with one degree", number(network.smallest)),
    ]
    return [
        element(
            "p",
            "Nodes have new numbers, drawn at random: they tell nothing of names or of the order in the "
            "source. The degree of a node is the number of its edges.",
        ),
        facts(pairs),
        _degrees(network.degrees),
        _labels(network.labels) if network.labels else None,
    ]


def _mean(network: NetworkEvidence) -> float:
    return 2 * network.edges / network.nodes if network.nodes else math.nan


def _degrees(bins: list[Bin]) -> Markup | None:
    """Draw how many nodes have which degree."""
    nodes = sum(one.records for one in bins)
    if not nodes:
        return None
    title = "Nodes by their degree, in per cent of all nodes"
    labels = [bin_label(one.low, one.high) for one in bins]
    series = [Series("nodes", [one.records / nodes for one in bins])]
    spoken = ", ".join(
        f"{label} {percent(share)}" for label, share in zip(labels, series[0].shares, strict=True)
    )
    listed = table(
        title,
        ("Degree", "Different degrees", "Nodes", "Share"),
        [
            (label, number(one.classes), number(one.records), percent(one.records / nodes))
            for label, one in zip(labels, bins, strict=True)
        ],
        numbers=[1, 2, 3],
    )
    # Ranges of large degrees are too wide to be written below a bar: where they begin is enough.
    ranges = any(one.low != one.high for one in bins)
    below = [number(one.low) for one in bins] if ranges else labels
    axis = "edges of a node, from this number up to the next" if ranges else "edges of a node"
    plot = standing_bars("degrees-plot", title, spoken, below, series, axis=axis)
    return figure(plot, title, series, listed)


def _labels(labels: dict[str, int]) -> Markup:
    of = sum(labels.values())
    listed = sorted(labels.items(), key=lambda pair: -pair[1])
    rest = len(listed) - _MOST_LABELS
    rows: list[tuple[Child, ...]] = [
        (element("bdi", label or "(none)"), number(nodes), percent(nodes / of if of else None))
        for label, nodes in listed[:_MOST_LABELS]
    ]
    if rest > 0:
        others = sum(nodes for _, nodes in listed[_MOST_LABELS:])
        rows.append((count(rest, "other label"), number(others), percent(others / of if of else None)))
    return element(
        "details",
        element("summary", "Labels of the nodes"),
        table("Labels of the nodes", ("Label", "Nodes", "Share"), rows, numbers=[1, 2]),
    )


def _of_groups(grouping: GroupingEvidence) -> list[Markup | None]:
    pairs: list[tuple[str, Child]] = [
        ("Groups", number(grouping.groups)),
        ("Nodes behind them", number(grouping.nodes)),
        ("Edges in and between them", number(grouping.edges)),
        ("Smallest and largest group", f"{number(grouping.smallest)} and {number(grouping.largest)}"),
        ("Pairs of groups with edges between them", number(grouping.links)),
        ("Edges that are certain", _certain(grouping)),
        ("Networks with these counts", worlds_in_words(grouping.log_worlds)),
    ]
    return [
        element(
            "p",
            "No node is released: for each group its size and the edges among its members, for each pair of "
            "groups the edges between them. Every network with these counts is a ",
            element("strong", "possible world"),
            ", each as likely as the next to whoever sees the counts alone. Analysts draw worlds (",
            element("code", "sfumato graph worlds release/ --count 10 --out worlds"),
            ") and average what they compute on them.",
        ),
        facts(pairs),
    ]


def _certain(grouping: GroupingEvidence) -> str:
    if not grouping.edges:
        return number(grouping.certain)
    return f"{number(grouping.certain)} ({percent(grouping.certain / grouping.edges)})"


def worlds_in_words(log_worlds: float) -> Markup:
    """Write the number of possible worlds, given its natural logarithm.

    >>> worlds_in_words(0.0), worlds_in_words(math.log(720))
    ('one: the counts leave nothing open', 'about 720')
    >>> worlds_in_words(2302.585)
    'about 10<sup>1,000</sup>'
    """
    if not math.isfinite(log_worlds) or log_worlds < 0:
        return together("not known")
    if log_worlds == 0:
        return together("one: the counts leave nothing open")
    if log_worlds <= _FEW_WORLDS:
        return together(f"about {number(round(math.exp(log_worlds)))}")
    return together("about 10", element("sup", number(round(log_worlds / math.log(10)))))


def groups(evidence: GraphEvidence, k: int | None) -> Markup | None:
    """Show how many nodes lie in groups of which size."""
    grouping = evidence.grouping
    if grouping is None:
        return None
    bins = grouping.sizes
    # Only the bins are shown of it.
    classes = ClassesEvidence(
        number=grouping.groups,
        smallest=grouping.smallest,
        largest=grouping.largest,
        mean=grouping.nodes / grouping.groups if grouping.groups else 0.0,
        bins=bins,
    )
    return section(
        "groups",
        "How large the groups are",
        element(
            "p",
            "Whoever finds out in which group somebody is has all of its members to choose from. The larger "
            "the group, the better a person is hidden in it.",
        ),
        sizes_figure([("in this release", classes)], k, "nodes"),
    )


def people(told: PeopleTableEvidence) -> Markup:
    """Describe the table that is published beside the edges."""
    pairs: list[tuple[str, Child]] = [
        ("File", element("bdi", told.file)),
        ("Rows", number(told.rows)),
        ("Columns", names(told.columns, most=20) if told.columns else "none"),
        ("Nodes of which nothing is said", number(told.blanked)),
        ("SHA-256", element("code", told.sha256)),
    ]
    return section(
        "people",
        "The table about the nodes",
        element(
            "p",
            "What is published about nodes beside their edges stands in a table of its own, by their new "
            "numbers. Promises about the table and about the network stand apart: neither counts with "
            "somebody who knows both.",
        ),
        facts(pairs),
        known_too(told.exposure),
    )
