"""What the model looks at around each word, as whole numbers: the one place that training and finding share.

For word i the score of label y is linear:

    score(i, y) = Σ over slots s of  Σ over traits of the word in slot s of  a[trait, s, y]
                + Σ over channels of  b[code, y]  +  Σ over lexicon phrases that hold word i of  p[mark, y]

**Slots** are the word itself, three neighbours on each side, and the words before the last colon on the line
("Referring physician: ..."). Since traits belong to the word alone, their inner sum is kept for each word
and slot. **Channels** look at several things at once (the word before and the class of this one; three
classes in a row; the gap on both sides; where on the line) and pack them in one number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.text.crf.words import EDGE
from sfumato.text.lexicon import Mark

REACH = 3
"""how many neighbours are seen on each side"""
SLOTS = 2 * REACH + 3
"""words that are looked at: neighbours, the word itself, the field's label and the word before that"""
HERE = REACH
LABEL = 2 * REACH + 1
BEFORE_LABEL = 2 * REACH + 2
CHANNELS = 15
"""kinds of packed numbers"""
WORD_CHANNELS = 9
"""channels from this one on begin with a word of the vocabulary, and say nothing without one"""
PHRASE_ROWS = 2 * len(Mark)
"""a phrase of the lexicon begins at a word, or goes on there, for each mark"""
EDGE_TYPE = 0
"""the type of what lies beyond the text"""
NO_TYPE = 1
"""the type of a label that is not there"""
_LABEL_REACH = 8
_CHANNEL_BIT = 58
_CLASS_BITS = 8
_BREAK = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_COLUMN = re.compile("[\t|]")

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Layout:
    """Where lines end and columns begin in a text."""

    breaks: Ints
    columns: Ints

    @classmethod
    def of(cls, text: str) -> Layout:
        """Search a text once."""
        return cls(_places(_BREAK, text), _places(_COLUMN, text))


def _places(pattern: re.Pattern[str], text: str) -> Ints:
    return np.array([match.start() for match in pattern.finditer(text)], dtype=np.int64)


@dataclass(frozen=True)
class WordTypes:
    """What is known of each distinct word, by its number."""

    classes: Ints
    vocabulary: Ints
    """the number of the word in the vocabulary, from 1 on; 0 for all others"""
    cases: Ints
    """1 lower, 2 UPPER, 3 another case, 0 no letters"""
    colons: NDArray[np.bool_]


@dataclass(frozen=True)
class Seen:
    """The words of a text as the model sees them."""

    slots: Ints
    """n × SLOTS numbers of word types"""
    codes: Ints
    """n × CHANNELS packed numbers; −1 where a channel says nothing"""
    lines: Ints
    """the line of each word"""


def seen(types: Ints, known: WordTypes, starts: Ints, ends: Ints, layout: Layout) -> Seen:
    """Look at a run of words, given the number of each word's type."""
    lines = np.searchsorted(layout.breaks, starts)
    slots = _slots(types, known, starts, ends, lines, layout)
    codes = _codes(slots, known, starts, ends, lines, layout)
    return Seen(slots, codes, lines)


def _slots(types: Ints, known: WordTypes, starts: Ints, ends: Ints, lines: Ints, layout: Layout) -> Ints:
    count = len(types)
    padded = np.full(count + 2 * REACH, EDGE_TYPE, dtype=np.int64)
    padded[REACH : REACH + count] = types
    slots = np.empty((count, SLOTS), dtype=np.int64)
    for offset in range(2 * REACH + 1):
        slots[:, offset] = padded[offset : offset + count]
    labels = _labels(known.colons[types], starts, ends, lines, layout)
    slots[:, LABEL] = np.where(labels >= 0, types[labels], NO_TYPE)
    before = np.maximum(labels - 1, 0)
    there = (labels > 0) & (lines[before] == lines)
    slots[:, BEFORE_LABEL] = np.where(there, types[before], NO_TYPE)
    return slots


def _labels(colons: NDArray[np.bool_], starts: Ints, ends: Ints, lines: Ints, layout: Layout) -> Ints:
    """Return for each word the one before the last colon: near, on its line, in its column; else −1."""
    places = np.arange(len(starts))
    colon = np.maximum.accumulate(np.where(colons, places, -1))
    # The colon belongs to the label, not to what follows.
    colon = np.where(colons, -1, colon)
    wide = np.zeros(len(starts), dtype=bool)
    wide[1:] = _gaps(starts, ends, lines, layout) == 2
    column = np.maximum.accumulate(np.where(wide, places, -1))
    near = (colon > 0) & (places - colon <= _LABEL_REACH) & (column <= colon + 1)
    labels = np.where(near, colon - 1, -1)
    return np.where(near & (lines[labels] == lines), labels, -1)


def _gaps(starts: Ints, ends: Ints, lines: Ints, layout: Layout) -> Ints:
    """Return what stands between neighbours: 0 nothing, 1 a space, 2 a column's gap, 3 a line's end."""
    between: Ints = np.minimum(starts[1:] - ends[:-1], 2)
    tabs = np.searchsorted(layout.columns, starts)
    between[tabs[1:] > tabs[:-1]] = 2
    between[lines[1:] > lines[:-1]] = 3
    return between


def _codes(slots: Ints, known: WordTypes, starts: Ints, ends: Ints, lines: Ints, layout: Layout) -> Ints:
    count = len(slots)
    gaps = np.full(count + 1, 3, dtype=np.int64)
    if count:
        gaps[1:-1] = _gaps(starts, ends, lines, layout)
    first, last = _line_bounds(gaps)
    place = np.arange(count)
    # Neighbours on another line are no neighbours for classes: a table's columns are not a sentence.
    here = known.classes[slots[:, HERE]]
    classes = {0: here}
    for offset in (-2, -1, 1, 2):
        inside = (place + offset >= first) if offset < 0 else (place + offset <= last)
        classes[offset] = np.where(inside, known.classes[slots[:, HERE + offset]], EDGE)
    words = {offset: known.vocabulary[slots[:, HERE + offset]] for offset in (-2, -1, 0, 1)}
    label = known.vocabulary[slots[:, LABEL]]
    position = np.minimum(place - first, 3) * 4 + np.minimum(last - place, 3)
    channels = (
        (classes[-1], here),
        (here, classes[1]),
        (classes[-1], here, classes[1]),
        (classes[-2], classes[-1], here),
        (here, classes[1], classes[2]),
        (gaps[:-1] * 4 + gaps[1:], here),
        (_cases(known.cases[slots[:, HERE]], gaps), here),
        (position, here),
        (gaps[:-1] * 4 + gaps[1:], classes[-1], here, classes[1]),
        (words[-1], here),
        (words[1], here),
        (words[-2], classes[-1], here),
        (label, here),
        (words[0], classes[-1]),
        (words[0], classes[1]),
    )
    codes = np.empty((count, CHANNELS), dtype=np.int64)
    for channel, parts in enumerate(channels):
        packed = parts[0]
        for part in parts[1:]:
            packed = (packed << _CLASS_BITS) | part
        packed = packed | (channel << _CHANNEL_BIT)
        codes[:, channel] = np.where(parts[0] > 0, packed, -1) if channel >= WORD_CHANNELS else packed
    return codes


def _line_bounds(gaps: Ints) -> tuple[Ints, Ints]:
    """Return the first and the last word on the line of each word."""
    count = len(gaps) - 1
    place = np.arange(count)
    first = np.maximum.accumulate(np.where(gaps[:-1] == 3, place, 0))
    last = np.minimum.accumulate(np.where(gaps[1:] == 3, place, count)[::-1])[::-1]
    return first, last


def _cases(cases: Ints, gaps: Ints) -> Ints:
    """Say for each word whether its line and the whole text are in lower case or in capitals only."""
    count = len(cases)
    if not count:
        return cases
    begins = np.flatnonzero(gaps[:-1] == 3)
    line = np.cumsum(gaps[:-1] == 3) - 1

    def only(case: int) -> tuple[NDArray[np.bool_], bool]:
        has = cases == case
        fits = has | (cases == 0)
        lines = np.logical_and.reduceat(fits, begins) & np.logical_or.reduceat(has, begins)
        return lines[line], bool(fits.all() and has.any())

    lower, all_lower = only(1)
    upper, all_upper = only(2)
    return (lower + 2 * upper) * 3 + (1 if all_lower else 2 if all_upper else 0)
