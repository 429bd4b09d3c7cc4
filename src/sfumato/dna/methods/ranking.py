"""Which sites come first, and which are left out because they say the same as one before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.sites import Sites
from sfumato.dna.statistics.association import outcome_of
from sfumato.dna.statistics.columns import Counted
from sfumato.dna.statistics.linkage import numbered_chromosomes
from sfumato.dna.statistics.tables import minor

Keep = Literal["random", "first", "common", "strongest"]
KEEPS: tuple[str, ...] = get_args(Keep)
_MORE = 4
"""times as many sites are looked at first as are needed: linked ones drop out"""


def ranked(keep: str, counted: Counted, which: NDArray[np.int64], test: str, seed: int) -> NDArray[np.int64]:
    """Return the sites ``which`` in the order in which they are wanted."""
    if keep == "first":
        return which
    if keep == "random":
        return np.random.default_rng(seed).permutation(which)
    if keep == "common":
        return which[np.argsort(-minor(counted.everybody[which]), kind="stable")]
    if counted.cases is None or counted.controls is None:
        raise BadInput(
            "the strongest associations need cases and controls",
            where="safe-snps",
            remedy="say who is a case, or keep 'random' sites",
        )
    found = outcome_of(counted.cases[which], counted.controls[which], test)
    return which[np.argsort(-found.chi2, kind="stable")]


def not_linked(
    order: NDArray[np.int64],
    sites: Sites,
    read: Callable[[NDArray[np.int64]], NDArray[np.int8]],
    *,
    enough: int,
    most: float | None,
    window: int,
) -> NDArray[np.int64]:
    """Return the first ``enough`` sites of a ranking whose r² with every one taken before, within ``window``
    bases, is at most ``most``. ``read`` gives the genotypes of sites (rising numbers) to compute it from."""
    from sfumato.dna.statistics._kernels_linkage import unlinked

    if most is None or enough <= 0:
        return order[: max(enough, 0)]
    chosen = order[:0]
    chromosomes = numbered_chromosomes(sites)
    rows = np.empty((0, 0), np.int8)
    looked = 0
    while len(chosen) < enough and looked < len(order):
        # In rounds: what was taken stands before the next sites, and is not looked at again.
        fresh = order[looked : looked + _MORE * (enough - len(chosen))]
        looked += len(fresh)
        rising = np.sort(fresh)
        dosages = read(rising)[np.searchsorted(rising, fresh)]
        rows = np.concatenate([rows, dosages]) if len(chosen) else dosages
        here = np.concatenate([chosen, fresh])
        taken = np.zeros(max(enough, len(here)), np.int64)
        taken[: len(chosen)] = np.arange(len(chosen))
        many = unlinked(
            np.array(rows, np.int8, order="C"),
            chromosomes[here].copy(),
            sites.position[here].astype(np.int64),
            window,
            float(most),
            taken,
            len(chosen),
            enough,
        )
        chosen, rows = here[taken[:many]], rows[taken[:many]]
    return chosen
