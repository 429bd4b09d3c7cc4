"""Hierarchical histograms: noisy counts at every level of a public tree, made to agree.

M. Hay, V. Rastogi, G. Miklau & D. Suciu, "Boosting the accuracy of differentially private histograms through
consistency" (2010). How many children a node should have: W. Qardaji, W. Yang & N. Li, "Understanding
hierarchical methods for differentially private histograms" (2013).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT
from sfumato.query.methods.axes import columns_named, range_cost
from sfumato.query.methods.consistency import Tree
from sfumato.query.methods.contract import Attribute, DpSolution, NoisyTable, Problem
from sfumato.query.methods.curator import Cells, Codes, DataCurator, split
from sfumato.query.methods.range_error import Integers
from sfumato.query.methods.simplex import nonnegative


@dataclass(frozen=True)
class HierarchicalHistogram:
    """A histogram of each attribute from which ranges, or groups of a hierarchy, can be read precisely.

    A person is in one node of each of the h levels, so that each level is counted with ε/h: noise of scale
    h/ε in every node (2h/ε where one person is replaced by another, and the total is then public). A range is
    made of few nodes instead of many cells, and least squares makes all levels agree: of all linear unbiased
    estimates from these counts the best one.

    The tree is the attribute's own hierarchy, or made over its order with ``branching`` children per node.
    Where neither is given, the number of levels with the smallest expected error over all ranges is taken,
    from the size of the domain; one level, a plain histogram, is among them. Several attributes share the
    price evenly.

    Protects membership and attributes at the price that is paid; says nothing about two attributes together.
    With ``nonnegative`` counts are evened out to be none below 0; the expected error is that before it.

    >>> age = Attribute("age", tuple(str(i) for i in range(64)))
    >>> HierarchicalHistogram(branching=4).tree(age, pure=True).levels
    3
    """

    attributes: tuple[str, ...] | None = None
    branching: int | None = None
    nonnegative: bool = False
    name: ClassVar[str] = "hierarchical-histogram"

    def __post_init__(self) -> None:
        if self.branching is not None and (isinstance(self.branching, bool) or self.branching < 2):
            raise BadInput("branching must be at least 2", where=self.name, remedy="try 8")

    def protect(self, problem: Problem) -> DpSolution:
        """Spend the price on the levels of one tree for each attribute."""
        progress = problem.progress or SILENT
        curator = DataCurator(problem)
        columns = columns_named(curator.attributes, self.attributes, self.name)
        progress.step("counting nodes")
        tables: list[NoisyTable] = []
        errors: dict[str, float] = {}
        published: dict[str, int | float | str] = {"neighbours": problem.neighbours.value}
        for done, (c, share) in enumerate(zip(columns, split(curator.left, [1] * len(columns)), strict=True)):
            attribute = curator.attributes[c]
            tree = self.tree(attribute, pure=curator.pure)
            noisy, variances = _measured(curator, c, tree, share)
            total = None if curator.people is None else float(curator.people)
            counts = tree.estimate(noisy, variances, total)
            if self.nonnegative:
                counts = nonnegative(counts, max(0.0, float(counts.sum()) if total is None else total))
            descent = tree.descent(variances)
            for what, spread in (("cells", descent.cells()), ("ranges", descent.ranges())):
                variance = spread.both if total is None else spread.parts
                errors[f"{what} of {attribute.name}"] = math.sqrt(variance)
            tables.append(NoisyTable((attribute.name,), counts, errors[f"cells of {attribute.name}"]))
            published[f"levels of {attribute.name}"] = tree.levels
            progress.update((done + 1) / len(columns))
        spent, steps = curator.spent()
        return DpSolution(spent, None, tuple(tables), errors, steps, published)

    def tree(self, attribute: Attribute, *, pure: bool) -> Tree:
        """Return the public tree over an attribute's positions."""
        if self.branching is not None:
            return Tree.even(attribute.size, self.branching)
        if attribute.parents:
            return Tree.of_hierarchy(attribute)
        return best_tree(attribute.size, pure=pure)


def best_tree(size: int, *, pure: bool) -> Tree:
    """Return the even tree with the smallest mean variance over all ranges, by trying every depth.

    >>> [best_tree(size, pure=True).levels for size in (16, 256, 4096)]
    [1, 2, 3]
    """
    trees = [Tree.flat(size)]
    for levels in range(2, max(2, size.bit_length()) + 1):
        branching = next(b for b in range(2, size + 2) if b**levels >= size)
        tree = Tree.even(size, branching)
        if tree.levels == levels:
            trees.append(tree)
    return min(trees, key=lambda tree: range_cost(tree, pure=pure))


def _measured(
    curator: DataCurator, column: int, tree: Tree, share: Fraction
) -> tuple[list[np.ndarray], list[float]]:
    """Count every level with an equal part; return the noisy counts and the variance of each level."""
    name = curator.attributes[column].name
    noisy, variances = [], []
    for level, part in enumerate(split(share, [1] * tree.levels)):
        size = len(tree.parents[level])
        what = f"{name}, level {level + 1} of {tree.levels}"
        found = curator.count(_node_of(column, tree.nodes[level]), size, part, what)
        noisy.append(found.counts.astype(np.float64))
        variances.append(found.deviation**2)
    return noisy, variances


def _node_of(column: int, nodes: Integers) -> Cells:
    def cells(codes: Codes) -> Integers:
        return nodes[codes[:, column]]

    return cells
