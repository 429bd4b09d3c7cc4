"""What a release has lost whoever made it: its labels are read, and measured as those of a method here.

Measures of loss are functions of a ``Solution``: classes, and how wide the values are that each shows. A
release that was made elsewhere shows both; only which original row became which is not known, and not needed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import Domain, as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT
from sfumato.table.cells import Cells
from sfumato.table.solution import SUPPRESSED, Generalised, Solution
from sfumato.table.utility.labels import LabelReader, Members, Span
from sfumato.table.utility.measures import MEASURES, Measure
from sfumato.table.utility.records import Records

F64 = NDArray[np.float64]
_NUMBERED = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)
_RANGE = re.compile(r"(.*)\[(\d+)-(\d+)\](.*)", re.DOTALL)
_OF_ROWS = ("entropy",)
"""measures that ask which original value each released one came from"""
MEASURED: tuple[Measure, ...] = tuple(measure for measure in MEASURES if measure.name not in _OF_ROWS)
"""what can be measured of any release"""


def changed_columns(records: Records) -> tuple[str, ...]:
    """Return the columns in which a release shows something that is no value of the original."""
    found = []
    for name in records.columns:
        domain = records.reader(name).domain
        known = set(domain.texts)
        shown = pc.unique(records.released.column(name)).to_pylist()
        if any((None if label is None else as_text(label)) not in known for label in shown):
            found.append(name)
    return tuple(found)


def solution_of(records: Records) -> Solution:
    """Read the classes of a release and how wide their values are.

    Rows that the release lacks, and rows that show nothing but ``*``, are suppressed.
    """
    rows, left = records.original.num_rows, records.released.num_rows
    if left > rows:
        raise BadInput(
            f"the release has {left:,} rows and the original {rows:,}",
            remedy="give the table that the release was made from",
        )
    columns = [_Column.of(records, name) for name in records.quasi]
    shown = np.array([column.shown for column in columns], np.int64).reshape(len(columns), left)
    boxes, counts = np.unique(shown, axis=1, return_counts=True)
    hidden = np.ones(boxes.shape[1], np.bool_)
    for column, box in zip(columns, boxes, strict=True):
        hidden &= column.hidden[box]
    classes = np.where(hidden, SUPPRESSED, np.cumsum(~hidden) - 1)
    codes, sizes = boxes.astype(np.int32), counts.astype(np.int64)
    if left < rows:
        codes = np.concatenate([codes, np.zeros((len(columns), 1), np.int32)], axis=1)
        sizes, classes = np.append(sizes, rows - left), np.append(classes, SUPPRESSED)
    domains = tuple(
        Domain.of(column.values.name, range(max(1, len(column.values.labels)))) for column in columns
    )
    return Solution(
        Cells(domains, np.ascontiguousarray(codes), sizes, sizes),
        classes.astype(np.int32),
        np.ascontiguousarray(boxes[:, ~hidden]).astype(np.int32),
        tuple(column.values for column in columns),
    )


@dataclass(frozen=True)
class _Column:
    """One column of a release: its labels, which of them every row shows, and which say nothing."""

    values: Generalised
    shown: NDArray[np.int64] = field(repr=False)
    hidden: NDArray[np.bool_] = field(repr=False)

    @classmethod
    def of(cls, records: Records, name: str) -> _Column:
        """Read a column."""
        reader = records.reader(name)
        encoded = pc.dictionary_encode(records.released.column(name).combine_chunks(), null_encoding="encode")
        chunks = encoded.chunks if hasattr(encoded, "chunks") else [encoded]
        labels = chunks[0].dictionary.to_pylist() if chunks else []
        shown = chunks[0].indices.to_numpy(zero_copy_only=False) if chunks else np.zeros(0)
        texts = tuple(None if label is None else as_text(label) for label in labels)
        # Nothing, where everybody had a value, is a value that was hidden.
        hidden = np.array(
            [t == ROOT or (t is None and not reader.domain.has_missing) for t in texts], np.bool_
        )
        widths = _Widths.on_axis(reader) if reader.on_axis else _Widths.numbered(reader, texts)
        extents, leaves = np.full(len(labels), np.nan), np.ones(len(labels))
        for i, label in enumerate(labels):
            if widths and not hidden[i]:
                extents[i], leaves[i] = widths.of(label)
            elif not hidden[i]:
                cover = reader.read(label)
                assert isinstance(cover, Members)
                leaves[i] = cover.size
        # A label may name values that the original does not have: there are at least as many then.
        size = max(float(len(reader.domain)) if widths else _root_size(reader), float(leaves.max(initial=1)))
        leaves[hidden] = size
        if widths:
            extents[hidden] = widths.span
        values = Generalised(
            name,
            texts,
            leaves,
            int(size),
            extents,
            widths.span if widths else np.nan,
            np.full(len(labels), np.nan),
            0,
        )
        return cls(values, np.asarray(shown, np.int64), hidden)


def _root_size(reader: LabelReader) -> float:
    """Return how many values a column could show: those of its hierarchy, or those of the original."""
    root = reader.read(ROOT)
    assert isinstance(root, Members)
    return root.size


@dataclass(frozen=True)
class _Widths:
    """A column whose values lie on an axis: numbers, dates, or texts around a number such as CF10."""

    reader: LabelReader
    placed: F64
    """where each code of the domain lies, without missing"""
    affixes: tuple[str, str] | None = None

    @property
    def span(self) -> float:
        """From the least value to the largest."""
        return float(self.placed.max() - self.placed.min())

    @classmethod
    def on_axis(cls, reader: LabelReader) -> _Widths:
        """Take numbers and dates as they are."""
        return cls(reader, reader.placed)

    @classmethod
    def numbered(cls, reader: LabelReader, shown: tuple[str | None, ...]) -> _Widths | None:
        """Take texts as numbers where all have the same letters around one, and the release shows ranges."""
        matches = [_NUMBERED.fullmatch(text) for text in reader.domain.texts if text is not None]
        found = [match for match in matches if match is not None]
        affixes = {(match[1], match[3]) for match in found}
        if len(found) < len(matches) or len(affixes) != 1:
            return None
        (around,) = affixes
        ranges = [match for text in shown if text is not None and (match := _RANGE.fullmatch(text))]
        if not any((match[1], match[4]) == around for match in ranges):
            return None
        return cls(reader, np.array([float(match[2]) for match in found]), around)

    def of(self, label: Any) -> tuple[float, float]:
        """Return how wide a label is, and how many values of the original it may stand for."""
        match = None if self.affixes is None or label is None else _RANGE.fullmatch(as_text(label))
        if match is not None and (match[1], match[4]) == self.affixes:
            low, high = float(match[2]), float(match[3])
            inside = np.count_nonzero((self.placed >= low) & (self.placed <= high))
            return min(high - low, self.span), max(1.0, float(inside))
        cover = self.reader.read(label)
        if isinstance(cover, Span):
            return self._of_span(cover)
        placed = self.placed[cover.codes[cover.codes < len(self.placed)]]
        return float(np.ptp(placed)) if len(placed) else 0.0, max(1.0, cover.size)

    def _of_span(self, cover: Span) -> tuple[float, float]:
        if cover.missing == 1.0:
            return 0.0, 1.0
        inside = max(1.0, float(np.count_nonzero((self.placed >= cover.low) & (self.placed < cover.high))))
        if cover.missing:
            return self.span, inside + 1
        width = cover.high - cover.low - (1.0 if self.reader.whole else 0.0)
        return min(max(width, 0.0), self.span), inside
