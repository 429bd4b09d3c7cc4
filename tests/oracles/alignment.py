"""The best global alignment of two texts with affine gaps, by memoised recursion over the whole table."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tests.oracles.iupac import BASES

NEVER = Fraction(-(10**9))


def overlap(one: str, other: str, match: int, mismatch: int) -> Fraction:
    """Return the points of two codes of IUPAC in one column."""
    shared, either = BASES[one] & BASES[other], BASES[one] | BASES[other]
    return Fraction(match * len(shared), len(either)) if shared else Fraction(mismatch)


def best_score(
    one: str, other: str, match: int = 5, mismatch: int = -4, opening: int = -10, extending: int = -1
) -> Fraction:
    """Return the greatest score of all alignments; a run of L gaps costs opening + (L − 1) · extending."""

    @cache
    def best(i: int, j: int, last: str) -> Fraction:
        """Of one[:i] and other[:j], where the last column is a pair, a gap below, or a gap above."""
        if i == 0 and j == 0:
            return Fraction(0) if last == "pair" else NEVER
        if last == "pair":
            if i == 0 or j == 0:
                return NEVER
            before = max(best(i - 1, j - 1, kind) for kind in ("pair", "below", "above"))
            return before + overlap(one[i - 1], other[j - 1], match, mismatch)
        if (last == "below" and i == 0) or (last == "above" and j == 0):
            return NEVER
        at = (i - 1, j) if last == "below" else (i, j - 1)
        return max(
            best(*at, kind) + (extending if kind == last else opening) for kind in ("pair", "below", "above")
        )

    return max(best(len(one), len(other), kind) for kind in ("pair", "below", "above"))


def score_of(
    one: str, other: str, match: int = 5, mismatch: int = -4, opening: int = -10, extending: int = -1
) -> Fraction:
    """Return the score of two rows with gaps, column by column."""
    total, last = Fraction(0), ""
    for x, y in zip(one, other, strict=True):
        if x == "-" or y == "-":
            side = "one" if x == "-" else "other"
            total += extending if side == last else opening
            last = side
        else:
            total += overlap(x, y, match, mismatch)
            last = ""
    return total
