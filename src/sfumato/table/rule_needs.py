"""How many rows a class needs at least, whoever is in it, to satisfy a rule.

A class that is too small is left out, and so is every part of it: the quickest reason to refuse a
generalisation, because it needs no look at sensitive values.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray

from sfumato.table import exact
from sfumato.table.rule import Rule, RuleKind

_MOST_TRIED = 1000
_SLACK = 1e-9
"""errors of floating point may only make the number smaller"""


def needed_rows(rule: Rule, facts: exact.Facts | None) -> int:
    """Return a number of rows below which no class satisfies the rule.

    >>> needed_rows(Rule(RuleKind.ENTROPY, (5, 2), True, "ill"), exact.Facts((4, 4, 4)))
    3
    """
    match rule.kind:
        case RuleKind.MIN_PERSONS | RuleKind.DISTINCT:
            return max(1, rule.parameters[0])
        case RuleKind.ENTROPY:
            return max(1, ceil(exact.fraction(rule)))
        case RuleKind.RECURSIVE:
            return max(1, rule.parameters[2])
    if facts is None or not sum(facts.base):
        return 1
    shares = np.array(facts.base, np.float64) / sum(facts.base)
    match rule.kind:
        case RuleKind.MAX_SHARE if not facts.watched:
            return filled_from(np.full(len(shares), float(exact.fraction(rule))))
        case RuleKind.LIKENESS | RuleKind.LIKENESS_ENHANCED:
            return filled_from((1.0 + float(exact.fraction(rule))) * shares)
        case RuleKind.CLOSE_EQUAL:
            return _to_reach(shares, 1.0 - float(exact.fraction(rule)))
    return 1


def filled_from(caps: NDArray[np.float64]) -> int:
    """Return the least n with Σ ⌊cap_v · n⌋ ≥ n: whole persons, none of the values over its cap."""
    for n in range(1, _MOST_TRIED):
        if np.floor(caps * n + _SLACK).sum() >= n:
            return n
    return _MOST_TRIED


def _to_reach(shares: NDArray[np.float64], wanted: float) -> int:
    """Return the least n such that n values have together the wanted share.

    The distance to a class of n is at least what lies on the values that it lacks.
    """
    reached = np.cumsum(np.sort(shares)[::-1])
    return min(int(np.searchsorted(reached, wanted - _SLACK)) + 1, len(shares))
