"""Spanning-tree marginals: the pairs that say most, as a tree, each measured once.

MST of R. McKenna, G. Miklau & D. Sheldon, "Winning the NIST contest: a scalable and general approach to
differentially private synthetic data" (Journal of Privacy and Confidentiality, 2021).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.query.methods.contract import DpSolution, Problem
from sfumato.query.methods.curator import Codes, Curator, DataCurator, split
from sfumato.query.methods.graphical_model import GraphicalModel, fit
from sfumato.query.methods.marginals import Pair, Pairs, singles
from sfumato.query.methods.synthetic import checked_grouping, checked_share, group_all, solution

_STEPS = 1000


@dataclass(frozen=True)
class SpanningTreeMarginals:
    """Synthetic people whose attributes hang together by a tree of pairs.

    1. Every attribute is counted alone, with ``alone`` of the budget; rare values are taken together.
    2. A tree over the attributes is grown, edge by edge: the exponential mechanism chooses, among pairs that
       join two parts, one with a large L1 distance between its counts and those of independent attributes.
       ``choosing`` of the budget goes to the choices.
    3. The pairs of the tree are counted with what is left, a graphical model is fitted to all counts, and
       records are drawn.

    Quicker than :class:`~sfumato.query.methods.aim.AdaptiveMarginals`, and blind to what a tree cannot hold.
    Protects membership, identity and attributes at the price that is paid.
    """

    alone: float = 0.3
    choosing: float = 0.1
    rare: float = 3.0
    groups: int = 32
    name: ClassVar[str] = "spanning-tree-marginals"

    def __post_init__(self) -> None:
        checked_share(self.alone, "alone", self.name)
        checked_share(self.choosing, "choosing", self.name)
        checked_grouping(self.rare, self.groups, self.name)
        if self.alone + self.choosing >= 1:
            raise BadInput(
                "alone and choosing leave nothing for pairs",
                where=self.name,
                remedy="let them add up to less than 1",
            )

    def protect(self, problem: Problem) -> DpSolution:
        """Spend the price on marginals and draw people."""
        return self.synthesise(DataCurator(problem), problem.progress or SILENT)

    def synthesise(self, curator: Curator, progress: Progress = SILENT) -> DpSolution:
        """Make people from what the curator tells."""
        alone, choosing = Fraction(str(self.alone)), Fraction(str(self.choosing))
        edges = len(curator.attributes) - 1
        parts = [alone, choosing, 1 - alone - choosing] if edges else [Fraction(1)]
        shares = split(curator.budget, parts)
        progress.step("counting single attributes")
        noisy, total = singles(curator, shares[0])
        pairs = Pairs(group_all(curator, noisy, total, rare=self.rare, most=self.groups))
        measured = pairs.starting()
        independent = fit(measured, pairs.sizes, total, steps=_STEPS)
        progress.step("choosing and counting pairs")
        if edges:
            tree = self._tree(curator, pairs, independent, shares[1])
            for pair, share in zip(tree, split(shares[2], [1] * edges), strict=True):
                measured.append(pairs.measure(curator, pair, share))
        progress.step("drawing records")
        model = fit(measured, pairs.sizes, total, steps=_STEPS, warm=independent)
        return solution(curator, model, pairs, measured, noisy)

    def _tree(
        self, curator: Curator, pairs: Pairs, independent: GraphicalModel, share: Fraction
    ) -> list[Pair]:
        """Grow a tree as J. B. Kruskal (1956) does, with choices in place of maxima."""
        part_of_tree = list(range(len(pairs.sizes)))
        tree: list[Pair] = []
        for each in split(share, [1] * (len(pairs.sizes) - 1)):
            candidates = [pair for pair in pairs.all if part_of_tree[pair[0]] != part_of_tree[pair[1]]]
            pair = candidates[_choose(curator, pairs, candidates, independent, each)]
            tree.append(pair)
            kept, joined = part_of_tree[pair[0]], part_of_tree[pair[1]]
            part_of_tree = [kept if part == joined else part for part in part_of_tree]
        return tree


def _choose(
    curator: Curator, pairs: Pairs, candidates: Sequence[Pair], model: GraphicalModel, share: Fraction
) -> int:
    def scores(codes: Codes) -> NDArray[np.int64]:
        return pairs.distances(codes, candidates, model)

    return curator.choose(scores, 1, share, "choice of a pair")
