"""What noise leaves of a network's statistics, and how long counting and making networks takes.

    python -m benchmarks.graph_private

Degrees of email-Enron (36,692 people) with the noise of edge privacy: the root mean square error of raw noise
against that of numbers put in order again (Hay et al. 2009), and of whole numbers that some network has. Its
histogram with noise on counts and on cumulative counts (the summed error, as a share of the people), for
edges and for people. Its triangles by the ladder, against Laplace noise of the greatest sensitivity. Mean of
some runs each. Then CPU seconds with a million nodes and five million edges. Reads Enron from the neighbour
folder ``shared`` and says so when it is not there.
"""

from __future__ import annotations

import gzip

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.core.randomness import SeededRandom
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.graph import simulate, statistics
from sfumato.graph.contract import Method, Problem, Statistics
from sfumato.graph.methods.private_counts import Count, DpCounts
from sfumato.graph.methods.private_degree_histogram import DpDegreeHistogram
from sfumato.graph.methods.private_degree_sequence import DpDegreeSequence
from sfumato.graph.methods.private_noise import Differing
from sfumato.graph.methods.random_add_delete import RandomAddDelete
from sfumato.graph.methods.random_switch import RandomSwitch
from sfumato.graph.network import Network

ENRON = SHARED / "data" / "graph" / "email-Enron.txt.gz"
EPSILONS = ("0.1", "1")
RUNS = 5
MILLION = 10**6


def enron() -> Network:
    """Return who wrote to whom."""
    with gzip.open(ENRON, "rt") as file:
        rows = [line.split()[:2] for line in file if line.strip() and line[0] != "#"]
    ends = np.sort(np.array(rows, np.int64), axis=1)
    ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    numbers = np.unique(ends)
    return Network.of_edges(len(numbers), np.searchsorted(numbers, ends))


def published(method: Method, network: Network) -> Statistics:
    """Return the figures that a method publishes."""
    found = method.protect(Problem(network, ())).published
    assert isinstance(found, Statistics)
    return found


def distance(one: NDArray[np.float64], other: NDArray[np.int64]) -> float:
    """Return the root mean square error."""
    return float(np.sqrt(((one - other) ** 2).mean()))


def sequences(network: Network) -> list[Result]:
    """Compare degrees with noise before and after they were put in order."""
    exact = np.sort(network.degrees())
    found = []
    for epsilon in EPSILONS:
        noise = DiscreteLaplace.of(epsilon, 2)
        raw = float(np.mean([distance(noise.add(exact).astype(np.float64), exact) for _ in range(RUNS)]))
        for graphic in (False, True):
            method = DpDegreeSequence(epsilon, graphic=graphic)
            ours = float(
                np.mean([distance(published(method, network).columns["degree"], exact) for _ in range(RUNS)])
            )
            kind = "graphic" if graphic else "in order"
            found.append(
                Result(f"Enron's degrees, ε = {epsilon}, {kind}", ours, "rmse", peer="raw noise", theirs=raw)
            )
    return found


def histograms(network: Network) -> list[Result]:
    """Compare histograms with noise on counts and on cumulative counts."""
    exact = statistics.degree_histogram(network)
    exact = np.pad(exact, (0, network.nodes - len(exact)))
    found = []
    for epsilon in EPSILONS:
        for neighbours, theta in ((Differing.EDGE, None), (Differing.NODE, 50), (Differing.NODE, 200)):
            errors = []
            for cumulative in (True, False):
                method = DpDegreeHistogram(epsilon, neighbours, theta, cumulative=cumulative)
                told = [published(method, network).columns["nodes"] for _ in range(RUNS)]
                errors.append(
                    float(
                        np.mean(
                            [np.abs(row - exact[: len(row)]).sum() + exact[len(row) :].sum() for row in told]
                        )
                    )
                    / network.nodes
                )
            bound = "" if theta is None else f", θ = {theta}"
            found.append(
                Result(
                    f"Enron's histogram, {neighbours}, ε = {epsilon}{bound}",
                    errors[0],
                    "L1 / n",
                    peer="noise on counts",
                    theirs=errors[1],
                )
            )
    return found


def triangles(network: Network) -> list[Result]:
    """Compare the ladder with noise of the greatest sensitivity, as shares of the count."""
    exact = statistics.triangle_count(network)
    found = []
    for epsilon in EPSILONS:
        method = DpCounts(Count.TRIANGLES, epsilon)
        ours = [abs(published(method, network).columns["triangles"][0] - exact) / exact for _ in range(RUNS)]
        plain = DiscreteLaplace.of(epsilon, network.nodes - 2).scale / exact
        found.append(
            Result(
                f"Enron's triangles, ε = {epsilon}",
                float(np.mean(ours)),
                "relative error",
                peer="Laplace(n − 2), expected",
                theirs=float(plain),
            )
        )
    return found


def timed() -> list[Result]:
    """Return CPU seconds of making, counting and publishing."""
    grown = simulate.barabasi_albert(MILLION, 5)
    few = statistics.sampled_sources(grown, 10)
    chance = SeededRandom(1)
    work = {
        "Barabási–Albert": lambda: simulate.barabasi_albert(MILLION, 5),
        "Erdős–Rényi": lambda: simulate.erdos_renyi(MILLION, 5 * MILLION),
        "Watts–Strogatz": lambda: simulate.watts_strogatz(MILLION, 10, 0.1),
        "power law": lambda: simulate.power_law(MILLION, 2.5, least=4, most=1000),
        "planted communities": lambda: simulate.planted_communities(MILLION, 1000),
        "two copies": lambda: simulate.two_copies(grown, 0.8),
        "triangles": lambda: statistics.triangles(grown),
        "components": lambda: statistics.components(grown),
        "distances from 10 nodes": lambda: statistics.distance_histogram(grown, few),
        "dp-degree-sequence": lambda: published(DpDegreeSequence(1, graphic=True), grown),
        "dp-degree-histogram, node": lambda: published(DpDegreeHistogram(1, Differing.NODE, 100), grown),
        "dp-counts, triangles": lambda: published(DpCounts(Count.TRIANGLES, 1), grown),
        "random-add-delete": lambda: RandomAddDelete(0.1).protect(Problem(grown, ()), random=chance),
        "random-switch": lambda: RandomSwitch(0.1).protect(Problem(grown, ()), random=chance),
    }
    return [Result(f"1 M nodes, 5 M edges: {name}", cpu_seconds(run, 1), "s") for name, run in work.items()]


def run() -> list[Result]:
    """Measure all of it."""
    if not ENRON.is_file():
        print("email-Enron is not there: only times are measured")
        return timed()
    network = enron()
    return [*sequences(network), *histograms(network), *triangles(network), *timed()]


if __name__ == "__main__":
    print(table("Statistics of networks under differential privacy", run()))
