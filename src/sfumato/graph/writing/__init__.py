"""Write what is published of a network, under new numbers; hand networks to other libraries."""

from sfumato.graph.writing.convert import to_igraph, to_networkx, to_scipy
from sfumato.graph.writing.grouped import grouped_tables, write_grouped
from sfumato.graph.writing.network import edges_table, nodes_table, write_network
from sfumato.graph.writing.publish import Regrouped, Renumbered, publish, publish_grouped
from sfumato.graph.writing.statistics import statistics_table, write_statistics

__all__ = [
    "Regrouped",
    "Renumbered",
    "edges_table",
    "grouped_tables",
    "nodes_table",
    "publish",
    "publish_grouped",
    "statistics_table",
    "to_igraph",
    "to_networkx",
    "to_scipy",
    "write_grouped",
    "write_network",
    "write_statistics",
]
