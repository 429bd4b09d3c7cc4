"""Loops over degree sequences: groups of k or more at the least cost, and which sequences networks have.

Degrees are sorted, the greatest first; ``total[i]`` is the sum of the first i. A group (t, i] holds the
positions t, …, i − 1. Nothing here exceeds n · max(degrees), which the caller bounds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
FAR = 1 << 62


@kernel
def group_cost(degrees: I64, total: I64, t: int, i: int, deletions: bool) -> int:
    """Return the cost of the group (t, i]: up to its greatest degree, or with deletions to its median."""
    if not deletions:
        return int((i - t) * degrees[t] - (total[i] - total[t]))
    m = (t + i - 1) // 2
    above = total[m + 1] - total[t] - (m + 1 - t) * degrees[m]
    return int(above + (i - m - 1) * degrees[m] - (total[i] - total[m + 1]))


@kernel
def split_by_hull(degrees: I64, total: I64, k: int, back: I64) -> int:
    """Find groups with the least additions in O(n); ``back[i]`` is where the last group up to i begins.

    The cost of ending at i with the last group beginning at t is a line in i,

        D(t) + (i − t)·d_t − (S_i − S_t)  =  d_t · i + (D(t) + S_t − t·d_t) − S_i

    whose slopes fall as t grows, while i grows: the lower envelope is a queue. Lines are compared where they
    are looked at, at whole numbers: the first i at which the later of two is no higher is a division, so that
    no product of two large numbers is ever formed. The constant D(t) + S_t − t·d_t is Σ (target − d_t) over
    the first t, which lies between 0 and n · max(degrees).
    """
    n = len(degrees)
    cost = np.full(n + 1, FAR)
    cost[0] = 0
    slope = np.empty(n + 1, np.int64)
    constant = np.empty(n + 1, np.int64)
    begin = np.empty(n + 1, np.int64)
    takes_over = np.empty(n + 1, np.int64)
    first = 0
    last = -1
    for i in range(k, n + 1):
        t = i - k
        if t == 0 or t >= k:
            m = degrees[t]
            b = cost[t] + total[t] - t * m
            worse = False
            if last >= first and slope[last] == m:
                if constant[last] <= b:
                    worse = True
                else:
                    last -= 1
            if not worse:
                while True:
                    at = i
                    if last >= first:
                        # The least i with m·i + b ≤ slope·i + constant, rounded up.
                        over = slope[last] - m
                        at = -((constant[last] - b) // over)
                        if last > first and at <= takes_over[last]:
                            last -= 1
                            continue
                    break
                last += 1
                slope[last] = m
                constant[last] = b
                begin[last] = t
                takes_over[last] = at
        while last > first and takes_over[first + 1] <= i:
            first += 1
        cost[i] = slope[first] * i + constant[first] - total[i]
        back[i] = begin[first]
    return int(cost[n])


@kernel
def split_by_recurrence(degrees: I64, total: I64, k: int, deletions: bool, back: I64) -> int:
    """Find the cheapest groups as Liu and Terzi write it down, in O(nk).

    A group of 2k or more is two groups that cost no more, so that the last begins at i − 2k + 1 or later.
    """
    n = len(degrees)
    cost = np.full(n + 1, FAR)
    cost[0] = 0
    for i in range(k, n + 1):
        for t in range(max(0, i - 2 * k + 1), i - k + 1):
            if cost[t] < FAR:
                found = cost[t] + group_cost(degrees, total, t, i, deletions)
                if found < cost[i]:
                    cost[i] = found
                    back[i] = t
    return int(cost[n])


@kernel
def split_by_queue(degrees: I64, total: I64, k: int, deletions: bool, back: I64) -> int:
    """Find the cheapest groups in O(n log n), of either cost.

    Both costs are Monge, w(s, i) + w(t, j) ≤ w(s, j) + w(t, i) for s ≤ t ≤ i ≤ j: where the later of two
    beginnings has become no worse it stays so. The beginnings that are best for some i to come form a queue,
    and when one takes over is found by halving.
    """
    n = len(degrees)
    cost = np.full(n + 1, FAR)
    cost[0] = 0
    begin = np.empty(n + 1, np.int64)
    takes_over = np.empty(n + 1, np.int64)
    first = 0
    last = -1
    for i in range(k, n + 1):
        t = i - k
        if t == 0 or t >= k:
            at = i
            while last >= first:
                low = max(i, takes_over[last])
                s = begin[last]
                if cost[t] + group_cost(degrees, total, t, low, deletions) <= cost[s] + group_cost(
                    degrees, total, s, low, deletions
                ):
                    # Better from there on: the one before it is never the best again.
                    last -= 1
                    at = low
                    continue
                high = n + 1
                while high - low > 1:
                    middle = (low + high) // 2
                    if cost[t] + group_cost(degrees, total, t, middle, deletions) <= cost[s] + group_cost(
                        degrees, total, s, middle, deletions
                    ):
                        high = middle
                    else:
                        low = middle
                at = high
                break
            if at <= n:
                last += 1
                begin[last] = t
                takes_over[last] = at
        while last > first and takes_over[first + 1] <= i:
            first += 1
        s = begin[first]
        cost[i] = cost[s] + group_cost(degrees, total, s, i, deletions)
        back[i] = s
    return int(cost[n])


@kernel
def split_greedily(degrees: I64, total: I64, k: int, deletions: bool, back: I64) -> int:
    """Form groups from the greatest degree on (Liu and Terzi's greedy), in O(n).

    The next degree joins the group if that and a new group of the k after it costs no more than a new group
    that begins with it. Fewer than k that are left join the last group.
    """
    n = len(degrees)
    cost = 0
    start = 0
    while start < n:
        end = start + k
        while True:
            if n - end < k:
                end = n
                break
            if end + 1 + k > n:
                break
            join = (
                group_cost(degrees, total, start, end + 1, deletions)
                - group_cost(degrees, total, start, end, deletions)
                + group_cost(degrees, total, end + 1, end + 1 + k, deletions)
            )
            if join > group_cost(degrees, total, end, end + k, deletions):
                break
            end += 1
        cost += group_cost(degrees, total, start, end, deletions)
        back[end] = start
        start = end
    return cost


@kernel
def fill_groups(degrees: I64, back: I64, deletions: bool, target: I64) -> None:
    """Give every position the degree of its group."""
    i = len(degrees)
    while i > 0:
        t = back[i]
        value = degrees[(t + i - 1) // 2] if deletions else degrees[t]
        for at in range(t, i):
            target[at] = value
        i = t


@kernel
def erdos_gallai(degrees: I64) -> bool:
    """Say whether some network has these degrees (sorted, the greatest first).

    Erdős and Gallai (1960): the sum is even, and Σ_{i ≤ r} d_i ≤ r(r − 1) + Σ_{i > r} min(d_i, r) for all r.
    """
    n = len(degrees)
    if n == 0:
        return True
    if degrees[0] >= n or degrees[n - 1] < 0:
        return False
    rest = 0
    for i in range(n):
        rest += degrees[i]
    if rest % 2:
        return False
    left = 0
    small = n
    tail = 0
    for r in range(1, n + 1):
        if degrees[r - 1] < r:
            # From here on r is at least as great as every later degree, and the left side no longer outgrows.
            return True
        left += degrees[r - 1]
        # ``small``: the first position whose degree is below r; ``tail``: the sum from there on.
        while small > 0 and degrees[small - 1] < r:
            small -= 1
            tail += degrees[small]
        if left > r * (r - 1) + (small - r) * r + tail:
            return False
    return True
