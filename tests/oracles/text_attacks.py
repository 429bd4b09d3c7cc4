"""Slow and obvious: who fits a note best, by looking at every pair of a note and a person."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from datetime import date

Clues = frozenset[object]


def linked(notes: Sequence[Clues], people: Sequence[Clues]) -> list[list[int]]:
    """Return for each note the people with the highest score; all where nothing fits."""
    found = []
    for note in notes:
        scores = []
        for person in people:
            score = 0.0
            for clue in sorted(note & person, key=repr):
                bearers = sum(clue in other for other in people)
                standing = sum(clue in other for other in notes)
                others = len(people) - bearers
                if not others:
                    continue
                owned = min(0.95, (1 + len(notes) * bearers / len(people)) / standing)
                score += max(0.0, math.log2((owned / bearers) / ((1 - owned) / others)))
            scores.append(score)
        highest = max(scores)
        found.append([row for row, score in enumerate(scores) if score >= highest - 1e-9])
    return found


def offsets(true: set[date], shown: set[date], days: int) -> list[int]:
    """Return the best supported offsets, by trying all."""
    best: dict[tuple[int, int], list[int]] = {}
    for moved in itertools.chain(range(-days, 0), range(1, days + 1)):
        ordinals = {day.toordinal() for day in shown}
        known = sum(day.toordinal() + moved in ordinals for day in true)
        inside = sum(day + moved in ordinals for day in ordinals)
        best.setdefault((known, inside), []).append(moved)
    known, inside = max(best)
    return best[known, inside] if known or inside else []
