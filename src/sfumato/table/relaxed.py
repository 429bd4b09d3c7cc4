"""Rules that hold of every class that is kept, whatever else is left out.

A model that compares with the released table asks something else for every choice of what is left out.
When at most L of the N rows go, the released table lies within reach of the counted one, and a class that
is kept satisfies at least what is asked here. So a class that breaks it breaks the promise under every
choice, and what a search proves with these rules is proved for the promise.

With B_v rows of value v, its share in the released table is at most B_v / (N − min(L, N − B_v)): L others go.

*β-likeness, δ-disclosure.* The largest share that a class may have rises with the released share (for the
enhanced one p·(1 − ln p) does too), so it is the one at the largest released share.

*t-closeness.* P = (1 − σ)·P′ + σ·Q with σ ≤ L/N and Q the distribution of those who go. So P′ is at most σ
from P where no two values are farther apart than 1, and a class within t of P′ is within t + σ of P. Along an
order the distance of two values depends on which values occur; where one may vanish nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.table import exact
from sfumato.table.judge import Judge
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.rule_lines import Line, line_of
from sfumato.table.rule_needs import filled_from, needed_rows
from sfumato.table.rule_tables import facts_of
from sfumato.table.solution import Problem

_SLACK = 1e-9
"""far above any error of rounding: a relaxed rule may only be more relaxed"""
_CAPS = frozenset({RuleKind.LIKENESS, RuleKind.LIKENESS_ENHANCED, RuleKind.DISCLOSURE})
_ALONG = frozenset({RuleKind.CLOSE_ORDERED, RuleKind.CLOSE_NUMERIC})


@dataclass(frozen=True)
class RelaxedJudge(Judge):
    """The rules of a problem, those that compare with the released table relaxed to what always holds."""

    caps: Mapping[int, NDArray[np.float64]] = field(default_factory=dict, repr=False)
    """by rule: the largest share that each value may have in a class"""
    softened: frozenset[int] = frozenset()
    """rules that were relaxed"""

    @classmethod
    def within(cls, problem: Problem, limit: int) -> RelaxedJudge:
        """Relax the rules of a problem of which at most ``limit`` rows are left out."""
        rules: list[Rule] = []
        lines: list[Line] = []
        facts: list[exact.Facts | None] = []
        caps: dict[int, NDArray[np.float64]] = {}
        softened: set[int] = set()
        for rule in problem.rules:
            known = facts_of(problem, rule)
            if not rule.as_released:
                rules.append(rule)
                lines.append(line_of(rule, problem.cells, known))
                facts.append(known)
                continue
            # Somebody with several rows is counted in ways that the argument above does not cover.
            if known is None or not problem.cells.rows_are_persons or not sum(known.base):
                continue
            place = len(rules)
            if rule.kind in _CAPS:
                caps[place] = _caps(rule, known, limit)
                rule = replace(rule, kind=RuleKind.LIKENESS, monotone=True)
                line = line_of(rule, problem.cells, known)._replace(table=caps[place])
            elif rule.kind in _ALONG and min(filter(None, known.base)) <= limit:
                continue
            else:
                moved = limit / sum(known.base) + _SLACK
                line = line_of(rule, problem.cells, known)
                line = line._replace(bound=line.bound + moved)
            rules.append(rule)
            lines.append(line)
            facts.append(known)
            softened.add(place)
        return cls(problem.cells, tuple(rules), tuple(lines), tuple(facts), caps, frozenset(softened))

    @cached_property
    def least_rows(self) -> int:
        """The rows without which no class satisfies all rules, whatever else is left out."""
        found = [1]
        for r, (rule, facts) in enumerate(zip(self.rules, self.facts, strict=True)):
            if r in self.caps:
                found.append(filled_from(self.caps[r]))
            elif r not in self.softened:
                found.append(needed_rows(rule, facts))
        return max(found)

    def _holds(self, r: int, keys: list[int], persons: list[int]) -> bool:
        # At a relaxed threshold nothing is claimed.
        return r in self.softened or super()._holds(r, keys, persons)


def _caps(rule: Rule, facts: exact.Facts, limit: int) -> NDArray[np.float64]:
    """Return the largest share that each value may have in a class that is kept."""
    base = np.array(facts.base, np.float64)
    total = base.sum()
    shares = base / np.maximum(total - np.minimum(limit, total - base), 1.0)
    bound = float(exact.fraction(rule))
    if rule.kind is RuleKind.DISCLOSURE:
        factor = np.full(len(shares), 2.0**bound)
    elif rule.kind is RuleKind.LIKENESS:
        factor = np.full(len(shares), 1.0 + bound)
    else:
        logs = -np.log(np.where(shares > 0, shares, 1.0))
        factor = 1.0 + np.minimum(bound, logs)
    found: NDArray[np.float64] = np.minimum(shares * factor, 1.0) + _SLACK
    return found
