"""The largest share that a sensitive value has in every part of a table, in whole numbers."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.table.models.sensitive import Measured, worst_of
from sfumato.table.published import ClassValues


def measure_shares(values: ClassValues, limit: Fraction, watched: Collection[str] = ()) -> Measured:
    """Judge by f_v / n ≤ limit, for all values or for those that are watched (by their texts).

    n are the people of a part: what counts is how many of them have v, not what else they have.
    """
    persons = values.persons
    if watched:
        texts = np.array([text in watched for text in values.domain.texts], np.bool_)
        persons = np.where(texts[values.codes], persons, 0)
    most = np.maximum.reduceat(persons, values.starts[:-1])
    broken = exceeds(most, limit, values.people)
    worst = worst_of(most / values.people, broken)
    part = int(np.argmax(worst))
    return Measured(broken, worst, Fraction(int(most[part]), int(values.people[part])))


def exceeds(numbers: NDArray[np.int64], factor: Fraction, others: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say where numbers > factor · others, all of them at least 0, without rounding."""
    a, b = factor.numerator, factor.denominator
    high = max(int(numbers.max(initial=0)) * b, int(others.max(initial=0)) * a)
    if high < 2**63:
        found: NDArray[np.bool_] = numbers * b > others * a
        return found
    pairs = zip(numbers.tolist(), others.tolist(), strict=True)
    return np.array([x * b > y * a for x, y in pairs], np.bool_)
