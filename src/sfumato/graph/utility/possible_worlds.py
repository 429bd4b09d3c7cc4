"""How many networks a grouping may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.measure import Measured
from sfumato.graph.contract import Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network


@dataclass(frozen=True)
class PossibleWorlds:
    """How much of what can be unknown about a network a grouping leaves open.

        log W / log W₁,  W the possible worlds of the grouping, W₁ = C(C(n, 2), m) those of one group of all

    Hay, Miklau, Jensen, Towsley and Weis (2008) search for the grouping with the fewest worlds: the original
    is one of them, each as likely as the next. 0 where there is one world, 1 where only the numbers of nodes
    and edges are known. None for anything but a grouping, and where these numbers leave nothing open.

    >>> from sfumato.graph.worlds import grouped_of
    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3]]))
    >>> round(PossibleWorlds().of(path, grouped_of(path, np.array([0, 0, 1, 1]))).value, 3)
    0.463
    """

    name: ClassVar[str] = "possible-worlds"
    title: ClassVar[str] = "possible worlds"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "log of the networks that a grouping may stand for, relative to one group of all"

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Count the worlds."""
        if not isinstance(published, Grouped) or not published.nodes:
            return None
        from sfumato.graph.worlds import log_worlds

        sizes, edges = np.array([published.nodes]), np.array([published.edges])
        whole = Grouped(sizes, edges, np.zeros((0, 2), np.int64), np.zeros(0, np.int64))
        most, here = log_worlds(whole), log_worlds(published)
        if not most:
            return None
        return Measured(here / most, {"log of worlds": here, "log of worlds of one group of all": most})
