"""t-plausibility the slow way: every text written out, every choice tried."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

Parents = Mapping[str, Sequence[str]]
"""for each label those right above it"""


def chains(parents: Parents, low: str, high: str) -> list[list[str]]:
    """Return every way from one label up to another, both included."""
    if low == high:
        return [[low]]
    return [[low, *rest] for parent in parents.get(low, ()) for rest in chains(parents, parent, high)]


def below(parents: Parents, high: str) -> set[str]:
    """Return the labels from which some way of at least one step leads up to another."""
    return {low for low in parents if low != high and chains(parents, low, high)}


def count(parents: Parents, low: str, high: str, counting: str) -> int:
    """Return how many originals fit when one label is shown as another above it."""
    if low == high:
        return 1
    if counting == "paths":
        return len({label for chain in chains(parents, low, high) for label in chain})
    inside = below(parents, high)
    if counting == "leaves":
        groups = {parent for above in parents.values() for parent in above}
        inside -= groups
    return len(inside)


def texts(parents: Parents, shown: Sequence[tuple[str, str]]) -> int:
    """Write out all texts that fit (term, what it is shown as), and count them."""
    fitting = [sorted(below(parents, high)) if low != high else [low] for low, high in shown]
    return len({*itertools.product(*fitting)})


def least_loss(
    options: Sequence[Sequence[tuple[int, int]]],
    notes: Sequence[Sequence[int]],
    needs: Sequence[int],
    loss: str,
) -> tuple[float, int] | None:
    """Try every choice of (count, levels) for each term; return the least loss and its least levels."""
    best: tuple[float, int] | None = None
    for choice in itertools.product(*options):
        if any(
            math.prod(choice[term][0] for term in terms) < need
            for terms, need in zip(notes, needs, strict=True)
        ):
            continue
        levels = sum(steps for _, steps in choice)
        found = (float(lost(choice, notes, needs, loss)), levels)
        if best is None or found[0] < best[0] - 1e-9 or (found[0] < best[0] + 1e-9 and levels < best[1]):
            best = found
    return best


def lost(
    choice: Sequence[tuple[int, int]], notes: Sequence[Sequence[int]], needs: Sequence[int], loss: str
) -> float | Fraction:
    """Return the loss of a choice by its definition."""
    if loss == "levels":
        return Fraction(sum(steps for _, steps in choice))
    if loss == "entropy":
        return math.log2(math.prod(count for count, _ in choice))
    total = 0.0
    for term, (fits, _) in enumerate(choice):
        shares = [
            math.log2(need) / len(terms) for terms, need in zip(notes, needs, strict=True) if term in terms
        ]
        total += (math.log2(fits) - max(shares)) ** 2
    return total
