"""k-sized grouping: CPU seconds and log-worlds of real networks and of a million nodes; drawing worlds.

    python -m benchmarks.graph_grouping

Peers in the same run: groups drawn at random, and nodes sorted by degree and cut into groups of k. Reads
networks from the neighbour folder ``shared`` and says so when it is not there.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.result import SHARED, Result, cpu_seconds, in_child, table
from sfumato.graph.methods.grouping import KGroupingMethod
from sfumato.graph.methods.grouping_start import cut
from sfumato.graph.network import Network
from sfumato.graph.reading import open_network
from sfumato.graph.worlds import expected_degree_distribution, grouped_of, log_worlds, sample

NETWORKS = SHARED / "data" / "graph"
FACEBOOK, ENRON = NETWORKS / "facebook_combined.txt.gz", NETWORKS / "email-Enron.txt.gz"
SEEDS = 5
MILLION, CLIQUES, HUBS = 1_000_000, 4_200_000, 1_000_000


def at_random(network: Network, k: int, seed: int) -> float:
    """Return log W of groups drawn at random."""
    order = np.random.default_rng(seed).permutation(network.nodes)
    return log_worlds(grouped_of(network, cut(order, k)))


def by_degree(network: Network, k: int, seed: int) -> float:
    """Return log W of groups of nodes sorted by degree, ties drawn."""
    ties = np.random.default_rng(seed).permutation(network.nodes)
    return log_worlds(grouped_of(network, cut(np.lexsort([ties, network.degrees()]), k)))


def million() -> Network:
    """Return a million nodes: communities of fifty, and edges to hubs."""
    chance = np.random.default_rng(1)
    home = 50 * chance.integers(0, MILLION // 50, (CLIQUES, 1)) + chance.integers(0, 50, (CLIQUES, 2))
    hubs = (MILLION * chance.random(HUBS) ** 4).astype(np.int64)
    pairs = np.concatenate([home, np.column_stack([chance.integers(0, MILLION, HUBS), hubs])])
    pairs = np.sort(chance.permutation(MILLION)[pairs[pairs[:, 0] != pairs[:, 1]]], axis=1)
    return Network.of_edges(MILLION, np.unique(pairs, axis=0))


def run_one(where: str, network: Network, k: int, seeds: int, bar: float | None) -> list[Result]:
    """Measure time, log-worlds against both peers, and what is certain."""
    KGroupingMethod(search=1).grouped(network, k)
    seconds, ratios, shares, notes = [], [], [], []
    for seed in range(seeds):
        before = time.process_time()
        details = KGroupingMethod(seed=seed).grouped(network, k).details
        seconds.append(time.process_time() - before)
        ours = float(details["log worlds"])
        peers = at_random(network, k, seed), by_degree(network, k, seed)
        ratios.append(ours / min(peers))
        shares.append(int(details["certain edges"]) / network.edges)
        notes.append(f"{ours:,.0f} (random {peers[0]:,.0f}, by degree {peers[1]:,.0f})")
    work = f"{where}, k={k}"
    return [
        Result(f"{work}, slowest of {seeds} runs", max(seconds), "s CPU", bar),
        Result(
            f"{work}, log-worlds over the better of both peers, worst of {seeds} runs",
            max(ratios),
            "",
            0.9,
            note=notes[int(np.argmax(ratios))],
        ),
        Result(f"{work}, share of edges that are certain", max(shares), ""),
    ]


def run_million() -> list[Result]:
    """Measure a large network, and the drawing of its worlds."""
    network = million()
    where = f"{network.nodes:,} nodes, {network.edges:,} edges"
    KGroupingMethod(search=1).grouped(Network.of_edges(4, np.array([[0, 1]])), 2)
    found = run_one(where, network, 10, 1, 300)
    _, _, memory = in_child(lambda: KGroupingMethod(search=1).grouped(network, 10))
    grouped = grouped_of(network, cut(np.random.default_rng(1).permutation(MILLION), 10))
    return [
        *found,
        Result(f"{where}, k=10, peak memory", memory, "GB", 4),
        Result(f"{where}, drawing a world", cpu_seconds(lambda: sample(grouped), 3), "s CPU", 10),
        Result(
            f"{where}, expected degree distribution",
            cpu_seconds(lambda: expected_degree_distribution(grouped), 3),
            "s CPU",
            10,
        ),
    ]


def run() -> list[Result]:
    """Measure what data is there for."""
    found = []
    if NETWORKS.is_dir():
        found += run_one("facebook", open_network(FACEBOOK).network, 5, SEEDS, 60)
        enron = open_network(ENRON).network
        for k in (5, 10):
            found += run_one("Enron", enron, k, 1, 180)
    else:
        print("real networks are not there (../shared): grouping was not measured on them", file=sys.stderr)
    return found + run_million()


if __name__ == "__main__":
    print(table("Networks: k-sized grouping and possible worlds", run()))
