"""What reading a network gives: the network, and beside it the names of its nodes, for the steward alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from sfumato.graph.network import Network
from sfumato.graph.reading.told import Told


@dataclass(frozen=True, eq=False)
class Read:
    """A network as a source holds it. Node v of ``network`` is called ``names[v]``.

    Nodes are numbered in the order of their names (whole numbers by their value, all others as text), so that
    the number of a node depends on the names in the source and not on the order of its lines. Names identify:
    they serve to join tables about the same people and are never written, printed or put in a message.
    """

    network: Network
    names: pa.StringArray = field(repr=False)
    told: Told = field(default_factory=Told)
    attributes: pa.Table | None = field(default=None, repr=False)
    """what the source says of nodes beside their edges, a row for each, in the order of their numbers"""
    listed: bool = False
    """whether the source lists nodes, those without edges too: from a list of edges alone it depends on the
    edges how many nodes there are, and no promise about edges or nodes could be kept of their number"""

    def __post_init__(self) -> None:
        if len(self.names) != self.network.nodes:
            raise AssertionError("each node has one name")
        if self.attributes is not None and self.attributes.num_rows != self.network.nodes:
            raise AssertionError("attributes have a row for each node")
