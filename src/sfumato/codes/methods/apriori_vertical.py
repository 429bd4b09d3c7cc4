"""VPA: the codes are parted along the hierarchy, every part is generalised for itself, then all together.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data",
The VLDB Journal 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.apriori import checked_orders
from sfumato.codes.methods.apriori_asked import Asked, bounds_support_alone, unchanged
from sfumato.codes.methods.apriori_ground import Cut, Ground
from sfumato.codes.methods.apriori_search import Order, Search, Stuck
from sfumato.codes.methods.apriori_suppression import allowed, cheapest, checked_share, share_that_suffices
from sfumato.codes.question import Question
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class VerticalApriori:
    """Each of about ``parts`` branches of the hierarchy is made k^m-anonymous by itself, then all of them.

    A branch sees only its own codes: its records are short and many are alike, so rare itemsets inside it
    are found cheaply. What is left are itemsets across branches, which are mended as ``AprioriAnonymisation``
    does, from the cut that the branches have together. The outcome is one cut for all records; it can lose
    a little more, since a branch does not know what others will need, unless ``trim`` takes it back. Codes
    are left out, as ``suppress`` allows, when all branches are looked at together.

    >>> VerticalApriori()
    VerticalApriori(parts=8, orders=('rare', 'common', 'cheap'), trim=True, suppress=0.0)
    """

    parts: int = 8
    orders: Sequence[Order] | Order = ("rare", "common", "cheap")
    trim: bool = True
    suppress: float = 0.0
    name: ClassVar[str] = "vertical-apriori"
    needs_hierarchy: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", checked_orders(self.orders, self.name))
        checked_share(self.suppress, self.name)
        if type(self.parts) is not int or self.parts < 1:
            raise BadInput("parts must be a whole number of at least 1", where=self.name)

    def enforces(self, question: Question) -> bool:
        """Say whether a question bounds the support of all itemsets up to a size, or of any."""
        return bounds_support_alone(question)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Generalise part after part, then what lies across."""
        asked = Asked.of(problem, self)
        if asked is None:
            return unchanged(problem)
        progress.step("lay the codes over the hierarchy")
        search = asked.search(progress=progress)
        part_of = parts_of(search.ground, self.parts)
        start = search.ground.leaf_cut()
        progress.step("generalise branch after branch")
        for part in range(int(part_of.max()) + 1):
            self._one(asked, part_of, part, start)
            progress.update((part + 1) / (int(part_of.max()) + 1), f"{part + 1} branches")
        occurrences = problem.sets.occurrences
        most = allowed(self.suppress, occurrences)
        walk = Search.apriori
        try:
            cut, order = cheapest(
                search, walk, start, checked_orders(self.orders, self.name), self.trim, progress, most
            )
        except Stuck:
            raise asked.stuck(
                share_that_suffices(search, walk, start, checked_orders(self.orders, self.name), occurrences)
            ) from None
        return asked.solution(search, cut, order=order, parts=int(part_of.max()) + 1)

    def _one(self, asked: Asked, part_of: NDArray[np.int64], part: int, cut: Cut) -> None:
        """Put the cut of a branch into the cut of all."""
        by_code = np.empty_like(part_of)
        by_code[asked.tree.order] = part_of
        covered = asked.covered & (by_code == part)
        kinds = asked.kinds + 2 * by_code
        ground = Ground.of(asked.problem.sets, asked.tree, kinds, covered)
        search = Search(ground, asked.enough, asked.whole)
        inside = part_of == part
        try:
            cut[inside] = search.apriori(ground.leaf_cut(), checked_orders(self.orders, self.name)[0])[inside]
        except Stuck:
            # A branch that is rare as a whole has to be shown with others: left to the end.
            return


def parts_of(ground: Ground, wanted: int) -> NDArray[np.int64]:
    """Number the leaves by branches: the largest branch is opened until there are enough."""
    forest = ground.forest
    branches = [
        node for node, above in enumerate(ground.parent.tolist()) if above < 0 and _is_shown(ground, node)
    ]
    while len(branches) < wanted:
        largest = max(branches, key=lambda node: (int(forest.end[node] - forest.first[node]), -node))
        if not len(ground.children[largest]):
            break
        branches.remove(largest)
        branches += ground.children[largest].tolist()
    part_of = np.empty(ground.leaves, np.int64)
    for part, node in enumerate(sorted(branches, key=lambda node: int(forest.first[node]))):
        part_of[forest.first[node] : forest.end[node]] = part
    return part_of


def _is_shown(ground: Ground, node: int) -> bool:
    """Say whether a node without parent is one that may be shown: a leaf, or the parent of something."""
    return node < ground.leaves or len(ground.children[node]) > 0
