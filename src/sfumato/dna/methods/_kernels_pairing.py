"""Closest first: clusters of rows merge, those first whose merging adds least to the loss."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.dna.methods._kernels_bits import Groups, distance, is_enough, level_of_both

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
_EDGE_BITS = 31
_NONE = 2**62


@kernel
def added_by_merging(groups: Groups, a: int, b: int) -> int:
    """How much the loss grows when two groups become one."""
    size = groups.size[a] + groups.size[b]
    both = level_of_both(groups.join[a], groups.join[b], groups.plus)
    return int(size * both - groups.size[a] * groups.level[a] - groups.size[b] * groups.level[b])


@kernel
def merge(groups: Groups, a: int, b: int) -> None:
    """Move all rows of group b to group a."""
    last = groups.head[b]
    while True:
        groups.group[last] = a
        if groups.after[last] < 0:
            break
        last = groups.after[last]
    groups.after[last] = groups.head[a]
    groups.before[groups.head[a]] = last
    groups.head[a] = groups.head[b]
    groups.head[b] = -1
    groups.join[a, :] |= groups.join[b]
    groups.level[a] = level_of_both(groups.join[a], groups.join[b], groups.plus)
    groups.size[a] += groups.size[b]
    groups.size[b] = 0


@kernel
def _sift_down(heap: I64, used: int, key: int) -> None:
    at = 0
    while True:
        child = 2 * at + 1
        if child >= used:
            break
        if child + 1 < used and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = key


@kernel
def merge_closest(groups: Groups, left: I64, right: I64, join: bool) -> None:
    """Merge groups along edges between rows, the least added loss first, while both are too small; with
    ``join`` one of them is enough.

    An edge is measured again when its turn comes, and waits for another turn if its groups have grown apart.
    """
    seen = np.empty(groups.enough + 1, np.int64)
    full = np.zeros(len(groups.head), np.bool_)
    for g in range(len(groups.head)):
        if groups.size[g] > 0:
            full[g] = is_enough(groups, g, -1, -1, seen)
    heap = np.empty(len(left), np.int64)
    for edge in range(len(left)):
        cost = added_by_merging(groups, groups.group[left[edge]], groups.group[right[edge]])
        heap[edge] = (cost << _EDGE_BITS) | edge
    heap.sort()
    used = len(heap)
    while used > 0:
        edge = heap[0] & ((1 << _EDGE_BITS) - 1)
        cost = heap[0] >> _EDGE_BITS
        a, b = groups.group[left[edge]], groups.group[right[edge]]
        now = _NONE
        if a != b and not (full[a] and full[b]) and (join or not (full[a] or full[b])):
            now = added_by_merging(groups, a, b)
        if now <= cost:
            merge(groups, a, b)
            full[a] = full[a] or full[b] or is_enough(groups, a, -1, -1, seen)
        if now <= cost or now == _NONE:
            used -= 1
            if used > 0:
                _sift_down(heap, used, heap[used])
        else:
            _sift_down(heap, used, (now << _EDGE_BITS) | edge)


@kernel
def cheapest_hosts(groups: Groups, small: I64, hosts: I64, number: int) -> I64:
    """Return for each group of ``small`` the ``number`` hosts to merge with that add least, −1 for none."""
    found = np.full((len(small), number), -1, np.int64)
    costs = np.empty(number, np.int64)
    for i in range(len(small)):
        costs[:] = _NONE
        for h in hosts:
            if h == small[i]:
                continue
            cost = added_by_merging(groups, small[i], h)
            at = number - 1
            if cost >= costs[at]:
                continue
            while at > 0 and costs[at - 1] > cost:
                costs[at] = costs[at - 1]
                found[i, at] = found[i, at - 1]
                at -= 1
            costs[at] = cost
            found[i, at] = h
    return found


@kernel
def in_given_order(bits: U64, plus: int, owner: I64, k: int) -> I64:
    """Take the next row that has no group and the rows nearest to it that have none, until k persons are
    together; −1 for rows that are left over when no k persons are."""
    n = len(bits)
    group = np.full(n, -1, np.int64)
    far = np.empty(n, np.int64)
    members = np.empty(k, np.int64)
    number = 0
    for first in range(n):
        if group[first] >= 0:
            continue
        for j in range(first + 1, n):
            far[j] = distance(bits[first], bits[j], plus) if group[j] < 0 else _NONE
        members[0] = first
        size = 1
        while size < k:
            best, least = -1, _NONE
            for j in range(first + 1, n):
                if far[j] < least:
                    new = True
                    for at in range(size):
                        if owner[members[at]] == owner[j]:
                            new = False
                            break
                    if new:
                        best, least = j, far[j]
            if best < 0:
                break
            far[best] = _NONE
            members[size] = best
            size += 1
        if size == k:
            for at in range(k):
                group[members[at]] = number
            number += 1
    return group
