"""Searching an event that betrays the input: much more likely on one of two neighbours than on the other.

The values of a reading are cut into cells. An event is a set of cells: one, all below or above some value, or
those in which the two inputs differ most (by J. Neyman & E. Pearson, 1933, sets of the largest likelihood
ratios are the best there are). How good an event is comes from samples that are never used again: the bounds
that count are made of fresh ones, so searching long costs no confidence (B. Bichsel et al., "DP-Sniper",
2021, search and test in the same two steps).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sfumato.dp.audit.readings import Outputs, Reading

MOST_CELLS = 512
FLOAT = NDArray[np.float64]
Score = Callable[[FLOAT, FLOAT], FLOAT]
"""how good events are, from careful estimates: at least so likely on one input, at most on the other"""


@dataclass(frozen=True)
class Event:
    """A set of values of a reading. ``swapped``: it is the more likely one on the second input."""

    reading: Reading
    edges: Outputs = field(repr=False)
    cells: NDArray[np.bool_] = field(repr=False)
    swapped: bool

    def count(self, outputs: Outputs) -> int:
        """Return in how many outputs it happened."""
        return int(self.cells[_cells(self.reading.read(outputs), self.edges)].sum())

    def __str__(self) -> str:
        chosen = np.flatnonzero(self.cells)
        if not chosen.size:
            return f"{self.reading.name} never"
        # The first cell is what lies below all edges.
        first, last = int(chosen[0]), int(chosen[-1])
        if chosen.size < last - first + 1:
            return f"{self.reading.name} in {chosen.size} of {self.cells.size} ranges"
        low = "" if first == 0 else f" from {self.edges[first - 1]:.6g}"
        high = "" if last == self.edges.size else f" to below {self.edges[last]:.6g}"
        return f"{self.reading.name}{low}{high}"


def best_event(one: Outputs, other: Outputs, readings: Sequence[Reading], score: Score, z: float) -> Event:
    """Return the event with the best score among all that are tried.

    Cells are put into order by every second output and scored by the others: where cells are many and outputs
    few, an order by likelihood ratio looks far better on the outputs that it was made from than it is.
    """
    best: tuple[float, Event] | None = None
    trials = len(one) // 2
    for reading in readings:
        first, second = reading.read(one), reading.read(other)
        edges = _edges(np.concatenate([first, second]))
        places = [_cells(each, edges) for each in (first, second)]
        ordering, scoring = (
            [np.bincount(each[start::2], minlength=edges.size + 1) for each in places] for start in (0, 1)
        )
        for swapped in (False, True):
            more, less = (1, 0) if swapped else (0, 1)
            for order, summed in _families(ordering[more], ordering[less]):
                seen, seen_less = (
                    np.cumsum(counts[order]) if summed else counts[order]
                    for counts in (scoring[more], scoring[less])
                )
                scores = score(_below(seen, trials, z), _above(seen_less, trials, z))
                place = int(np.argmax(scores))
                if best is None or scores[place] > best[0]:
                    cells = np.zeros(edges.size + 1, np.bool_)
                    cells[order[0 if summed else place : place + 1]] = True
                    best = float(scores[place]), Event(reading, edges, cells, swapped)
    assert best is not None
    return best[1]


def epsilon_score(delta: float) -> Score:
    """Score events by ln((p − δ)/q)."""

    def score(likely: FLOAT, unlikely: FLOAT) -> FLOAT:
        spare = likely - delta
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(spare > 0, np.log(np.maximum(spare, 1e-300) / unlikely), -np.inf)

    return score


def delta_score(epsilon: float) -> Score:
    """Score events by p − e^ε q."""
    grown = math.exp(min(epsilon, 700.0))
    return lambda likely, unlikely: likely - grown * unlikely


def _families(more: NDArray[np.int64], less: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.intp], bool]]:
    """Yield orders of the cells, and whether events are all beginnings of it or its single cells.

    Single cells; from below; from above; from the largest likelihood ratio on.
    """
    upwards = np.arange(more.size)
    yield upwards, False
    yield upwards, True
    yield upwards[::-1], True
    yield np.argsort(-(more + 0.5) / (less + 0.5), kind="stable"), True


def _below(seen: NDArray[np.int64], trials: int, z: float) -> FLOAT:
    """Estimate a lower bound on a probability: (√k − z/2)², good enough to choose by."""
    found: FLOAT = np.maximum(np.sqrt(seen) - z / 2.0, 0.0) ** 2 / trials
    return found


def _above(seen: NDArray[np.int64], trials: int, z: float) -> FLOAT:
    found: FLOAT = (np.sqrt(seen + 1.0) + z / 2.0) ** 2 / trials
    return found


def _edges(values: Outputs) -> Outputs:
    """Return where cells begin: at every value, or at quantiles where there are too many."""
    if values.dtype.kind == "f":
        values = values[np.isfinite(values)]
    distinct = np.unique(values)
    if distinct.size <= MOST_CELLS:
        return cast(Outputs, distinct)
    # Quantiles of the distinct ones and of all: rare values and frequent ones both get cells of their own.
    places = np.linspace(0, 1, MOST_CELLS // 2)
    several = [np.sort(each)[(places * (each.size - 1)).astype(np.int64)] for each in (distinct, values)]
    return cast(Outputs, np.unique(np.concatenate(several)))


def _cells(values: Outputs, edges: Outputs) -> NDArray[np.intp]:
    """Return the cell of every value; what is not a number belongs to the last one."""
    return np.searchsorted(edges, values, side="right")
