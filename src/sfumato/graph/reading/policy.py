"""What a simple undirected network cannot hold is refused, unless somebody says what to do with it.

A loop is a node that is its own neighbour. A pair is repeated when it is listed twice in the same direction
(or, where the source says that edges have no direction, twice at all). A list is directed when some pairs
are listed both ways and others are not, or when the source says so and not every pair is listed both ways.
A list in which *every* pair stands both ways is the usual way to write an undirected network: no direction is
lost there. Weights are whatever stands beside the two ends of an edge: strengths, dates, kinds.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.errors import BadInput, nearest

ERROR, DROP, MERGE, IGNORE, KEEP, NOBODY = "error", "drop", "merge", "ignore", "keep", "nobody"

_CHOICES = {
    "loops": (ERROR, DROP),
    "repeated": (ERROR, MERGE),
    "directed": (ERROR, IGNORE),
    "weights": (ERROR, DROP),
    "edgeless": (ERROR, KEEP, NOBODY),
}


@dataclass(frozen=True)
class Policy:
    """The decisions of a reader; every default refuses.

    >>> Policy(loops="drop").loops
    'drop'
    """

    loops: str = ERROR
    """``error`` or ``drop``"""
    repeated: str = ERROR
    """``error`` or ``merge``"""
    directed: str = ERROR
    """``error`` or ``ignore``"""
    weights: str = ERROR
    """``error`` or ``drop``"""
    edgeless: str = ERROR
    """whether a network of nodes without any edge is an ``error`` or is kept (``keep``), and with ``nobody``
    one without nodes, too: where it is a secret whether there are any"""
    without: tuple[str, ...] = ()
    """columns or attributes of edges that are left out, by name"""

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            chosen = getattr(self, name)
            if chosen not in known:
                raise BadInput(f"{name} cannot be '{chosen}'", remedy=nearest(str(chosen), known))
