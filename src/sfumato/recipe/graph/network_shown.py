"""What a released network or grouping shows, counted from what was read of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.evidence import Bin
from sfumato.core.evidence_graph import Curve, GroupingEvidence, NetworkEvidence
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.statistics import components
from sfumato.graph.worlds import certain, log_worlds
from sfumato.recipe.risk import classes_evidence
from sfumato.table.risk import ClassSizes

MOST_BARS = 40
"""degrees that are told one by one; more are told by powers of two"""
MOST_POINTS = 200


def network_shown(network: Network) -> NetworkEvidence:
    """Count nodes, edges, connected parts and degrees.

    >>> star = Network.of_edges(5, np.array([[0, 1], [0, 2], [0, 3]]))
    >>> found = network_shown(star)
    >>> found.isolated, found.components, found.highest, found.different, found.smallest
    (1, 2, 3, 3, 1)
    >>> [(bin.low, bin.high, bin.classes, bin.records) for bin in found.degrees]
    [(0, 0, 1, 1), (1, 1, 1, 3), (3, 3, 1, 1)]
    """
    degrees = network.degrees()
    found, times = np.unique(degrees, return_counts=True)
    labels: dict[str, int] = {}
    if network.labels is not None:
        written, often = np.unique(network.labels, return_counts=True)
        told = zip(written.tolist(), often.tolist(), strict=True)
        labels = {network.words[label]: number for label, number in told}
    return NetworkEvidence(
        nodes=network.nodes,
        edges=network.edges,
        isolated=int(np.count_nonzero(degrees == 0)),
        components=int(components(network).max(initial=-1)) + 1,
        highest=int(degrees.max(initial=0)),
        different=len(found),
        smallest=int(times.min(initial=network.nodes)),
        degrees=degree_bins(found, times),
        labels=dict(sorted(labels.items())),
    )


def degree_bins(degrees: NDArray[np.int64], nodes: NDArray[np.int64]) -> list[Bin]:
    """Sort nodes by their degree: one by one where there are few different ones, else by powers of two.

    >>> many = np.arange(50)
    >>> [(bin.low, bin.high, bin.records) for bin in degree_bins(many, np.ones(50, np.int64))][-2:]
    [(16, 31, 16), (32, 63, 18)]
    """
    if len(degrees) <= MOST_BARS:
        return [
            Bin(low=degree, high=degree, classes=1, records=many)
            for degree, many in zip(degrees.tolist(), nodes.tolist(), strict=True)
        ]
    powers = np.array([int(degree).bit_length() for degree in degrees.tolist()])
    found = []
    for power in np.unique(powers).tolist():
        here = powers == power
        low = (1 << power) >> 1
        found.append(
            Bin(
                low=low,
                high=max(2 * low - 1, 0),
                classes=int(np.count_nonzero(here)),
                records=int(nodes[here].sum()),
            )
        )
    return found


def grouping_shown(grouped: Grouped) -> GroupingEvidence:
    """Count groups, links and possible worlds.

    >>> pair = Grouped(np.array([2, 3]), np.array([1, 1]), np.array([[0, 1]]), np.array([2]))
    >>> found = grouping_shown(pair)
    >>> found.groups, found.nodes, found.edges, found.certain, round(found.log_worlds, 3)
    (2, 5, 4, 1, 3.807)
    """
    return GroupingEvidence(
        groups=len(grouped.sizes),
        nodes=grouped.nodes,
        edges=grouped.edges,
        smallest=int(grouped.sizes.min()),
        largest=int(grouped.sizes.max()),
        links=len(grouped.links),
        log_worlds=float(log_worlds(grouped)),
        certain=certain(grouped).edges,
        sizes=classes_evidence(ClassSizes.of(grouped.sizes)).bins,
    )


def degree_curve(network: Network, title: str) -> Curve:
    """Return the share of nodes that have a degree or a higher one, for each degree that occurs."""
    degrees, times = np.unique(network.degrees(), return_counts=True)
    share = np.cumsum(times[::-1])[::-1] / max(network.nodes, 1)
    return _curve(title, degrees, share)


def candidate_curve(classes: NDArray[np.int64], title: str) -> Curve:
    """Return the share of people with at most so many candidates; ``classes`` numbers who look alike."""
    sizes, times = np.unique(np.bincount(classes)[classes], return_counts=True)
    return _curve(title, sizes, np.cumsum(times) / max(len(classes), 1))


def _curve(title: str, x: NDArray[np.int64], y: NDArray[np.float64]) -> Curve:
    if len(x) > MOST_POINTS:
        # Evenly in the logarithm, the ends among them: that is how they are drawn.
        places = np.unique(np.geomspace(1, len(x), MOST_POINTS).round().astype(np.int64) - 1)
        x, y = x[places], y[places]
    return Curve(title=title, x=[float(one) for one in x], y=[round(float(one), 6) for one in y])
