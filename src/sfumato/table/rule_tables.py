"""The numbers that a rule about a sensitive column needs: shares, caps, gaps, windows, guarded values."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain, Scale, as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import Ladder
from sfumato.table import exact
from sfumato.table.cells import Histogram
from sfumato.table.rule import ALONG_A_HIERARCHY, Rule, RuleKind
from sfumato.table.solution import Problem

Numbers = NDArray[np.float64]


def facts_of(problem: Problem, rule: Rule) -> exact.Facts | None:
    """Gather what a rule needs to know of the whole table; refuse a column that it cannot watch."""
    if rule.column is None:
        return None
    histogram = problem.cells.histogram(rule.column, rule.known, in_rows=rule.in_rows)
    domain = histogram.domain
    _refuse(rule, domain)
    released = problem.bases.get((rule.column, rule.in_rows)) if rule.as_released else None
    base = histogram.base() if released is None else released
    ladder = problem.sensitive_ladders.get(rule.column)
    if ladder is None and rule.kind in ALONG_A_HIERARCHY:
        raise BadInput(
            "the model needs a hierarchy of this sensitive column and there is none",
            where=f"column '{rule.column}'",
            remedy="give it a hierarchy, as for a quasi-identifier",
        )
    watched = frozenset(code for code, text in enumerate(domain.texts) if text in rule.values)
    if len(watched) < len(set(rule.values)):
        raise BadInput(
            f"{len(set(rule.values)) - len(watched)} of the values to be watched do not occur",
            where=f"column '{rule.column}'",
            remedy="check how they are written",
        )
    return exact.Facts(tuple(base.tolist()), domain.values, watched, ladder)


def _refuse(rule: Rule, domain: Domain) -> None:
    where = f"column '{domain.name}'"
    numeric = rule.kind in (RuleKind.CLOSE_NUMERIC, RuleKind.RANGE, RuleKind.NEIGHBOURHOOD)
    alphabetical = len(rule.parameters) > 2 and bool(rule.parameters[2])
    if domain.scale is Scale.CATEGORY and (
        numeric or (rule.kind is RuleKind.CLOSE_ORDERED and not alphabetical)
    ):
        raise BadInput(
            "its values are neither numbers nor dates, and the model needs an order of them",
            where=where,
            remedy="choose the equal or the hierarchical distance, or another model",
        )
    if rule.kind is RuleKind.CLOSE_NUMERIC and domain.has_missing:
        raise BadInput(
            "some values are missing, and they have no distance to numbers",
            where=where,
            remedy="choose the ordered distance, in which missing comes last",
        )
    if (needed := _different_values(rule)) > len(domain):
        raise BadInput(
            f"every class would need {math.ceil(needed)} different values, and there are {len(domain)}",
            where=where,
            remedy=f"ask for less: l can be at most {len(domain)}, a share at least 1/{len(domain)}",
        )


def _different_values(rule: Rule) -> Fraction:
    """Return how many different values a class must have at the least."""
    match rule.kind:
        case RuleKind.DISTINCT:
            return Fraction(rule.parameters[0])
        case RuleKind.ENTROPY:
            return exact.fraction(rule)
        case RuleKind.RECURSIVE:
            return Fraction(rule.parameters[2])
        case RuleKind.MAX_SHARE if not rule.values and rule.parameters[0] > 0:
            return 1 / exact.fraction(rule)
        case _:
            return Fraction(1)


def numbers_of(rule: Rule, facts: exact.Facts, histogram: Histogram) -> Numbers:
    """Lay the numbers of a rule out as its kernel reads them."""
    total = sum(facts.base)
    shares = np.array(facts.base, np.float64) / max(total, 1)
    bound = float(exact.fraction(rule)) if rule.kind is not RuleKind.DISTINCT else 0.0
    match rule.kind:
        case RuleKind.MAX_SHARE:
            watched = [not facts.watched or v in facts.watched for v in range(len(shares))]
            return np.where(watched, bound, np.inf)
        case RuleKind.LIKENESS:
            return np.asarray((1.0 + bound) * shares)
        case RuleKind.LIKENESS_ENHANCED:
            logs = np.array([-math.log(p) if p > 0 else 0.0 for p in shares])
            caps: Numbers = (1.0 + np.minimum(bound, logs)) * shares
            return caps
        case RuleKind.DISCLOSURE:
            return np.concatenate([shares * 2.0**bound, shares * 2.0**-bound])
        case RuleKind.CLOSE_EQUAL:
            return shares
        case RuleKind.CLOSE_ORDERED:
            return _with_gaps(shares, exact.ordered_gaps(facts.base))
        case RuleKind.CLOSE_NUMERIC:
            return _with_gaps(shares, exact.numeric_gaps(facts.values, facts.base))
        case RuleKind.CLOSE_HIERARCHICAL:
            assert facts.ladder is not None
            return _tree(shares, facts.ladder)
        case RuleKind.RANGE:
            assert histogram.domain.positions is not None
            return np.array(histogram.domain.positions)
        case RuleKind.NEIGHBOURHOOD:
            return np.array(exact.windows(rule, facts.values), np.float64).T.ravel()
        case RuleKind.GUARDED:
            assert facts.ladder is not None
            return _guards(facts.ladder, histogram)
        case _:
            return np.zeros(0)


def _with_gaps(shares: Numbers, gaps: list[Fraction]) -> Numbers:
    padded = np.zeros(len(shares))
    padded[: len(gaps)] = [float(gap) for gap in gaps]
    return np.concatenate([shares, padded])


def _tree(shares: Numbers, ladder: Ladder) -> Numbers:
    """Return the shares of the lowest groups, those of the values, then every group's parent (-1: none)."""
    size = len(shares)
    lowest = np.zeros(size)
    np.add.at(lowest, ladder.rungs[0], shares)
    levels = [lowest, ladder.rungs[0].astype(np.float64)]
    for level in range(1, ladder.height + 1):
        parents = np.full(size, -1.0)
        parents[ladder.rungs[level - 1]] = ladder.rungs[level]
        levels.append(parents)
    return np.concatenate(levels)


def _guards(ladder: Ladder, histogram: Histogram) -> Numbers:
    """Mark for every node that somebody wants guarded the values below it, if any occur."""
    below = np.zeros((len(histogram.groups), len(histogram.domain)))
    for g, (guard,) in enumerate(histogram.groups):
        if guard is None:
            continue
        for level in range(ladder.height + 1):
            matching = [group for group, label in enumerate(ladder.labels[level]) if label == as_text(guard)]
            below[g, np.isin(ladder.rungs[level], matching)] = 1.0
    return below.ravel()
