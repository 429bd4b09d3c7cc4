"""Loops of fuzzy linkage: how alike two texts are, and who is given which record."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]

_MOST_COMMON = 4
"""letters at the beginning that Winkler counts"""
_PULL = 0.1


@kernel
def _jaro(a: I64, b: I64, used: U8, kept: I64) -> float:
    """M. A. Jaro (1989): letters in common within half the longer length, less half the transpositions."""
    short, long = a.shape[0], b.shape[0]
    if short == 0 and long == 0:
        return 1.0
    window = max(0, max(short, long) // 2 - 1)
    used[:long] = 0
    common = 0
    for i in range(short):
        for j in range(max(0, i - window), min(long, i + window + 1)):
            if used[j] == 0 and a[i] == b[j]:
                used[j] = 1
                kept[common] = a[i]
                common += 1
                break
    if common == 0:
        return 0.0
    moved, at = 0, 0
    for j in range(long):
        if used[j] == 1:
            moved += 1 if kept[at] != b[j] else 0
            at += 1
    score: float = (common / short + common / long + (common - moved // 2) / common) / 3.0
    return score


@kernel
def jaro_winkler(
    letters: I64,
    starts: I64,
    others: I64,
    other_starts: I64,
    left: I64,
    right: I64,
    scores: F64,
) -> None:
    """Score pairs of texts: Jaro's measure, pulled up for a common beginning (W. E. Winkler, 1990)."""
    longest = 1
    for text in range(other_starts.shape[0] - 1):
        longest = max(longest, other_starts[text + 1] - other_starts[text])
    for text in range(starts.shape[0] - 1):
        longest = max(longest, starts[text + 1] - starts[text])
    used, kept = np.zeros(longest, np.uint8), np.zeros(longest, np.int64)
    for p in range(left.shape[0]):
        a = letters[starts[left[p]] : starts[left[p] + 1]]
        b = others[other_starts[right[p]] : other_starts[right[p] + 1]]
        jaro = _jaro(a, b, used, kept)
        same = 0
        while same < min(_MOST_COMMON, a.shape[0], b.shape[0]) and a[same] == b[same]:
            same += 1
        scores[p] = jaro + same * _PULL * (1.0 - jaro)


@kernel
def assign(order: I64, left: I64, right: I64, given: I64, taken: I64, chosen: I64) -> None:
    """Go through pairs in order; who has no record yet is given one that nobody has (−1: none)."""
    for p in order:
        if given[left[p]] < 0 and taken[right[p]] < 0:
            given[left[p]] = right[p]
            taken[right[p]] = left[p]
            chosen[left[p]] = p
