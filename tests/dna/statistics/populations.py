"""People drawn from populations that are known without error, to hold bounds against the truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.dna.contract import Study
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory


@dataclass(frozen=True)
class Population:
    """Haplotypes to draw people from; a person's two are mosaics of them."""

    founders: np.ndarray
    switch: float
    """the chance that the next site comes from another founder: 1 makes sites independent"""

    @classmethod
    def made(
        cls, sites: int, chance: np.random.Generator, *, switch: float = 1.0, founders: int = 400
    ) -> Population:
        frequency = chance.uniform(0.05, 0.95, sites)
        return cls((chance.random((sites, founders)) < frequency[:, None]).astype(np.int8), switch)

    def people(self, count: int, chance: np.random.Generator) -> np.ndarray:
        sites, founders = self.founders.shape
        if self.switch == 1.0:
            frequency = self.founders.mean(axis=1)[:, None]
            return chance.binomial(2, frequency, (sites, count)).astype(np.int8)
        found = np.zeros((sites, count), np.int8)
        for _ in range(2):
            copied = chance.integers(founders, size=count)
            for site in range(sites):
                again = chance.random(count) < self.switch
                copied = np.where(again, chance.integers(founders, size=count), copied)
                found[site] += self.founders[site, copied]
        return found


def source(dosages: np.ndarray) -> InMemory:
    return InMemory(dosages, numbered(len(dosages)))


def study(pool: np.ndarray, reference: np.ndarray | None = None, cases: np.ndarray | None = None) -> Study:
    return Study(source(pool), cases, None if reference is None else source(reference))


def area(members: np.ndarray, others: np.ndarray) -> float:
    """AUC, ties as halves."""
    ranked = np.sort(members)
    below = np.searchsorted(ranked, others, "left") + np.searchsorted(ranked, others, "right")
    return float(1 - below.mean() / (2 * len(ranked)))


def attacked(pool: np.ndarray, known: np.ndarray, fresh: np.ndarray) -> tuple[float, float]:
    """AUC of the likelihood ratio, and its power at 5 % false positives, on people nobody has seen before."""
    m = np.clip(pool.mean(axis=1) / 2, 1e-9, 1 - 1e-9)
    p = (known.sum(axis=1) + 0.5) / (2 * known.shape[1] + 1)
    yes, no = np.log(m / p), np.log((1 - m) / (1 - p))
    members, others = ((yes @ rows + no @ (2 - rows)) for rows in (pool, fresh))
    return area(members, others), float(np.mean(members > np.quantile(others, 0.95)))
