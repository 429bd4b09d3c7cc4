"""Groups of rows: what every way of pairing begins and ends with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.methods._kernels_bits import Groups, dearest, distance_within, put_all, take, total_level
from sfumato.dna.methods._kernels_pairing import cheapest_hosts, merge, merge_closest
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
    return published - int(total_level(groups))


def leave_out(groups: Groups) -> None:
    """Take out at most as many rows as persons are over a multiple of k, those that save most; where too few
    stay behind in a group, they join another."""
    for _ in range(len(np.unique(groups.owner)) % groups.enough):
        row, saved, host = dearest(groups)
        if saved <= 0:
            break
        left = int(groups.group[row])
        take(groups, row)
        if host >= 0:
            merge(groups, host, left)


def figures_of(groups: Groups) -> dict[str, int]:
    """Return what is worth knowing of groups: their number, their sizes, loss and distances."""
    kept = groups.group >= 0
    pairs = np.unique(np.stack([groups.group[kept], groups.owner[kept]]), axis=1)
    persons = np.bincount(pairs[0])
    return {
        "groups": int((groups.size > 0).sum()),
        "persons_in_the_smallest_group": int(persons[persons > 0].min()),
        "persons_in_the_largest_group": int(persons.max()),
        "loss": loss_of(groups),
        "distance": int(distance_within(groups)),
        "left_out": int((~kept).sum()),
    }
