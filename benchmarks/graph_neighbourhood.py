"""k-neighbourhood anonymity: CPU seconds and edges added on real networks, checked by canonical forms.

    python -m benchmarks.graph_neighbourhood

The peer in the same run is the simple way: everybody gets k − 1 twins, and nothing is searched. Reads real
networks from the neighbour folder ``shared`` and says so when it is not there.
"""

from __future__ import annotations

import gzip
import re
import sys
import time

import numpy as np

from benchmarks.result import SHARED, Result, table
from sfumato.graph.contract import Problem
from sfumato.graph.methods.neighbourhood import KNeighbourhoodMethod
from sfumato.graph.methods.neighbourhood_twins import all_twins
from sfumato.graph.methods.neighbourhood_words import Words
from sfumato.graph.models.k_neighbourhood import KNeighbourhood
from sfumato.graph.network import Network

FOLDER = SHARED / "data" / "graph"
WORK: tuple[tuple[str, int, float | None], ...] = (
    ("karate.edges.gz", 2, 90),
    ("karate.edges.gz", 5, None),
    ("polbooks.gml.gz", 2, None),
    ("polbooks.gml.gz", 5, None),
    ("ca-GrQc.txt.gz", 2, 120),
    ("ca-GrQc.txt.gz", 5, None),
)
"""network, k, and the bar in CPU seconds"""


def network_of(name: str) -> Network:
    """Read a network in the plainest way."""
    with gzip.open(FOLDER / name, "rt") as file:
        text = file.read()
    if ".gml" in name:
        ends = re.findall(r"source\s+(-?\d+)\s+target\s+(-?\d+)", text)
    else:
        lines = [line.replace(",", " ").split() for line in text.splitlines() if line[:1] != "#"]
        ends = [(line[0], line[1]) for line in lines if len(line) > 1]
    numbers, edges = np.unique(np.array(ends).astype(np.int64), return_inverse=True)
    pairs = np.sort(edges.reshape(-1, 2), axis=1)
    return Network.of_edges(len(numbers), np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0))


def measured(name: str, k: int, bar: float | None) -> list[Result]:
    """Protect a network once and check what came of it."""
    network = network_of(name)
    promise = KNeighbourhood(k)
    before = time.process_time()
    found = KNeighbourhoodMethod().protect(Problem(network, (promise,)))
    seconds = time.process_time() - before
    verdict = promise.check(found.published)
    if not verdict.holds:
        raise RuntimeError(str(verdict))
    simple = all_twins(network, Words(network, None, False), k)
    added = int(found.details["edges added"])
    work = f"{name.split('.')[0]} ({network.nodes:,} / {network.edges:,}), k={k}"
    note = f"{added / network.edges:.0%} of its edges; {verdict.achieved}; {found.details['way']}"
    theirs = None if simple is None else len(simple[0][0])
    return [
        Result(work, seconds, "s CPU", bar),
        Result(f"{work}, edges added", added, "", None, "twins for everybody", theirs, note),
    ]


def run() -> list[Result]:
    """Measure what data is there for."""
    if not FOLDER.is_dir():
        print("the networks are not there (../shared): nothing was measured", file=sys.stderr)
        return []
    # Compiled before the clock starts.
    small = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3], [1, 3]]))
    KNeighbourhoodMethod().protect(Problem(small, (KNeighbourhood(2),)))
    return [row for name, k, bar in WORK for row in measured(name, k, bar)]


if __name__ == "__main__":
    print(table("Graph: k-neighbourhood anonymity", run()))
