"""Reading a network of a million nodes and five million edges.

    python -m benchmarks.graph_input

The list is drawn at random and kept between runs; names are read as text, as everywhere.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.result import DATA, Result, in_child, table
from sfumato.graph.network import Network
from sfumato.graph.reading import open_network
from sfumato.graph.writing import write_network

NODES, EDGES = 1_000_000, 5_000_000
SUFFIXES = ("txt", "csv", "parquet")


def lists() -> list[Path]:
    """Return the same list in every format."""
    paths = [DATA / f"network_{NODES}_{EDGES}.{suffix}" for suffix in SUFFIXES]
    if not all(path.is_file() for path in paths):
        DATA.mkdir(exist_ok=True)
        pairs = np.random.default_rng(7).integers(0, NODES, (EDGES + EDGES // 50, 2))
        pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
        keys = np.unique(pairs[:, 0] * NODES + pairs[:, 1])[:EDGES]
        network = Network.of_edges(NODES, np.column_stack([keys // NODES, keys % NODES]))
        for path in paths:
            write_network(network, path, nodes=DATA / f"network_{NODES}_{EDGES}_nodes.csv")
    return paths


def run() -> list[Result]:
    """Measure each format in a process of its own."""
    found = []
    for path in lists():
        _, seconds, memory = in_child(lambda path=path: open_network(path))
        work = f"read {EDGES:,} edges, {path.suffix}"
        found.append(Result(work, seconds, "s CPU", 10))
        found.append(Result(f"{work}, peak memory", memory, "GB", 2))
    return found


if __name__ == "__main__":
    print(table("Networks: input", run()))
