"""A hierarchy proposed from the values themselves, with the reason.

What is inferred depends on the data. It is a proposal to look at, and never serves differential
privacy, where hierarchies must come from metadata.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10

import numpy as np

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput
from sfumato.hierarchy.bounds import is_whole, number_text, positions_of
from sfumato.hierarchy.build import present_values
from sfumato.hierarchy.dates import Dates, moments_of
from sfumato.hierarchy.flat import Flat
from sfumato.hierarchy.intervals import Intervals
from sfumato.hierarchy.ladder import Hierarchy, Ladder
from sfumato.hierarchy.masking import Mask

_FEW = 6
"""so few numbers are codes of categories more often than amounts"""
_SMALLEST, _RESOLUTION = Fraction(1, 10**290), 2**40
"""spans below these, alone or against the numbers themselves, are too fine for floats"""
_SHORTEST_CODE = 3
_POSTAL = re.compile(r"(^|[^a-z])(zip|postal|post[ _-]?code|plz)([^a-z]|code|$)", re.IGNORECASE)
_ICD = re.compile(r"[A-Z][0-9][0-9A-Z](\.?[0-9A-Z]{1,4})?")


@dataclass(frozen=True)
class Inferred:
    """A proposed hierarchy and why it was chosen (in words that hold no value of the data)."""

    hierarchy: Hierarchy
    reason: str

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the proposed hierarchy over the values of a column."""
        return self.hierarchy.ladder(domain)


@dataclass(frozen=True)
class Infer:
    """The hierarchy that ``infer`` proposes for whatever column it is laid over."""

    def ladder(self, domain: Domain) -> Ladder:
        """Infer the hierarchy and lay it over the values of the column."""
        return infer(domain).ladder(domain)


def infer(domain: Domain) -> Inferred:
    """Propose a hierarchy for a column, from its values alone.

    Dates → units of time; codes of one length (ZIP, ICD) → masks; numbers → intervals of about
    1/20, 1/10, 1/5 … of their range, rounded to 1, 2 or 5 times a power of ten so that they nest;
    anything else → the value or ``*``.

    >>> infer(Domain.of("age", range(17, 91))).reason
    '74 different whole numbers: intervals of 5, 10, 20'
    >>> infer(Domain.of("zip", ["02138", "47677"])).hierarchy
    Mask(keep=1, step=1, from_end=True, char='*', length=None, pad=None, alphabet=None)
    """
    present = present_values(domain)
    if not present:
        return Inferred(Flat(), "all values are missing: nothing to generalise")
    return _as_dates(domain) or _as_codes(domain) or _as_numbers(domain) or _as_categories(present)


def _as_dates(domain: Domain) -> Inferred | None:
    if domain.scale is Scale.NUMBER:
        return None
    try:
        moments = moments_of(domain)
    except BadInput:
        return None
    if is_whole(moments):
        return Inferred(Dates(), f"{len(moments)} different dates: months, quarters, years, decades")
    hierarchy = Dates(("day", *Dates().levels))
    return Inferred(hierarchy, f"{len(moments)} different times: days, months, quarters, years, decades")


def _as_codes(domain: Domain) -> Inferred | None:
    texts = [text for text in domain.texts if text is not None]
    lengths = {len(text) for text in texts}
    postal = _POSTAL.search(domain.name) is not None
    numeric = all(text.isascii() and text.isdigit() for text in texts)
    if len(texts) > 1 and all(_ICD.fullmatch(text) for text in texts):
        pad = "right" if len(lengths) > 1 else None
        return Inferred(Mask(pad=pad), "codes of a letter and digits: the last characters are masked")
    if numeric and postal and min(lengths) >= _SHORTEST_CODE:
        pad = "left" if len(lengths) > 1 else None
        return Inferred(Mask(pad=pad), "postal codes by name: the last digits are masked")
    if len(lengths) > 1 or min(lengths) < _SHORTEST_CODE:
        return None
    if numeric and any(text.startswith("0") for text in texts):
        return Inferred(Mask(), "codes of one length with leading zeros: the last digits are masked")
    if all(re.fullmatch(r"[0-9A-Za-z]*[0-9][0-9A-Za-z]*", text) for text in texts) and not numeric:
        return Inferred(Mask(), "codes of one length: the last characters are masked")
    return None


def _as_numbers(domain: Domain) -> Inferred | None:
    if domain.scale is not Scale.NUMBER:
        return None
    positions = positions_of(domain)
    distinct = len(np.unique(positions))
    whole = is_whole(positions)
    kind = "whole numbers" if whole else "numbers"
    if distinct <= _FEW:
        return Inferred(Flat(), f"only {distinct} different {kind}: the value or *")
    span = Fraction(float(positions[-1])) - Fraction(float(positions[0]))
    if span < max(_SMALLEST, Fraction(float(np.abs(positions).max())) / _RESOLUTION):
        return Inferred(Flat(), f"{distinct} different {kind} too close together for intervals")
    widths = nested_widths(span, whole)
    listed = ", ".join(number_text(width) for width in widths)
    plain = [int(width) if width.denominator == 1 else float(width) for width in widths]
    return Inferred(Intervals(tuple(plain)), f"{distinct} different {kind}: intervals of {listed}")


def _as_categories(present: int) -> Inferred:
    return Inferred(Flat(), f"{present} different categor{'y' if present == 1 else 'ies'}: the value or *")


def nested_widths(span: Fraction, whole: bool) -> list[Fraction]:
    """Return widths of 1, 2 or 5 times a power of ten, from about span/20 up to less than half of it.

    Each is the smallest that is a multiple of the one before: 5, 10, 20, 100.

    >>> [int(width) for width in nested_widths(Fraction(1000), whole=True)]
    [50, 100, 200]
    """
    power = Fraction(10) ** floor(log10(span / 20))
    nice: Sequence[Fraction] = [power * factor for factor in (1, 2, 5, 10, 20, 50, 100, 200)]
    widths = [width for width in nice if width >= span / 20 and (not whole or width >= 2)][:1]
    for width in nice:
        if width > widths[-1] and width % widths[-1] == 0 and 2 * width < span:
            widths.append(width)
    return widths
