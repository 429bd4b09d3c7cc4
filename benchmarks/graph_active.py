"""The active attack: recovery among a million nodes, and what is left of it after each method.

    python -m benchmarks.graph_active

The million nodes are simulated (Barabási–Albert, 5 edges each). Methods are compared on Enron's mail, read
from the neighbour folder ``shared``; without it only the simulated network is measured, and that is said.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from benchmarks.result import SHARED, Result, table
from sfumato.graph.attacks import ActiveAttack, Knowledge, plant, recover
from sfumato.graph.contract import Problem, Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods import KDegreeMethod, KGroupingMethod, RandomAddDelete, RandomSwitch
from sfumato.graph.methods.neighbourhood import KNeighbourhoodMethod
from sfumato.graph.models import KDegree, KNeighbourhood
from sfumato.graph.network import Network
from sfumato.graph.simulate import barabasi_albert
from sfumato.graph.worlds import sample
from tests.graph.real import real_network

ENRON = "email-Enron.txt.gz"
SMALL = "polbooks.gml.gz"
NODES, EACH = 1_000_000, 5
TRIALS = 20
GROUPS = 5
FORMS: tuple[tuple[int, tuple[int, int], int, int], ...] = (
    (12, (20, 60), 3, 34),
    (12, (10, 20), 3, 20),
    (12, (5, 10), 3, 10),
    (10, (10, 20), 3, 15),
    (42, (20, 60), 3, 50),
    (12, (0, 0), 1, 12),
    (17, (0, 0), 1, 17),
)
"""accounts, edges of each to people, contacts of a target, targets; the first two have a bar"""

Way = Callable[[Network], Publishable]


def as_a_world(network: Network) -> Network:
    """Publish groups of five, and draw a possible world; a person is any node of the person's group."""
    solution = KGroupingMethod(search=1000).grouped(network, GROUPS)
    group, published = solution.group, solution.published
    if group is None or not isinstance(published, Grouped):
        raise AssertionError("a grouping says who is where")
    world = sample(published)
    return world.renumbered(np.argsort(group, kind="stable"))


def ways() -> dict[str, Way]:
    """Return the ways to publish that are compared, by what they are called."""
    swap = KDegreeMethod(realise="swap")
    return {
        "as it is": lambda network: network,
        "k-degree, k = 10, additions": lambda n: (
            KDegreeMethod().protect(Problem(n, (KDegree(10),))).published
        ),
        "k-degree, k = 10, swaps": lambda n: swap.protect(Problem(n, (KDegree(10),))).published,
        "random add and delete, 5 %": lambda n: RandomAddDelete(0.05).protect(Problem(n, ())).published,
        "random add and delete, 10 %": lambda n: RandomAddDelete(0.1).protect(Problem(n, ())).published,
        "random switch, 5 %": lambda n: RandomSwitch(0.05).protect(Problem(n, ())).published,
        "random switch, 20 %": lambda n: RandomSwitch(0.2).protect(Problem(n, ())).published,
        f"k-grouping, k = {GROUPS}, one possible world": as_a_world,
    }


def small_ways() -> dict[str, Way]:
    """Return ways that are compared on a small network, for they take long on a large one."""
    near = KNeighbourhoodMethod()
    return {
        "as it is": lambda network: network,
        "k-neighbourhood, k = 2": lambda n: near.protect(Problem(n, (KNeighbourhood(2),))).published,
    }


def among_a_million() -> list[Result]:
    """Measure recovery in a naive release, over plantings."""
    network = barabasi_albert(NODES, EACH)
    chance = np.random.default_rng(0)
    found = []
    for place, (accounts, outside, contacts, targets) in enumerate(FORMS):
        trials = TRIALS if place < 2 else TRIALS // 4
        right, seconds = 0, []
        for trial in range(trials):
            people = chance.permutation(NODES)[:targets]
            planted = plant(network, accounts, targets=people, contacts=contacts, outside=outside, seed=trial)
            before = time.process_time()
            recovered = recover(planted.network, planted)
            # The first call compiles.
            if place or trial:
                seconds.append(time.process_time() - before)
            right += int(np.count_nonzero(recovered.targets == people))
        edges = "one edge" if outside == (0, 0) else f"{outside[0]} to {outside[1]} edges"
        work = f"{NODES:,} nodes, {accounts} accounts with {edges} to people"
        missed = 1 - right / (trials * targets)
        found += [
            Result(f"{work}: recovery, slowest", max(seconds), "s CPU", 1.0),
            Result(
                f"{work}: targets not found",
                missed,
                "",
                0.05 if place < 2 else None,
                note=f"{trials} plantings, {targets} targets each",
            ),
        ]
    return found


def after_methods(network: Network, where: str, compared: dict[str, Way]) -> list[Result]:
    """Measure the share of targets that are found after each method."""
    found = []
    for name, publish in compared.items():
        trials = 2 if "grouping" in name else TRIALS
        for tolerance in (0, 8):
            attack = ActiveAttack(12, trials=trials, tolerance=tolerance)
            result = attack.run(network, Knowledge(network, protect=publish))
            details = result.details
            kind = "exact" if tolerance == 0 else f"tolerant ({tolerance})"
            note = (
                f"friendships learned {details['friendships learned']} of "
                f"{details['friendships among targets']}, wrong people "
                f"{details['people for whom a wrong node is claimed']}, searches cut "
                f"{details['trials whose search was cut']}"
            )
            found.append(Result(f"{where}, {name}: targets found, {kind}", result.success, "", note=note))
    return found


def run() -> list[Result]:
    """A million nodes, then methods."""
    found = among_a_million()
    if SHARED.is_dir():
        found += after_methods(real_network(SHARED, ENRON), "Enron", ways())
        return found + after_methods(real_network(SHARED, SMALL), "political books", small_ways())
    print("real networks are not there (../shared): methods were not compared", file=sys.stderr)
    return found


if __name__ == "__main__":
    print(table("Networks: the active attack", run()))
