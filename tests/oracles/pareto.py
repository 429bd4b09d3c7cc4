"""The Pareto front by comparing every point with every other."""

from __future__ import annotations

from collections.abc import Sequence


def not_beaten(points: Sequence[tuple[float, float]]) -> set[int]:
    """Return the positions of points that no other beats in one coordinate without losing in the other."""
    return {
        i
        for i, (a, b) in enumerate(points)
        if not any(c <= a and d <= b and (c < a or d < b) for c, d in points)
    }
