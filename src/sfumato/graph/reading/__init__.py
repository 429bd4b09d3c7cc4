"""Read networks: from files, from other libraries, from frames; and what was published."""

from sfumato.graph.reading.nodes import with_labels, with_nodes
from sfumato.graph.reading.open import of_pairs, open_network
from sfumato.graph.reading.policy import Policy
from sfumato.graph.reading.published import read_grouped, read_network, read_statistics
from sfumato.graph.reading.read import Read
from sfumato.graph.reading.told import Told

__all__ = [
    "Policy",
    "Read",
    "Told",
    "of_pairs",
    "open_network",
    "read_grouped",
    "read_network",
    "read_statistics",
    "with_labels",
    "with_nodes",
]
