"""Attacks that plant nothing, and measures of utility: CPU seconds and figures on real networks.

    python -m benchmarks.graph_attacks

Enron as it is (names removed) and after k-degree with k = 10, facebook in groups of 5. No bar was set for
these: the figures say what each attack finds and what each measure costs. Reads both from the neighbour
folder ``shared`` and says so when they are not there.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import numpy as np

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.core.attack import in_per_cent
from sfumato.graph.attacks import Coalition, Degree, Knowledge, Neighbourhood, Subgraph, VertexRefinement
from sfumato.graph.contract import Problem, Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods.degree import KDegreeMethod
from sfumato.graph.methods.grouping import KGroupingMethod
from sfumato.graph.models import KDegree, KGrouping
from sfumato.graph.network import Network
from sfumato.graph.reading import open_network
from sfumato.graph.utility import MEASURES

NETWORKS = SHARED / "data" / "graph"
ENRON, FACEBOOK = NETWORKS / "email-Enron.txt.gz", NETWORKS / "facebook_combined.txt.gz"
ATTACKS: tuple[Any, ...] = (
    Degree(),
    VertexRefinement(1),
    VertexRefinement(2),
    VertexRefinement(3),
    Neighbourhood(),
    Subgraph(),
    Coalition(),
)


def attacked(where: str, published: Publishable, knowledge: Knowledge) -> list[Result]:
    """Run every attack that applies."""
    found = []
    for attack in ATTACKS:
        if isinstance(attack, Coalition) and isinstance(published, Grouped):
            continue
        result = attack.run(published, knowledge)
        seconds = cpu_seconds(partial(attack.run, published, knowledge), runs=3, warm=0)
        deep = f", depth {attack.depth}" if isinstance(attack, VertexRefinement) else ""
        note = (
            f"finds {in_per_cent(result.success)} of {result.attempts:,} (baseline "
            f"{in_per_cent(result.baseline)}), sure of {result.certain:,}"
        )
        found.append(Result(f"{where}: {attack.name}{deep}", seconds, "s CPU", note=note))
    return found


def measured(where: str, original: Network, published: Publishable) -> list[Result]:
    """Run every measure that applies."""
    found = []
    for name, measure in MEASURES.items():
        value = measure().of(original, published)
        if value is not None:
            seconds = cpu_seconds(partial(measure().of, original, published), runs=3, warm=0)
            found.append(Result(f"{where}: {name}", seconds, "s CPU", note=f"{value.value:.4g}"))
    return found


def run() -> list[Result]:
    """Measure on real networks."""
    if not (ENRON.is_file() and FACEBOOK.is_file()):
        print("Enron and facebook are not there (../shared): attacks were not measured", file=sys.stderr)
        return []
    network = open_network(ENRON).network
    same = Knowledge(network, node=np.arange(network.nodes))
    by_degree = KDegreeMethod().protect(Problem(network, (KDegree(10),))).published
    friends = open_network(FACEBOOK).network
    groups = KGroupingMethod().protect(Problem(friends, (KGrouping(5),)))
    in_group = Knowledge(friends, node=groups.group)
    return [
        *attacked("Enron as it is", network, same),
        *attacked("Enron, k-degree 10", by_degree, same),
        *attacked("facebook, groups of 5", groups.published, in_group),
        *measured("Enron, k-degree 10", network, by_degree),
        *measured("facebook, groups of 5", friends, groups.published),
    ]


if __name__ == "__main__":
    print(table("Networks: passive attacks and utility", run()))
