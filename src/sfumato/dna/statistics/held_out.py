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

LEAST = 30
"""people of a reference panel below which nothing can be said"""
_DRAWN = 20_090_913


@dataclass(frozen=True, eq=False)
class Parts:
    """Who of a reference panel is for what: numbers from 0, each person in one part."""

    estimating: NDArray[np.int64] = field(repr=False)
    calibrating: NDArray[np.int64] = field(repr=False)
    checking: NDArray[np.int64] = field(repr=False)


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
