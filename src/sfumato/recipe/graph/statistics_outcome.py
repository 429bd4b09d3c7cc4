"""Carry a job over statistics of a network out up to the point where something is written."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.graph.contract import Problem, Solution, Statistics
from sfumato.graph.methods import DpCounts, DpDegreeSequence
from sfumato.graph.models.private import NEIGHBOURS, NOT_SECRET
from sfumato.graph.network import Network
from sfumato.graph.reading import Read
from sfumato.graph.statistics import triangle_count, wedges
from sfumato.recipe.graph.statistics_job import GraphStatisticsJob
from sfumato.recipe.graph.statistics_methods import StatisticsMethod
from sfumato.recipe.graph.statistics_price import EDGE, neighbours_of, spent_by
from sfumato.recipe.graph.statistics_reading import read_for_statistics

BUG = "nothing was published; please report this as a bug"


@dataclass(frozen=True, eq=False)
class GraphStatisticsOutcome:
    """A job that is done but for the writing."""

    job: GraphStatisticsJob
    read: Read
    solution: Solution
    statistics: Statistics
    verdicts: tuple[Verdict, ...]
    epsilon: Fraction
    """what was spent"""
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def secret(self) -> bool:
        """Whether nobody can draw the noise again."""
        return self.job.random.secret and NOT_SECRET not in self.solution.details

    @property
    def public_nodes(self) -> int | None:
        """How many nodes there are, where the promise does not hide it."""
        return self.read.network.nodes if neighbours_of(self.job.method) == EDGE else None


def carry_out_graph_statistics(
    job: GraphStatisticsJob, progress: Progress = SILENT
) -> GraphStatisticsOutcome:
    """Read, count with noise, and ask every promise about it."""
    started = time.perf_counter()
    progress.step("reading the network")
    read = read_for_statistics(job)
    after_reading = time.perf_counter()
    # The operating system's chance is asked for by leaving it out.
    random = None if isinstance(job.random, SecretRandom) else job.random
    solution = job.method.protect(Problem(read.network, job.models), progress=progress, random=random)
    epsilon = spent_by(job.method, job.models)
    statistics = solution.published
    same = (
        isinstance(statistics, Statistics)
        and solution.spent == {"epsilon": float(epsilon)}
        and solution.details.get(NEIGHBOURS) == neighbours_of(job.method)
    )
    if not same or not isinstance(statistics, Statistics):
        raise PromiseNotMet("the method did not spend what it was asked to spend", remedy=BUG)
    made = time.perf_counter()
    verdicts = tuple(_held(job, solution))
    seconds = {
        "read": round(after_reading - started, 3),
        "protect": round(made - after_reading, 3),
        "check": round(time.perf_counter() - made, 3),
    }
    return GraphStatisticsOutcome(job, read, solution, statistics, verdicts, epsilon, seconds)


def _held(job: GraphStatisticsJob, solution: Solution) -> list[Verdict]:
    """Ask every model about what is to be published; refuse to go on when a promise does not hold."""
    found = []
    for model in job.models:
        verdict = model.check(solution.published, spent=solution.spent, details=solution.details)
        # What came from a seeded generator stays in memory, marked: the door to the disk refuses it.
        for_tests = not job.random.secret and NOT_SECRET in solution.details
        if not verdict.holds and not for_tests:
            raise PromiseNotMet(str(verdict), where="models", remedy=BUG)
        found.append(verdict)
    return found


def exact_statistics(method: StatisticsMethod, network: Network, published: Statistics) -> Statistics:
    """Return the same figures without noise: for the steward alone.

    >>> from sfumato.graph.methods import DpCounts
    >>> star = Network.of_edges(4, np.array([[0, 1], [0, 2], [0, 3]]))
    >>> exact_statistics(DpCounts("wedges", theta=5), star, Statistics({})).columns["wedges"].tolist()
    [3.0]
    """
    degrees = network.degrees()
    if isinstance(method, DpDegreeSequence):
        return Statistics({"degree": np.sort(degrees).astype(np.float64)}, published.statistic)
    if isinstance(method, DpCounts):
        counted = {
            "nodes": lambda: network.nodes,
            "edges": lambda: network.edges,
            "wedges": lambda: int(wedges(network).sum()),
            "triangles": lambda: triangle_count(network),
        }[method.count.value]()
        return Statistics({method.count.value: np.array([counted], np.float64)}, published.statistic)
    rows = len(published.columns["degree"])
    nodes = np.bincount(np.minimum(degrees, rows - 1), minlength=rows).astype(np.float64)
    return Statistics({"degree": np.arange(rows, dtype=np.float64), "nodes": nodes}, published.statistic)
