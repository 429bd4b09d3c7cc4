"""Incognito: all full-domain generalisations that keep a promise, found subset by subset.

K. LeFevre, D. DeWitt and R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity" (2005).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.table.judge import Judge
from sfumato.table.methods.full_domain import Generalisation, ladders_of
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.rule_words import name_of
from sfumato.table.solution import Problem, Solution
from sfumato.table.utility.contract import Utility

Node = tuple[int, ...]

LARGEST_LATTICE = 200_000
"""nodes up to which the lattice is held: this is a baseline, not the search to use"""


@dataclass(frozen=True)
class Incognito:
    """A baseline: breadth-first through the lattices of ever larger subsets of the columns.

    A node is *anonymous* when it leaves at most ⌊suppress · rows⌋ rows in classes that break a rule. Two
    facts save looking: every generalisation of an anonymous node is anonymous, and a node can only be
    anonymous when its levels are so for every subset of its columns (the a-priori property). So the
    nodes over i columns are joined from those over i − 1 that came through, and the rest is never
    looked at. The *minimal* nodes are the anonymous ones with no anonymous node below; the best of all
    anonymous nodes under the ``utility`` is published.

    Both facts need rules that survive merging (``monotone``), and with suppression rules that hold for
    every class that contains a satisfying one, such as k-anonymity. OptimalLattice finds the same node
    faster.

    >>> Incognito()
    Incognito(suppress=0.0)
    """

    suppress: float = 0.0
    name: ClassVar[str] = "incognito"
    needs_hierarchies: ClassVar[bool] = True
    classes_overlap: ClassVar[bool] = False

    def __post_init__(self) -> None:
        OptimalLattice(self.suppress)

    def search(self, problem: Problem, utility: Utility, *, progress: Progress = SILENT) -> Solution:
        """Find all anonymous nodes and publish the best."""
        ladders = ladders_of(problem, self.name)
        judge = Judge.of(problem)
        layout = Layout.of(problem.cells, ladders)
        limit = OptimalLattice(self.suppress).most_suppressed(problem.cells.total_rows)
        self._refuse_rules(problem, limit)
        heights = [ladder.height for ladder in ladders]
        nodes = int(np.prod([float(height + 1) for height in heights]))
        if nodes > LARGEST_LATTICE:
            raise BadInput(
                f"the lattice has {nodes:,} nodes, and Incognito holds up to {LARGEST_LATTICE:,}",
                remedy="use optimal-lattice",
            )
        columns = range(len(ladders))
        came_through: dict[tuple[int, ...], set[Node]] = {(): {()}}
        checked = 0
        for size in range(1, len(ladders) + 1):
            progress.step(f"checking subsets of {size} columns")
            for chosen in combinations(columns, size):
                found = set()
                for node in product(*[range(heights[j] + 1) for j in chosen]):
                    parts = [(chosen[:i] + chosen[i + 1 :], node[:i] + node[i + 1 :]) for i in range(size)]
                    if any(levels not in came_through[subset] for subset, levels in parts):
                        continue
                    if not any(below in found for below in _just_below(node)):
                        checked += 1
                        levels = _spread(node, chosen, heights)
                        if not Generalisation.of(layout, levels, judge).fits(limit):
                            continue
                    found.add(node)
                came_through[chosen] = found
        anonymous = came_through[tuple(columns)]
        if not anonymous:
            raise PromiseNotMet(
                "not even the most general levels satisfy the rules",
                remedy="allow suppression, relax the models, or give hierarchies that end in '*'",
            )
        minimal = [node for node in anonymous if not any(below in anonymous for below in _just_below(node))]
        # With suppression a more general node may lose less, because it leaves out fewer rows.
        scored = anonymous if limit else minimal
        scorer = utility.prepare(problem.cells, ladders)
        generalisations = [
            Generalisation.of(layout, np.array(node, np.int64), judge) for node in sorted(scored)
        ]
        best = min(
            generalisations, key=lambda found: (found.score(scorer), found.suppressed, found.levels.tolist())
        )
        return best.solution(
            utility,
            {
                "lattice_nodes": nodes,
                "checked_nodes": checked,
                "anonymous_nodes": len(anonymous),
                "minimal_nodes": len(minimal),
                "suppressed_rows": best.suppressed,
                "suppression_limit": limit,
            },
        )

    def _refuse_rules(self, problem: Problem, limit: int) -> None:
        for rule in problem.rules:
            if not rule.monotone or (limit and not rule.hereditary):
                raise BadInput(
                    f"Incognito cannot prune by {name_of(rule)}"
                    + (" when records may be suppressed" if rule.monotone else ""),
                    remedy="use optimal-lattice",
                )


def _just_below(node: Node) -> list[Node]:
    """Return the nodes that are one level more specific in one column."""
    return [(*node[:i], level - 1, *node[i + 1 :]) for i, level in enumerate(node) if level]


def _spread(
    node: Node, chosen: tuple[int, ...], heights: list[int]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the node over all columns that says nothing in those that are not chosen."""
    levels = np.full(len(heights), -1, np.int64)
    levels[list(chosen)] = node
    return levels
