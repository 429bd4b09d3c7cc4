"""How many people must change until a site is, or is no longer, significant: one pass over tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def people_to_move(alleles: int, twice: int) -> int:
    """Return how few people move so many alleles, when ``twice`` of them can move two and the others one."""
    if alleles <= 2 * twice:
        return (alleles + 1) // 2
    return alleles - twice


@kernel
def distance_scores(
    cases: NDArray[np.int64],
    controls: NDArray[np.int64],
    lowest: NDArray[np.int64],
    highest: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    """Score each site: d people to change if it is significant, 1 − d if it is not.

    With b alternate alleles among controls a site is not significant where cases have ``lowest[b]`` to
    ``highest[b]`` of them.
    """
    for site in range(cases.shape[0]):
        r0, r1, r2 = cases[site, 0], cases[site, 1], cases[site, 2]
        s0, s1, s2 = controls[site, 0], controls[site, 1], controls[site, 2]
        a, b = r1 + 2 * r2, s1 + 2 * s2
        most_a, most_b = 2 * (r0 + r1 + r2), 2 * (s0 + s1 + s2)
        best = r0 + r1 + r2 + s0 + s1 + s2 + 1
        significant = a < lowest[b] or a > highest[b]
        # Fewer alternate alleles among controls, or as many.
        for there in range(b, -1, -1):
            theirs = people_to_move(b - there, s2)
            if theirs >= best:
                break
            mine = -1
            if significant:
                if lowest[there] <= highest[there]:
                    if a > highest[there]:
                        mine = people_to_move(a - highest[there], r2)
                    elif a < lowest[there]:
                        mine = people_to_move(lowest[there] - a, r0)
                    else:
                        mine = 0
            elif highest[there] < most_a:
                mine = people_to_move(max(highest[there] + 1 - a, 0), r0)
            if mine >= 0 and mine + theirs < best:
                best = mine + theirs
        # More of them, or as many.
        for there in range(b, most_b + 1):
            theirs = people_to_move(there - b, s0)
            if theirs >= best:
                break
            mine = -1
            if significant:
                if lowest[there] <= highest[there]:
                    if a > highest[there]:
                        mine = people_to_move(a - highest[there], r2)
                    elif a < lowest[there]:
                        mine = people_to_move(lowest[there] - a, r0)
                    else:
                        mine = 0
            elif lowest[there] > 0:
                mine = people_to_move(max(a - lowest[there] + 1, 0), r2)
            if mine >= 0 and mine + theirs < best:
                best = mine + theirs
        found[site] = best if significant else 1 - best
