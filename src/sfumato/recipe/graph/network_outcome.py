"""Carry a job over a network out up to the point where something is written: read, search, check in the
house."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Verdict
from sfumato.graph.contract import Method, Model, Problem, Solution
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.reading import Read
from sfumato.recipe.graph.network_job import GROUPING, NetworkJob
from sfumato.recipe.graph.network_reading import names_people, read_for

if TYPE_CHECKING:
    from sfumato.recipe.graph.people_release import PeopleOutcome

BUG = "nothing was published; please report this as a bug"
Published = Network | Grouped


@dataclass(frozen=True)
class FoundNetwork:
    """What a job is about once its data were read."""

    read: Read
    problem: Problem


@dataclass(frozen=True, eq=False)
class NetworkOutcome:
    """A job that is done but for the new numbers and the writing."""

    job: NetworkJob
    found: FoundNetwork
    solution: Solution
    published: Published
    """node v is node v of what was read; of groups ``node`` tells which is whose"""
    verdicts: tuple[Verdict, ...]
    people: PeopleOutcome | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def read(self) -> Read:
        """What was read."""
        return self.found.read

    @property
    def node(self) -> NDArray[np.int64]:
        """The published node, or group, of each node that was read."""
        if self.solution.group is not None and isinstance(self.published, Grouped):
            return self.solution.group
        return np.arange(self.read.network.nodes, dtype=np.int64)


def look_at(job: NetworkJob) -> FoundNetwork:
    """Read the network, lay what is said about its nodes over it, and lay what is promised over both."""
    if job.people is None:
        read = read_for(job.data, job.options, job.delimiter, label=job.options.label)
        _refuse_names(job, read.network)
        return FoundNetwork(read, Problem(read.network, job.models))
    from sfumato.recipe.graph.people_release import joined, label_tree

    read = joined(job.people, read_for(job.data, job.options, job.delimiter), job.options.label)
    _refuse_names(job, read.network)
    tree = None
    if job.options.label is not None:
        tree = label_tree(job.people, job.options.label, read.network)
    return FoundNetwork(read, Problem(read.network, job.models, tree))


def _refuse_names(job: NetworkJob, network: Network) -> None:
    """A label that nearly every node has for itself names people; only a promise about labels mends that."""
    if network.labels is None or any(model.demand().labelled for model in job.models):
        return
    different = len(np.unique(network.labels))
    if names_people(different, network.nodes):
        raise BadInput(
            f"the label has {different:,} different values for {network.nodes:,} nodes: it names people",
            where="graph, label",
            remedy="name what many nodes share, or promise k-neighbourhood with 'labelled: true'",
        )


def carry_out_network(job: NetworkJob, progress: Progress = SILENT) -> NetworkOutcome:
    """Read, search, and check what was found in the house."""
    started = time.perf_counter()
    progress.step("reading the network")
    found = look_at(job)
    read = time.perf_counter()
    progress.step(f"searching ({job.method.name})")
    solution = job.method.protect(found.problem, progress=progress)
    people = None
    if job.people is not None:
        from sfumato.recipe.graph.people_release import carry_out_people

        people = carry_out_people(job.people, found.read, progress)
    searched = time.perf_counter()
    progress.step("checking in the house")
    published = solution.published
    wanted = Grouped if job.form == GROUPING else Network
    if not isinstance(published, Network | Grouped) or not isinstance(published, wanted):
        raise PromiseNotMet("the method found something else than was asked for", remedy=BUG)
    refuse_untrue(found.read.network, published, solution.group, job.method)
    verdicts = tuple(held(model, published) for model in job.models)
    seconds = {
        "read": round(read - started, 3),
        "protect": round(searched - read, 3),
        "check in the house": round(time.perf_counter() - searched, 3),
    }
    return NetworkOutcome(job, found, solution, published, verdicts, people, seconds)


def only_adds(method: Method | str, parameters: Mapping[str, Any] | None = None) -> bool:
    """Say whether a method adds edges and takes none away; asked by its name, with its parameters.

    >>> only_adds("k-degree", {"realise": "swap"}), only_adds("k-neighbourhood")
    (False, True)
    """
    if not isinstance(method, str):
        return only_adds(method.name, {"realise": getattr(method, "realise", None)})
    realise = (parameters or {}).get("realise", "supergraph")
    return method == "k-neighbourhood" or (method == "k-degree" and realise == "supergraph")


def refuse_untrue(
    original: Network, published: Published, group: NDArray[np.int64] | None, method: Method
) -> None:
    """Every edge must still be there where a method only adds some; every count of groups must be true."""
    if isinstance(published, Grouped):
        if group is None or len(group) != original.nodes or not _counts_are_true(original, published, group):
            raise PromiseNotMet("the counts of groups are not those of the network", remedy=BUG)
        return
    if published.nodes != original.nodes:
        raise PromiseNotMet("nodes were lost or invented", remedy=BUG)
    if (published.labels is None) != (original.labels is None):
        raise PromiseNotMet("labels of nodes were lost or invented", remedy=BUG)
    if only_adds(method):
        beyond = np.int64(original.nodes)
        before, after = (
            pairs[:, 0] * beyond + pairs[:, 1] for pairs in (original.pairs(), published.pairs())
        )
        lost = int(np.count_nonzero(~np.isin(before, after, assume_unique=True)))
        if lost:
            raise PromiseNotMet(f"{lost:,} edges were lost that should have been kept", remedy=BUG)


def _counts_are_true(original: Network, published: Grouped, group: NDArray[np.int64]) -> bool:
    """Count members and edges of groups again, edge by edge."""
    groups = len(published.sizes)
    if group.min(initial=0) < 0 or group.max(initial=-1) >= groups:
        return False
    ends = np.sort(group[original.pairs()].reshape(-1, 2), axis=1)
    same = ends[:, 0] == ends[:, 1]
    links, between = np.unique(ends[~same, 0] * groups + ends[~same, 1], return_counts=True)
    told = published.links[:, 0] * groups + published.links[:, 1]
    order = np.argsort(told)
    return (
        np.array_equal(np.bincount(group, minlength=groups), published.sizes)
        and np.array_equal(np.bincount(ends[same, 0], minlength=groups), published.inside)
        and np.array_equal(links, told[order])
        and np.array_equal(between, published.between[order])
    )


def held(model: Model, published: Published) -> Verdict:
    """Ask a model about what is published; refuse to go on when its promise does not hold."""
    try:
        verdict = model.check(published)
    except BadInput as problem:
        raise PromiseNotMet(
            f"{model.name} cannot be checked: {problem.what}", where=problem.where, remedy=problem.remedy
        ) from None
    if not verdict.holds:
        raise PromiseNotMet(str(verdict), remedy=BUG)
    return verdict
