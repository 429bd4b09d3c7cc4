"""Classes whose labels overlap, arranged so that a known combination finds its classes quickly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.table.attacks.matching.compatible import Compatible, Ints


@dataclass(frozen=True)
class BoxTree:
    """Classes as boxes of codes in a tree, and known combinations as points, neighbours after each other."""

    order: Ints = field(repr=False)
    """the class of every box"""
    walked: Ints = field(repr=False)
    """the combination of every point"""
    points: Ints = field(repr=False)
    boxes: Ints = field(repr=False)
    flag_starts: Ints = field(repr=False)
    flags: NDArray[np.uint8] = field(repr=False)
    spans: Ints = field(repr=False)
    hulls: Ints = field(repr=False)
    sums: Ints = field(repr=False)
    rows: Ints = field(repr=False)
    persons: Ints = field(repr=False)

    @classmethod
    def of(
        cls, columns: Sequence[Compatible], codes: Ints, labels: Ints, rows: Ints, persons: Ints
    ) -> BoxTree:
        """Build it from the codes of combinations and the labels of classes, column by column."""
        from sfumato.table.attacks.matching._kernels_candidates import build, measure

        lows, highs = (
            np.stack([bound[shown] for bound, shown in zip(bounds, labels, strict=True)])
            for bounds in ([c.lows for c in columns], [c.highs for c in columns])
        )
        offsets = np.cumsum([0, *(len(c.flags) for c in columns)])
        starts = np.stack(
            [
                np.where(c.flag_starts >= 0, c.flag_starts + offset, -1)[shown]
                for c, offset, shown in zip(columns, offsets[:-1], labels, strict=True)
            ]
        )
        groups = _silent_columns(columns, lows, highs)
        order = np.argsort(groups, kind="stable").astype(np.int64)
        spans = np.zeros((2 * len(order), 3), np.int64)
        spans = np.ascontiguousarray(spans[: build(lows, highs, groups, order, spans)])
        boxes = np.ascontiguousarray(np.stack([lows, highs], axis=-1)[:, order].transpose(1, 0, 2))
        flag_starts = np.ascontiguousarray(starts[:, order].T)
        hulls = np.zeros((len(spans), len(columns), 4), np.int64)
        sums = np.zeros((len(spans), 3), np.int64)
        measure(boxes, (flag_starts >= 0).astype(np.uint8), persons[order], rows[order], spans, hulls, sums)
        walked = np.lexsort(codes[::-1]).astype(np.int64)
        return cls(
            order,
            walked,
            np.ascontiguousarray(codes[:, walked].T),
            boxes,
            flag_starts,
            np.concatenate([c.flags for c in columns]),
            spans,
            hulls,
            sums,
            rows[order],
            persons[order],
        )

    def count(self, weights: Ints) -> tuple[Ints, Ints]:
        """Return classes, rows, persons and those of the largest class per combination, and who reaches whom.

        ``weights`` are two for each combination; the second part adds them up over all that agree with a
        class.
        """
        from sfumato.table.attacks.matching._kernels_candidates import count

        totals, reached = np.zeros((len(self.points), 4), np.int64), np.zeros((len(self.order), 2), np.int64)
        count(
            self.points,
            np.ascontiguousarray(weights[self.walked]),
            self.boxes,
            self.flag_starts,
            self.flags,
            self.rows,
            self.persons,
            self.spans,
            self.hulls,
            self.sums,
            totals,
            reached,
        )
        return _back(totals, self.walked), _back(reached, self.order)

    def narrow(self, reached: Ints) -> tuple[Ints, NDArray[np.float64]]:
        """Return for every combination what is told of the classes that the fewest reach.

        First the number, the rows and the persons of the largest of them, then the sum of persons / reached
        over all classes that agree.
        """
        from sfumato.table.attacks.matching._kernels_candidates import narrow

        found, shares = np.zeros((len(self.points), 3), np.int64), np.zeros(len(self.points))
        narrow(
            self.points,
            self.boxes,
            self.flag_starts,
            self.flags,
            self.rows,
            self.persons,
            self.spans,
            self.hulls,
            reached[self.order],
            found,
            shares,
        )
        back = np.empty_like(shares)
        back[self.walked] = shares
        return _back(found, self.walked), back

    def listed(self, starts: Ints) -> Ints:
        """List the classes of every combination; those of combination i from ``starts[i]`` on, in order."""
        from sfumato.table.attacks.matching._kernels_candidates import collect

        found = np.zeros(int(starts[-1]), np.int64)
        places = starts[self.walked]
        collect(self.points, self.boxes, self.flag_starts, self.flags, self.spans, self.hulls, places, found)
        classes = self.order[found]
        owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        in_order: Ints = classes[np.lexsort((classes, owner))]
        return in_order


def _silent_columns(columns: Sequence[Compatible], lows: Ints, highs: Ints) -> Ints:
    """Number which columns a class says next to nothing of: its label covers most of their values."""
    groups = np.zeros(lows.shape[1], np.int64)
    for column, low, high in zip(columns, lows, highs, strict=True):
        groups = 2 * groups + ((high - low > 1) & (2 * (high - low) > column.missing + 1))
    return groups


def _back(values: Ints, order: Ints) -> Ints:
    """Put values that stand in some order back into the one before."""
    found = np.empty_like(values)
    found[order] = values
    return found
