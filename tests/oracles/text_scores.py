"""Scores of found spans, character by character: slow, obvious, and independent of the product.

A text is cut into words by walking over it; every question is asked of sets of character positions.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

Piece = tuple[int, int]


def words(text: str) -> list[Piece]:
    """Return the runs of letters and digits (texts without combining marks)."""
    found: list[Piece] = []
    for at, letter in enumerate(text):
        if not letter.isalnum():
            continue
        if found and found[-1][1] == at:
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
    return found


def places(pieces: list[Piece]) -> set[int]:
    """Return all character positions in some pieces."""
    return {at for start, end in pieces for at in range(start, end)}


def fates(text: str, gold: list[Piece], neutral: list[Piece], found: list[Piece]) -> list[tuple[Piece, str]]:
    """Return every word that was annotated or found with what became of it; neutral words are left out."""
    marked, left_alone, hit = places(gold), places(neutral), places(found)
    told = []
    for start, end in words(text):
        here = set(range(start, end))
        if here & marked:
            told.append(((start, end), "found" if here & marked <= hit else "missed"))
        elif here & hit and not here & left_alone:
            told.append(((start, end), "too much"))
    return told


def tail(successes: int, size: int, share: Fraction) -> Fraction:
    """Return the chance of so many or more successes, exactly."""
    return sum(
        (comb(size, k) * share**k * (1 - share) ** (size - k) for k in range(successes, size + 1)),
        Fraction(0),
    )
