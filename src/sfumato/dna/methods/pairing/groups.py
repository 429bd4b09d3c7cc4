"""Groups of rows: what every way of pairing begins and ends with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.methods._kernels_bits import Groups, put_all, total_level
from sfumato.dna.methods._kernels_pairing import cheapest_hosts, merge_closest
from sfumato.dna.methods.pairing.distances import Bits

HOSTS = 8
"""of so many groups that could take rows that are left over the cheapest is chosen"""


def grouped(bits: Bits, owner: NDArray[np.int64], k: int, group: NDArray[np.int64]) -> Groups:
    """Return groups as kernels want them, from the number of the group of each row."""
    n, words = bits.words.shape
    none = np.full(n, -1, np.int64)
    repeated = len(np.unique(owner)) < n
    groups = Groups(
        bits.words,
        bits.plus,
        np.require(owner, np.int64, ["C", "W"]),
        repeated,
        k,
        none.copy(),
        none.copy(),
        none.copy(),
        none.copy(),
        np.zeros(n, np.int64),
        np.zeros((n, words), np.uint64),
        np.zeros(n, np.int64),
    )
    put_all(groups, np.require(group, np.int64, ["C", "W"]))
    return groups


def merge_left_over(groups: Groups) -> None:
    """Merge every group with too few persons with another: with whatever group adds least to the loss."""
    while len(small := too_small(groups)):
        hosts = np.flatnonzero(groups.size).astype(np.int64)
        found = cheapest_hosts(groups, small, hosts, min(HOSTS, len(hosts)))
        pairs = found >= 0
        left = np.broadcast_to(groups.head[small][:, None], found.shape)[pairs]
        merge_closest(groups, left, groups.head[found[pairs]], True)


def too_small(groups: Groups) -> NDArray[np.int64]:
    """Return the groups that hold fewer than k persons."""
    pairs = np.unique(np.stack([groups.group, groups.owner]), axis=1)
    persons = np.bincount(pairs[0], minlength=len(groups.head))
    return np.flatnonzero((groups.size > 0) & (persons < groups.enough)).astype(np.int64)


def loss_of(groups: Groups) -> int:
    """Return Σ over rows of level(published) − level(original)."""
    published = int((groups.size * groups.level).sum())
    return published - total_level(groups.bits, groups.plus)
