"""Disassociation: publish every code, and hide which of them belong to the same person.

M. Terrovitis, J. Liagouris, N. Mamoulis & S. Skiadopoulos, "Privacy preservation by disassociation" (2012);
with utility constraints: G. Loukides, J. Liagouris, A. Gkoulalas-Divanis & M. Terrovitis, "Disassociation for
electronic health record privacy" (2014). The cover problem: S. Barakat, B. al Bouna, M. Nassar & C. Guyeux,
"On the evaluation of the privacy breach in disassociated set-valued datasets" (2016); N. Awad et al., "Safe
disassociation of set-valued datasets" (2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.disassociated import Chunk, Cluster, Disassociated, JointCluster
from sfumato.codes.methods.disassociation_layout import Layout
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress

_CHECKED_BY = "disassociated-k-m-anonymity"
"""the model that can be checked on what this method publishes"""


@dataclass(frozen=True)
class Disassociation:
    """Take records apart so that no m codes of a person tell their record from fewer than k.

    *Horizontally*: records are split by the most frequent code, again and again, into clusters of records
    that are alike, of at most ``cluster_size`` records (10 k unless given) where none have to be joined.
    *Vertically*: the codes that at least k records of a cluster hold are shared out to record chunks, each of
    them k^m-anonymous on its own; a code goes where it meets most others. The other codes are named in the
    term chunk. *Refining*: clusters are joined in pairs, pairs of pairs and so on; a term that at least k of
    the records joined hold moves to a shared chunk there, so that few terms remain in the end.
    ``refine=False`` leaves that out.

    With a utility policy, codes of one constraint share chunks with each other alone, and records are
    split by them first.

    ``safe`` guards against the *cover problem*: a code that everybody of a cluster holds, or that stands in
    every sub-record of a chunk, is known of a person as soon as anything places them there. Each cluster is
    then made of two groups of records that are not alike. A code that fewer than k records of it lack becomes
    a term, and one that stands in every sub-record of a chunk gets a chunk of its own. A cluster whose
    records all hold one and the same term, and can hold nothing else, is joined to its neighbour; where even
    one cluster of everybody is so, there is one code alone, a ``safe`` model cannot be kept, and that is
    said.

    No code is generalised and none is left out: all stand in chunks or among the terms of their cluster.
    Chunks show exact counts; terms show none. Nothing is random: chunks and clusters lie in an order that
    depends on what they show alone, so it cannot link them. Records without codes are a cluster of their own,
    however few they are.

    >>> Disassociation(cluster_size=30)
    Disassociation(cluster_size=30, refine=True, safe=True)
    """

    cluster_size: int | None = None
    refine: bool = True
    safe: bool = True
    name: ClassVar[str] = "disassociation"
    needs_hierarchy: ClassVar[bool] = False

    def __post_init__(self) -> None:
        size = self.cluster_size
        if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
            raise BadInput(
                "cluster_size must be a whole number of at least 1", where=self.name, remedy="try 10 times k"
            )

    def enforces(self, question: Question) -> bool:
        """It hides itemsets of a bounded size; confidences it cannot bound."""
        return question.family is Family.UP_TO and question.confidence is None and question.spread is None

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Split records into clusters, codes into chunks, and share what is left."""
        k, m = self._asked(problem)
        sets = problem.sets
        least = 2 * k if self.safe else k
        largest = 10 * k if self.cluster_size is None else self.cluster_size
        if largest < least:
            raise BadInput(
                f"clusters of at most {largest} records are too small for k = {k}",
                where=self.name,
                remedy=f"set cluster_size to {least} or more",
            )
        holders = int(np.count_nonzero(np.diff(sets.starts)))
        if 0 < holders < k:
            raise PromiseNotMet(
                f"{holders} records hold any code, and k is {k}", where=self.name, remedy="lower k"
            )
        colour = _colours(problem)
        # Chunks are no more than codes. A record of a possible world may be longer than any of the original.
        m = max(1, min(m, len(sets.domain)))
        progress.step("splitting records into clusters")
        layout = Layout.of(sets, colour, largest=largest, least=least, mixed=self.safe)
        safe_asked = any(getattr(model, "safe", False) for model in problem.models)
        while True:
            plain, published = self._taken_apart(layout, k, m, progress)
            alone = _lone(published) if safe_asked else []
            if not alone:
                return Solution(published, layout.figures())
            if layout.leaves == 1:
                raise PromiseNotMet(
                    "everybody holds one and the same code, and no other: it is certain of them all",
                    where=self.name,
                    remedy="do without 'safe' in the model, or do not publish this",
                )
            # Such a cluster is certain only by itself: together with others it may be not.
            places = {id(part): leaf for leaf, part in enumerate(plain)}
            layout = layout.joined({places[id(part)] for part in alone})

    def _taken_apart(
        self, layout: Layout, k: int, m: int, progress: Progress
    ) -> tuple[list[Cluster], Disassociated]:
        """Put the codes of every cluster into chunks, then share what is left."""
        progress.step("splitting codes into chunks")
        layout.take_apart(0, k, m, self.safe)
        levels = range(1, layout.height + 1) if self.refine else range(0)
        for level in levels:
            progress.update(level / layout.height, f"joining clusters, level {level} of {layout.height}")
            layout.take_apart(level, k, m, self.safe)
        plain = layout.plain_clusters()
        return plain, Disassociated(layout.sets.domain, layout.clusters(plain))

    def _asked(self, problem: Problem) -> tuple[int, int]:
        """Return the largest k and m of all models."""
        questions = [model.question() for model in problem.models]
        if any(model.name != _CHECKED_BY for model in problem.models) or not questions:
            raise BadInput(
                "disassociated sets are checked by one model alone",
                where=self.name,
                remedy=f"ask for {_CHECKED_BY}, or take another method",
            )
        if not self.safe and any(getattr(model, "safe", False) for model in problem.models):
            raise BadInput(
                "the model asks for a guard against covers, and the method leaves it out",
                where=self.name,
                remedy="set safe to true for the method",
            )
        return max(q.support for q in questions), max(q.size or 1 for q in questions)


def _lone(published: Disassociated) -> list[Cluster]:
    """Return the clusters whose records all hold one and the same term: nobody there is without codes."""
    found = []
    waiting: list[tuple[Cluster | JointCluster, list[Chunk]]] = [(part, []) for part in published.clusters]
    while waiting:
        part, shared = waiting.pop()
        if isinstance(part, JointCluster):
            inside = [*part.shared, *(chunk for chunk in shared if not chunk.held & part.told)]
            waiting += [(inner, inside) for inner in part.parts]
            continue
        others = part.chunks or len(part.terms) > 1 or any(not chunk.held & part.held for chunk in shared)
        if part.terms and (part.records == 1 or not others):
            found.append(part)
    return found


def _colours(problem: Problem) -> NDArray[np.int32]:
    """Return for each code the number of its utility constraint, or −1."""
    colour = np.full(len(problem.sets.domain), -1, np.int32)
    for number, constraint in enumerate(problem.utility):
        members = list(problem.sets.positions(constraint))
        if (colour[members] >= 0).any():
            raise BadInput(
                f"utility constraint {number + 1} shares codes with an earlier one",
                where="utility policy",
                remedy="join constraints that overlap",
            )
        colour[members] = number
    return colour
