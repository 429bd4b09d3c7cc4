"""How far people are from the nearest record of a table, over columns of numbers, dates and categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.domain import Scale, as_day, as_number
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.table.attacks.matching.candidates import encoded
from sfumato.table.attacks.matching.compatible import compatible
from sfumato.table.utility.labels import LabelReader, Span

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Space:
    """The columns to measure in: distances on an axis in standard deviations of some people.

        d(person, record) = Σ_j |x_j − record_j| / σ_j  +  number of categories that cannot agree

    An interval is as far as its nearer end; a missing value is 1 from any but a missing one.
    """

    people: pa.Table
    """those whose values say which columns have an axis, and how wide it is"""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)

    def distances(self, people: pa.Table, records: pa.Table) -> Floats:
        """Return for each person the distance of the nearest record."""
        from sfumato.table.attacks.inference._kernels_nearest import nearest

        found = np.full(people.num_rows, np.inf)
        if not people.num_rows or not records.num_rows:
            return found
        places, lows, highs = (np.zeros((len(t), 0)) for t in (people, records, records))
        codes, labels = (np.zeros((len(t), 0), np.int64) for t in (people, records))
        tables: list[NDArray[np.uint8]] = [np.zeros(1, np.uint8)]
        starts: list[int] = []
        widths: list[int] = []
        for name in self.people.column_names:
            reader = LabelReader.of(name, self.people.column(name), self.hierarchies.get(name))
            spans = _spans(reader, records.column(name)) if reader.on_axis else None
            if spans is not None:
                width = float(np.nanstd(_placed(reader, self.people.column(name)))) or 1.0
                places = np.column_stack([places, _placed(reader, people.column(name)) / width])
                lows = np.column_stack([lows, spans[0] / width])
                highs = np.column_stack([highs, spans[1] / width])
                continue
            values, own = encoded(people.column(name))
            shown, label = encoded(records.column(name))
            agree = _agree(name, values, shown, self.hierarchies.get(name))
            starts.append(sum(map(len, tables)))
            widths.append(len(values))
            tables.append(agree.ravel())
            codes, labels = np.column_stack([codes, own]), np.column_stack([labels, label])
        nearest(
            np.ascontiguousarray(places),
            np.ascontiguousarray(codes),
            np.ascontiguousarray(lows),
            np.ascontiguousarray(highs),
            np.ascontiguousarray(labels),
            np.array(starts, np.int64),
            np.array(widths, np.int64),
            np.concatenate(tables),
            found,
        )
        return found


def _placed(reader: LabelReader, column: pa.ChunkedArray) -> Floats:
    """Return where exact values lie on the axis; NaN where they are missing or strange."""
    values, which = encoded(column)
    read = as_number if reader.domain.scale is Scale.NUMBER else as_day
    found = [None if value is None else read(value) for value in values]
    return np.array([np.nan if place is None else place for place in found], np.float64)[which]


def _spans(reader: LabelReader, column: pa.ChunkedArray) -> tuple[Floats, Floats] | None:
    """Return the ends of what each label covers, both inside; None where labels are no intervals."""
    labels, which = encoded(column)
    ends = []
    for label in labels:
        cover = reader.read(label)
        if not isinstance(cover, Span):
            return None
        if cover.missing == 1.0:
            ends.append((np.nan, np.nan))
        else:
            last = cover.high - 1 if reader.whole else np.nextafter(cover.high, -np.inf)
            ends.append((cover.low, max(cover.low, last)))
    both = np.array(ends, np.float64)[which]
    return both[:, 0], both[:, 1]


def _agree(
    name: str, values: Sequence[Any], labels: Sequence[Any], hierarchy: Hierarchy | None
) -> NDArray[np.uint8]:
    """Say which label (a row each) may stand for which value."""
    own = compatible(name, values, labels, hierarchy, missing_is_a_value=True)
    found = np.zeros((len(labels), len(values)), np.uint8)
    for label in range(len(labels)):
        found[label] = own.test(np.full(len(values), label, np.int64), own.codes)
    return found
