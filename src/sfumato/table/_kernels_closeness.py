"""How far the sensitive values of a class lie from those of the whole table, and who must go to come near.

The distances of t-closeness: N. Li, T. Li, S. Venkatasubramanian (ICDE 2007).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def moved_equal(shares: Floats, keys: Ints, counts: Floats, number: int, total: float) -> float:
    """½ Σ |f_v/n − p_v|: what lies above its share must move."""
    moved = 0.0
    for i in range(number):
        moved += max(0.0, counts[i] / total - shares[keys[i]])
    return moved


@kernel
def most_close(shares: Floats, keys: Ints, counts: Floats, number: int, total: float, bound: float) -> float:
    """The largest m such that m of the class can stay within ``bound``: Σ max(0, f_v − p_v m) ≤ n − m + t m.

    From above: while B are the values over their share, m = (n − Σ_B f_v) / (1 − t − Σ_B p_v).
    """
    most = total
    for _ in range(number + 1):
        within = total
        share = 1.0 - bound
        for i in range(number):
            if counts[i] > shares[keys[i]] * most:
                within -= counts[i]
                share -= shares[keys[i]]
        if share <= 0.0 or within >= most * share:
            break
        most = within / share
    return most


@kernel
def moved_along(
    table: Floats,
    values: int,
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    spare: Floats,
    potential: Floats,
) -> float:
    """Σ_v |Σ_{u ≤ v} (f_u/n − p_u)| · gap_v: the shares and then the gaps stand in the table.

    ``potential`` becomes a function of the values that never changes by more than their distance and
    proves the sum: it equals Σ_v potential_v (f_v/n − p_v).
    """
    for v in range(values):
        spare[v] = -table[v]
    for i in range(number):
        spare[keys[i]] += counts[i] / total
    moved = 0.0
    carried = 0.0
    height = 0.0
    for v in range(values):
        potential[v] = height
        carried += spare[v]
        gap = table[values + v]
        moved += abs(carried) * gap
        height += -gap if carried > 0.0 else gap
    return moved


@kernel
def moved_in_hierarchy(
    table: Floats,
    values: int,
    height: int,
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    spare: Floats,
    potential: Floats,
) -> float:
    """Σ over inner nodes of (level / height) · min(surplus, want) of their children (Li et al. 2007).

    The table holds the shares of the lowest groups, the lowest group of every value, and then, level by
    level from 1, the group that every group below lies in. ``potential`` as above for the values of the
    class, when there is one root: then every step up is an edge of 1/(2 · height), crossed by what lies
    below.
    """
    for v in range(values):
        spare[v] = -table[v]
    for i in range(number):
        spare[int(table[values + keys[i]])] += counts[i] / total
        potential[keys[i]] = 0.0
    moved = 0.0
    edge = 0.5 / max(height, 1)
    extra = spare[:values]
    surplus = spare[values : 2 * values]
    want = spare[2 * values : 3 * values]
    for level in range(1, height + 1):
        parents = (level + 1) * values
        for i in range(number):
            group = int(table[values + keys[i]])
            for below in range(1, level):
                group = int(table[(below + 1) * values + group])
            potential[keys[i]] += edge if extra[group] > 0.0 else -edge
        for g in range(values):
            surplus[g] = 0.0
            want[g] = 0.0
        for g in range(values):
            parent = int(table[parents + g])
            if parent >= 0:
                if extra[g] > 0.0:
                    surplus[parent] += extra[g]
                else:
                    want[parent] -= extra[g]
        for g in range(values):
            moved += level / height * min(surplus[g], want[g])
            extra[g] = surplus[g] - want[g]
    return moved


@kernel
def too_far(
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    moved: float,
    bound: float,
    potential: Floats,
    left: Floats,
) -> float:
    """How many must go until the distance is at most ``bound``.

    Let φ be the potential less its mean over the whole table, so that n · distance = Σ φ over the
    class. For the m that stay, m · distance ≥ Σ φ over them. So n · distance exceeds t · n by at most
    Σ (φ − t) over those who go; they are taken where φ is highest. ``left`` is scratch.
    """
    mean = -moved
    for i in range(number):
        mean += potential[keys[i]] * counts[i] / total
    for i in range(number):
        left[i] = potential[keys[i]] - mean - bound
    excess = (moved - bound) * total
    gone = 0.0
    for _ in range(number):
        best = 0
        for i in range(1, number):
            if left[i] > left[best]:
                best = i
        if left[best] <= 0.0:
            return total
        if excess <= counts[best] * left[best]:
            return float(gone + excess / left[best])
        gone += counts[best]
        excess -= counts[best] * left[best]
        left[best] = -1.0
    return total
