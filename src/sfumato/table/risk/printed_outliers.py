"""Outliers that a published range ends at: ``[4834-9999999]`` tells the largest income there is.

Methods that describe a group by the values in it print the least and the greatest of them. Where such a value
belongs to few people and lies far away from everybody else's, the print tells who is in the group. Far away
is what J. Tukey, "Exploratory data analysis" (1977), calls far out, three times the distance of the
quartiles beyond them; or, where most people share one value, further from the others than these lie apart.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.table.solution import SUPPRESSED, Solution

FAR_OUT = 3
"""distances of the quartiles beyond which a value is far out"""


def printed_outliers(solution: Solution, k: int) -> dict[str, int]:
    """Count by column the people with an outlying value that fewer than k have and a range prints."""
    cells = solution.cells
    kept = (solution.classes != SUPPRESSED) & (cells.rows > 0)
    found = {}
    for j, domain in enumerate(cells.domains):
        persons = np.zeros(len(domain), np.int64)
        np.add.at(persons, cells.codes[j], cells.persons)
        outlying = np.zeros(len(domain), np.bool_)
        outlying[far_out(domain, persons, k)] = True
        here = np.flatnonzero(kept & outlying[cells.codes[j]])
        pairs = np.stack([cells.codes[j, here], solution.boxes[j, solution.classes[here]]])
        labels = solution.columns[j].labels
        printed = {
            int(code)
            for code, place in np.unique(pairs, axis=1).T
            if _ends_at(labels[place], domain.texts[code])
        }
        if printed:
            found[domain.name] = int(persons[sorted(printed)].sum())
    return found


def far_out(domain: Domain, persons: NDArray[np.int64], k: int) -> list[int]:
    """Return the codes of values that fewer than k people have and that lie far from everybody else's."""
    # Digits behind a zero are a code, not an amount.
    codes = any(len(text) > 1 and text.isdigit() and text[0] == "0" for text in domain.texts if text)
    if domain.positions is None or codes:
        return []
    there = np.flatnonzero(~np.isnan(domain.positions) & (persons > 0))
    place, number = domain.positions[there], persons[there]
    if len(there) < 2 or int(number.sum()) <= k:
        return []
    low, high = _quartile(place, number, 1), _quartile(place, number, 3)
    beyond = np.zeros(len(there), np.bool_)
    if high > low:
        reach = FAR_OUT * (high - low)
        beyond = (place < low - reach) | (place > high + reach)
    few = number < k
    return [int(code) for code in there[few & (beyond | _apart(place, number, k))]]


def _quartile(place: NDArray[np.float64], number: NDArray[np.int64], quarter: int) -> float:
    """Return the least value with at least so many quarters of the people at or below it."""
    below = np.cumsum(number)
    return float(place[np.searchsorted(4 * below, quarter * int(below[-1]))])


def _apart(place: NDArray[np.float64], number: NDArray[np.int64], k: int) -> NDArray[np.bool_]:
    """Mark fewer than k people at either end who lie further from the others than these lie apart."""
    marked = np.zeros(len(place), np.bool_)
    inner = np.flatnonzero((np.cumsum(number) >= k) & (np.cumsum(number[::-1])[::-1] >= k))
    if not len(inner):
        return marked
    # Values that only fewer than k people lie beyond: the others are from the first to the last of these.
    first, last = int(inner[0]), int(inner[-1])
    extent = place[last] - place[first]
    marked[:first] = place[first] - place[:first] > extent
    marked[last + 1 :] = place[last + 1 :] - place[last] > extent
    return marked


def _ends_at(label: str | None, text: str | None) -> bool:
    """Check whether a label prints a value beside another: as an end of a range."""
    if label is None or text is None or label == text or text not in label:
        return False
    return re.search(rf"(?<![\w.]){re.escape(text)}(?![\w]|\.\d)", label) is not None
