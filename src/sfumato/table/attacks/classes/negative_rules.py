"""Negative rules: values that people with a certain quasi-identifier never have.

T. Li & N. Li, "Injector: mining background knowledge for data anonymization" (2008): what everybody knows
("men have no ovarian cancer") shows in the data as a combination that does not occur although many of it
would be expected, and can be mined there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Never:
    """People with ``value`` in ``column`` never have the sensitive value ``excluded``.

    >>> Never.of({"column": "sex", "value": "m", "not": "ovarian cancer"}, "x").excluded
    'ovarian cancer'
    """

    column: str
    value: str
    excluded: str

    @classmethod
    def of(cls, fact: Mapping[str, Any] | Never, where: str) -> Never:
        """Read a fact as recipes write it."""
        if isinstance(fact, Never):
            return fact
        if not isinstance(fact, Mapping) or set(fact) != {"column", "value", "not"}:
            raise BadInput(
                "a fact under 'never' has a column, a value and what it excludes",
                where=where,
                remedy="write {column: sex, value: m, not: ovarian cancer}",
            )
        return cls(str(fact["column"]), as_text(fact["value"]), as_text(fact["not"]))


@dataclass(frozen=True)
class Excluded:
    """Which values of each column exclude which sensitive values: sorted keys value · size + code."""

    size: int
    """how many sensitive values there are"""
    keys: tuple[Ints, ...] = field(repr=False)

    @property
    def number(self) -> int:
        """How many rules there are."""
        return sum(map(len, self.keys))

    def signatures(self, codes: Ints) -> Ints:
        """Return of every combination only the values that exclude something, and −1 for the others."""
        found = np.full_like(codes, -1)
        for j, keys in enumerate(self.keys):
            found[j] = np.where(np.isin(codes[j], np.unique(keys // self.size)), codes[j], -1)
        return found

    def test(self, signatures: Ints, sensitive: Ints) -> NDArray[np.bool_]:
        """Say whether somebody with these quasi-identifiers cannot have these sensitive values."""
        found = np.zeros(len(sensitive), np.bool_)
        for j, keys in enumerate(self.keys):
            if len(keys):
                some = np.flatnonzero(signatures[j] >= 0)
                wanted = signatures[j][some] * self.size + sensitive[some]
                at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
                found[some] |= keys[at] == wanted
        return found


def stated(
    facts: Sequence[Never], columns: Sequence[str], values: Sequence[Sequence[Any]], codes: Mapping[str, int]
) -> tuple[Ints, ...]:
    """Turn facts into keys, for each column; those about values that nobody has exclude nothing."""
    found: list[list[int]] = [[] for _ in columns]
    size = max(len(codes), 1)
    for j, (name, have) in enumerate(zip(columns, values, strict=True)):
        for value, text in enumerate(None if one is None else as_text(one) for one in have):
            found[j] += [
                value * size + codes[fact.excluded]
                for fact in facts
                if fact.column == name and fact.value == text and fact.excluded in codes
            ]
    return tuple(np.unique(np.array(keys, np.int64)) for keys in found)


def mined(quasi: Ints, sensitive: Ints, persons: Ints, size: int, expected: Fraction) -> Ints:
    """Find what never occurs together although at least ``expected`` people would be expected to.

    With n_q people who have q, n_v who have v, and N in all, a rule is a pair (q, v) that nobody has while
    n_q · n_v / N ≥ expected. Returns sorted keys q · size + v. There are at most N / expected such pairs.

    >>> men_and_women, ill = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 2])
    >>> mined(men_and_women, ill, np.array([20, 20, 20, 20]), 3, Fraction(10)).tolist()
    [2, 4]
    """
    total = int(persons.sum())
    of_quasi = np.bincount(quasi, weights=persons).astype(np.int64)
    of_value = np.bincount(sensitive, weights=persons, minlength=size).astype(np.int64)
    rising = np.argsort(of_value, kind="stable")
    # n_q · n_v ≥ expected · N in whole numbers: n_v ≥ ⌈expected · N / n_q⌉.
    wanted = expected.numerator * total
    needed = -(-wanted // np.maximum(of_quasi * expected.denominator, 1))
    many = np.where(of_quasi > 0, size - np.searchsorted(of_value[rising], needed), 0)
    have = np.repeat(np.arange(len(many)), many)
    place = np.arange(len(have)) - np.repeat(np.cumsum(many) - many, many)
    keys = have * size + rising[size - 1 - place]
    found: Ints = np.setdiff1d(keys, quasi * size + sensitive)
    return found
