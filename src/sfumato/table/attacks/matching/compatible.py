"""Which released labels of a column may stand for which known values.

A label is read as the release writes it, over the values that the *adversary* knows: ``[21-30]``, ``476**``,
``{a, b}``, ``1961-Q3``, ``*``, or a label of the column's hierarchy. ``476**`` is one letter for each star
where a known value fits that, and else anything that begins so. Values that the hierarchy does not know
agree only with ``*`` and with a label that is equal to them.

A label covers codes from ``low`` up to ``high``; where it leaves some of them out, flags say which.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain, Scale, as_day, as_number, as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT, Hierarchy, UncoveredValues
from sfumato.table.attacks.matching.coerce import same_terms
from sfumato.table.utility.labels import LabelReader, Span, members_of

Ints = NDArray[np.int64]
_OR_MISSING = " or missing"
_MOST_FLAGS = 1 << 30


@dataclass(frozen=True)
class Compatible:
    """For every label of a column the codes of known values that it covers.

    Codes are 0, 1, … for values and ``missing`` for none. A value that matches every label has the code −1.
    """

    column: str
    missing: int
    codes: Ints = field(repr=False)
    """the code of each distinct value that was handed in, in that order"""
    lows: Ints = field(repr=False)
    highs: Ints = field(repr=False)
    flag_starts: Ints = field(repr=False)
    """where the flags of a label begin, or −1 if it covers all codes between its bounds"""
    flags: NDArray[np.uint8] = field(repr=False)
    idle: int = 0
    """labels that can be nobody's"""
    notes: tuple[str, ...] = ()

    def test(self, labels: Ints, codes: Ints) -> NDArray[np.bool_]:
        """Say for pairs of a label and a code whether they agree."""
        low, start = self.lows[labels], self.flag_starts[labels]
        inside = (codes >= low) & (codes < self.highs[labels])
        asked = np.flatnonzero(inside & (start >= 0))
        inside[asked] = self.flags[start[asked] + codes[asked] - low[asked]] == 1
        return inside | (codes < 0)

    @property
    def is_idle(self) -> NDArray[np.bool_]:
        """Say for each label whether it can be nobody's."""
        found: NDArray[np.bool_] = self.highs == self.lows
        return found

    @cached_property
    def covered(self) -> Ints:
        """How many codes each label covers."""
        sizes = self.highs - self.lows
        for label in np.flatnonzero(self.flag_starts >= 0):
            start = self.flag_starts[label]
            sizes[label] = int(self.flags[start : start + sizes[label]].sum())
        return sizes

    def only_label(self) -> Ints | None:
        """Return the one label of every code (−1 for none), or None when some code has several."""
        if int(self.covered.sum()) > self.missing + 1:
            return None
        values, labels = self._pairs()
        found = np.full(self.missing + 1, -1, np.int64)
        found[values] = labels
        return found if len(np.unique(values)) == len(values) else None

    def _pairs(self) -> tuple[Ints, Ints]:
        widths = self.highs - self.lows
        labels = np.repeat(np.arange(len(widths), dtype=np.int64), widths)
        before = np.cumsum(widths) - widths
        values = np.arange(len(labels), dtype=np.int64) - np.repeat(before - self.lows, widths)
        kept = self.test(labels, values)
        return values[kept], labels[kept]


def compatible(
    column: str,
    values: Sequence[Any],
    labels: Sequence[Any],
    hierarchy: Hierarchy | None = None,
    *,
    missing_is_a_value: bool = False,
    hiding: bool = False,
    day_first: bool | None = None,
) -> Compatible:
    """Read the distinct labels of a column over the distinct values that an adversary knows.

    Unless ``missing_is_a_value``, a released missing value may be anybody's, and somebody of whom nothing is
    known may have any label. With ``hiding`` a released missing value may be one that was hidden.

    >>> found = compatible("age", [25, "31", None], ["[21-30]", "31", "*"])
    >>> found.codes.tolist(), found.lows.tolist(), found.highs.tolist()
    ([0, 1, -1], [0, 1, 0], [1, 2, 3])
    """
    terms = same_terms(column, values, labels, day_first=day_first)
    own = _Known(column, terms.values, hierarchy)
    covers = [own.cover(label, missing_is_a_value, hiding) for label in terms.labels]
    notes = (*terms.notes, *own.notes)
    if own.reader.domain.scale is Scale.CATEGORY and not any(len(cover) for cover in covers):
        folded = _Known(column, [_folded(value) for value in terms.values], None)
        again = [folded.cover(_folded(label), missing_is_a_value, hiding) for label in terms.labels]
        if any(len(cover) for cover in again):
            own, covers = folded, again
            notes = (*notes, f"values of '{column}' are compared without case and outer spaces")
    lows, highs, starts, flags = _packed(covers, own.missing)
    codes = np.array([own.code(value) for value in own.given], np.int64)
    if not missing_is_a_value:
        codes[codes == own.missing] = -1
    idle = sum(len(cover) == 0 for cover in covers)
    return Compatible(column, own.missing, codes, lows, highs, starts, flags, idle, notes)


class _Known:
    """The values that an adversary knows in one column: those on an axis in order, the odd ones behind."""

    def __init__(self, column: str, values: Sequence[Any], hierarchy: Hierarchy | None) -> None:
        self.given = list(values)
        distinct = list(dict.fromkeys(value for value in values if value is not None))
        odd: list[Any] = []
        self.notes: tuple[str, ...] = ()
        if hierarchy is not None:
            covered, odd = _covered(column, distinct, hierarchy)
            if odd:
                self.notes = (f"{len(odd):,} known values of '{column}' are not in its hierarchy",)
            # A hierarchy that knows none of the values is one of another coding: labels speak for themselves.
            hierarchy, distinct, odd = (hierarchy, covered, odd) if covered else (None, distinct, [])
        if hierarchy is None:
            for read in (as_number, as_day):
                strange = [value for value in distinct if read(value) is None]
                if strange and 2 * len(strange) <= len(distinct):
                    kept = set(strange)
                    distinct, odd = [value for value in distinct if value not in kept], strange
                    break
        self.reader = LabelReader(Domain.of(column, distinct), None)
        domain = self.reader.domain
        self.missing = len(domain) + len(odd)
        self._code_of = {value: code for code, value in enumerate((*domain.values, *odd))}
        self._by_text: dict[str, list[int]] = {}
        for code, value in enumerate((*domain.values, *odd)):
            self._by_text.setdefault(as_text(value), []).append(code)
        self._of_hierarchy = _groups(domain, hierarchy)

    def _place(self, label: Any) -> float | None:
        """Return where a label lies on the axis, if there is one and it says one value."""
        if self.reader.domain.scale is Scale.NUMBER:
            return as_number(label)
        return as_day(label) if self.reader.domain.scale is Scale.DATE else None

    def code(self, value: Any) -> int:
        return self.missing if value is None else self._code_of[value]

    def cover(self, label: Any, missing_is_a_value: bool, hiding: bool) -> range | Ints:
        """Return the codes that a label covers, in order; none when it can be nobody's."""
        everybody = range(self.missing + 1)
        if label is None:
            alone = missing_is_a_value and not hiding
            return range(self.missing, self.missing + 1) if alone else everybody
        text = as_text(label)
        bare = text.removesuffix(_OR_MISSING)
        if bare == ROOT:
            return everybody
        if bare == text:
            return self._named(text, label)
        # Values may end in these words too, and then the label may be theirs as well.
        own = self._of_hierarchy.get(text, self._by_text.get(text, ()))
        named = np.array([*own, *self._named(bare, bare)], np.int64)
        return np.union1d(named, np.array([self.missing], np.int64))

    def _named(self, text: str, label: Any) -> range | Ints:
        if text in self._of_hierarchy:
            return self._of_hierarchy[text]
        if text in self._by_text:
            place = self._place(label)
            return self._at(place, place) if place is not None else np.array(self._by_text[text], np.int64)
        if (place := self._place(label)) is not None:
            return self._at(place, place)
        if text.startswith("{") and text.endswith("}"):
            parts = members_of(text[1:-1])
            return np.unique(np.array([code for part in parts for code in self._named(part, part)], np.int64))
        if text.endswith(ROOT) and self.reader.domain.scale is Scale.CATEGORY:
            return self._beginning(text)
        try:
            cover = self.reader.read(label)
        except BadInput:
            return range(0)
        if isinstance(cover, Span):
            return self._at(cover.low, np.nextafter(cover.high, -np.inf))
        return np.unique(cover.codes[cover.codes < len(self.reader.domain)])

    def _at(self, low: float, high: float) -> range:
        """Return the codes of values from one place of the axis to another, both inside."""
        positions = self.reader.domain.positions
        assert positions is not None
        return range(int(np.searchsorted(positions, low)), int(np.searchsorted(positions, high, "right")))

    def _beginning(self, text: str) -> range | Ints:
        """Read a mask: categories are in the order of their texts, so those that begin alike lie together."""
        stem, texts = text.rstrip(ROOT), self.reader.domain.texts
        first, last = 0, len(texts)
        if ROOT not in stem:
            first = bisect_left(texts, stem, key=str)
            last = bisect_left(texts, stem + chr(0x10FFFF), key=str)
        pattern = "".join("." if letter == ROOT else re.escape(letter) for letter in text)
        masked = re.compile(pattern, re.DOTALL)
        found = np.array([c for c in range(first, last) if masked.fullmatch(str(texts[c]))], np.int64)
        return found if len(found) or ROOT in stem else range(first, last)


def _covered(column: str, values: list[Any], hierarchy: Hierarchy) -> tuple[list[Any], list[Any]]:
    """Divide values into those that a hierarchy covers and those that it does not know."""
    domain = Domain.of(column, values)
    try:
        hierarchy.ladder(domain)
    except UncoveredValues as uncovered:
        odd = set(uncovered.codes)
        return (
            [value for code, value in enumerate(domain.values) if code not in odd],
            [value for code, value in enumerate(domain.values) if code in odd],
        )
    except BadInput:
        # It cannot be laid over what the file writes, such as masks over texts of several lengths.
        return [], values
    return values, []


def _groups(domain: Domain, hierarchy: Hierarchy | None) -> dict[str, Ints]:
    """Return the codes under each label of a hierarchy, all its levels together."""
    found: dict[str, Ints] = {}
    if hierarchy is None or not len(domain):
        return found
    ladder = hierarchy.ladder(domain)
    for rungs, labels in zip(ladder.rungs, ladder.labels, strict=True):
        order = np.argsort(rungs, kind="stable").astype(np.int64)
        bounds = np.searchsorted(rungs[order], np.arange(len(labels) + 1))
        for group, label in enumerate(labels):
            if label is not None and label != ROOT:
                inside = order[bounds[group] : bounds[group + 1]]
                found[label] = np.union1d(found[label], inside) if label in found else inside
    return found


def _packed(covers: Sequence[range | Ints], missing: int) -> tuple[Ints, Ints, Ints, NDArray[np.uint8]]:
    """Lay covers out as bounds, with flags where a cover leaves out some codes between its bounds."""
    lows, highs, starts = (np.zeros(len(covers), np.int64) for _ in range(3))
    starts[:] = -1
    flags: list[NDArray[np.uint8]] = []
    used = 0
    for i, cover in enumerate(covers):
        if not len(cover):
            continue
        lows[i], highs[i] = int(cover[0]), int(cover[-1]) + 1
        if highs[i] - lows[i] == len(cover):
            continue
        some = np.zeros(int(highs[i] - lows[i]), np.uint8)
        some[np.asarray(cover) - lows[i]] = 1
        starts[i] = used
        used += len(some)
        if used > _MOST_FLAGS:
            raise BadInput(
                "too many different labels cover too many values",
                remedy="link on fewer columns, or on others",
            )
        flags.append(some)
    return lows, highs, starts, np.concatenate(flags) if flags else np.zeros(0, np.uint8)


def _folded(value: Any) -> Any:
    return value.strip().casefold() if isinstance(value, str) else value
