"""Published frequencies beside those of the population: what attacks on them add up over a person's sites."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.attacks.contract import (
    Knowledge,
    common_sites,
    frequencies_at,
    places,
    population_of,
    published_column,
)
from sfumato.dna.contract import Statistics
from sfumato.dna.sites import Sites
from sfumato.dna.source import GenotypeSource

CASES, CONTROLS = "case_frequency", "control_frequency"
FLOOR = 0.001
"""the least a frequency is taken to be where nobody says over how many people it was counted"""
BY_CHANCE = 20
"""at so many sites that vary two groups of people never have the same frequencies"""


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Frequencies of some published sites: of the pool (M) and of the population or of another pool (P)."""

    sites: Sites = field(repr=False)
    pool: NDArray[np.float64] = field(repr=False)
    population: NDArray[np.float64] = field(repr=False)
    usable: NDArray[np.bool_] = field(repr=False)
    least: tuple[float, float] = (FLOOR, FLOOR)
    """how near to 0 and 1 frequencies of the pool and of the population are taken to come"""

    @classmethod
    def of(
        cls, target: Statistics, column: str, knowledge: Knowledge, where: str, progress: Progress = SILENT
    ) -> Frequencies:
        """Set a published column beside the population that the adversary knows."""
        population = population_of(knowledge, where, progress)
        found = cls._made(
            target,
            published_column(target, column, where),
            frequencies_at(target.sites, population),
            (floor_of(target.people), floor_of(population.people)),
            where,
        )
        pool, usual = found.pool[found.usable], found.population[found.usable]
        if np.array_equal(pool, usual) and np.count_nonzero((pool > 0) & (pool < 1)) >= BY_CHANCE:
            raise BadInput(
                "the frequencies of the population are the very same as the published ones",
                where=where,
                remedy="give those of people who are not in the data",
            )
        return found

    @classmethod
    def between(cls, target: Statistics, these: str, those: str, where: str) -> Frequencies:
        """Set one published column beside another."""
        return cls._made(
            target,
            published_column(target, these, where),
            published_column(target, those, where),
            (floor_of(target.people), floor_of(target.people)),
            where,
        )

    @classmethod
    def _made(
        cls,
        target: Statistics,
        pool: NDArray[np.float64],
        population: NDArray[np.float64],
        least: tuple[float, float],
        where: str,
    ) -> Frequencies:
        usable = np.isfinite(pool) & np.isfinite(population)
        common_sites(usable, where)
        return cls(target.sites, pool, population, usable, least)


def floor_of(people: int | None) -> float:
    """Return the least that a frequency counted over so many people is taken to be: half an allele or so.

    >>> floor_of(49)
    0.01
    """
    return 1 / (2 * people + 2) if people else FLOOR


@dataclass(frozen=True, eq=False)
class Sums:
    """Over a person's known sites: the sum, the sum of squares, and how many there are."""

    total: NDArray[np.float64] = field(repr=False)
    squares: NDArray[np.float64] = field(repr=False)
    known: NDArray[np.int64] = field(repr=False)


def summed(
    people: GenotypeSource,
    sites: Sites,
    table: NDArray[np.float64],
    usable: NDArray[np.bool_],
    progress: Progress = SILENT,
) -> Sums:
    """Add ``table[site, dosage]`` over the usable sites of each person, block by block."""
    from sfumato.dna.attacks._kernels_scores import add_site_scores

    found = places(people.sites, sites)
    sums = Sums(np.zeros(people.people), np.zeros(people.people), np.zeros(people.people, np.int64))
    for block in people.blocks(progress=progress):
        where = slice(block.first, block.first + len(block.dosages))
        place = found.place[where]
        take = np.flatnonzero((place >= 0) & usable[place])
        if not take.size:
            continue
        own = table[place[take]]
        swapped = found.swapped[where][take]
        own[swapped] = own[swapped, ::-1]
        dosages = np.array(block.dosages[take], np.int8, order="C")
        add_site_scores(dosages, np.ascontiguousarray(own), sums.total, sums.squares, sums.known)
    return sums
