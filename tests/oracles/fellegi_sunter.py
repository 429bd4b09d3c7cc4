"""Fuzzy linkage the slow way: Jaro–Winkler letter by letter, expectation maximisation pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, prod

FLOOR = 1e-6


def jaro_winkler(a: str, b: str) -> float:
    """Follow the definition: common letters near each other, transpositions, a common beginning."""
    if a == b:
        return 1.0
    reach = max(max(len(a), len(b)) // 2 - 1, 0)
    free = dict(enumerate(b))
    pairs: list[tuple[int, int]] = []
    for i, letter in enumerate(a):
        near = [j for j in sorted(free) if abs(i - j) <= reach and free[j] == letter]
        if near:
            pairs.append((i, near[0]))
            del free[near[0]]
    if not pairs:
        return 0.0
    ours = [a[i] for i, _ in pairs]
    theirs = [b[j] for _, j in sorted(pairs, key=lambda pair: pair[1])]
    transposed = sum(x != y for x, y in zip(ours, theirs, strict=True)) // 2
    common = len(pairs)
    jaro = (common / len(a) + common / len(b) + (common - transposed) / common) / 3
    beginning = 0
    while beginning < min(4, len(a), len(b)) and a[beginning] == b[beginning]:
        beginning += 1
    return jaro + 0.1 * beginning * (1 - jaro)


def _share(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    raised = [max(weight / total, FLOOR) if total else 1.0 for weight in weights]
    return [weight / sum(raised) for weight in raised]


def maximise(
    pairs: Sequence[Sequence[int]],
    known_levels: Sequence[int],
    start: Sequence[Sequence[float]],
    share: float,
) -> tuple[float, list[list[float]], list[list[float]]]:
    """Return the share of matches, m and u; a level of ``known_levels[j]`` in column j is unknown."""
    u = [list(part) for part in start]
    m = [_share([3.0**-level for level in range(number)]) for number in known_levels]
    for _ in range(500):
        chances = []
        for pair in pairs:
            told = [(j, level) for j, level in enumerate(pair) if level < known_levels[j]]
            match = share * prod(m[j][level] for j, level in told)
            other = (1 - share) * prod(u[j][level] for j, level in told)
            chances.append(match / (match + other))
        before = (share, *(x for part in (*m, *u) for x in part))
        share = sum(chances) / len(pairs)
        for j, number in enumerate(known_levels):
            for figures, weights in ((m, chances), (u, [1 - chance for chance in chances])):
                counts = [
                    sum(w for w, pair in zip(weights, pairs, strict=True) if pair[j] == level)
                    for level in range(number)
                ]
                figures[j] = _share(counts)
        after = (share, *(x for part in (*m, *u) for x in part))
        if max(abs(x - y) for x, y in zip(before, after, strict=True)) < 1e-5:
            break
    return share, m, u


def weight(pair: Sequence[int], m: Sequence[Sequence[float]], u: Sequence[Sequence[float]]) -> float:
    """Add log2 m/u over the columns that are known."""
    return sum(log2(m[j][level] / u[j][level]) for j, level in enumerate(pair) if level < len(m[j]))
