"""Where planted accounts may stand, by trying every list of nodes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def best_places(
    near: Sequence[set[int]],
    inside: Sequence[Sequence[bool]],
    known: Sequence[int],
    slack: int = 0,
    allowed: Sequence[int] | None = None,
) -> tuple[int, set[tuple[int, ...]]]:
    """Return the least distance from what was planted and the places that have it; (−1, none) for no place.

    Accounts are given in the order of the search: each needs an edge that was planted to one before it.
    """
    count = len(known)
    bounds = [0] * count if allowed is None else allowed
    found: dict[tuple[int, ...], int] = {}
    for image in itertools.permutations(range(len(near)), count):
        off = [abs(len(near[node]) - degree) for node, degree in zip(image, known, strict=True)]
        if max(off) > slack:
            continue
        wrong = [
            sum((image[at] in near[image[other]]) != inside[at][other] for other in range(at))
            for at in range(count)
        ]
        held = all(
            any(inside[at][other] and image[at] in near[image[other]] for other in range(at))
            for at in range(1, count)
        )
        if held and all(sum(wrong[: at + 1]) <= bounds[at] for at in range(count)):
            found[image] = sum(off) + sum(wrong)
    if not found:
        return -1, set()
    least = min(found.values())
    return least, {image for image, distance in found.items() if distance == least}
