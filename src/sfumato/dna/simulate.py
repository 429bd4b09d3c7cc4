"""Populations that never lived, for demos, tests and measurements.

Baumdicker et al., *Efficient ancestry and mutation simulation with msprime 1.0* (2022): the coalescent with
recombination gives genotypes in which neighbouring sites are linked, as in people. All populations here are
of one origin and of constant size (10,000), with 10⁻⁸ recombinations and as many mutations for each base and
generation: without structure, growth, near relatives or selection.

Without msprime there is ``independent``: sites that have nothing to do with each other. It is marked as such
(chromosome 0, which stands for *unplaced*, and names that say so): attacks on it look stronger than they are,
and nothing about linkage can be learnt from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, MissingPart
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.sites import Sites
from sfumato.dna.source import InMemory
from sfumato.hierarchy.iupac import parse

POPULATION = 10_000
RATE = 1e-8
_WHERE = "simulation"
_SEEDS = 2**31 - 1
_AT_ONCE, _CELLS, _TRIES = 4096, 1 << 22, 100


def simulated(
    *,
    people: int,
    sites: int | None = None,
    length: float = 5e6,
    chromosomes: int = 1,
    seed: int = 1,
    least_frequency: float = 0.05,
    progress: Progress = SILENT,
) -> InMemory:
    """Return genotypes of people with linkage: the same seed gives the same people.

    Each chromosome has ``length`` bases. Kept are sites whose rarer allele has at least ``least_frequency``
    among these people; of them ``sites``, drawn at random, or all.

    >>> found = simulated(people=20, length=2e5, sites=30)
    >>> found.people, len(found.sites)
    (20, 30)
    """
    _at_least(people=people, chromosomes=chromosomes)
    if not 1 <= length < np.inf:
        raise BadInput("a chromosome has at least one base, and an end", where=_WHERE)
    _check_seed(seed)
    _check_frequency(least_frequency)
    msprime = _msprime()
    chance = np.random.default_rng(seed)
    progress.step("simulating chromosomes")
    dosages: list[NDArray[np.int8]] = []
    positions: list[NDArray[np.int64]] = []
    for done in range(chromosomes):
        trees = msprime.sim_ancestry(
            people,
            population_size=POPULATION,
            sequence_length=int(length),
            recombination_rate=RATE,
            random_seed=int(chance.integers(1, _SEEDS)),
        )
        trees = msprime.sim_mutations(
            trees, rate=RATE, random_seed=int(chance.integers(1, _SEEDS)), model="binary"
        )
        found, at = _dosages(trees, people, least_frequency)
        dosages.append(found)
        positions.append(at)
        progress.update((done + 1) / chromosomes, f"{done + 1:,} of {chromosomes:,} chromosomes")
    chromosome = np.repeat(np.arange(1, chromosomes + 1), [len(at) for at in positions])
    position = np.concatenate(positions)
    kept = _drawn(len(position), sites, chance)
    return InMemory(np.concatenate(dosages)[kept], _sites(chromosome[kept], position[kept]))


def _dosages(trees: Any, people: int, least: float) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Alternate alleles of each person, at the sites where neither allele is too rare."""
    rows, at = [], []
    rarest = _rarest(2 * people, least)
    for variant in trees.variants(copy=False):
        alleles = variant.genotypes
        alternate = int(np.count_nonzero(alleles))
        if min(alternate, 2 * people - alternate) >= rarest:
            # Genotypes of haplotypes come in the order of people, two of each.
            rows.append((alleles[0::2] + alleles[1::2]).astype(np.int8))
            at.append(int(variant.site.position) + 1)
    found = np.array(rows, np.int8).reshape(len(rows), people)
    return found, np.array(at, np.int64)


def _rarest(alleles: int, least: float) -> int:
    """How often the rarer of two alleles must occur: at all, and with the least frequency."""
    return max(1, ceil(Fraction(str(least)) * alleles))


def _drawn(found: int, wanted: int | None, chance: np.random.Generator) -> NDArray[np.int64]:
    if wanted is None:
        wanted = found
    if not 1 <= wanted <= found:
        raise BadInput(
            f"{wanted:,} sites were asked for and {found:,} are frequent enough",
            where=_WHERE,
            remedy="simulate longer chromosomes, or more of them",
        )
    return np.sort(chance.choice(found, wanted, replace=False)).astype(np.int64)


def _sites(chromosome: NDArray[np.int64], position: NDArray[np.int64]) -> Sites:
    names = [f"{where}:{at}" for where, at in zip(chromosome.tolist(), position.tolist(), strict=True)]
    return Sites(
        np.array([str(where) for where in chromosome.tolist()], np.object_),
        position,
        np.array(names, np.object_),
        np.full(len(position), "A", np.object_),
        np.full(len(position), "G", np.object_),
    )


def simulated_sequences(
    n: int, sites: int, seed: int = 1, *, growth: float = 0.005, progress: Progress = SILENT
) -> Aligned:
    """Return sequences of plain bases of n people, such as mtDNA: one copy each, without recombination.

    Every column varies. Mutations follow Jukes and Cantor (1969), so a column may hold three or four bases.
    ``growth`` is by how much the population grew in each generation: the more, the more variants are rare and
    the fewer people share a sequence. Of 1074 sequences with 2586 sites about 750 are different, and about
    500 without growth; of the mtDNA of 1000 Genomes, of the same size, 979 are.

    >>> found = simulated_sequences(10, 25)
    >>> len(found), found.width
    (10, 25)
    """
    _at_least(people=n - 1, sites=sites)
    _check_seed(seed)
    if not 0 <= growth < 1:
        raise BadInput("the growth of a generation lies between 0 and 1", where=_WHERE)
    msprime = _msprime()
    chance = np.random.default_rng(seed)
    trees_seed, mutations_seed = (int(chance.integers(1, _SEEDS)) for _ in range(2))
    progress.step("simulating sequences")
    past = msprime.Demography()
    past.add_population(initial_size=POPULATION, growth_rate=growth)
    trees = msprime.sim_ancestry(
        n, ploidy=1, demography=past, sequence_length=8 * sites, random_seed=trees_seed
    )
    rate = RATE
    while True:
        mutated = msprime.sim_mutations(trees, rate=rate, random_seed=mutations_seed, model="jc69")
        columns = [column for variant in mutated.variants() if _varies(column := _bases(variant))]
        if len(columns) >= sites:
            break
        rate *= 2
    kept = np.sort(chance.choice(len(columns), sites, replace=False))
    return Aligned(np.stack([columns[at] for at in kept], axis=1))


def _bases(variant: Any) -> NDArray[np.uint8]:
    alleles = np.array([parse(allele)[0] for allele in variant.alleles], np.uint8)
    column: NDArray[np.uint8] = alleles[variant.genotypes]
    return column


def _varies(column: NDArray[np.uint8]) -> bool:
    return bool((column != column[0]).any())


def independent(
    *,
    people: int,
    sites: int,
    seed: int = 1,
    least_frequency: float = 0.05,
    shape: tuple[float, float] = (0.8, 0.8),
    progress: Progress = SILENT,
) -> InMemory:
    """Return genotypes of sites that are not linked, with frequencies of a Beta(a, b) distribution.

    A person's dosage is the sum of two draws with the frequency of the site (Hardy–Weinberg). Needs no extra.

    >>> found = independent(people=50, sites=4)
    >>> found.people, found.sites.name[0], found.sites.chromosome[0]
    (50, 'independent:1', '0')
    """
    _at_least(people=people, sites=sites)
    _check_seed(seed)
    _check_frequency(least_frequency)
    if not (shape[0] > 0 and shape[1] > 0):
        raise BadInput("both numbers of a Beta distribution are greater than 0", where=_WHERE)
    rarest = _rarest(2 * people, least_frequency)
    chance = np.random.default_rng(seed)
    progress.step("drawing independent sites")
    blocks: list[NDArray[np.int8]] = []
    have = barren = 0
    while have < sites:
        frequency = chance.beta(*shape, size=min(_AT_ONCE, 1 + _CELLS // people))
        frequency = frequency[np.minimum(frequency, 1 - frequency) >= least_frequency]
        drawn = chance.binomial(2, frequency[:, None], (len(frequency), people)).astype(np.int8)
        alternate = drawn.sum(axis=1, dtype=np.int64)
        kept = np.minimum(alternate, 2 * people - alternate) >= rarest
        barren = 0 if kept.any() else barren + 1
        if barren == _TRIES:
            raise BadInput(
                f"none of {_TRIES:,} draws gave a site that is frequent enough",
                where=_WHERE,
                remedy="lower the least frequency, or take another shape",
            )
        blocks.append(drawn[kept][: sites - have])
        have += len(blocks[-1])
        progress.update(have / sites)
    place = np.arange(1, sites + 1, dtype=np.int64)
    made = _sites(np.zeros(sites, np.int64), place)
    names = np.array([f"independent:{at}" for at in place.tolist()], np.object_)
    return InMemory(
        np.concatenate(blocks),
        Sites(made.chromosome, made.position, names, made.reference, made.alternate),
    )


@dataclass(frozen=True, eq=False)
class Phenotype:
    """Who is ill, and the truth behind it."""

    cases: NDArray[np.bool_] = field(repr=False)
    causal: NDArray[np.int64]
    """the sites that matter (numbers from 0)"""
    odds_ratio: float
    """by how much one alternate allele at one of them multiplies the odds of being ill"""


def phenotype(
    genotypes: InMemory, *, causal: int = 3, odds_ratio: float = 1.5, share: float = 0.5, seed: int = 1
) -> Phenotype:
    """Make a share of the people ill, by a few causal sites and chance.

    The liability of a person is ln(odds_ratio) · (alternate alleles at causal sites) + a logistic draw, and
    those with the greatest are ill: round(share · people) of them. So the odds of being ill are multiplied by
    the odds ratio with each allele. A missing genotype counts as 0 alternate alleles.

    >>> made = phenotype(independent(people=40, sites=10), causal=2)
    >>> int(made.cases.sum()), len(made.causal)
    (20, 2)
    """
    people = genotypes.people
    ill = round(share * people) if 0 < share < 1 else 0
    if not 0 < ill < people:
        raise BadInput("some of the people are ill and some are not", where="phenotype, share")
    if not 0 <= causal <= len(genotypes.sites):
        raise BadInput(
            f"{causal:,} causal sites were asked for and there are {len(genotypes.sites):,}",
            where="phenotype",
        )
    if not 0 < odds_ratio < np.inf:
        raise BadInput("an odds ratio is greater than 0", where="phenotype")
    _check_seed(seed)
    chance = np.random.default_rng(seed)
    which = np.sort(chance.choice(len(genotypes.sites), causal, replace=False)).astype(np.int64)
    alleles = np.maximum(genotypes.dosages[which], 0).sum(axis=0, dtype=np.int64)
    liability = np.log(odds_ratio) * alleles + chance.logistic(size=people)
    cases = np.zeros(people, np.bool_)
    cases[np.argsort(-liability, kind="stable")[:ill]] = True
    return Phenotype(cases, which, odds_ratio)


def _msprime() -> Any:
    try:
        import msprime
    except ImportError:
        raise MissingPart(
            "simulating linked sites needs msprime",
            where=_WHERE,
            remedy="pip install 'sfumato[simulate]', or draw sites that are not linked with independent()",
        ) from None
    return msprime


def _at_least(**counts: int) -> None:
    for name, count in counts.items():
        if count < 1:
            raise BadInput(f"there are too few {name} to simulate", where=_WHERE, remedy="ask for more")


def _check_seed(seed: int) -> None:
    if seed < 0:
        raise BadInput("a seed is a whole number of at least 0", where=_WHERE)


def _check_frequency(least: float) -> None:
    if not 0 <= least < 0.5:
        raise BadInput("the least frequency lies between 0 and one half", where=_WHERE)
