"""The networks that something published stands for."""

from __future__ import annotations

from sfumato.graph.contract import Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network

WORLDS = 5
"""possible worlds that a measure looks at, where a grouping was published"""


def networks_behind(published: Publishable, seed: int) -> tuple[Network, ...]:
    """Return a published network itself, some possible worlds of a grouping, nothing for statistics and
    for groups of nobody.

    A measure of a grouping is that of an analyst who samples worlds and takes the mean over them.
    """
    if isinstance(published, Network):
        return (published,)
    if isinstance(published, Grouped) and published.nodes:
        from sfumato.graph.worlds import worlds

        return tuple(worlds(published, WORLDS, seed))
    return ()
