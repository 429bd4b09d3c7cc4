"""How exposed people are by their place in a network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import in_per_cent
from sfumato.core.errors import BadInput, MissingPart
from sfumato.core.evidence import RiskFigure
from sfumato.core.progress import SILENT, Progress, Within
from sfumato.graph.canonical import degree_classes, igraph, neighbourhood_forms, vertex_refinement
from sfumato.graph.network import Network
from sfumato.graph.risk.candidates import CandidateSets
from sfumato.graph.risk.figures import figures_of, numbers_of

MOST_WORK = 300_000_000
"""steps to find the edges among neighbours, before neighbourhoods are left out unless they are asked for"""
HUBS = 100
"""one in so many nodes is a hub"""


@dataclass(frozen=True)
class Hubs:
    """The hundredth part of the nodes with the most neighbours, and those with as many as the last of it."""

    nodes: int
    unique: int
    """how many of them have a degree that nobody else has"""
    least: int
    """the fewest neighbours that a hub has"""

    def __str__(self) -> str:
        return (
            f"hubs: {self.nodes:,} with {self.least:,} or more neighbours, "
            f"{in_per_cent(self.unique / self.nodes)} unique by degree"
        )


@dataclass(frozen=True)
class Exposure:
    """How exposed people are to adversaries who know more and more. Prints as a short table; counts alone.

    What was not looked at is missing from ``by``, and ``said`` tells why.
    """

    nodes: int
    edges: int
    isolated: int
    """nodes without neighbours"""
    by: tuple[CandidateSets, ...]
    hubs: Hubs
    said: tuple[str, ...] = ()

    def __str__(self) -> str:
        alone = f", {self.isolated:,} without neighbours" if self.isolated else ""
        lines = [f"{self.nodes:,} people, {self.edges:,} edges{alone}", *map(str, self.by), str(self.hubs)]
        return "\n  ".join([*lines, *(f"({said})" for said in self.said)])

    def __getitem__(self, knowledge: str) -> CandidateSets:
        """Return what was found for some knowledge, by its name."""
        for one in self.by:
            if one.knowledge == knowledge:
                return one
        raise KeyError(knowledge)

    def figures(self) -> list[RiskFigure]:
        """Return the measures for the steward's evidence, each with the threat that it is about."""
        return figures_of(self)

    def to_dict(self) -> dict[str, int | float]:
        """Return every figure by a plain name: numbers alone."""
        return numbers_of(self)


def exposure(network: Network, *, neighbourhood: bool | None = None, progress: Progress = SILENT) -> Exposure:
    """Measure how many candidates each person has, for adversaries who know more and more of their place.

    ``degree`` (H1): how many neighbours. ``H2``: the degrees of the neighbours. ``H3``: the H2 of these.
    ``H*``: all rounds of vertex refinement. ``neighbourhood``: the network among the neighbours, up to
    isomorphism. Where nodes have labels, also degree, H2 and neighbourhood with the labels that go with them.

    ``neighbourhood``: True looks at neighbourhoods, False does not; None looks at them if igraph is installed
    and it does not take too long, and says so if not. The adversary knows the published network exactly;
    whoever is wrong about an edge finds fewer.

    >>> path = Network.of_edges(5, np.array([[0, 1], [1, 2], [2, 3], [3, 4]]))
    >>> print(exposure(path, neighbourhood=False))
    5 people, 4 edges
      degree: 2 classes, 0.0 % unique, smallest 2; below 5: 100.0 %, below 10: 100.0 %; a guess finds 40.0 %
      H2: 3 classes, 20.0 % unique, smallest 1; below 5: 100.0 %, below 10: 100.0 %; a guess finds 60.0 %
      H3: 3 classes, 20.0 % unique, smallest 1; below 5: 100.0 %, below 10: 100.0 %; a guess finds 60.0 %
      H*: 3 classes, 20.0 % unique, smallest 1; below 5: 100.0 %, below 10: 100.0 %; a guess finds 60.0 %
      hubs: 3 with 2 or more neighbours, 0.0 % unique by degree
      (neighbourhoods were not looked at)
    """
    if network.nodes < 2:
        raise BadInput(
            "there is nobody in the network, or one person with nobody to be told from",
            remedy="give a network of at least two nodes",
        )
    progress.step("who looks like whom")
    degrees = degree_classes(network)
    found = [CandidateSets.of("degree", degrees)]
    for done, (name, rounds) in enumerate((("H2", 2), ("H3", 3), ("H*", None))):
        progress.update(done / 5, name)
        found.append(CandidateSets.of(name, vertex_refinement(network, rounds)))
    labelled = network.labels is not None
    if labelled:
        progress.update(0.6, "labels")
        found.append(CandidateSets.of("degree and label", degree_classes(network, labelled=True)))
        found.append(CandidateSets.of("H2 and labels", vertex_refinement(network, 2, labelled=True)))
    said = _why_not(network, neighbourhood)
    if not said:
        inner = Within(progress)
        found.append(CandidateSets.of("neighbourhood", neighbourhood_forms(network, progress=inner)))
        if labelled:
            forms = neighbourhood_forms(network, labelled=True, progress=inner)
            found.append(CandidateSets.of("neighbourhood and labels", forms))
    return Exposure(
        network.nodes,
        network.edges,
        int(np.count_nonzero(network.degrees() == 0)),
        tuple(found),
        _hubs(network.degrees(), degrees),
        said,
    )


def _why_not(network: Network, asked: bool | None) -> tuple[str, ...]:
    """Say why neighbourhoods are not looked at; nothing if they are."""
    if asked:
        igraph()
        return ()
    if asked is False:
        return ("neighbourhoods were not looked at",)
    try:
        igraph()
    except MissingPart as missing:
        return (f"neighbourhoods were not looked at: {missing}",)
    degrees = network.degrees()
    pairs = network.pairs()
    work = int(np.minimum(degrees[pairs[:, 0]], degrees[pairs[:, 1]]).sum())
    if work > MOST_WORK:
        return (f"neighbourhoods were not looked at: that takes up to {work:,} steps; ask for them",)
    return ()


def _hubs(degrees: NDArray[np.int64], classes: NDArray[np.int64]) -> Hubs:
    least = int(np.sort(degrees)[-max(len(degrees) // HUBS, 1)])
    hubs = degrees >= least
    alone = np.bincount(classes)[classes] == 1
    return Hubs(int(hubs.sum()), int((hubs & alone).sum()), least)
