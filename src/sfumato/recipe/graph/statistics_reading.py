"""Read the network that statistics are counted over, with everybody who takes part.

A list of edges knows nobody without an edge. Where the only edge of somebody is taken away, or a hub with its
edges, such a list loses nodes: their number would then tell of an edge, and change by more than one for one
person. So statistics that look at nodes need to be told of all of them: by GML or GraphML, by a graph of
another library, or by a table with a row for each beside the list.
"""

from __future__ import annotations

from sfumato.core.errors import BadInput
from sfumato.graph.methods.private_counts import Count, DpCounts
from sfumato.graph.reading import Read
from sfumato.graph.reading.policy import NOBODY
from sfumato.recipe.graph.network_reading import read_for
from sfumato.recipe.graph.statistics_job import GraphStatisticsJob
from sfumato.recipe.graph.statistics_methods import StatisticsMethod
from sfumato.recipe.graph.statistics_price import EDGE, NODE, neighbours_of

_OVER_EDGES = (Count.EDGES, Count.WEDGES)
"""counts for which people without edges make no difference"""


def read_for_statistics(job: GraphStatisticsJob) -> Read:
    """Read a network, people without edges too; refuse where nothing tells of them.

    Whether there are any edges at all is a secret like other figures, and so no error.
    """
    read = read_for(job.data, job.options, job.delimiter, edgeless=NOBODY)
    if job.people is not None:
        from sfumato.recipe.graph.people_release import joined

        read = joined(job.people, read)
    if not read.listed and needs_everybody(job.method):
        raise BadInput(
            "a list of edges does not tell who has no edge, so that the number of nodes would tell of edges",
            where="resources",
            remedy="give a table with a row for each person beside it ('role: person'), or GML or GraphML",
        )
    if not read.network.nodes and neighbours_of(job.method) == EDGE:
        raise BadInput("there are no nodes", where="resources", remedy="give a network with people in it")
    return read


def needs_everybody(method: StatisticsMethod) -> bool:
    """Say whether people without edges make a difference to what a method publishes.

    Where edges are hidden the number of nodes is published, and bounds what is.

    >>> needs_everybody(DpCounts("edges", 1)), needs_everybody(DpCounts("edges", 1, "node", 5))
    (True, False)
    """
    over_edges = isinstance(method, DpCounts) and method.count in _OVER_EDGES
    return not (over_edges and neighbours_of(method) == NODE)
