"""k-degree anonymity: degrees of a million nodes, real and generated networks, CPU seconds and edges changed.

    python -m benchmarks.graph_degree

Reads email-Enron from the neighbour folder ``shared`` and says so when it is not there. The peer AnonymiGraph
runs in the same run where SFUMATO_PEER_ANONYMIGRAPH names its file ``k_degree_anonymity.py``; elsewhere its
time is quoted as it was recorded.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import importlib.util
import io
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import DATA, SHARED, Result, cpu_seconds, in_child, table
from sfumato.graph.contract import Problem
from sfumato.graph.methods.degree import KDegreeMethod, Realise
from sfumato.graph.methods.degree_sequence import anonymous_degrees
from sfumato.graph.models.k_degree import KDegree
from sfumato.graph.network import Network

ENRON = SHARED / "data" / "graph" / "email-Enron.txt.gz"
PEER = "SFUMATO_PEER_ANONYMIGRAPH"
RECORDED = 25.6
"""seconds that AnonymiGraph took for 2,000 nodes, k = 5, when it was recorded"""
NODES, EDGES = 1_000_000, 5_000_000


def enron() -> Network:
    """Return the mails of Enron without directions, loops and repetitions."""
    with gzip.open(ENRON, "rt") as file:
        ends = np.array([line.split() for line in file if line[0] != "#"], np.int64)
    numbers, ends = np.unique(ends, return_inverse=True)
    ends = np.sort(ends.reshape(-1, 2), axis=1)
    return Network.of_edges(len(numbers), np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0))


def power_law(nodes: int, edges: int, exponent: float) -> Network:
    """Return a network whose nodes are drawn as ends of edges by weights with a heavy tail."""
    path = DATA / f"power_law_{nodes}_{edges}_{exponent}.npy"
    if not path.is_file():
        chance = np.random.default_rng(7)
        weight = np.cumsum(chance.pareto(exponent, nodes) + 1)
        keys: NDArray[np.int64] = np.empty(0, np.int64)
        while len(keys) < edges:
            ends = np.sort(np.searchsorted(weight / weight[-1], chance.random((edges, 2))), axis=1)
            ends = ends[ends[:, 0] != ends[:, 1]]
            keys = np.unique(np.concatenate([keys, ends[:, 0] * nodes + ends[:, 1]]))
        keys = chance.permutation(keys)[:edges]
        DATA.mkdir(exist_ok=True)
        np.save(path, np.column_stack([keys // nodes, keys % nodes]))
    return Network.of_edges(nodes, np.load(path))


def protect(network: Network, k: int, realise: Realise = "supergraph") -> tuple[Network, dict[str, int]]:
    """Return a network with anonymous degrees and the figures of the search."""
    found = KDegreeMethod(realise=realise).protect(Problem(network, (KDegree(k),)))
    assert isinstance(found.published, Network)
    return found.published, {name: int(figure) for name, figure in found.details.items()}


def lost(network: Network, published: Network, k: int) -> int:
    """Return how many original edges are missing, by the list of edges; refuse too rare degrees."""
    before, after = (one.pairs() @ np.array([network.nodes, 1]) for one in (network, published))
    degrees = Counter(np.bincount(published.pairs().ravel(), minlength=network.nodes).tolist())
    if min(degrees.values()) < k:
        raise AssertionError("a degree is too rare")
    return int((~np.isin(before, after, assume_unique=True)).sum())


def run_degrees() -> list[Result]:
    """Measure the search for degrees alone."""
    chance = np.random.default_rng(7)
    degrees = np.minimum(np.floor((chance.pareto(1.5, NODES) + 1) * 2).astype(np.int64), NODES - 1)
    found = []
    for k in (2, 100, 10_000):
        seconds = cpu_seconds(functools.partial(anonymous_degrees, degrees, k))
        relaxed = cpu_seconds(functools.partial(anonymous_degrees, degrees, k, deletions=True))
        cost = anonymous_degrees(degrees, k).cost
        greedy = anonymous_degrees(degrees, k, search="greedy").cost
        bar = 0.3 if k == 100 else None
        note = f"cost {cost:,}, greedy {greedy:,}; with deletions {relaxed:.2f} s"
        found.append(Result(f"degrees of {NODES:,} nodes, k={k:,}, exact", seconds, "s CPU", bar, note=note))
    return found


def run_enron() -> list[Result]:
    """Measure the three ways on a real network."""
    network = enron()
    found = []
    for k in (5, 10, 50):
        work = f"email-Enron, k={k}"
        published, figures = protect(network, k)
        seconds = cpu_seconds(functools.partial(protect, network, k), 3, 0)
        added, asked = figures["edges added"], figures["degree increase asked"]
        found += [
            Result(f"{work}, only added", seconds, "s CPU", 5, note=f"{added:,} edges added"),
            Result(f"{work}, edges added / increase asked", added / asked, "", 1.1, note=f"asked {asked:,}"),
            Result(f"{work}, original edges lost", lost(network, published, k), "", 0),
        ]
        for realise in ("construct", "swap"):
            _, figures = protect(network, k, realise)
            seconds = cpu_seconds(functools.partial(protect, network, k, realise), 3, 0)
            note = f"{figures['edges added']:,} edges added, {figures['edges removed']:,} lost"
            found.append(Result(f"{work}, {realise}", seconds, "s CPU", note=note))
    return found


def run_large() -> list[Result]:
    """Measure time and memory of a million nodes, with hubs that know a few hundred or a third of them."""
    found = []
    for exponent in (2.5, 1.5):
        network = power_law(NODES, EDGES, exponent)
        published, figures = protect(network, 10)
        if network.edges + figures["edges added"] != published.edges or lost(network, published, 10):
            raise AssertionError("an edge was lost")
        del published
        _, seconds, memory = in_child(functools.partial(protect, network, 10))
        work = f"{NODES:,} nodes, {EDGES:,} edges, greatest degree {network.degrees().max():,}, k=10"
        added, asked = figures["edges added"], figures["degree increase asked"]
        note = f"{added:,} edges added, {added / asked:.2f} × the increase asked"
        found.append(Result(work, seconds, "s CPU", 60, note=note))
        found.append(Result(f"{work}, peak memory", memory, "GB", 4))
    return found


def run_peer() -> list[Result]:
    """Compare with AnonymiGraph on two thousand nodes."""
    import networkx

    graph = networkx.barabasi_albert_graph(2_000, 5, seed=1)
    network = Network.of_edges(2_000, np.array(graph.edges(), np.int64))
    _, figures = protect(network, 5)
    seconds = cpu_seconds(functools.partial(protect, network, 5))
    changed = figures["edges added"] + figures["edges removed"]
    work = "2,000 nodes by preferential attachment, k=5"
    path = os.environ.get(PEER)
    if not path:
        return [
            Result(work, seconds, "s CPU", RECORDED / 50, "AnonymiGraph (recorded)", RECORDED),
            Result(f"{work}, edges changed", changed, ""),
        ]
    theirs_changed, theirs = peer(Path(path), graph)
    return [
        Result(work, seconds, "s CPU", theirs / 50, "AnonymiGraph", theirs),
        Result(f"{work}, edges changed", changed, "", theirs_changed, "AnonymiGraph", theirs_changed),
    ]


def peer(path: Path, graph: Any) -> tuple[int, float]:
    """Return how many edges the peer changes, and its CPU seconds."""
    spec = importlib.util.spec_from_file_location("anonymigraph_k_degree", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    np.random.seed(1)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    before = time.process_time()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            made = module.k_degree_anonymity(graph, 5, with_deletions=False)
    finally:
        sys.setrecursionlimit(limit)
    seconds = time.process_time() - before
    ours, theirs = ({frozenset(edge) for edge in one.edges()} for one in (graph, made))
    return len(ours ^ theirs), seconds


def run() -> list[Result]:
    """Measure what data is there for."""
    found = run_degrees()
    if ENRON.is_file():
        found += run_enron()
    else:
        print("email-Enron is not there (../shared): k-degree was not measured on it", file=sys.stderr)
    return found + run_large() + run_peer()


if __name__ == "__main__":
    print(table("Networks: k-degree anonymity", run()))
