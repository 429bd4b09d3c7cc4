"""Scores of adversaries who ask whether a person is in the pool, for the checker of
``membership-bound`` alone.

The likelihood ratio Σ g ln(M/P) + (2 − g) ln((1 − M)/(1 − P)) (Sankararaman et al. 2009), the same of
genotypes, and T = mean(D) / (sd(D)/√s), D = |g/2 − P| − |g/2 − M| (Homer et al. 2008). Plain arrays, site by
site; methods that choose sites compute theirs elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.contract import Published, Study

ARMS = ("case_frequency", "control_frequency")
TESTS = ("chi2", "p", "log10_p")
OF_ARMS = (*ARMS, *TESTS, "odds_ratio")
OF_GENOTYPES = ("heterozygosity", "hardy_weinberg_chi2", "hardy_weinberg_p")
OF_EVERYBODY = ("frequency", "minor_frequency", *OF_GENOTYPES)
_ABSENT = 1e-9

Rows = NDArray[np.float64]


class Asked:
    """Which groups the published columns tell about, and their frequencies as published, where they are."""

    def __init__(self, published: Published, study: Study, order: NDArray[np.int64]) -> None:
        columns = published.statistics.columns
        everybody = np.ones(study.pool.people, np.bool_)
        self.groups: list[NDArray[np.bool_]] = []
        self.told: list[Rows | None] = []
        if any(name in columns for name in OF_EVERYBODY):
            self.groups.append(everybody)
            self.told.append(columns["frequency"][order] if "frequency" in columns else None)
        self.arms = any(name in columns for name in OF_ARMS)
        if self.arms and study.cases is not None:
            self.groups += [study.cases, ~study.cases]
            self.told += [columns[name][order] if name in columns else None for name in ARMS]
        self.contests: list[tuple[NDArray[np.bool_], NDArray[np.bool_] | None]]
        self.contests = [(group, None) for group in self.groups]
        if self.arms and study.cases is not None:
            self.contests += [(study.cases, ~study.cases), (~study.cases, study.cases)]
        tests = any(name in columns for name in TESTS) and published.details.get("test") != "allelic"
        self.genotypes = tests or any(name in columns for name in OF_GENOTYPES)


class Scores:
    """Sums over sites: for each contest, of each person of the pool and of those held out.

    Rows are: likelihood ratio of alleles, ΣD, ΣD², sites known, likelihood ratio of genotypes.
    """

    def __init__(self, asked: Asked, pool: int, outside: int) -> None:
        self.asked = asked
        count = len(asked.contests)
        self.inside = np.zeros((count, 5, pool))
        self.outside = np.zeros((count, 5, outside))
        self.sites = 0
        self.squared_separation = np.zeros(len(asked.groups))
        """of each group, Σ 1/n over sites that vary: for somebody who knows the population without error"""

    def add(
        self, first: int, pool: NDArray[np.int8], known: NDArray[np.int8], outside: NDArray[np.int8]
    ) -> None:
        """Add a block of sites."""
        self.sites += len(pool)
        here = slice(first, first + len(pool))
        p, shares = shares_of(known, smooth=True)
        mine: list[tuple[Rows, Rows]] = []
        for number, (group, told) in enumerate(zip(self.asked.groups, self.asked.told, strict=True)):
            m, seen = shares_of(pool[:, group], smooth=False)
            called = np.count_nonzero(pool[:, group] >= 0, axis=1)
            both = np.concatenate([pool[:, group], known], axis=1)
            varied = (both > 0).any(axis=1) & ((both == 0) | (both == 1)).any(axis=1) & (called > 0)
            self.squared_separation[number] += (1 / called[varied]).sum()
            mine.append((m if told is None else np.clip(told[here], 0, 1), seen))
        contests = [(group, (p, shares)) for group in mine]
        if self.asked.arms:
            contests += [(mine[-2], mine[-1]), (mine[-1], mine[-2])]
        for at, (these, those) in enumerate(contests):
            for dosages, sums in ((pool, self.inside[at]), (outside, self.outside[at])):
                add_sites(sums, dosages, these, those)

    def contests(self) -> Iterator[tuple[Rows, Rows, bool]]:
        """Go through the scores of members and others, and whether the others are a sample."""
        for at, (group, others) in enumerate(self.asked.contests):
            inside = final(self.inside[at])
            beside = final(self.outside[at]) if others is None else inside[:, others]
            for row in (0, 1, 2) if self.asked.genotypes else (0, 1):
                yield inside[row, group], beside[row], others is None


def add_sites(
    sums: Rows, dosages: NDArray[np.int8], these: tuple[Rows, Rows], those: tuple[Rows, Rows]
) -> None:
    """Add the sites of a block to the sums of people; ``these`` and ``those`` are frequencies and shares."""
    usable = np.isfinite(these[0]) & np.isfinite(those[0])
    dosages = dosages[usable]
    m, p = these[0][usable][:, None], those[0][usable][:, None]
    g = dosages.astype(np.float64)
    here = dosages >= 0
    logs = [np.log(np.clip(share, _ABSENT, 1 - _ABSENT)) for share in (m, p, 1 - m, 1 - p)]
    sums[0] += np.where(here, g * (logs[0] - logs[1]) + (2 - g) * (logs[2] - logs[3]), 0).sum(axis=0)
    distance = np.where(here, np.abs(g / 2 - p) - np.abs(g / 2 - m), 0)
    sums[1] += distance.sum(axis=0)
    sums[2] += (distance**2).sum(axis=0)
    sums[3] += here.sum(axis=0)
    for dosage in range(3):
        ratio = np.log(
            np.clip(these[1][usable, dosage], _ABSENT, 1) / np.clip(those[1][usable, dosage], _ABSENT, 1)
        )
        sums[4] += np.where(dosages == dosage, ratio[:, None], 0).sum(axis=0)


def final(sums: Rows) -> Rows:
    """Turn sums into scores: likelihood ratio of alleles, Homer's T, likelihood ratio of genotypes."""
    sites = np.maximum(sums[3], 2)
    spread = np.sqrt(np.maximum(sums[2] - sums[1] ** 2 / sites, 0) / (sites - 1))
    homer = np.where(spread > 1e-12, sums[1] / np.sqrt(sites) / np.where(spread > 1e-12, spread, 1), 0)
    return np.stack([sums[0], homer, sums[4]])


def shares_of(dosages: NDArray[np.int8], smooth: bool) -> tuple[Rows, Rows]:
    """Return the frequency of each site and the shares of its genotypes, NaN where nobody was called.

    A sample of the population is smoothed by half an allele of each kind.
    """
    numbers = np.stack([(dosages == value).sum(axis=1) for value in range(3)], axis=1).astype(np.float64)
    people = numbers.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        if smooth:
            p = (numbers[:, 1] + 2 * numbers[:, 2] + 0.5) / (2 * people + 1)
            expected = np.stack([(1 - p) ** 2, 2 * p * (1 - p), p**2], axis=1)
            return p, (numbers + expected) / (people[:, None] + 1)
        return (numbers[:, 1] + 2 * numbers[:, 2]) / (2 * people), numbers / people[:, None]
