"""Adaptive marginals: measure the pair that the model gets most wrong, fit again, until the budget is gone.

AIM of R. McKenna, B. Mullins, D. Sheldon & G. Miklau, "AIM: an adaptive and iterative mechanism for
differentially private synthetic data" (VLDB 2022), over pairs of attributes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.query.methods.contract import DpSolution, Problem
from sfumato.query.methods.curator import Codes, Curator, DataCurator, part_of, split
from sfumato.query.methods.graphical_model import GraphicalModel, Measurement, fit
from sfumato.query.methods.junction_tree import JunctionTree
from sfumato.query.methods.marginals import Pair, Pairs, estimates, singles
from sfumato.query.methods.synthetic import checked_grouping, checked_share, group_all, solution

_WARM_STEPS, _LAST_STEPS = 200, 1000


@dataclass(frozen=True)
class AdaptiveMarginals:
    """Synthetic people whose pairs of attributes are as noisy counts say, the most telling pairs first.

    1. Every attribute is counted alone, with ``alone`` of the budget; rare values are taken together.
    2. In each round a pair r is chosen by the exponential mechanism, with scores

           ‖M_r(D) − M_r(model)‖₁ − (expected noise of measuring r)₁,

       counted with noise, and a graphical model is fitted to all counts so far. ``choosing`` of a round's
       budget goes to the choice. ``rounds`` times the number of attributes is how many rounds are planned;
       when a count told nothing that is larger than its noise, later ones are made twice as precise.
    3. As many records are drawn as there seem to be people.

    ``cells`` bounds the model's size, and with it time and memory: pairs that would make it larger are not
    asked. Protects membership, identity and attributes at the price that is paid. It does not protect what is
    true of people whether they take part or not: that can be learned, and should be. Analyses of three
    attributes together rest on what pairs imply.
    """

    alone: float = 0.3
    choosing: float = 0.1
    rounds: float = 2.0
    cells: int = 50_000
    rare: float = 3.0
    groups: int = 32
    name: ClassVar[str] = "adaptive-marginals"

    def __post_init__(self) -> None:
        checked_share(self.alone, "alone", self.name)
        checked_share(self.choosing, "choosing", self.name)
        checked_grouping(self.rare, self.groups, self.name)
        if not (math.isfinite(self.rounds) and self.rounds > 0) or self.cells < 1:
            raise BadInput("rounds and cells must be more than 0", where=self.name, remedy="try rounds: 2")

    def protect(self, problem: Problem) -> DpSolution:
        """Spend the price on marginals and draw people."""
        return self.synthesise(DataCurator(problem), problem.progress or SILENT)

    def synthesise(self, curator: Curator, progress: Progress = SILENT) -> DpSolution:
        """Make people from what the curator tells."""
        many = len(curator.attributes)
        pairs_follow = many > 1
        share = part_of(curator.budget, Fraction(str(self.alone))) if pairs_follow else curator.budget
        progress.step("counting single attributes")
        noisy, total = singles(curator, share)
        pairs = Pairs(group_all(curator, noisy, total, rare=self.rare, most=self.groups))
        measured = pairs.starting()
        model = fit(measured, pairs.sizes, total, steps=_WARM_STEPS)
        share = part_of(curator.left, 1 / Fraction(max(1, round(self.rounds * many))))
        progress.step("counting pairs")
        while pairs_follow and curator.left > 0:
            share = curator.left if curator.left < 2 * share else share
            candidates = self._candidates(pairs, measured)
            if not candidates:
                break
            for_choice, for_counts = split(share, _two_parts(self.choosing))
            noise = curator.typical_noise(for_counts)
            pair = candidates[self._choose(curator, pairs, candidates, model, noise, for_choice)]
            before = estimates(model, [pair])[pair]
            measured.append(pairs.measure(curator, pair, for_counts))
            model = fit(measured, pairs.sizes, total, steps=_WARM_STEPS, warm=model)
            moved = int(np.abs(estimates(model, [pair])[pair] - before).sum())
            if moved <= noise * pairs.size(pair):
                share = min(share * (2 if curator.pure else 4), curator.left)
            progress.update(1.0 - float(curator.left / curator.budget))
        progress.step("drawing records")
        model = fit(measured, pairs.sizes, total, steps=_LAST_STEPS, warm=model)
        return solution(curator, model, pairs, measured, noisy)

    def _candidates(self, pairs: Pairs, measured: Sequence[Measurement]) -> list[Pair]:
        sets = [m.attributes for m in measured]
        return [
            pair
            for pair in pairs.all
            if JunctionTree.over([*sets, pair], pairs.sizes).cells(pairs.sizes) <= self.cells
        ]

    def _choose(
        self,
        curator: Curator,
        pairs: Pairs,
        candidates: Sequence[Pair],
        model: GraphicalModel,
        noise: float,
        share: Fraction,
    ) -> int:
        """Choose a pair; distances change by 1 with a person, and the noise to expect is public."""
        penalties = np.array([math.floor(noise * pairs.size(pair)) for pair in candidates], np.int64)

        def scores(codes: Codes) -> NDArray[np.int64]:
            return pairs.distances(codes, candidates, model) - penalties

        return curator.choose(scores, 1, share, "choice of a pair")


def _two_parts(first: float) -> list[Fraction]:
    part = Fraction(str(first))
    return [part, 1 - part]
