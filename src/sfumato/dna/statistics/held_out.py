"""Three parts of a reference panel, so that no bound is measured on people it was fitted to.

*Estimating* gives the population's frequencies, *calibrating* are the people on whom a selection is tuned,
and *checking* are people whom no selection has seen: promises are checked on them. Who is in which part is
drawn once and for all from the number of people, so that a method and a checker that know nothing of each
other agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.sites import Sites
from sfumato.dna.source import GenotypeSource

LEAST = 30
"""people of a reference panel below which nothing can be said"""
_DRAWN = 20_090_913
FINGERPRINT = 2_000
"""sites at which people are compared"""
_BY_CHANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Parts:
    """Who of a reference panel is for what: numbers from 0, each person in one part."""

    estimating: NDArray[np.int64] = field(repr=False)
    calibrating: NDArray[np.int64] = field(repr=False)
    checking: NDArray[np.int64] = field(repr=False)

    def without(self, members: NDArray[np.bool_]) -> Parts:
        """Return the same parts without some people: everybody else stays where they are."""
        return Parts(*(part[~members[part]] for part in (self.estimating, self.calibrating, self.checking)))


def in_parts(people: int) -> Parts:
    """Divide people: a half for estimating, a quarter for each of the others.

    >>> parts = in_parts(80)
    >>> len(parts.estimating), len(parts.calibrating), len(parts.checking)
    (40, 20, 20)
    """
    if people < LEAST:
        raise BadInput(
            f"the reference panel has {people} people, too few to hold some of them out",
            where="reference",
            remedy=f"give at least {LEAST}; several hundred say much more",
        )
    order = np.random.default_rng(_DRAWN).permutation(people)
    one, two = people // 2, 3 * people // 4
    return Parts(order[:one], order[one:two], order[two:])


def check_same_sites(pool: Sites, reference: Sites, where: str, what: str = "the reference panel") -> None:
    """Refuse other sites than the study's, in another order or with alleles swapped."""
    remedy = f"give {what} at the sites of the study, in the same order, with the same alleles"
    if len(pool) != len(reference):
        raise BadInput(
            f"{what} has {len(reference):,} sites and the pool {len(pool):,}",
            where=where,
            remedy=remedy,
        )
    different = np.zeros(len(pool), np.bool_)
    for column in ("position", "chromosome", "reference", "alternate"):
        different |= np.asarray(getattr(pool, column) != getattr(reference, column), np.bool_)
    if different.any():
        raise BadInput(
            f"{what} differs from the pool at {np.count_nonzero(different):,} sites, the first "
            f"of them number {int(np.argmax(different)) + 1:,}",
            where=where,
            remedy=remedy,
        )


def members_among(pool: NDArray[np.int8], outside: NDArray[np.int8], where: str) -> int:
    """Return how many people outside have the genotypes of a member at every site (sites × people each).

    Members who are taken for people outside make every bound look kept, so a reference most of which are
    members is refused. 0 is returned where chance alone would make people agree: at few sites, that is.

    >>> rows = np.random.default_rng(1).integers(0, 3, (60, 20)).astype(np.int8)
    >>> members_among(rows[:, :10], rows[:, 8:], "here")
    2
    """
    return int(np.count_nonzero(_alike(pool[:FINGERPRINT], outside[:FINGERPRINT], where)))


def members_of(pool: GenotypeSource, reference: GenotypeSource, where: str) -> NDArray[np.bool_]:
    """Say who of a reference panel has exactly the genotypes of a member, as ``members_among`` does.

    People are compared at sites of the whole study, since the few that are published may not tell them apart:
    at sites spread over it where they can be read directly, else at the first.

    >>> from sfumato.dna.simulate import independent
    >>> pool = independent(people=40, sites=100, seed=1)
    >>> members_of(pool, independent(people=60, sites=100, seed=2), "here").sum()
    np.int64(0)
    """
    # Readers of files bring Arrow, which attacks that divide a panel do not need.
    from sfumato.dna.statistics.selected import dosages_of, read_directly

    there = len(pool.sites)
    many = min(FINGERPRINT, there)
    which = np.arange(many, dtype=np.int64)
    if all(read_directly(source) for source in (pool, reference)):
        which = which * there // max(many, 1)
    return _alike(dosages_of(pool, which), dosages_of(reference, which), where)


def _alike(pool: NDArray[np.int8], outside: NDArray[np.int8], where: str) -> NDArray[np.bool_]:
    shares = np.stack([(pool == value).mean(axis=1) for value in (0, 1, 2, -1)])
    agree = float(np.log((shares**2).sum(axis=0)).sum())
    if agree + np.log(pool.shape[1] * max(outside.shape[1], 1)) > np.log(_BY_CHANCE):
        return np.zeros(outside.shape[1], np.bool_)
    weights = np.random.default_rng(_DRAWN).integers(2**63, size=(len(pool), 4), dtype=np.uint64)
    known, asked = np.zeros(pool.shape[1], np.uint64), np.zeros(outside.shape[1], np.uint64)
    for site, weight in enumerate(weights):
        known += weight[pool[site]]
        asked += weight[outside[site]]
    alike = np.isin(asked, known)
    found = int(alike.sum())
    if 2 * found > len(asked):
        raise BadInput(
            f"{found:,} of {len(asked):,} people of the reference have exactly the genotypes of a member",
            where=where,
            remedy="give people who are not in the pool",
        )
    return alike
