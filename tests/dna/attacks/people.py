"""People for attacks: drawn at unlinked sites, or the simulated population behind the reference figures."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.attacks import Knowledge
from sfumato.dna.contract import Statistics
from sfumato.dna.sites import Sites, numbered
from sfumato.dna.source import InMemory

PEOPLE, LENGTH, CHROMOSOMES, SEED = 1400, 5e6, 40, 1


@dataclass(frozen=True, eq=False)
class Split:
    """A population in three: a pool, people outside, and a reference panel; people × sites of dosages."""

    sites: Sites
    pool: NDArray[np.int8]
    outside: NDArray[np.int8]
    panel: NDArray[np.int8]

    @classmethod
    def of(cls, dosages: NDArray[np.int8], order: NDArray[np.int64], sizes: tuple[int, int, int]) -> Split:
        """Take people of sites × people in an order."""
        ends = np.cumsum(sizes)
        parts = (order[: ends[0]], order[ends[0] : ends[1]], order[ends[1] : ends[2]])
        return cls(numbered(len(dosages)), *(np.ascontiguousarray(dosages[:, part]) for part in parts))

    def source(self, dosages: NDArray[np.int8]) -> InMemory:
        """Some people as a source of genotypes."""
        return InMemory(np.ascontiguousarray(dosages), self.sites)

    def statistics(self, **columns: NDArray[np.float64]) -> Statistics:
        """The pool's frequencies, or other columns."""
        found = columns or {"frequency": self.pool.mean(axis=1, dtype=np.float64) / 2}
        return Statistics(self.sites, found, people=self.pool.shape[1])

    def beacon(self, least: int = 1) -> Statistics:
        """A Beacon's answers that hides alleles of fewer carriers."""
        carriers = np.count_nonzero(self.pool > 0, axis=1)
        return self.statistics(present=(carriers >= least).astype(np.float64))

    def knowledge(self, most: int | None = None) -> Knowledge:
        """Everything that an adversary of membership holds; of at most so many members."""
        return Knowledge(self.source(self.pool[:, :most]), self.source(self.outside), self.source(self.panel))


def with_alleles_swapped(people: InMemory) -> InMemory:
    """The same people in a file that calls every reference allele the alternate one."""
    sites = people.sites
    turned = Sites(sites.chromosome, sites.position, sites.name, sites.alternate, sites.reference)
    return InMemory(np.where(people.dosages < 0, people.dosages, 2 - people.dosages), turned)


def unlinked(
    sites: int, sizes: tuple[int, int, int], seed: int, between: tuple[float, float] = (0.1, 0.9)
) -> Split:
    """Draw people at independent sites."""
    chance = np.random.default_rng(seed)
    frequency = chance.uniform(*between, sites)
    drawn = chance.binomial(2, frequency[:, None], (sites, sum(sizes))).astype(np.int8)
    return Split.of(drawn, np.arange(sum(sizes)), sizes)


def reference_population(common: bool, chromosomes: int = CHROMOSOMES) -> NDArray[np.int8]:
    """Simulate the population of the reference figures, once: sites × people, common sites or all of them.

    It is drawn here and not by ``dna.simulate``: the figures are of this very population, whose random
    numbers are part of it.
    """
    kind = "common" if common else "all"
    path = Path(tempfile.gettempdir()) / f"sfumato-population-{PEOPLE}-{chromosomes}-{SEED}-{kind}.npy"
    if not path.exists():
        found = np.concatenate([_chromosome(first, second, common) for first, second in _seeds(chromosomes)])
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npy", delete=False) as file:
            np.save(file, found)
        os.replace(file.name, path)
    loaded: NDArray[np.int8] = np.load(path, mmap_mode="r")
    return loaded


def _seeds(chromosomes: int) -> list[tuple[int, int]]:
    chance = np.random.default_rng(SEED)
    return [(int(chance.integers(1, 2**31)), int(chance.integers(1, 2**31))) for _ in range(chromosomes)]


def _chromosome(ancestry: int, mutations: int, common: bool) -> NDArray[np.int8]:
    import msprime

    trees = msprime.sim_ancestry(
        PEOPLE,
        population_size=10_000,
        sequence_length=LENGTH,
        recombination_rate=1e-8,
        random_seed=ancestry,
    )
    trees = msprime.sim_mutations(trees, rate=1e-8, random_seed=mutations, model="binary")
    haplotypes = trees.genotype_matrix()
    dosages = (haplotypes[:, 0::2] + haplotypes[:, 1::2]).astype(np.int8)
    if not common:
        return dosages
    frequency = dosages.mean(axis=1) / 2
    kept: NDArray[np.int8] = dosages[(frequency >= 0.05) & (frequency <= 0.95)]
    return kept
