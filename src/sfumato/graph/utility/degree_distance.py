"""How far the degrees moved: the distance between two distributions of degrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.measure import Measured
from sfumato.graph.contract import Publishable, Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network

Distribution = tuple[NDArray[np.float64], NDArray[np.float64]]
"""degrees, and how many nodes have them"""


@dataclass(frozen=True)
class DegreeDistance:
    """By how many neighbours degrees must change to turn one distribution into the other, on average.

        ∫ |F'(d) − F(d)| dd,  F(d) the share of nodes with at most d neighbours

    This is the earth mover's distance (Rubner, Tomasi and Guibas 2000, after Monge 1781); the details have
    the greatest |F' − F|, of Kolmogorov and Smirnov. Which node has which degree does not matter.

    Of a **grouping**, the distribution is the exact average over all possible worlds. Of **statistics**, it
    is read from the columns ``degree`` and, if there, ``nodes``; None where there is none, or a figure is
    missing.

    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> triangle = Network.of_edges(3, np.array([[0, 1], [1, 2], [0, 2]]))
    >>> round(DegreeDistance().of(path, triangle).value, 3)
    0.667
    """

    name: ClassVar[str] = "degree-distance"
    title: ClassVar[str] = "distance of degree distributions"
    range: ClassVar[str] = "0 … ∞"
    meaning: ClassVar[str] = "by how many neighbours the distribution of degrees is off, on average"

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Compare the distributions; None where either is missing."""
        after = degrees_of(published)
        if not original.nodes or after is None:
            return None
        before = _of_network(original)
        moved, greatest = distances_between(before, after)
        mean = float((before[0] * before[1]).sum() / before[1].sum())
        details: dict[str, int | float | str] = {
            "greatest difference of shares": greatest,
            "mean degree before": mean,
            "mean degree after": float((after[0] * after[1]).sum() / after[1].sum()),
        }
        if mean:
            details["relative to the mean degree"] = moved / mean
        return Measured(moved, details)


def distances_between(one: Distribution, other: Distribution) -> tuple[float, float]:
    """Return the earth mover's distance and that of Kolmogorov and Smirnov.

    >>> sides = (np.array([0.0, 1.0]), np.array([1.0, 1.0]))
    >>> distances_between(sides, (np.array([3.0]), np.array([5.0])))
    (2.5, 1.0)
    """
    places = np.concatenate([one[0], other[0]])
    order = np.argsort(places, kind="stable")
    mass = np.concatenate([one[1] / one[1].sum(), -other[1] / other[1].sum()])[order]
    gaps = np.diff(places[order])
    off = np.abs(np.cumsum(mass))[:-1]
    # Rounding leaves a trace where the two are equal.
    off[off < 1e-12] = 0.0
    between = off[gaps > 0]
    return float((off * gaps).sum()), float(between.max(initial=0.0))


def degrees_of(published: Publishable) -> Distribution | None:
    """Return the degrees that something published shows, and how many nodes have them."""
    if isinstance(published, Network):
        return _of_network(published) if published.nodes else None
    if isinstance(published, Grouped):
        if not published.nodes:
            return None
        from sfumato.graph.worlds import expected_degree_distribution

        expected = expected_degree_distribution(published)
        return np.arange(len(expected), dtype=np.float64), expected
    return _of_statistics(published)


def _of_network(network: Network) -> Distribution:
    many = np.bincount(network.degrees()).astype(np.float64)
    return np.arange(len(many), dtype=np.float64), many


def _of_statistics(published: Statistics) -> Distribution | None:
    degree = published.columns.get("degree")
    if degree is None or not len(degree):
        return None
    nodes = published.columns.get("nodes")
    # Noise may leave fewer than no nodes at a degree: there are none.
    many = np.ones(len(degree)) if nodes is None else np.maximum(np.asarray(nodes, np.float64), 0.0)
    places = np.asarray(degree, np.float64)
    known = np.isfinite(places).all() and np.isfinite(many).all()
    return (places, many) if known and many.sum() > 0 else None
