"""How alike two values are, in a few levels: numbers, dates, texts and categories.

Fellegi–Sunter weights need comparisons with few outcomes. Level 0 says most for a match, the last but one
least, and the last that one side is unknown, which speaks neither for nor against.

- number: the distance in standard deviations of what is known: none, up to .01, .05, .2, .5, 1, more
- date: the same day, day and month exchanged, up to 31 days, up to 366 days, up to 5 years, more
- text: Jaro–Winkler 1, from .94, from .88, from .75, less; case and outer spaces do not count
- category: agree or not, where a released label may stand for several values

A released interval is as far away as its nearest end, and not at all if the known value lies inside.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain, Scale, as_day, as_number, as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT, Hierarchy
from sfumato.table.attacks.matching.coerce import same_terms
from sfumato.table.attacks.matching.compatible import Compatible, Ints, compatible
from sfumato.table.utility.labels import LabelReader, Span

Levels = NDArray[np.int8]
Floats = NDArray[np.float64]
_NUMBER_STEPS = (0.0, 0.01, 0.05, 0.2, 0.5, 1.0)
_DAY_STEPS = (31.0, 366.0, 1827.0)
_TEXT_STEPS = (0.94, 0.88, 0.75)
_GENERAL = re.compile(r"\*|^\{.*\}$|\[.*\]")
_TEXTS = 30
"""so many different words of some length are texts; fewer are categories"""


class Kind(StrEnum):
    """How values of a column are compared."""

    NUMBER = "number"
    DATE = "date"
    TEXT = "text"
    CATEGORY = "category"


class Comparison(Protocol):
    """Compares known values with released ones, both given by their places among the distinct ones."""

    @property
    def outcomes(self) -> int:
        """How many levels there are, the one for unknown included."""

    def levels(self, known: Ints, released: Ints) -> Levels:
        """Return the level of every pair."""


@dataclass(frozen=True)
class Numbers:
    """Numbers by distance, in units of ``scale``."""

    known: Floats = field(repr=False)
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)
    scale: float
    outcomes: int = len(_NUMBER_STEPS) + 2

    def distance(self, known: Ints, released: Ints) -> Floats:
        """Return how far apart the values of pairs are; NaN where one is unknown."""
        value = self.known[known]
        beyond = np.maximum(self.low[released] - value, value - self.high[released])
        return np.maximum(beyond, 0.0) / self.scale

    def levels(self, known: Ints, released: Ints) -> Levels:
        """Return the level of every pair."""
        distance = self.distance(known, released)
        found = np.searchsorted(np.array(_NUMBER_STEPS), distance).astype(np.int8)
        found[np.isnan(distance)] = self.outcomes - 1
        return found


@dataclass(frozen=True)
class Days:
    """Dates by distance in days, or with day and month exchanged."""

    known: Floats = field(repr=False)
    exchanged: Floats = field(repr=False)
    """the day that is meant if day and month were mistaken for each other, NaN if there is none"""
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)
    outcomes: int = len(_DAY_STEPS) + 4

    def levels(self, known: Ints, released: Ints) -> Levels:
        """Return the level of every pair."""
        value, low, high = self.known[known], self.low[released], self.high[released]
        distance = np.maximum(np.maximum(low - value, value - high), 0.0)
        found = (np.searchsorted(np.array(_DAY_STEPS), distance) + 2).astype(np.int8)
        found[(self.exchanged[known] == low) & (low == high)] = 1
        found[distance == 0.0] = 0
        found[np.isnan(distance)] = self.outcomes - 1
        return found


@dataclass(frozen=True)
class Texts:
    """Texts by Jaro–Winkler; the same two are compared once."""

    known: tuple[str | None, ...] = field(repr=False)
    released: tuple[str | None, ...] = field(repr=False)
    outcomes: int = len(_TEXT_STEPS) + 3

    def levels(self, known: Ints, released: Ints) -> Levels:
        """Return the level of every pair."""
        from sfumato.table.attacks.matching._kernels_fuzzy import jaro_winkler

        pairs, place = np.unique(known * len(self.released) + released, return_inverse=True)
        left, right = pairs // len(self.released), pairs % len(self.released)
        scores = np.zeros(len(pairs))
        jaro_winkler(*_letters(self.known), *_letters(self.released), left, right, scores)
        # A score counts up to its step: 1 is level 0, from .94 on level 1, and so forth.
        steps = np.array((*_TEXT_STEPS[::-1], 1.0))
        found = (len(steps) - np.searchsorted(steps, scores, "right")).astype(np.int8)
        unknown = np.array([text is None for text in self.known], np.bool_)[left]
        unknown |= np.array([text is None for text in self.released], np.bool_)[right]
        found[unknown] = self.outcomes - 1
        levels: Levels = found[place]
        return levels


@dataclass(frozen=True)
class Categories:
    """Categories by whether the released label may stand for the known value."""

    compatible: Compatible = field(repr=False)
    unknown: NDArray[np.bool_] = field(repr=False)
    """released labels that say nothing"""
    outcomes: int = 3

    def levels(self, known: Ints, released: Ints) -> Levels:
        """Return the level of every pair."""
        codes = self.compatible.codes[known]
        found = (~self.compatible.test(released, codes)).astype(np.int8)
        found[(codes < 0) | self.unknown[released]] = self.outcomes - 1
        return found


def kind_of(values: Sequence[Any]) -> Kind:
    """Choose how a column is compared, by the values that the adversary knows.

    Codes of digits of one length, such as ZIP codes, are texts: their neighbours are typing errors, not
    neighbouring numbers.

    >>> kind_of(["02139", "02142"]), kind_of([31, 32]), kind_of(["f", "m"])
    (<Kind.TEXT: 'text'>, <Kind.NUMBER: 'number'>, <Kind.CATEGORY: 'category'>)
    """
    present = [value for value in values if value is not None]
    texts = [value for value in present if isinstance(value, str)]
    lengths = {len(text) for text in texts}
    alike = len(texts) == len(present) and len(lengths) == 1 and min(lengths) >= 4
    if alike and all(text.isdigit() for text in texts):
        return Kind.TEXT
    scale = Domain.of("", present).scale
    if scale is not Scale.CATEGORY:
        return Kind.NUMBER if scale is Scale.NUMBER else Kind.DATE
    long = sum(map(len, texts)) >= 4 * len(texts)
    return Kind.TEXT if texts and len(texts) >= _TEXTS and long else Kind.CATEGORY


def comparison(
    column: str,
    values: Sequence[Any],
    labels: Sequence[Any],
    hierarchy: Hierarchy | None = None,
    kind: Kind | None = None,
    day_first: bool | None = None,
) -> tuple[Comparison, Kind]:
    """Return how known and released values of a column are compared, given the distinct ones of both."""
    terms = same_terms(column, values, labels, day_first=day_first)
    if kind is None:
        kind = kind_of(terms.values)
        general = sum(_GENERAL.search(str(label)) is not None for label in terms.labels)
        # Letters of a label such as [81702-81709] say nothing; whether it covers the value does.
        kind = Kind.CATEGORY if kind is Kind.TEXT and 2 * general > len(labels) else kind
    if kind is Kind.TEXT:
        return Texts(tuple(map(word, terms.values)), tuple(map(word, terms.labels))), kind
    if kind is Kind.CATEGORY:
        found = compatible(column, values, labels, hierarchy, day_first=day_first)
        return Categories(found, np.array([_says_nothing(label) for label in labels], np.bool_)), kind
    read = as_number if kind is Kind.NUMBER else as_day
    known = _floats([read(value) for value in terms.values])
    if np.isnan(known).all():
        raise BadInput(
            f"no known value is a {kind}", where=f"column '{column}'", remedy="compare it as text or category"
        )
    low, high = _bounds(column, terms.values, terms.labels, kind)
    if np.isnan(low).all() and not all(map(_says_nothing, labels)):
        raise BadInput(
            f"no released value can be read as a {kind}",
            where=f"column '{column}'",
            remedy="code both sides alike, or compare it as text or category",
        )
    if kind is Kind.DATE:
        return Days(known, _floats([_exchanged(day) for day in known]), low, high), kind
    spread = float(np.nanstd(known))
    return Numbers(known, low, high, spread if spread > 0 else 1.0), kind


def _bounds(column: str, values: Sequence[Any], labels: Sequence[Any], kind: Kind) -> tuple[Floats, Floats]:
    """Return between which places each label lies; NaN where it says nothing or is not understood."""
    read = as_number if kind is Kind.NUMBER else as_day
    axis = [value for value in values if value is not None and read(value) is not None]
    reader = LabelReader(Domain.of(column, axis))
    low, high = np.full(len(labels), np.nan), np.full(len(labels), np.nan)
    for i, label in enumerate(labels):
        if _says_nothing(label):
            continue
        place = read(label)
        if place is not None:
            low[i] = high[i] = place
            continue
        try:
            cover = reader.read(label)
        except BadInput:
            continue
        if isinstance(cover, Span):
            low[i], high[i] = cover.low, cover.high - 1 if reader.whole else cover.high
    return low, high


def _exchanged(day: float) -> float | None:
    if np.isnan(day):
        return None
    date = dt.date.fromordinal(int(day))
    if date.day > 12 or date.day == date.month:
        return None
    return float(dt.date(date.year, date.day, date.month).toordinal())


def _says_nothing(label: Any) -> bool:
    return label is None or as_text(label) == ROOT


def word(value: Any) -> str | None:
    """Return a value as the text that is compared, or None where it says nothing."""
    return None if _says_nothing(value) else as_text(value).strip().casefold()


def _letters(texts: Sequence[str | None]) -> tuple[Ints, Ints]:
    """Lay texts out as letters and where each begins."""
    words = [text or "" for text in texts]
    starts = np.cumsum([0, *map(len, words)]).astype(np.int64)
    return np.array([ord(letter) for word in words for letter in word], np.int64), starts


def _floats(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], np.float64)
