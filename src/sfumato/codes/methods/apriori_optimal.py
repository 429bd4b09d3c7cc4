"""OA: the cut with the least loss of all that are k^m-anonymous, for small domains.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Privacy-preserving anonymization of set-valued data", PVLDB 2008.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.apriori_asked import Asked, bounds_support_alone, unchanged
from sfumato.codes.methods.apriori_ground import Cut, Ground
from sfumato.codes.methods.apriori_search import Search
from sfumato.codes.question import Question
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class OptimalCut:
    """The good cut with the least NCP: none shows more.

    Cuts are looked at from the cheapest on, so the first good one is the best. Where the paper goes from a
    cut to all cuts right above it, only those are followed that lift an item of one rare itemset: every good
    cut above must lift one of its items, and all other items may stay. There may still be
    many: a few hundred codes are its field, and after ``limit`` cuts it gives up.

    Sensitive codes, empty records, and what it protects from are as for ``AprioriAnonymisation``.

    >>> OptimalCut()
    OptimalCut(limit=10000)
    """

    limit: int = 10_000
    name: ClassVar[str] = "optimal-cut"
    needs_hierarchy: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if type(self.limit) is not int or self.limit < 1:
            raise BadInput("limit must be a whole number of at least 1", where=self.name)

    def enforces(self, question: Question) -> bool:
        """Say whether a question bounds the support of all itemsets up to a size, or of any."""
        return bounds_support_alone(question)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Look at cuts from the cheapest on."""
        asked = Asked.of(problem, self)
        if asked is None:
            return unchanged(problem)
        search = asked.search()
        progress.step("look at cuts, the cheapest first")
        cut, looked_at = self._best(search, asked.stuck(), progress)
        return asked.solution(search, cut, cuts=looked_at)

    def _best(self, search: Search, stuck: PromiseNotMet, progress: Progress) -> tuple[Cut, int]:
        ground = search.ground
        start = ground.leaf_cut()
        waiting = [(ground.loss(start), start.tobytes())]
        known = {start.tobytes()}
        looked_at = 0
        while waiting:
            if looked_at == self.limit:
                raise self._too_many(ground)
            _, key = heapq.heappop(waiting)
            cut = np.frombuffer(key, np.int32).copy()
            looked_at += 1
            rare = search.rare_itemset(cut)
            if not rare:
                return cut, looked_at
            for above in {int(ground.parent[node]) for node in rare} - {-1}:
                higher = cut.copy()
                higher[ground.forest.first[above] : ground.forest.end[above]] = above
                key = higher.tobytes()
                if key not in known:
                    known.add(key)
                    heapq.heappush(waiting, (ground.loss(higher), key))
            progress.update(looked_at / self.limit, f"{looked_at} cuts, {len(waiting)} to look at")
        raise stuck

    def _too_many(self, ground: Ground) -> BadInput:
        size = math.log10(cuts_of(ground))
        among = f"about 10^{round(size)}" if size > 6 else f"{cuts_of(ground):,}"
        return BadInput(
            f"the hierarchy over {ground.leaves} codes has {among} cuts and none of the {self.limit:,} that "
            "were looked at keeps the promise",
            where=self.name,
            remedy="use the method 'apriori', or set a higher 'limit'",
        )


def cuts_of(ground: Ground) -> int:
    """Count the cuts: cuts(v) = 1 + Π cuts(children of v), 1 for a leaf; the product over all roots."""
    below = [1] * len(ground.parent)
    number = 1
    for node, above in enumerate(ground.parent.tolist()):
        mine = 1 if node < ground.leaves else 1 + below[node]
        if above >= 0:
            below[above] *= mine
        elif node < ground.leaves or len(ground.children[node]):
            number *= mine
    return number
