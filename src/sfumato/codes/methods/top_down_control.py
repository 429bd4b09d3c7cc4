"""TDControl: generalise public codes and drill down while no sensitive code can be inferred.

Cao, Karras, Raïssi, Tan: "ρ-uncertainty: inference-proof transaction anonymization" (PVLDB 2010). Public
codes begin as the highest nodes of the hierarchy, and rules that tell too much are broken by suppression.
Then the node is replaced by its children, again and again, that promises the largest gain; rules that this
brings forth are broken by suppression, and the step is kept when it gains more than it loses. In the end
items are put back, the dearest first, that stand in no such rule any more. What loses less of this and of
the release that shows all public codes and such sensitive ones as can be put back is published.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.asked import questions_of
from sfumato.codes.methods.inference import Inference, put_back
from sfumato.codes.methods.suppress_control import MOST_WEIGHT, bounds_inference, check_whole
from sfumato.codes.published import SUPPRESSED, Items, PublishedSets
from sfumato.codes.question import Question
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class TopDownControl:
    """ρ-uncertainty by generalising public codes along a hierarchy, and suppression where that is not enough.

    An occurrence that shows a node over n of N codes loses n / N (nothing as the code itself, 1 when it is
    left out). Sensitive codes are shown as they are or left out; ``sensitive_weight`` says how many public
    occurrences are given up to keep one of them. A node over public and sensitive codes is never shown: the
    highest nodes over public codes alone are where the search begins. The recoding is global.

    It protects from learning a sensitive code, not from finding a person's record.

    >>> from sfumato.codes.models.rho_uncertainty import RhoUncertainty
    >>> from sfumato.hierarchy import Tree
    >>> sets = CodeSets.of([["a1", "s"], ["a2"], ["b1"]])
    >>> groups = {"any": {"A": ["a1", "a2"], "B": ["b1", "b2", "b3"], "s": None}}
    >>> problem = Problem(
    ...     sets, (RhoUncertainty(0.6),), CodeTree.of(Tree(groups), sets.domain), sets.sensitive(["s"])
    ... )
    >>> published = TopDownControl().protect(problem).published
    >>> [published.record(row) for row in range(3)]
    [('s', 'A'), ('A',), ('b1',)]
    """

    sensitive_weight: int = 1
    budget: int = 1_000_000_000
    name: ClassVar[str] = "top-down-control"
    needs_hierarchy: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_whole(self.budget, "the budget", self.name)
        check_whole(self.sensitive_weight, "the weight of sensitive codes", self.name, MOST_WEIGHT)

    def enforces(self, question: Question) -> bool:
        """Say whether the question bounds what any antecedent tells."""
        return bounds_inference(question)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Begin with the highest nodes, then drill down while that gains."""
        sets, tree = problem.sets, problem.tree
        questions = questions_of(problem, self)
        if tree is None:
            raise BadInput(
                "top-down-control generalises along a hierarchy and none is given",
                remedy="give the codes a hierarchy, or choose suppress-control",
            )
        search = _Search(sets, tree, problem.marked, questions, self.sensitive_weight, self.budget)
        steps = search.run(progress)
        shown = search.shown()
        used = np.unique(np.concatenate([shown[shown >= 0], np.flatnonzero(problem.marked)]))
        number = np.full(len(tree) + 1, SUPPRESSED, np.int64)
        number[used] = np.arange(len(used))
        items = Items.of_nodes(sets.domain, tree, used.tolist(), sensitive=problem.sensitive)
        lost = shown == SUPPRESSED
        return Solution(
            PublishedSets.by_code(sets, items, number[shown]),
            {
                "steps": steps,
                "suppressed_codes": int(lost.sum()),
                "suppressed_sensitive_codes": int((lost & problem.marked).sum()),
                "suppressed_occurrences": int(sets.supports[lost].sum()),
            },
        )


class _Search:
    """The cut so far (``item_of``: the node of each code), and its nodes that are left out (``gone``)."""

    def __init__(
        self,
        sets: CodeSets,
        tree: CodeTree,
        sensitive: NDArray[np.bool_],
        questions: tuple[Question, ...],
        weight: int,
        budget: int,
    ) -> None:
        self.tree = tree
        before = np.concatenate([[0], np.cumsum(sensitive[tree.order])])
        pure = before[tree.end] == before[tree.first]
        pure[: tree.leaves] = True
        self.item_of = np.arange(tree.leaves)
        for node in range(len(tree) - 1, tree.leaves - 1, -1):
            above = tree.parent[node]
            if pure[node] and (above < 0 or not pure[above]):
                self.item_of[tree.under(node)] = node
        occurrences = np.concatenate([[0], np.cumsum(sets.supports[tree.order])])
        self.occurrences = occurrences[tree.end] - occurrences[tree.first]
        marked = np.zeros(len(tree), np.bool_)
        marked[: tree.leaves] = sensitive
        width = np.where(np.arange(len(tree)) < tree.leaves, 0, tree.size)
        self.cost = self.occurrences * width
        """what showing a node costs, in occurrences times leaves of the hierarchy"""
        self.whole = self.occurrences * tree.total * np.where(marked, weight, 1)
        """what leaving it out costs"""
        self.gone = np.zeros(len(tree), np.bool_)
        self.asked = tuple(
            Inference(sets, question, marked, self.whole - self.cost, budget) for question in questions
        )
        children: list[list[int]] = [[] for _ in range(len(tree))]
        for node in range(len(tree) - 1):
            children[tree.parent[node]].append(node)
        self.children = children

    def shown(self, item_of: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return what each code shows."""
        items = self.item_of if item_of is None else item_of
        return np.where(self.gone[items], SUPPRESSED, items)

    def run(self, progress: Progress) -> int:
        """Search; return how many nodes were drilled into."""
        progress.step("leaving out what tells sensitive codes")
        for inference in self.asked:
            self.gone[inference.break_all(inference.known(self.shown()), progress)] = True
        progress.step("drilling down into the hierarchy")
        waiting = [(-self._gain(node), node) for node in np.unique(self.item_of).tolist()]
        heapq.heapify(waiting)
        steps = tried = 0
        while waiting:
            gain, node = heapq.heappop(waiting)
            if gain < 0 and self._drill(node):
                steps += 1
                for child in self.children[node]:
                    heapq.heappush(waiting, (-self._gain(child), child))
            tried += 1
            progress.update(tried / (tried + len(waiting)), f"{steps} nodes drilled into")
        self.gone = put_back(self.asked, self.item_of, self.gone, progress)
        # Showing all public codes without any sensitive one keeps the promise as well.
        leaves = np.arange(self.tree.leaves)
        plain = put_back(self.asked, leaves, self.asked[0].sensitive, progress)
        if self._loss(leaves, plain) < self._loss(self.item_of, self.gone):
            self.item_of, self.gone, steps = leaves, plain, 0
        return steps

    def _loss(self, item_of: NDArray[np.int64], gone: NDArray[np.bool_]) -> int:
        """What a cut and what is left out of it cost together."""
        items = np.unique(item_of)
        return int(np.where(gone[items], self.whole[items], self.cost[items]).sum())

    def _gain(self, node: int) -> int:
        """What replacing a node by its children gains at most."""
        now = self.whole[node] if self.gone[node] else self.cost[node]
        return int(now - self.cost[self.children[node]].sum()) if self.children[node] else 0

    def _drill(self, node: int) -> bool:
        """Replace a node by its children when that gains more than breaking the new rules loses."""
        before, gone = self.item_of, self.gone.copy()
        self.item_of = before.copy()
        for child in self.children[node]:
            self.item_of[self.tree.under(child)] = child
        self.gone[node] = False
        for child in self.children[node]:
            # Only rules with a child among what is known are new: they lie within its records.
            for inference in self.asked:
                if not self.gone[child]:
                    beside = inference.beside(self.shown(), child)
                    self.gone[inference.break_all(beside, SILENT, child)] = True
        now = self.whole[node] if gone[node] else self.cost[node]
        fresh = np.flatnonzero(self.gone & ~gone)
        loss = int(self.cost[self.children[node]].sum() + (self.whole - self.cost)[fresh].sum())
        if loss < now:
            return True
        self.item_of, self.gone = before, gone
        return False
