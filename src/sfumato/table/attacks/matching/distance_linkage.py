"""Distance-based linkage: the nearest record, in standard deviations and in ranks, and the best pairing.

D. Pagliuca and G. Seri, "Some results of individual ranking method on the system of enterprise accounts
annual survey", Esprit SDC project, 1999; J. Domingo-Ferrer and V. Torra, "Distance-based and probabilistic
record linkage for re-identification of records with categorical variables", Butlletí de l'ACIA 28, 2002.

    d(x, y)² = Σ_axes ((x_j − y_j) / σ_j)²  +  number of categories that differ

Ranks are those of each file among its own values, in the same unit: they stay near where values were swapped,
rounded or drawn out, and outliers do not drown the other columns. Every record is looked at, through a k-d
tree that leaves out only what is surely further away: no block, no cap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.table.attacks.matching.blocking import Keys, Pass
from sfumato.table.attacks.matching.compatible import Ints

Floats = NDArray[np.float64]
MOST_ASSIGNED = 4_000
"""people and records up to which the pairing of all of them is found that is nearest on the whole"""
_NEIGHBOURS = 10
_AT_A_TIME = 2_000


@dataclass(frozen=True)
class Space:
    """Both files as points: a column each, and how it counts (``kinds`` of the tree)."""

    title: str
    known: Floats = field(repr=False)
    released: Floats = field(repr=False)
    kinds: Ints = field(repr=False)

    def nearest(self, number: int, random: np.random.Generator, progress: Progress = SILENT) -> Ints:
        """Return the nearest records of each person, nearest first; equally near ones in a random order."""
        from sfumato.table.attacks.matching._kernels_distance import nearest_records
        from sfumato.table.perturbation.microaggregation_tree import tree_of

        order = random.permutation(len(self.released))
        tree = tree_of(np.ascontiguousarray(self.released[order]), self.kinds)
        found = np.full((len(self.known), min(number, len(order))), -1, np.int64)
        for first in range(0, len(found), _AT_A_TIME):
            progress.update(first / len(found), f"nearest by {self.title}")
            some = slice(first, first + _AT_A_TIME)
            nearest_records(tree, self.known[some], found[some], np.full(found[some].shape, np.inf))
        return order[found]

    def assigned(self, random: np.random.Generator) -> Ints:
        """Return the record of each person (−1: none) in the pairing of the least sum of distances."""
        from sfumato.table.attacks.matching._kernels_distance import all_distances, assign_at_least_cost

        order = random.permutation(len(self.released))
        costs = np.empty((len(self.known), len(order)))
        all_distances(self.known, np.ascontiguousarray(self.released[order]), self.kinds, costs)
        if costs.shape[0] <= costs.shape[1]:
            given = np.empty(len(costs), np.int64)
            assign_at_least_cost(costs, given)
            return order[given]
        owner = np.empty(costs.shape[1], np.int64)
        assign_at_least_cost(np.ascontiguousarray(costs.T), owner)
        found = np.full(len(costs), -1, np.int64)
        found[owner] = order
        return found


def spaces(keys: Sequence[Keys]) -> tuple[Space, Space]:
    """Lay both files out twice: in standard deviations, and in ranks."""
    return tuple(
        Space(title, *_points(keys, ranks=ranks), kinds=_kinds(keys))
        for title, ranks in (("standard deviations", False), ("ranks", True))
    )  # type: ignore[return-value]


def neighbours(found: Sequence[Ints]) -> list[Pass]:
    """Bring together whom nearest records were found of, one pass for each way to find them."""
    passes = []
    for nearest in found:
        left = np.repeat(np.arange(len(nearest), dtype=np.int64), nearest.shape[1])
        passes.append(Pass((), left, nearest.ravel().astype(np.int64)))
    return passes


def along_each_axis(keys: Sequence[Keys], most_pairs: int, random: np.random.Generator) -> list[Pass]:
    """Bring together who is next to each other on one axis alone, a pass for each (sorted neighbourhoods).

    M. A. Hernández and S. J. Stolfo, "The merge/purge problem for large databases", SIGMOD 1995. One column
    may be near its origin while all others are not; equally near records come in a random order.
    """
    axes = [key for key in keys if key.places is not None]
    passes = []
    for key in axes:
        assert key.places is not None
        known, released = key.places
        number = min(number_of_neighbours(len(known) * len(axes), most_pairs), len(released))
        order = np.lexsort((random.random(len(released)), released))
        present = order[: int((~np.isnan(released)).sum())]
        who = np.flatnonzero(~np.isnan(known))
        if not len(present) or not len(who):
            continue
        number = min(number, len(present))
        sorted_places = released[present]
        # The window around the middle of all equal ones, so that no end of a tie is preferred.
        below, up_to = (np.searchsorted(sorted_places, known[who], side) for side in ("left", "right"))
        first = np.clip((below + up_to) // 2 - number // 2, 0, len(present) - number)
        near = present[first[:, None] + np.arange(number)[None, :]]
        passes.append(Pass((), np.repeat(who, number), near.ravel().astype(np.int64), "nearness"))
    return passes


def number_of_neighbours(people: int, most_pairs: int) -> int:
    """Return how many nearest records of each person are weighed, without more pairs than can be held."""
    return max(1, min(_NEIGHBOURS, most_pairs // (2 * people)))


def _kinds(keys: Sequence[Keys]) -> Ints:
    from sfumato.table.perturbation._kernels_microaggregation import CATEGORY, SQUARED

    return np.array([CATEGORY if key.places is None else SQUARED for key in keys], np.int64)


def _points(keys: Sequence[Keys], *, ranks: bool) -> tuple[Floats, Floats]:
    sides: tuple[list[Floats], list[Floats]] = ([], [])
    for key in keys:
        if key.places is None:
            known, released = _codes(key)
        elif ranks:
            known, released = (_ranks(side) for side in key.places)
        else:
            known, released = _standardised(*key.places)
        sides[0].append(known)
        # What the release does not say lies in the middle of what it might be.
        sides[1].append(released if key.places is None else np.nan_to_num(released, nan=0.0))
    return np.column_stack(sides[0]), np.column_stack(sides[1])


def _codes(key: Keys) -> tuple[Floats, Floats]:
    """Return codes as places between 0 and 1; unknown of people is NaN, of records UNSAID."""
    from sfumato.table.attacks.matching._kernels_distance import UNSAID

    scale = float(max(1, key.known.max(initial=0), key.released.max(initial=0)))
    known, released = key.known / scale, key.released / scale
    return np.where(key.known < 0, np.nan, known), np.where(key.released < 0, UNSAID, released)


def _standardised(known: Floats, released: Floats) -> tuple[Floats, Floats]:
    spread = float(np.nanstd(known))
    middle = float(np.nanmean(known))
    scale = spread if spread > 0 else 1.0
    return (known - middle) / scale, (released - middle) / scale


def _ranks(values: Floats) -> Floats:
    """Return mean ranks from −√3 to √3, where even shares have a standard deviation of 1; NaN stays."""
    present = ~np.isnan(values)
    found = np.full(len(values), np.nan)
    order = np.sort(values[present])
    below, up_to = (np.searchsorted(order, values[present], side) for side in ("left", "right"))
    found[present] = ((below + up_to) / max(1, len(order)) - 1.0) * np.sqrt(3.0)
    return found
