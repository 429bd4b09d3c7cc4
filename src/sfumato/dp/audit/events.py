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
    """Return the event with the best score among all that are tried."""
    best: tuple[float, Event] | None = None
    for reading in readings:
        first, second = reading.read(one), reading.read(other)
        edges = _edges(np.concatenate([first, second]))
        counts = [np.bincount(_cells(each, edges), minlength=edges.size + 1) for each in (first, second)]
        for swapped in (False, True):
            more, less = (counts[1], counts[0]) if swapped else (counts[0], counts[1])
            for order, sizes in _families(more, less):
                happened, happened_less = _sums(more, order, sizes), _sums(less, order, sizes)
                scores = score(_below(happened, len(one), z), _above(happened_less, len(one), z))
                place = int(np.argmax(scores))
                if best is None or scores[place] > best[0]:
                    cells = np.zeros(edges.size + 1, np.bool_)
                    start = 0 if sizes is None else place
                    cells[order[start : place + 1]] = True
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


def _families(
    more: NDArray[np.int64], less: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.intp], str | None]]:
    """Yield orders of the cells: single ones, then beginnings of: upwards, downwards, by likelihood ratio."""
    upwards = np.arange(more.size)
    yield upwards, "single"
    yield upwards, None
    yield upwards[::-1], None
    yield np.argsort(-(more + 0.5) / (less + 0.5), kind="stable"), None


def _sums(counts: NDArray[np.int64], order: NDArray[np.intp], sizes: str | None) -> FLOAT:
    ordered = counts[order].astype(np.float64)
    return ordered if sizes is not None else np.cumsum(ordered)


def _below(seen: FLOAT, trials: int, z: float) -> FLOAT:
    """Estimate a lower bound on a probability: (√k − z/2)², good enough to choose by."""
    return np.maximum(np.sqrt(seen) - z / 2.0, 0.0) ** 2 / trials


def _above(seen: FLOAT, trials: int, z: float) -> FLOAT:
    return (np.sqrt(seen + 1.0) + z / 2.0) ** 2 / trials


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
