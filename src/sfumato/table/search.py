"""A search whose promise is about the table that is released, not about the one that was searched.

Two things are different in the table that is released, and only known when the search is over.

*The whole table.* Some models compare a class with the whole table (t-closeness, β-likeness,
δ-disclosure). When records are suppressed, the whole table is another one afterwards.

*People with several rows.* The search adds up the persons of cells. Somebody with the same sensitive
value in two cells of a class is one person with it, not two; so shares are a little off.

What was found is therefore judged as it will be released. Methods that can leave records out see to it
themselves (``left_out``). If a promise does not hold, the search is repeated against what would have been
released, and asks for a little more; what such a round proves is about its own question, not about the one
that was asked, so it is not claimed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import Progress
from sfumato.table.cells import Histogram
from sfumato.table.judge import Classes, Entries, Judge
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import SUPPRESSED, Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility

Ints = NDArray[np.int64]

LITTLE_MORE = tuple(Fraction(share, 100) for share in (97, 94, 90, 85, 78, 70, 60, 50))
"""what is left of a bound in each further round"""
_SHARES = frozenset(
    {
        RuleKind.CLOSE_EQUAL,
        RuleKind.CLOSE_ORDERED,
        RuleKind.CLOSE_NUMERIC,
        RuleKind.CLOSE_HIERARCHICAL,
        RuleKind.LIKENESS,
        RuleKind.LIKENESS_ENHANCED,
        RuleKind.DISCLOSURE,
        RuleKind.MAX_SHARE,
        RuleKind.RECURSIVE,
        RuleKind.GUARDED,
    }
)
"""kinds that ask for more when their bound is lower"""


class Searching(Protocol):
    """The part of a method that is needed here."""

    def search(self, problem: Problem, utility: Utility, *, progress: Progress) -> Solution:
        """Decide on a class for every cell."""


def searched(method: Searching, problem: Problem, utility: Utility, progress: Progress) -> Solution:
    """Search until what is released satisfies the rules."""
    if all(rule.column is None for rule in problem.rules):
        # Nothing changes about numbers of people, and local suppression may read missing values its own way.
        return method.search(problem, utility, progress=progress)
    try:
        return _repeated(method, problem, utility, progress)
    except PromiseNotMet:
        # Without suppression the whole table stays as it is: what then fits, fits under every limit.
        if getattr(method, "suppress", 0.0) == 0.0 or all(not rule.as_released for rule in problem.rules):
            raise
        strict: Any = method
        return _repeated(replace(strict, suppress=0.0), problem, utility, progress)


def _repeated(method: Searching, asked: Problem, utility: Utility, progress: Progress) -> Solution:
    problem = asked
    for share in LITTLE_MORE:
        try:
            solution = method.search(problem, utility, progress=progress)
        except PromiseNotMet:
            if problem is asked:
                raise
            break
        if keeps_promises(asked, solution):
            if problem is asked and _counted_exactly(asked):
                return solution
            # What was proved is about other rules, or about counts that are a little off.
            bound = None if solution.bound is None else _certain_bound(method, asked, utility, progress)
            return replace(solution, optimal=False, bound=bound)
        problem = replace(asked, bases=released_bases(asked, solution))
        if asked.cells.spans is not None or not asked.cells.rows_are_persons:
            problem = replace(problem, rules=tuple(_stricter(rule, share) for rule in asked.rules))
    raise PromiseNotMet(
        "what is learned from the classes changes with the records that are left out, or with people who "
        "have several rows, and no choice was found that fits both",
        remedy="lower the limit for suppression (0 fits best), or relax the model",
    )


def keeps_promises(problem: Problem, solution: Solution) -> bool:
    """Check whether what is released keeps the promises, everybody counted once."""
    classes, bases = _as_released(problem, solution)
    judge = Judge.of(replace(problem, bases=bases))
    return not (judge.findings(classes).broken | _too_common(judge, classes)).any()


def released_bases(problem: Problem, solution: Solution) -> Mapping[tuple[str, bool], Ints]:
    """Count who has which sensitive value in the table that a solution releases."""
    return _as_released(problem, solution)[1]


def _counted_exactly(problem: Problem) -> bool:
    """Check whether a search sees the counts of the release: not where people have several rows."""
    return all(_exact(rule, problem) for rule in problem.rules)


def _exact(rule: Rule, problem: Problem) -> bool:
    if problem.cells.rows_are_persons or rule.column is None:
        return True
    return not rule.as_released and (rule.in_rows or rule.kind in (RuleKind.DISTINCT, RuleKind.RANGE))


def _certain_bound(
    method: Searching, problem: Problem, utility: Utility, progress: Progress
) -> float | tuple[float, ...] | None:
    """Return what no solution goes below, from the rules alone whose counts are right."""
    rules = tuple(rule for rule in problem.rules if _exact(rule, problem))
    return method.search(replace(problem, rules=rules), utility, progress=progress).bound


def _as_released(problem: Problem, solution: Solution) -> tuple[Classes, Mapping[tuple[str, bool], Ints]]:
    """Gather the classes of a solution with everybody counted once, and the whole table they make."""
    number = solution.boxes.shape[1]
    classes = Judge.of(problem).classes(solution.classes, number)
    histograms = problem.cells.histograms
    entries = tuple(
        _counted_once(histogram, solution.classes, found)
        for histogram, found in zip(histograms, classes.entries, strict=True)
    )
    bases: dict[tuple[str, bool], Ints] = {}
    kept = np.asarray(solution.classes) != SUPPRESSED
    for histogram in histograms:
        bases.setdefault((histogram.domain.name, histogram.in_rows), histogram.base(kept))
    return replace(classes, entries=entries), bases


def _too_common(judge: Judge, classes: Classes) -> NDArray[np.bool_]:
    """Find classes in which too many of the people have a value; what else they have does not count."""
    broken = np.zeros(len(classes), np.bool_)
    for rule, which in zip(judge.rules, judge.watched, strict=True):
        if rule.kind is not RuleKind.MAX_SHARE or rule.in_rows or rule.known:
            continue
        texts = judge.cells.histograms[which].domain.texts
        watched = np.array([not rule.values or text in rule.values for text in texts], np.bool_)
        a, b = rule.parameters[:2]
        most = _largest(classes.entries[which], watched)
        pairs = zip(most.tolist(), classes.persons.tolist(), strict=True)
        broken |= np.array([f * b > n * a for f, n in pairs], np.bool_)
    return broken


def _largest(entries: Entries, watched: NDArray[np.bool_]) -> Ints:
    """Return the most people of a class who share a watched value."""
    if not isinstance(entries, tuple):
        return np.asarray(np.where(watched, entries[:, : len(watched)], 0).max(axis=1), np.int64)
    starts, keys, persons = entries
    found = np.zeros(len(starts) - 1, np.int64)
    owner = np.repeat(np.arange(len(found)), np.diff(starts))
    np.maximum.at(found, owner, np.where(watched[keys], persons, 0))
    return found


def _counted_once(histogram: Histogram, classes: NDArray[np.integer], entries: Entries) -> Entries:
    """Subtract those who have one value in several cells of a class."""
    spans = histogram.spans
    if spans is None:
        return entries
    cell_of = np.repeat(np.arange(len(histogram.starts) - 1), np.diff(histogram.starts))
    who = np.repeat(np.arange(len(spans.starts) - 1), np.diff(spans.starts))
    owner = classes[cell_of[spans.cells]].astype(np.int64)
    inside = owner != SUPPRESSED
    each = np.stack([who, owner, histogram.keys[spans.cells]])[:, inside]
    (_, owner, key), several = np.unique(each, axis=1, return_counts=True)
    if not isinstance(entries, tuple):
        once = entries.copy()
        np.subtract.at(once, (owner, key), (several - 1).astype(once.dtype))
        return once
    starts, keys, persons = entries
    size = len(histogram.domain) * len(histogram.groups)
    place = np.repeat(np.arange(len(starts) - 1), np.diff(starts)) * size + keys
    order = np.argsort(place)
    left = persons.copy()
    np.subtract.at(left, order[np.searchsorted(place[order], owner * size + key)], several - 1)
    return starts, keys, left


def _stricter(rule: Rule, share: Fraction) -> Rule:
    """Return a rule that asks for a little more of what people with several rows may upset."""
    if rule.in_rows or rule.column is None:
        return rule
    bound = Fraction(*rule.parameters[:2]) if len(rule.parameters) > 1 else Fraction(0)
    if rule.kind in _SHARES:
        bound *= share
    elif rule.kind is RuleKind.ENTROPY:
        bound /= share
    else:
        return rule
    return replace(rule, parameters=(bound.numerator, bound.denominator, *rule.parameters[2:]))
