"""What searches for a cut are asked for, and how they answer."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, SetMethod, Solution
from sfumato.codes.methods.apriori_ground import Cut, Ground, publish
from sfumato.codes.methods.apriori_search import Search
from sfumato.codes.methods.asked import most_support, questions_of
from sfumato.codes.published import SUPPRESSED, PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress

COUNTED = 3
"""of itemsets of any size, those of so many items are mended first: most of the work is done there"""


def bounds_support_alone(question: Question) -> bool:
    """Say whether a question bounds the support of itemsets and nothing else.

    Whether it counts items as they are shown or leaf matches makes no difference: when every choice of m
    items is shown by k records, so many match the codes under them.
    """
    bounds_more = question.confidence is not None or question.spread is not None
    return question.family in (Family.UP_TO, Family.ANY) and not bounds_more


@dataclass(frozen=True)
class Asked:
    """A problem as searches see it: the support that itemsets of every size need, and which codes count."""

    problem: Problem
    tree: CodeTree
    k: int
    enough: NDArray[np.int64] = field(repr=False)
    whole: int
    covered: NDArray[np.bool_] = field(repr=False)
    held: NDArray[np.int64] = field(repr=False)
    """how many codes that count each record holds"""

    @classmethod
    def of(cls, problem: Problem, method: SetMethod) -> Asked | None:
        """Read a problem; None when there is nothing to protect."""
        questions = questions_of(problem, method)
        k = most_support(problem, questions)
        covered = np.ones(len(problem.sets.domain), np.bool_)
        # One cut serves all promises: what one of them counts is generalised for all.
        if not any(question.sensitive_known for question in questions):
            covered = ~problem.marked
        held = _held(problem.sets, covered)
        longest = int(held.max(initial=0))
        if not longest:
            return None
        _refuse_few(held, k)
        if problem.tree is None:
            raise BadInput(
                f"{method.name} generalises along a hierarchy and none is given",
                remedy="give the codes a hierarchy, for example 'balanced'",
            )
        sizes = [
            (longest if question.size is None else min(question.size, longest), question.support)
            for question in questions
        ]
        # An adversary who may know whole records may know every itemset.
        whole = max((support for size, support in sizes if size == longest), default=0)
        shorter = [size for size, _ in sizes if size < longest]
        counted = max([*shorter, min(COUNTED, longest)] if whole else shorter)
        enough = [max((s for size, s in sizes if size >= i), default=0) for i in range(1, counted + 1)]
        return cls(problem, problem.tree, k, np.array(enough, np.int64), whole, covered, held)

    @property
    def kinds(self) -> NDArray[np.int64]:
        """Codes of different kinds are never shown as one item."""
        return self.problem.marked.astype(np.int64)

    def search(self, sets: CodeSets | None = None, progress: Progress = SILENT) -> Search:
        """Make ready to search for a cut of all records, or of some."""
        ground = Ground.of(self.problem.sets if sets is None else sets, self.tree, self.kinds, self.covered)
        return Search(ground, self.enough, self.whole, progress)

    def stuck(self, suffices: float | None = None) -> PromiseNotMet:
        """Say that no cut is good, and with which share of suppressed codes there is one."""
        remedy = "" if suffices is None else f"allow more with 'suppress: {suffices}', "
        if self.problem.marked.any():
            return PromiseNotMet(
                f"k is {self.k}, and fewer records hold some itemset even where every code is shown as the "
                "highest node that does not mix public and sensitive codes",
                remedy=f"{remedy}choose a smaller k or m, or put sensitive codes in branches of their own",
            )
        return PromiseNotMet(
            f"k is {self.k}, and fewer records hold some itemset even at the top of the hierarchy",
            remedy=f"{remedy}choose a smaller k or m, or give the hierarchy one root above all codes",
        )

    def solution(self, search: Search, cut: Cut, **details: int | float | str) -> Solution:
        """Publish every code as the node that a cut shows."""
        shown = search.ground.by_code(cut)
        published = publish(self.problem, self.tree, shown[self.problem.sets.codes])
        generalised = int((shown >= self.tree.leaves).sum())
        gone = shown == SUPPRESSED
        if gone.any():
            details["codes suppressed"] = int(gone.sum())
            details["occurrences suppressed"] = int(self.problem.sets.supports[gone].sum())
        return Solution(
            published,
            {
                "items shown": len(published.items),
                "codes generalised": generalised,
                "NCP": search.ground.ncp(cut),
                **details,
            },
        )


def unchanged(problem: Problem) -> Solution:
    """Publish data in which nothing has to be protected."""
    return Solution(PublishedSets.as_it_is(problem.sets, problem.sensitive))


def _held(sets: CodeSets, covered: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how many codes that count each record holds."""
    before = np.concatenate([[0], np.cumsum(covered[sets.codes])])
    held: NDArray[np.int64] = before[sets.starts[1:]] - before[sets.starts[:-1]]
    return held


def _refuse_few(held: NDArray[np.int64], k: int) -> None:
    filled = int((held > 0).sum())
    if 0 < filled < k:
        raise PromiseNotMet(
            f"k is {k} and {filled} of {len(held)} records hold a code that counts",
            remedy=f"choose k of at most {filled}",
        )
