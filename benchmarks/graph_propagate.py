"""Seed-and-propagate: two overlapping copies of Enron's mail, and what is left of it after each method.

    python -m benchmarks.graph_propagate

Reads Enron's mail from the neighbour folder ``shared``; without it a simulated network of the same size is
measured, and that is said. An overlap of 80 % is Jaccard's: of the edges of either copy among common people,
80 % are in both (each copy keeps an edge with probability 8/9).
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.graph_active import ENRON, SMALL, Way, small_ways, ways
from benchmarks.result import SHARED, Result, table
from sfumato.core.attack import AttackResult
from sfumato.graph.attacks import Knowledge, SeedAndPropagate
from sfumato.graph.network import Network
from sfumato.graph.simulate import barabasi_albert, two_copies
from tests.graph.real import real_network


def _note(found: AttackResult) -> str:
    details = found.details
    precision = f"{details['precision']:.3f}" if "precision" in details else "none, nothing is claimed"
    return (
        f"{details['seeds']} seeds, {details['claims']:,} claims, precision {precision}, "
        f"of all people {found.success:.3f}"
    )


def copies(network: Network) -> list[Result]:
    """Measure success between two copies by overlap of people and number of seeds."""
    found = []
    for nodes in (1.0, 0.8):
        made = two_copies(network, nodes=nodes, edges=0.8)
        knowledge = Knowledge(other=made.other, same=made.same)
        for seeds in (10, 20, 50):
            before = time.process_time()
            result = SeedAndPropagate(seeds).run(made.one, knowledge)
            seconds = time.process_time() - before
            work = f"80 % of edges, {nodes:.0%} of people in common, {seeds} seeds"
            missed = 1 - float(result.details["success, degree at least 5"])
            wrong = 1 - float(result.details.get("precision", 0.0))
            bar = seeds == 50
            found += [
                Result(
                    f"{work}: not found of degree ≥ 5", missed, "", 0.5 if bar else None, note=_note(result)
                ),
                Result(f"{work}: wrong claims", wrong, "", 0.1 if bar else None),
            ]
            if bar:
                found.append(Result(f"{work}: time", seconds, "s CPU", 60))
    return found


def after_methods(network: Network, compared: dict[str, Way], seeds: int, where: str) -> list[Result]:
    """Measure success where one of the two copies is published after each method."""
    made = two_copies(network, nodes=1.0, edges=0.8)
    found = []
    for name, publish in compared.items():
        published = publish(made.one)
        if not isinstance(published, Network):
            raise AssertionError("nodes are mapped onto nodes")
        result = SeedAndPropagate(seeds).run(published, Knowledge(other=made.other, same=made.same))
        share = float(result.details["success, degree at least 5"])
        found.append(Result(f"{where}{name}: found of degree ≥ 5", share, "", note=_note(result)))
    return found


def independent(nodes: int) -> list[Result]:
    """Measure what is found between two networks that have nothing to do with each other."""
    one, other = (barabasi_albert(nodes, 5, seed) for seed in (1, 2))
    same = np.random.default_rng(1).permutation(nodes)
    found = SeedAndPropagate().run(one, Knowledge(other=other, same=same))
    return [Result("two networks of different people: found", found.success, "", note=_note(found))]


def run() -> list[Result]:
    """Copies, methods, and two networks without anything in common."""
    small: list[Result] = []
    if SHARED.is_dir():
        network = real_network(SHARED, ENRON)
        small = after_methods(real_network(SHARED, SMALL), small_ways(), 10, "political books, ")
    else:
        print("Enron is not there (../shared): a simulated network is measured", file=sys.stderr)
        network = barabasi_albert(36_692, 5)
    return [*copies(network), *after_methods(network, ways(), 50, ""), *small, *independent(10_000)]


if __name__ == "__main__":
    print(table("Networks: seed-and-propagate", run()))
