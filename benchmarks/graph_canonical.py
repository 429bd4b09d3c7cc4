"""Who looks like whom: neighbourhoods up to isomorphism, vertex refinement, exposure. CPU seconds.

    python -m benchmarks.graph_canonical

The peer is BLISS on every neighbourhood, one by one, as igraph does it. Reads real networks from the
neighbour folder ``shared`` and says so when it is not there.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.graph.canonical import form, neighbourhood_forms, vertex_refinement
from sfumato.graph.network import Network
from sfumato.graph.reading import open_network
from sfumato.graph.risk import exposure
from sfumato.graph.simulate import barabasi_albert

REAL = {"facebook_combined.txt.gz": 20, "email-Enron.txt.gz": 20}
"""files, and the bar for all neighbourhoods"""
NODES, EACH = 1_000_000, 5


def one_by_one(network: Network) -> int:
    """Count the classes of neighbourhoods by a canonical form of each."""
    return len(
        {form(network.induced(network.neighbours_of(v).astype(np.int64))) for v in range(network.nodes)}
    )


def run() -> list[Result]:
    """Measure real networks, then a large one that was drawn."""
    found = []
    for name, bar in REAL.items():
        path = SHARED / "data" / "graph" / name
        if not path.is_file():
            print(f"{name} is not there: the folder ../shared is missing", file=sys.stderr)
            continue
        network = open_network(path).network
        classes = int(neighbourhood_forms(network).max()) + 1
        peers: list[int] = []

        def each(network: Network = network, peers: list[int] = peers) -> None:
            peers.append(one_by_one(network))

        theirs = cpu_seconds(each, runs=1, warm=0)
        if peers != [classes]:
            raise AssertionError("the classes differ")
        ours = cpu_seconds(lambda network=network: neighbourhood_forms(network))
        found.append(
            Result(
                f"{name}: all neighbourhoods",
                ours,
                "s CPU",
                bar,
                "BLISS one by one",
                theirs,
                f"{classes:,} classes",
            )
        )
        whole = cpu_seconds(lambda network=network: exposure(network))
        found.append(Result(f"{name}: exposure", whole, "s CPU"))
    large = barabasi_albert(NODES, EACH)
    work = f"{large.nodes:,} nodes, {large.edges:,} edges"
    for name, rounds in (("H2", 2), ("H3", 3), ("H*", None)):
        spent = cpu_seconds(lambda rounds=rounds: vertex_refinement(large, rounds), runs=3)
        found.append(Result(f"{work}: {name}", spent, "s CPU"))
    found.append(
        Result(f"{work}: all neighbourhoods", cpu_seconds(lambda: neighbourhood_forms(large), 3, 0), "s CPU")
    )
    found.append(Result(f"{work}: exposure", cpu_seconds(lambda: exposure(large), 1, 0), "s CPU"))
    return found


if __name__ == "__main__":
    print(table("Who looks like whom in a network", run()))
