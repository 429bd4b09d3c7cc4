"""Linkage disequilibrium: is somebody behind published r² of pairs of sites?

R. Wang, Y. F. Li, X. Wang, H. Tang and X. Zhou, "Learning your identity and disease from research papers:
information leaks in genome wide association study", CCS 2009.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.attacks.contract import (
    Knowledge,
    Population,
    check_share,
    common_sites,
    left_out,
    people_to_attack,
    places,
)
from sfumato.dna.attacks.scoring import Scores, membership_result
from sfumato.dna.sites import Sites
from sfumato.dna.source import MISSING, GenotypeSource

MOST_CELLS = 2_000_000_000
"""genotypes of all pairs' sites that are held in memory at once, at most"""


@dataclass(frozen=True, eq=False)
class PublishedLinkage:
    """Published r² (of dosages) of some pairs of sites; with ``signs`` also whether r is above or below 0."""

    sites: Sites = field(repr=False)
    first: NDArray[np.int64] = field(repr=False)
    second: NDArray[np.int64] = field(repr=False)
    squared: NDArray[np.float64] = field(repr=False)
    signs: NDArray[np.int64] | None = field(default=None, repr=False)
    """+1 or −1, 0 where it is not known: published, or recovered (``haplotype_counts``)"""

    def __post_init__(self) -> None:
        if not len(self.first) == len(self.second) == len(self.squared):
            raise AssertionError("each pair has two sites and one r²")

    @classmethod
    def of_neighbours(cls, sites: Sites, squared: NDArray[np.float64]) -> PublishedLinkage:
        """Read r² of each site with those that follow it: sites × neighbours, NaN where there is none."""
        first, step = np.nonzero(np.isfinite(squared))
        return cls(sites, first, first + step + 1, squared[first, step])


@dataclass(frozen=True)
class LinkageDisequilibrium:
    """Does the person make the published linkage what it is?

    With standardised dosages z = (g − 2p) / √(2p(1 − p)) and pairs (i, j) of sites,

        T_r = Σ (r_ij − r'_ij) z_i z_j

    r being published and r' that of a reference. A person of the pool moves each r_ij by about z_i z_j / n,
    as with frequencies, but m sites have m (m − 1) / 2 pairs: **a few dozen sites can be enough**. r² hides
    the sign of r. It is taken from the reference where |r'| is beyond its own noise of 1/√R, and pairs below
    that are left out unless their ``signs`` are published or recovered from whole numbers
    (``haplotype_counts``).

    The reference must be genotypes of people, not only frequencies. Claims are calibrated on people outside.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> sites, chance = numbered(40), np.random.default_rng(1)
    >>> drawn = chance.binomial(2, 0.4, (40, 240)).astype(np.int8)
    >>> pool, outside, panel = drawn[:, :40], drawn[:, 40:140], drawn[:, 140:]
    >>> first, second = np.triu_indices(40, 1)
    >>> r, _ = correlations(pool, first, second)
    >>> published = PublishedLinkage(sites, first, second, r**2, np.sign(r).astype(np.int64))
    >>> known = Knowledge(*(InMemory(np.ascontiguousarray(part), sites) for part in (pool, outside, panel)))
    >>> LinkageDisequilibrium().run(published, known).details["auc"] > 0.95
    True
    """

    false_positives: float = 0.05
    name: ClassVar[str] = "linkage-disequilibrium"
    title: ClassVar[str] = "tells from published r² of pairs of sites who is in the data"
    threat: ClassVar[Threat] = Threat.MEMBERSHIP
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE, Need.POPULATION})

    def __post_init__(self) -> None:
        check_share(self.false_positives, "false_positives", self.name)

    def run(
        self,
        target: PublishedLinkage,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Score members and people outside by T_r."""
        from sfumato.dna.attacks._kernels_scores import add_pair_scores

        members, outside = people_to_attack(knowledge, self.name)
        reference = knowledge.reference
        if reference is None or isinstance(reference, Population):
            raise BadInput(
                "the attack needs genotypes of people of the population, not only frequencies",
                where=self.name,
                remedy="give genotypes of people who are not in the data as reference",
            )
        panel = _gathered(reference, target.sites, self.name)
        pairs = self._pairs(target, panel)
        found = []
        for people in (members, outside):
            dosages = _gathered(people, target.sites, self.name)
            sums, known = np.zeros(people.people), np.zeros(people.people, np.int64)
            add_pair_scores(dosages, pairs.first, pairs.second, pairs.standard, pairs.weight, sums, known)
            found.append(np.where(known > 0, sums, np.nan))
        return membership_result(
            self.name,
            Scores(*found),
            self.false_positives,
            details={
                "pairs": len(pairs.first),
                "sites": len(np.unique([pairs.first, pairs.second])),
                "pairs whose sign is not known": len(target.first) - len(pairs.first),
                **left_out(knowledge, outside),
            },
            victims=victims,
        )

    def _pairs(self, target: PublishedLinkage, panel: NDArray[np.int8]) -> _Pairs:
        usual, noise = correlations(panel, target.first, target.second)
        signs = np.where(np.abs(usual) > noise, np.sign(usual), 0.0)
        if target.signs is not None:
            signs = np.where(target.signs != 0, target.signs, signs)
        usable = np.isfinite(usual) & np.isfinite(target.squared) & (signs != 0)
        common_sites(usable, self.name)
        published = signs * np.sqrt(np.clip(target.squared, 0, 1))
        known = panel >= 0
        p = np.where(known, panel, 0).sum(axis=1) / np.maximum(2 * known.sum(axis=1), 1)
        spread = np.sqrt(np.maximum(2 * p * (1 - p), 1e-300))[:, None]
        standard = (np.arange(3.0)[None, :] - 2 * p[:, None]) / spread
        return _Pairs(
            np.ascontiguousarray(target.first[usable], np.int64),
            np.ascontiguousarray(target.second[usable], np.int64),
            np.ascontiguousarray(standard),
            np.ascontiguousarray((published - usual)[usable]),
        )


@dataclass(frozen=True, eq=False)
class _Pairs:
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    standard: NDArray[np.float64]
    weight: NDArray[np.float64]


def correlations(
    dosages: NDArray[np.int8], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return r of dosages of each pair over the people known at both sites, and its noise 1/√n.

    >>> rows = np.array([[0, 1, 2, 1], [2, 1, 0, 1]], np.int8)
    >>> correlations(rows, np.array([0]), np.array([1]))[0]
    array([-1.])
    """
    found, noise = np.full(len(first), np.nan), np.full(len(first), np.inf)
    at_once = max(1, 20_000_000 // max(dosages.shape[1], 1))
    for start in range(0, len(first), at_once):
        part = slice(start, start + at_once)
        x, y = dosages[first[part]].astype(np.float64), dosages[second[part]].astype(np.float64)
        both = (x >= 0) & (y >= 0)
        n = both.sum(axis=1)
        x, y = np.where(both, x, 0), np.where(both, y, 0)
        sx, sy = x.sum(axis=1), y.sum(axis=1)
        across = n * (x * y).sum(axis=1) - sx * sy
        size = (n * (x * x).sum(axis=1) - sx**2) * (n * (y * y).sum(axis=1) - sy**2)
        varies = size > 0
        found[part] = np.where(varies, across / np.sqrt(np.where(varies, size, 1)), np.nan)
        noise[part] = 1 / np.sqrt(np.maximum(n, 1))
    return found, noise


def _gathered(people: GenotypeSource, sites: Sites, where: str) -> NDArray[np.int8]:
    """Return dosages at some sites, in their order, missing where the people have none."""
    if len(sites) * people.people > MOST_CELLS:
        raise BadInput(
            f"{len(sites):,} sites of {people.people:,} people do not fit into memory",
            where=where,
            remedy="attack pairs of fewer sites",
        )
    found = places(people.sites, sites)
    common_sites(found.place >= 0, where)
    dosages = np.full((len(sites), people.people), MISSING, np.int8)
    for block in people.blocks():
        part = slice(block.first, block.first + len(block.dosages))
        place, swapped = found.place[part], found.swapped[part]
        take = np.flatnonzero(place >= 0)
        own = block.dosages[take]
        turn = swapped[take][:, None] & (own >= 0)
        dosages[place[take]] = np.where(turn, 2 - own, own)
    return dosages
