"""UL of a whole release (G. Loukides, A. Gkoulalas-Divanis & B. Malin, "COAT: COnstraint-based
anonymization of transactions", Knowledge and Information Systems, 2011).

UL(D~) = Σ_ĩ (2^|ĩ| − 1) / (2^M − 1) · w(ĩ) · sup(ĩ) / N  +  Y · s / N

over the items ĩ that the N records show, of M codes in all; s counts suppressed occurrences and Y is what
each costs. The share of the possible sets that an item leaves open doubles with every code of it, so one
wide item outweighs many narrow ones. At M in the hundreds the figure leaves the range of floats: it is
measured as log2, which orders releases in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.codes.utility.covering import Covering
from sfumato.codes.utility.information_loss import log2_loss
from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated

_LEAST = -1022.0
"""log2 of the smallest float of full precision"""


def log2_sum(terms: list[float]) -> float:
    """Return log2 Σ 2^t, without leaving the range of floats.

    >>> log2_sum([-5000.0, -5000.0]), log2_sum([])
    (-4999.0, -inf)
    """
    greatest = max(terms, default=-math.inf)
    if greatest == -math.inf:
        return greatest
    return greatest + math.log2(math.fsum(2.0 ** (term - greatest) for term in terms))


def semantic_weights(items: Items, tree: CodeTree) -> NDArray[np.float64]:
    """Weigh items by how far apart their codes lie: w = (1 + climb) / (1 + height of the tree).

    ``climb`` is the height of the lowest node over all codes of the item: 0 for one code, the height of the
    tree when they meet at the root alone. ``tree`` lies over the domain of the items.

    >>> from sfumato.hierarchy import Tree
    >>> domain = ("a1", "a2", "b1")
    >>> tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), domain)
    >>> semantic_weights(Items.of_groups(domain, [[0], [0, 1], [0, 2]]), tree).round(3).tolist()
    [0.333, 0.667, 1.0]
    """
    if tree.leaves != len(items.domain):
        raise BadInput("the hierarchy does not lie over the codes of the release", where="weights")
    climb = np.zeros(len(tree), np.int64)
    for node in range(tree.root):
        climb[tree.parent[node]] = max(climb[tree.parent[node]], climb[node] + 1)
    place = np.empty(tree.leaves, np.int64)
    place[tree.order] = np.arange(tree.leaves)
    weights = np.zeros(len(items), np.float64)
    for item in range(len(items)):
        under = items.under(item)
        if not under:
            continue
        low, high = int(place[list(under)].min()), int(place[list(under)].max())
        node = under[0]
        while not (tree.first[node] <= low and high < tree.end[node]):
            node = int(tree.parent[node])
        weights[item] = (1 + climb[node]) / (1 + climb[tree.root])
    return weights


@dataclass(frozen=True)
class UtilityLoss:
    """How many sets of codes the items of a release leave open, as log2 UL.

    ``suppressed`` is Y, the cost of one suppressed occurrence (0: suppression is free, as the bare formula
    has it, so a release that shows nothing seems perfect; read it beside the suppressed share). ``tree``
    gives weights by semantic distance, ``weights`` gives them by label; else w = 1. ``generalised_only``
    leaves out codes that are shown as they were. Where it is large enough for a float, UL itself is in the
    details.

    >>> original = CodeSets.of([["493.00", "296.01", "296.02"], ["493.00", "493.01"], ["296.01"]])
    >>> asthma, mood = ["493.00", "493.01"], ["296.01", "296.02"]
    >>> found = UtilityLoss().of(original, PublishedSets.of([[asthma, mood], [asthma], [mood]]))
    >>> round(found.value, 3), round(found.details["loss"], 4)
    (-1.907, 0.2667)
    """

    suppressed: float = 0.0
    generalised_only: bool = False
    tree: CodeTree | None = None
    weights: Mapping[str, float] | None = None
    name: ClassVar[str] = "utility-loss"
    title: ClassVar[str] = "utility loss (log2 UL)"
    range: ClassVar[str] = "… 0, a logarithm to base 2"
    meaning: ClassVar[str] = (
        "log2 of the share of all sets of codes that the items leave open: −10 is 1/1024, 0 is all of them"
    )

    def __post_init__(self) -> None:
        if not self.suppressed >= 0:
            raise BadInput("the penalty of a suppressed code must not be negative", where=self.name)
        if self.tree is not None and self.weights is not None:
            raise BadInput("weights come from a hierarchy or from a list", where=self.name, remedy="give one")
        if any(not weight >= 0 for weight in (self.weights or {}).values()):
            raise BadInput("weights must not be negative", where=self.name)

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Add up the items; None where nothing is shown and nothing charged."""
        if not isinstance(published, PublishedSets) or not len(published):
            return None
        suppressed = int(Covering.of(original, published).suppressed.sum())
        terms = [
            self._of_item(published, item, weight)
            for item, weight in enumerate(self._weights(published.items))
            if not (self.generalised_only and published.items.singles[item])
        ]
        if suppressed and self.suppressed:
            terms.append(math.log2(self.suppressed) + math.log2(suppressed) - math.log2(len(published)))
        total = log2_sum(terms)
        if total == -math.inf:
            return None
        details: dict[str, int | float | str] = {"suppressed occurrences": suppressed}
        if total >= _LEAST:
            details["loss"] = 2.0**total
        # Adding logarithms leaves noise behind, which would be all there is to read of a loss of 1.
        return Measured(round(total, 9) + 0.0, details)

    def _of_item(self, published: PublishedSets, item: int, weight: float) -> float:
        items = published.items
        size, support = int(items.sizes[item]), int(published.supports[item])
        return log2_loss(size, support, items.total, len(published), weight)

    def _weights(self, items: Items) -> list[float]:
        if self.tree is not None:
            return [float(weight) for weight in semantic_weights(items, self.tree)]
        given = self.weights or {}
        return [given.get(label, 1.0) for label in items.labels]
