"""Adaptive marginals: measure the pair that the model gets most wrong, fit again, until the budget is gone.

AIM of R. McKenna, B. Mullins, D. Sheldon & G. Miklau, "AIM: an adaptive and iterative mechanism for
differentially private synthetic data" (VLDB 2022), over pairs of attributes.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.query.methods.contract import Coded, DpSolution, Problem
from sfumato.query.methods.curator import Codes, Curator, DataCurator, part_of, split
from sfumato.query.methods.graphical_model import GraphicalModel, Measurement, fit
from sfumato.query.methods.grouping import grouped
from sfumato.query.methods.junction_tree import JunctionTree
from sfumato.query.methods.marginals import Pair, Pairs, estimates, singles
from sfumato.query.methods.sampling import draw

@dataclass(frozen=True)
class AdaptiveMarginals:
    singles_share: float = 0.3
    choice_share: float = 0.1
    rounds_per: float = 2
    most: int = 16
    rare: float = 3.0
    max_cells: int = 100_000
    steps: int = 200
    target_weight: int = 1
    anneal: bool = True
    penalty: float = 1.0

    def protect(self, problem: Problem) -> DpSolution:
        return self.synthesise(DataCurator(problem), problem.target, problem.progress or SILENT)

    def synthesise(self, curator, target, progress):
        d = len(curator.attributes)
        noisy, total = singles(curator, part_of(curator.budget, Fraction(str(self.singles_share))))
        groupings = [grouped(a, n, total, rare=self.rare, most=self.most) for a, n in zip(curator.attributes, noisy)]
        pairs = Pairs(groupings)
        names = [a.name for a in curator.attributes]
        t = names.index(target) if target else -1
        every = [(a, b) for a in range(d) for b in range(a + 1, d)]
        weights = {p: self.target_weight if t in p else 1 for p in every}
        measured = pairs.starting()
        model = fit(measured, pairs.sizes, total, steps=self.steps)
        rounds = max(1, round(self.rounds_per * d))
        share = part_of(curator.left, Fraction(1, rounds))
        self.__dict__.setdefault("log", [])
        log=[]
        while curator.left > 0:
            if curator.left < 2 * share:
                share = curator.left
            choice, count = split(share, [Fraction(str(self.choice_share)), 1 - Fraction(str(self.choice_share))])
            dev = math.sqrt(2) / float(count) if curator.pure else math.sqrt(1 / (2 * float(count)))
            sets = [m.attributes for m in measured]
            candidates = [p for p in every if JunctionTree.over([*sets, p], pairs.sizes).cells(pairs.sizes) <= self.max_cells]
            pen = {p: math.floor(self.penalty * weights[p] * math.sqrt(2 / math.pi) * dev * pairs.size(p)) for p in candidates}
            def scores(codes):
                dist = pairs.distances(codes, candidates, model)
                w = np.array([weights[p] for p in candidates])
                return dist * w - np.array([pen[p] for p in candidates])
            pair = candidates[curator.choose(scores, max(weights.values()), choice, "a pair")]
            before = estimates(model, [pair])[pair]
            m = pairs.measure(curator, pair, count)
            measured.append(m)
            model = fit(measured, pairs.sizes, total, steps=self.steps, warm=model)
            change = np.abs(estimates(model, [pair])[pair] - before).sum()
            log.append((pair, round(dev), pairs.size(pair), int(change)))
            if self.anneal and change <= math.sqrt(2 / math.pi) * dev * pairs.size(pair) :
                share = min(share * (2 if curator.pure else 4), curator.left)
        people = max(1, round(total))
        rec = draw(model, groupings, people, curator.random)
        spent, steps = curator.spent()
        return DpSolution(spent=spent, records=Coded(curator.attributes, rec), steps=steps), log, model, groupings
