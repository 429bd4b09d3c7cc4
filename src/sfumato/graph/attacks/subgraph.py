"""Subgraph knowledge: somebody who knows some edges around a person.

M. Hay, G. Miklau, D. Jensen, D. Towsley and P. Weis, "Resisting structural re-identification in anonymized
social networks", PVLDB 1(1), 2008: subgraph queries, whose power is counted in edge facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.graph.attacks.candidates import (
    GROUPED,
    Candidates,
    Knows,
    check_knows,
    check_whole,
    identity_result,
    people_behind,
)
from sfumato.graph.attacks.contract import Knowledge, original_of
from sfumato.graph.contract import Figure, Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network

_YES, _CUT = 1, 2


@dataclass(frozen=True)
class Subgraph:
    """From some edges around a person, find the nodes that may stand in the person's place, and pick one.

        cand(x) = {published y : there is a one-to-one map f of nodes with f(x) = y that sends every
                   known edge to a published edge}

    The adversary knows ``edges`` edges that hang together and reach the person: starting from the person,
    each next one touches what is known. Those ``near`` come first: the person's own, then edges among known
    neighbours, then beyond; with ``from_where="anywhere"`` it is any of them. Chance decides the rest
    (``seed``). That they know no other edge does not mean that there is none, so an edge too many in the
    published network rules nobody out. ``knows`` says in which network they saw the edges. ``people`` are
    drawn by chance from the original (all of them, where there are no more).

    The search for f is given up after ``steps`` tries at one candidate. Such a candidate is **not counted**:
    success is then an upper bound, ``success at least`` in the details is the lower, and nobody is called
    certain of whom a candidate was left open.

    k-automorphism and k-isomorphism bound the chance by 1 / k. Of a grouping, nothing beyond the group can
    be told.

    >>> kite = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> print(Subgraph(edges=4).run(kite, Knowledge(kite, node=np.arange(4))))
    subgraph: 75.0 % of 4 people, 25.0 % without their data (a blind guess: 25.0 %); sure of 2
    """

    edges: int = 10
    people: int = 200
    from_where: Literal["near", "anywhere"] = "near"
    knows: Knows = "published"
    seed: int = 0
    steps: int = 2_000
    name: ClassVar[str] = "subgraph"
    title: ClassVar[str] = "knows some edges around a person"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_knows(self.knows, self.name)
        if self.from_where not in ("near", "anywhere"):
            remedy = nearest(self.from_where, ("near", "anywhere"))
            raise BadInput("known edges come from somewhere", where=f"{self.name}, from_where", remedy=remedy)
        for what, least in (("edges", 1), ("people", 1), ("steps", 1), ("seed", 0)):
            check_whole(getattr(self, what), least, f"{self.name}, {what}")

    def run(
        self,
        target: Publishable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for some people of the original."""
        node = people_behind(target, knowledge, self.name)
        original, _ = original_of(knowledge, self.name)
        generator = np.random.default_rng(self.seed)
        people = np.arange(original.nodes)
        if self.people < original.nodes:
            people = np.sort(generator.choice(original.nodes, self.people, replace=False))
        there = node[people] >= 0
        if isinstance(target, Grouped):
            found = Candidates(np.where(there, target.sizes[node[people]], 0), there)
            result = self._result(found, target.nodes, {"knows": "group"}, GROUPED, victims, people)
            return replace(result, left_out=original.nodes - len(people))
        assert isinstance(target, Network)
        progress.step(self.title)
        sizes = np.zeros((3, len(people)), np.int64)
        own = np.zeros(len(people), np.int8)
        for at, person in enumerate(people.tolist()):
            if self.knows == "published" and node[person] < 0:
                continue
            seen, start = (target, int(node[person])) if self.knows == "published" else (original, person)
            known = known_around(seen, start, self.edges, generator, near=self.from_where == "near")
            answers = standing_for(target, known, self.steps)
            sizes[:, at] = np.bincount(answers, minlength=3)
            own[at] = answers[node[person]] if node[person] >= 0 else 0
            # Where the edges were seen, the person stands in the person's own place.
            if self.knows == "published" and own[at] == _CUT:
                own[at] = _YES
                sizes[_YES, at] += 1
                sizes[_CUT, at] -= 1
            progress.update((at + 1) / len(people))
        result = self._scored(sizes, own, target.nodes, victims, people)
        return replace(result, left_out=original.nodes - len(people))

    def _scored(
        self,
        sizes: NDArray[np.int64],
        own: NDArray[np.int8],
        nodes: int,
        victims: bool,
        people: NDArray[np.int64],
    ) -> AttackResult:
        open_, yes = sizes[_CUT], sizes[_YES]
        # The person's own node counts even if it was left open: the safe side.
        fewest = Candidates(np.maximum(yes + (own == _CUT), 0), own != 0)
        surely = Candidates(yes + open_, own == _YES)
        details: dict[str, Figure] = {"knows": self.knows, "edges known": self.edges}
        note = ""
        cut = int(np.count_nonzero(open_))
        if cut:
            least = identity_result(self.name, surely, nodes).success
            details |= {
                "success at least": least,
                "people whose search was cut": cut,
            }
            note = "an upper bound: the search for some candidates was cut"
        result = self._result(fewest, nodes, details, note, victims, people)
        if not cut:
            return result
        # A bound must not be kept by searches that were cut: for it, who may be alone counts as sure.
        sure = int(np.count_nonzero(surely.right() == 1))
        return replace(result, certain=sure, certain_at_most=result.certain)

    def _result(
        self,
        found: Candidates,
        nodes: int,
        details: dict[str, Figure],
        note: str,
        victims: bool,
        people: NDArray[np.int64],
    ) -> AttackResult:
        return identity_result(
            self.name, found, nodes, details=details, note=note, victims=victims, people=people
        )


def known_around(
    network: Network, person: int, edges: int, generator: np.random.Generator, *, near: bool = True
) -> NDArray[np.int64]:
    """Return edges that hang together and reach a person, who is number 0; fewer where there are no more."""
    place, away = {person: 0}, {person: 0}
    known: list[tuple[int, int]] = []
    taken: list[int] = []
    while len(known) < edges:
        inside = np.array(list(place), np.int64)
        around = [network.neighbours_of(node) for node in inside.tolist()]
        ends = np.concatenate(around).astype(np.int64)
        starts = np.repeat(inside, [len(some) for some in around])
        closing = np.isin(ends, inside)
        keys = np.minimum(starts, ends) * network.nodes + np.maximum(starts, ends)
        # An edge between two known nodes is there from both ends: kept from the smaller.
        open_ = np.flatnonzero(~(closing & (starts > ends)) & ~np.isin(keys, np.array(taken, np.int64)))
        if not len(open_):
            break
        if near:
            steps = [min(away[one], away.get(other, away[one])) for one, other in _rows(starts, ends, open_)]
            far = 2 * np.array(steps) + ~closing[open_]
            open_ = open_[far == far.min()]
        at = int(open_[generator.integers(len(open_))])
        one, other = int(starts[at]), int(ends[at])
        taken.append(int(keys[at]))
        away.setdefault(other, away[one] + 1)
        known.append((place[one], place.setdefault(other, len(place))))
    return np.array(known, np.int64).reshape(-1, 2)


def _rows(
    starts: NDArray[np.int64], ends: NDArray[np.int64], chosen: NDArray[np.int64]
) -> Iterator[tuple[int, int]]:
    return zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True)


def standing_for(target: Network, known: NDArray[np.int64], steps: int) -> NDArray[np.int8]:
    """Say for each published node whether it may stand for place 0 of the known edges: 1, 0, or 2 if open.

    >>> star = Network.of_edges(4, np.array([[0, 1], [0, 2], [0, 3]]))
    >>> standing_for(star, np.array([[0, 1], [0, 2]]), 100).tolist()
    [1, 0, 0, 0]
    """
    from sfumato.graph.attacks._kernels_subgraph import contains

    places = int(known.max(initial=0)) + 1
    adjacent = np.zeros((places, places), np.uint8)
    adjacent[known[:, 0], known[:, 1]] = adjacent[known[:, 1], known[:, 0]] = 1
    order = hardest_first(adjacent)
    adjacent = np.ascontiguousarray(adjacent[np.ix_(order, order)])
    degree = adjacent.sum(axis=1).astype(np.int64)
    answer = np.zeros(target.nodes, np.int8)
    contains(target.offsets, target.neighbours, adjacent, degree, np.int64(steps), answer)
    return answer


def hardest_first(adjacent: NDArray[np.uint8]) -> list[int]:
    """Order places from 0 on so that each is connected to an earlier one, those with most edges first."""
    degree = adjacent.sum(axis=1)
    order = [0]
    while len(order) < len(adjacent):
        reach = adjacent[order].sum(axis=0)
        waiting = [at for at in range(len(adjacent)) if reach[at] and at not in order]
        order.append(max(waiting, key=lambda at: (reach[at], degree[at], -at)))
    return order
