"""What a published label may stand for: an interval of an axis, or some of the values of a column.

A reader of a release knows no more than the label, and spreads a record evenly over all that it may
stand for. Every measure that compares a release with the original in the same terms begins here.

Labels are read as methods, masks and hierarchies write them: ``34``, ``20-24``, ``-5 to -1``, ``[21-30]``,
``[0.5, 1)``, ``<20``, ``90+``, ``[66-90+]``, ``1936 or earlier``, ``[≤1936-1950]``, ``2024-Q1``, ``{a, b}``,
``476**``, ``CF[1-10]``, ``*``, each with ``or missing`` behind it. Other labels need the hierarchy that they
come from.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import Domain, Scale, as_day, as_number, as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT, Hierarchy, Ladder, UncoveredValues
from sfumato.table.utility.predicates import Among, On, Ranges

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_BETWEEN = re.compile(rf"\[?\s*({_NUMBER})\s*(?:-|–|,|\.\.|to)\s*({_NUMBER})\s*([\])\[]?)")
_UPWARDS = re.compile(rf"\[?(?:({_NUMBER})\s*-\s*)?({_NUMBER})\+\]?")
_DOWNWARDS = re.compile(rf"\[?≤({_NUMBER})(?:\s*-\s*({_NUMBER}))?\]?|({_NUMBER}) or earlier")
_MASKED = re.compile(r"(\d+)(\*+)")
_DAY = r"\d{4}-\d{2}-\d{2}"
_DAYS = re.compile(rf"\[?({_DAY})(?: - |-|, )({_DAY})([\])]?)")
_MOMENT = rf"{_DAY} \d{{2}}:\d{{2}}:\d{{2}}(?:\.\d+)?(?:[+-]\d{{2}}:\d{{2}})?"
_MOMENTS = re.compile(rf"\[?({_MOMENT})(?: - ({_MOMENT}))?\]?")
_UNIT = re.compile(r"(\d{4})(?:-(\d{2})|-Q([1-4])|-(\d{4}))?")
_AFFIXED = re.compile(r"(.*)\[(\d+)-(\d+)\](.*)", re.DOTALL)
_OR_MISSING = " or missing"


@dataclass(frozen=True)
class Span:
    """An interval [low, high) of the axis; ``missing`` is the share of it that stands for a missing value."""

    low: float
    high: float
    missing: float = 0.0

    @property
    def middle(self) -> float:
        """The number to calculate with: of whole numbers 20 to 24, that is 22."""
        return self.low if self.missing == 1.0 else (self.low + self.high) / 2

    def share(self, predicate: On) -> float:
        """Return which part of the interval satisfies a predicate."""
        assert isinstance(predicate, Ranges)
        length = self.high - self.low
        inside = sum(max(0.0, min(self.high, high) - max(self.low, low)) for low, high in predicate.intervals)
        known = inside / length if length > 0 else 0.0
        return (1.0 - self.missing) * known + self.missing * predicate.missing


@dataclass(frozen=True)
class Members:
    """Values of the column, by code; ``size`` is how many the label may stand for, known ones or not."""

    codes: NDArray[np.int64] = field(compare=False)
    size: float

    def share(self, predicate: On) -> float:
        """Return which part of the values satisfies a predicate."""
        assert isinstance(predicate, Among)
        return float(np.count_nonzero(predicate.mask[self.codes])) / self.size


Cover = Span | Members


@dataclass(frozen=True)
class LabelReader:
    """Reads the labels of one column, given the values that the original has there."""

    domain: Domain
    hierarchy: Hierarchy | None = None

    @classmethod
    def of(cls, name: str, column: pa.ChunkedArray, hierarchy: Hierarchy | None = None) -> LabelReader:
        """Take the distinct values of an original column."""
        return cls(Domain.of(name, pc.unique(_plain(column)).to_pylist()), hierarchy)

    @property
    def on_axis(self) -> bool:
        """Whether the column has an axis: numbers or dates."""
        return self.domain.scale is not Scale.CATEGORY

    @cached_property
    def whole(self) -> bool:
        """Whether the axis goes in steps of one: whole numbers, whole days."""
        placed = self.placed
        return bool((placed == np.floor(placed)).all())

    @cached_property
    def placed(self) -> NDArray[np.float64]:
        """Where the values of the original lie, in order, without missing."""
        assert self.domain.positions is not None
        return self.domain.positions[: len(self.domain) - self.domain.has_missing]

    @cached_property
    def _code_of(self) -> dict[str | None, int]:
        return {text: code for code, text in enumerate(self.domain.texts)}

    @property
    def missing_code(self) -> int:
        """The code of a missing value, also where the original has none."""
        return len(self.domain) - 1 if self.domain.has_missing else len(self.domain)

    @property
    def codes(self) -> int:
        """How many codes there are, that of missing included."""
        return self.missing_code + 1

    @cached_property
    def _ladder(self) -> Ladder | None:
        if self.hierarchy is None:
            return None
        try:
            return self.hierarchy.ladder(self.domain)
        except UncoveredValues:
            # The hierarchy was laid over values that were masked before: its labels are read as they are.
            return None

    @cached_property
    def _of_hierarchy(self) -> dict[str, Members]:
        """What each label of the hierarchy covers; of labels at several levels the widest."""
        ladder = self._ladder
        found: dict[str, Members] = {}
        for level in range(0 if ladder is None else ladder.height + 1):
            assert ladder is not None
            for group, label in enumerate(ladder.labels[level]):
                if label is not None and label != ROOT:
                    codes = np.flatnonzero(ladder.rungs[level] == group).astype(np.int64)
                    found[label] = Members(codes, max(float(ladder.leaves[level][group]), len(codes)))
        return found

    def read(self, label: Any) -> Cover:
        """Return what a label may stand for; one that cannot be read is an error."""
        found = self._read_axis(label) if self.on_axis else self._read_set(label)
        if found is None:
            raise BadInput(
                "a released label is not understood",
                where=f"column '{self.domain.name}'",
                remedy="give the hierarchy of the column",
            )
        return found

    def covers(self, column: pa.ChunkedArray) -> tuple[list[Cover], NDArray[np.int64]]:
        """Read every distinct label once; return them and which one each row shows."""
        encoded = pc.dictionary_encode(_plain(column).combine_chunks(), null_encoding="encode")
        if isinstance(encoded, pa.ChunkedArray):
            encoded = (
                encoded.chunk(0) if encoded.num_chunks else pa.array([], pa.string()).dictionary_encode()
            )
        covers = [self.read(label) for label in encoded.dictionary.to_pylist()]
        return covers, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)

    def _read_set(self, label: Any) -> Members | None:
        if label is None:
            return self._members([self.missing_code])
        text = as_text(label)
        if text in self._of_hierarchy:
            return self._of_hierarchy[text]
        if text in self._code_of:
            return self._members([self._code_of[text]])
        bare = text.removesuffix(_OR_MISSING)
        missing = [self.missing_code] if bare != text else []
        if bare == ROOT:
            return self._root()
        if bare.startswith("{") and bare.endswith("}"):
            parts = members_of(bare[1:-1])
            known = [self._code_of[part] for part in parts if part in self._code_of]
            return Members(np.array(known + missing, np.int64), float(len(parts) + len(missing)))
        if affixed := _AFFIXED.fullmatch(bare):
            before, low, high, after = affixed[1], int(affixed[2]), int(affixed[3]), affixed[4]
            inside = re.compile(rf"{re.escape(before)}(\d+){re.escape(after)}")
            known = [
                code
                for text, code in self._code_of.items()
                if text is not None and (found := inside.fullmatch(text)) and low <= int(found[1]) <= high
            ]
            return Members(np.array(known + missing, np.int64), float(high - low + 1 + len(missing)))
        if ROOT in bare:
            pattern = re.compile("".join("." if letter == ROOT else re.escape(letter) for letter in bare))
            known = [
                code for text, code in self._code_of.items() if text is not None and pattern.fullmatch(text)
            ]
            return self._members(known + missing) if known else None
        return None

    def _members(self, codes: Sequence[int]) -> Members:
        return Members(np.array(codes, np.int64), float(len(codes)))

    def _root(self) -> Members:
        size = self._ladder.size if self._ladder is not None else len(self.domain)
        return Members(np.arange(len(self.domain), dtype=np.int64), float(max(size, len(self.domain))))

    def _read_axis(self, label: Any) -> Span | None:
        placed = self.placed
        if label is None:
            return Span(0.0, 0.0, 1.0)
        if isinstance(label, str) and label == ROOT:
            whole = self._span(float(placed[0]), float(placed[-1]))
            return self._with_missing(whole) if self.domain.has_missing else whole
        place = self._place(label)
        if place is not None:
            return self._span(place, place)
        text = as_text(label)
        bare = text.removesuffix(_OR_MISSING).strip()
        found = self._interval(bare)
        if found is None and text in self._of_hierarchy:
            inside = placed[self._of_hierarchy[text].codes]
            found = self._span(float(inside.min()), float(inside.max()))
        if found is not None and bare != text:
            return self._with_missing(found)
        return found

    def _place(self, value: Any) -> float | None:
        return as_number(value) if self.domain.scale is Scale.NUMBER else as_day(value)

    def _interval(self, text: str) -> Span | None:
        if self.domain.scale is Scale.DATE:
            return self._days(text)
        if found := _BETWEEN.fullmatch(text):
            low, high = float(found[1]), float(found[2])
            return Span(low, high) if found[3] in (")", "[") else self._span(low, high)
        if (masked := _MASKED.fullmatch(text)) and self.whole:
            first, tail = masked[1], len(masked[2])
            return self._span(float(first + "0" * tail), float(first + "9" * tail))
        if text.startswith("<") and (bound := as_number(text[1:])) is not None:
            return Span(min(float(self.placed[0]), bound - 1), bound)
        if open_end := _UPWARDS.fullmatch(text):
            low, bound = float(open_end[1] or open_end[2]), float(open_end[2])
            return self._span(low, max(float(self.placed[-1]), bound))
        if open_end := _DOWNWARDS.fullmatch(text):
            low, high = float(open_end[1] or open_end[3]), float(open_end[2] or open_end[1] or open_end[3])
            return self._span(min(float(self.placed[0]), low), high)
        if text.startswith("[") and text.endswith("]") and (place := as_number(text[1:-1])) is not None:
            return self._span(place, place)
        return None

    def _days(self, text: str) -> Span | None:
        if found := _DAYS.fullmatch(text):
            first, last = as_day(found[1]), as_day(found[2])
            if first is not None and last is not None:
                return Span(first, last) if found[3] == ")" else Span(first, last + 1)
        if text.startswith("[") and text.endswith("]") and (day := as_day(text[1:-1])) is not None:
            return Span(day, day + 1)
        if moments := _MOMENTS.fullmatch(text):
            first, last = (_moment(found) for found in (moments[1], moments[2] or moments[1]))
            return None if first is None or last is None else Span(first, math.nextafter(last, math.inf))
        if open_end := _DOWNWARDS.fullmatch(text):
            last_year = float(open_end[2] or open_end[1] or open_end[3])
            if not dt.MINYEAR <= last_year < dt.MAXYEAR:
                return None
            new_year = float(dt.date(int(last_year) + 1, 1, 1).toordinal())
            return Span(min(float(self.placed[0]), new_year - 1), new_year)
        if not (unit := _UNIT.fullmatch(text)):
            return None
        year, month, quarter, until = (int(part) if part else 0 for part in unit.groups())
        if until:
            return Span(float(dt.date(year, 1, 1).toordinal()), float(dt.date(until, 12, 31).toordinal() + 1))
        first_month = month or (3 * quarter - 2 if quarter else 1)
        months = 1 if month else 3 if quarter else 12
        if not 1 <= first_month <= 12:
            return None
        after = first_month + months
        end = dt.date(year + (after > 12), after - 12 if after > 12 else after, 1)
        return Span(float(dt.date(year, first_month, 1).toordinal()), float(end.toordinal()))

    def _span(self, low: float, high: float) -> Span:
        """Return the interval from one value to another, both inside."""
        return Span(low, high + 1 if self.whole else math.nextafter(high, math.inf))

    def _with_missing(self, span: Span) -> Span:
        """Count missing as one more value beside those that the interval holds."""
        values = span.high - span.low
        if not self.whole:
            values = float(np.count_nonzero((self.placed >= span.low) & (self.placed < span.high)))
        return Span(span.low, span.high, 1.0 / (values + 1.0))


def _moment(text: str) -> float | None:
    try:
        return as_day(dt.datetime.fromisoformat(text))
    except ValueError:
        return None


def members_of(inside: str) -> list[str]:
    r"""Split the members of a set; a comma or a backslash of a value stands behind a backslash.

    >>> members_of(r"a, b\, c"), members_of(r"a\\, b")
    (['a', 'b, c'], ['a\\', 'b'])
    """
    # Two backslashes before a comma are the end of a value, and stay with it.
    parts = re.split(r"(?<!\\)((?:\\\\)*), ", inside)
    whole = (part + end for part, end in zip(parts[::2], [*parts[1::2], ""], strict=True))
    return [re.sub(r"\\(.)", r"\1", part) for part in whole]


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
