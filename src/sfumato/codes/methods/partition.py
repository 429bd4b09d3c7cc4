"""Partition: drill down from the root while at least k records stay alike (He and Naughton, PVLDB 2009).

All records start as one partition that shows the root of the hierarchy. A partition is split by drilling
into one node: its records part by which children of the node they have. Sub-partitions of fewer than k
records stay together and keep the node; when together they are still too few, records that lose least
join them from sub-partitions that can spare some. A partition is final when no split leaves k records in
every part. Recoding is local: a code may be shown as it is in one partition and as a node in another, and
every record of a partition shows the same nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.asked import most_support, questions_of
from sfumato.codes.published import SUPPRESSED, Items, PublishedSets
from sfumato.codes.question import Question
from sfumato.codes.sets import CodeSets, read_only, slots_of
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress

_SLICE = 500_000
"""records moved between two looks at the clock"""


@dataclass(frozen=True)
class Partition:
    """Complete k-anonymity: every published record looks exactly like at least k − 1 others.

    Of the nodes that a partition shows, the one is drilled into whose split takes most off the loss
    NCP = Σ |leaves under the shown node| / |leaves| over occurrences, counted after small sub-partitions
    were put together; the paper chooses by the gain before that. ``overlapping`` also tries to drill into one
    child alone: records that have it show it, and the node beside it for their other codes under the node.
    That splits records into three parts instead of one for every set of children, so fewer of them are rare.
    Without it no record shows a node beside one below it, as in the paper.

    Records without codes show nothing and form a class of their own; when they are fewer than k, the
    shortest other records are left blank to join them, and ``details`` counts these. A node over public and
    sensitive codes together is never shown: where it cannot be drilled into, its codes are left out.

    It protects from a person being singled out by any of their codes, not from learning a sensitive code that
    all records of a class hold.

    >>> from sfumato.hierarchy import Tree
    >>> sets = CodeSets.of([["a1"], ["a1", "a2"], ["b1", "b2"], ["b1", "b2"]])
    >>> tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), sets.domain)
    >>> from sfumato.codes.models.complete_k_anonymity import CompleteKAnonymity
    >>> published = Partition().protect(Problem(sets, (CompleteKAnonymity(2),), tree)).published
    >>> [published.record(row) for row in range(4)]
    [('A',), ('A',), ('b1', 'b2'), ('b1', 'b2')]
    """

    overlapping: bool = True
    name: ClassVar[str] = "partition"
    needs_hierarchy: ClassVar[bool] = True

    def enforces(self, question: Question) -> bool:
        """Say whether identical records answer this question: they do unless it bounds what is inferred."""
        return question.confidence is None and question.spread is None

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Split as long as every part keeps k records."""
        sets, tree = problem.sets, problem.tree
        k = most_support(problem, questions_of(problem, self))
        if not sets.occurrences:
            return Solution(PublishedSets.as_it_is(sets, problem.sensitive))
        if tree is None:
            raise BadInput(
                "partition generalises along a hierarchy and none is given",
                remedy="give the codes a hierarchy",
            )
        mixed = _mixed(tree, problem.marked)
        blank = _blank_records(sets, k)
        shown, partitions = _drill_down(
            sets, tree, np.flatnonzero(~blank), mixed, k, self.overlapping, progress
        )
        shown[np.repeat(blank, np.diff(sets.starts)) | mixed[shown]] = SUPPRESSED
        used = np.unique(shown[shown != SUPPRESSED])
        item_of = np.full(len(tree) + 1, SUPPRESSED, np.int64)
        item_of[used] = np.arange(len(used))
        items = Items.of_nodes(sets.domain, tree, used.tolist(), sensitive=problem.sensitive)
        return Solution(
            PublishedSets.by_slot(sets, items, item_of[shown]),
            {
                "partitions": partitions + bool(blank.any()),
                "blanked_records": int((blank & (np.diff(sets.starts) > 0)).sum()),
                "suppressed_occurrences": int((shown == SUPPRESSED).sum()),
            },
        )


def _mixed(tree: CodeTree, sensitive: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark nodes over public and sensitive codes: no release may show them."""
    before = np.concatenate([[0], np.cumsum(sensitive[tree.order])])
    marked = before[tree.end] - before[tree.first]
    return np.asarray((marked > 0) & (marked < tree.end - tree.first))


def _blank_records(sets: CodeSets, k: int) -> NDArray[np.bool_]:
    """Mark the records that show nothing: the empty ones, with the shortest others when these are too few.

    When fewer than k records would remain, they are left blank as well.
    """
    lengths = np.diff(sets.starts)
    blank = lengths == 0
    empty = int(blank.sum())
    if 0 < empty < k:
        blank[np.argsort(lengths, kind="stable")[:k]] = True
    if 0 < len(sets) - int(blank.sum()) < k:
        blank[:] = True
    return np.asarray(blank)


def _drill_down(
    sets: CodeSets,
    tree: CodeTree,
    rows: NDArray[np.int64],
    mixed: NDArray[np.bool_],
    k: int,
    overlapping: bool,
    progress: Progress,
) -> tuple[NDArray[np.int64], int]:
    """Return the node that each occurrence shows, and how many partitions there are."""
    from sfumato.codes.methods._kernels_partition import drill_down

    if not len(rows):
        return np.full(sets.occurrences, tree.root, np.int64), 0
    place = np.empty(tree.leaves, np.int64)
    place[tree.order] = np.arange(tree.leaves)
    owner = slots_of(sets.starts)
    keys = owner * tree.leaves + place[sets.codes]
    sorted_slots = np.argsort(keys, kind="stable")
    leaf = read_only(keys[sorted_slots] - owner * tree.leaves, np.int32)
    depth, path = _paths(tree)
    # A leaf costs nothing; a mixed node is never shown, and what is left out costs as much as the root.
    cost = np.where(mixed, tree.total, tree.size)
    cost[: tree.leaves] = 0
    rows = rows.copy()
    at = np.full(sets.occurrences, tree.root, np.int32)
    stack = np.zeros((len(rows) // k + 2, 2), np.int64)
    stack[0] = 0, len(rows)
    room = 1 << int(np.ceil(np.log2(2 * sets.occurrences + 16)))
    state = (
        np.zeros((room, 3), np.int64),
        *(np.zeros(len(rows), np.int64) for _ in range(2)),
        np.zeros(sets.occurrences + 4, np.int64),
        np.zeros((len(tree), 4), np.int64),
        np.zeros(3, np.int64),
    )
    span = read_only(np.stack([tree.first, tree.end], axis=1), np.int32)
    progress.step("drilling down into the hierarchy")
    waiting = 1
    while waiting:
        waiting = drill_down(
            stack, waiting, _SLICE, k, overlapping, rows, sets.starts, leaf, at, path, span, depth,
            read_only(cost, np.int64), *state,
        )  # fmt: skip
        progress.update(float(state[-1][2]) / len(rows), f"{int(state[-1][1])} partitions")
    shown = np.empty(sets.occurrences, np.int64)
    shown[sorted_slots] = at
    return shown, int(state[-1][1])


def _paths(tree: CodeTree) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return how deep nodes lie, and for each code, in the tree's order, the nodes from the root to it."""
    depth = np.zeros(len(tree), np.int64)
    for node in range(len(tree) - 2, -1, -1):
        depth[node] = depth[tree.parent[node]] + 1
    path = np.full((tree.leaves, int(depth.max()) + 1), -1, np.int64)
    for node in range(len(tree)):
        path[tree.first[node] : tree.end[node], depth[node]] = node
    return read_only(depth, np.int32), read_only(path, np.int32)
