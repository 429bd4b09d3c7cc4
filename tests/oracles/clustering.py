"""Partitions tried one by one, and the certainty penalty of a class from its records alone."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from typing import Any

Record = tuple[Any, ...]


def partitions(size: int) -> Iterator[list[list[int]]]:
    """Every way to part the numbers below ``size`` into groups."""
    if size == 0:
        yield []
        return
    for smaller in partitions(size - 1):
        for i in range(len(smaller)):
            yield [*smaller[:i], [*smaller[i], size - 1], *smaller[i + 1 :]]
        yield [*smaller, [size - 1]]


def is_ordered(values: Sequence[Any]) -> bool:
    return any(isinstance(value, (int, float, dt.date)) and not isinstance(value, bool) for value in values)


def width(values: set[Any], domain: Sequence[Any]) -> float:
    """Range over span on an axis (all of it when missing is mixed in), else values over values."""
    if len(values) < 2:
        return 0.0
    if not is_ordered(domain):
        return len(values) / len(domain)
    if None in values:
        return 1.0
    known = [value for value in domain if value is not None]
    return float((max(values) - min(values)) / (max(known) - min(known)))


def loss(classes: Sequence[Sequence[Record]], domains: Sequence[Sequence[Any]]) -> float:
    """NCP: records of a class times the widths of its columns, summed."""
    return sum(
        len(members) * sum(width({r[j] for r in members}, domain) for j, domain in enumerate(domains))
        for members in classes
    )


def least_loss(cells: dict[Record, int], k: int, domains: Sequence[Sequence[Any]]) -> float:
    """The loss of the best partition of cells (with so many records each) into classes of k or more."""
    best = math.inf
    listed = list(cells)
    for groups in partitions(len(listed)):
        classes = [[listed[c] for c in group for _ in range(cells[listed[c]])] for group in groups]
        if all(len(members) >= k for members in classes):
            best = min(best, loss(classes, domains))
    return best


def growth(one: Sequence[Record], other: Sequence[Record], domains: Sequence[Sequence[Any]]) -> float:
    """By how much the loss grows when two classes become one."""
    return loss([[*one, *other]], domains) - loss([one], domains) - loss([other], domains)
