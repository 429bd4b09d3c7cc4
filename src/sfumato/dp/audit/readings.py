"""What an auditor looks at in the outputs of a mechanism: numbers that may betray the input.

A reading turns every output into one number, and events are made of its values. Beside the values themselves
there are sums, differences and extremes of outputs with several numbers, whole outputs as one thing, and, for
floats, how fine their last bit is: S. Haney, D. Desfontaines, L. Hartman, R. Shrestha & M. Hay,
"Precision-based attacks and interval refining: how to break, then fix, differential privacy on finite
computers" (2022). What a sum of two floats can be depends on the exponents of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

Outputs = NDArray[np.int64] | NDArray[np.float64]
"""one row per run; one number, or several"""

MOST_COLUMNS = 16
MOST_PAIRED = 6
NOT_FINE = 5000
"""the fineness of 0, infinities and what is not a number"""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Reading:
    """A way to look at outputs, with a name that completes "the reading …"."""

    name: str
    read: Callable[[Outputs], Outputs]


def fineness(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the exponent of the lowest bit that is set: 0.75 = 3 · 2⁻² gives −2.

    >>> fineness(np.array([0.75, 1.0, 6.0, 0.0])).tolist()
    [-2, 0, 1, 5000]
    """
    sound = np.isfinite(values) & (values != 0)
    mantissa, exponent = np.frexp(np.where(sound, values, 1.0))
    whole = np.abs(mantissa * 2.0**53).astype(np.int64)
    lowest = np.log2((whole & -whole).astype(np.float64)).astype(np.int64)
    return np.where(sound, exponent.astype(np.int64) - 53 + lowest, NOT_FINE)


def whole_output(rows: Outputs) -> NDArray[np.int64]:
    """Return one number per output, the same for equal outputs: each output as a thing of its own."""
    bits = np.ascontiguousarray(rows).view(np.uint64)
    mixed = np.zeros(len(rows), np.uint64)
    for column in range(bits.shape[1]):
        mixed = (mixed ^ bits[:, column]) * _FACTOR
        mixed ^= mixed >> np.uint64(29)
    return mixed.view(np.int64)


def readings_of(outputs: Outputs, more: tuple[Reading, ...] = ()) -> tuple[Reading, ...]:
    """Return the readings that fit these outputs, and some more that are given."""
    checked(outputs)
    if outputs.ndim == 1:
        found = [Reading("the value", lambda rows: rows)]
        if outputs.dtype.kind == "f":
            found.append(Reading("the last bit", lambda rows: fineness(np.asarray(rows, np.float64))))
        return (*found, *more)
    columns = min(outputs.shape[1], MOST_COLUMNS)
    if outputs.shape[1] == 1:
        return (*(_first(reading) for reading in readings_of(outputs[:, 0])), *more)
    found = [Reading(f"number {i + 1}", _column(i)) for i in range(columns)]
    found.append(Reading("the sum", lambda rows: rows.sum(axis=1)))
    half = outputs.shape[1] // 2
    found.append(
        Reading(
            "the first half less the second",
            lambda rows: rows[:, :half].sum(axis=1) - rows[:, -half:].sum(axis=1),
        )
    )
    found.append(Reading("the smallest", lambda rows: rows.min(axis=1)))
    found.append(Reading("the largest", lambda rows: rows.max(axis=1)))
    found.append(Reading("the whole output", whole_output))
    if columns <= MOST_PAIRED:
        found += [
            Reading(f"number {i + 1} less number {j + 1}", _difference(i, j))
            for i, j in combinations(range(columns), 2)
        ]
    if outputs.dtype.kind == "f":
        found += [Reading(f"the last bit of number {i + 1}", _fine_column(i)) for i in range(columns)]
    return (*found, *more)


def checked(outputs: Outputs) -> Outputs:
    """Refuse outputs that are not an array of whole numbers or floats with a row per run."""
    if outputs.ndim not in (1, 2) or outputs.dtype not in (np.int64, np.float64):
        raise BadInput(
            "a mechanism's outputs are int64 or float64, a row (of one or more numbers) per run",
            where="audit",
            remedy="turn words into numbers, and fill up what is shorter",
        )
    return outputs


def _first(reading: Reading) -> Reading:
    return Reading(reading.name, lambda rows: reading.read(rows[:, 0]))


def _column(i: int) -> Callable[[Outputs], Outputs]:
    return lambda rows: rows[:, i]


def _difference(i: int, j: int) -> Callable[[Outputs], Outputs]:
    return lambda rows: rows[:, i] - rows[:, j]


def _fine_column(i: int) -> Callable[[Outputs], Outputs]:
    return lambda rows: fineness(np.asarray(rows[:, i], np.float64))
