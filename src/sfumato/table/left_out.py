"""Which classes of a partition are left out, where a promise is about what is left.

Most rules say of a class alone whether it may be published. Two kinds do not. Some compare it with the
released table, which is another one for every choice of what is left out; and some ask for an average over
all classes. Then a choice has to be judged as it will be released, and there are as many choices as sets
of classes.

What is tried does not depend on how many rows may be left out: a fixed list of choices for every
partition, of which those within the limit count. So a higher limit never finds less.

1. *All at once, to the end.* Leave out what breaks a promise, compare again, until nothing does.
2. *Back again.* From there, leave out exactly what breaks a promise compared with the last choice: what was
   left out may come back.
3. *Every small choice.* In partitions of few classes the sets with fewest rows. Where these are all sets
   within the limit, the best of them is proved to be the best.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.table.cells import Histogram
from sfumato.table.judge import Classes, Entries, Findings, Judge
from sfumato.table.relaxed import RelaxedJudge
from sfumato.table.solution import Problem
from sfumato.table.whole_rule import smallest_first

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

ROUNDS = 3
"""how often classes that were left out may come back"""
FEW_CLASSES = 24
"""classes up to which single sets of them are tried"""
SETS = 64
"""how many of these sets are tried"""
DIGITS = 9
"""decimals to which it is compared how telling classes are: past them lies the error of sums"""


@dataclass(frozen=True)
class Choices:
    """Choices of one partition that keep every promise.

    ``floor`` holds of every choice within the limit that does, whether it was found or not. ``complete``
    says that no other such choice leaves out less than all of the found ones do.
    """

    floor: Findings
    found: tuple[Mask, ...]
    complete: bool


def depends(problem: Problem) -> bool:
    """Check whether what may be left out depends on what else is."""
    return bool(problem.whole) or any(rule.as_released for rule in problem.rules)


class LeftOut:
    """Chooses what is left out of any partition of one table: at most ``limit`` rows."""

    def __init__(self, problem: Problem, limit: int) -> None:
        # The released table is worked out for every choice; before one is made it is the table as counted.
        problem = replace(problem, bases={})
        self._problem, self._limit = problem, limit
        self.judge = RelaxedJudge.within(problem, limit)
        alone = tuple(rule for rule in problem.rules if not rule.as_released)
        self._alone = Judge.of(replace(problem, rules=alone))
        self._compared = tuple(rule for rule in problem.rules if rule.as_released)

    @property
    def asks_of_all(self) -> bool:
        """Whether a promise is about the sizes of all classes together."""
        return bool(self._problem.whole)

    def choices(
        self, classes: Classes, floor: Findings | None = None, telling: Floats | None = None
    ) -> Choices:
        """Look for choices; ``floor`` is what the relaxed judge says, where it was asked already.

        Of classes of the same size those go first that are most ``telling``, then the first.
        """
        if floor is None:
            floor = self.judge.findings(classes)
        forced = self._alone.findings(classes).broken
        if (forced & (classes.rows == 0)).any():
            return Choices(floor, (), complete=True)
        found: dict[bytes, Mask] = {}
        out = self._to_the_end(classes, forced, self._order(classes, telling))
        if out is not None:
            for choice in (out, *self._back_again(classes, forced, out)):
                found.setdefault(choice.tobytes(), choice)
        least = int(floor.gone.sum())
        complete = any(int(classes.rows[out].sum()) == least for out in found.values())
        if not complete and np.count_nonzero(~forced) <= FEW_CLASSES:
            complete = self._small_sets(classes, forced, found)
        return Choices(floor, tuple(out for out in found.values() if self._within(classes, out)), complete)

    def fewest(self, classes: Classes) -> Mask | None:
        """Return the choice that leaves out the fewest rows; None when none was found."""
        found = self.choices(classes).found
        return min(found, key=lambda out: int(classes.rows[out].sum())) if found else None

    def refutes(self, classes: Classes) -> bool:
        """Check whether a promise about all sizes needs more rows to go than may, here and below."""
        rules = tuple(rule for rule in self._problem.whole if rule.monotone)
        if not rules or not self._problem.cells.rows_are_persons:
            return False
        if self._problem.starred:
            return False
        sizes = np.sort(classes.rows[classes.rows > 0])
        needed = smallest_first(rules, (sizes,))
        return needed is None or int(sizes[:needed].sum()) > self._limit

    def _kept(self, classes: Classes, out: Mask) -> bool:
        if self._broken(classes, out, ~out).any():
            return False
        going = self._going(classes, out, self._order(classes))
        return going is not None and not len(going)

    def _order(self, classes: Classes, telling: Floats | None = None) -> Ints:
        """Return classes in the order in which they go: smallest, then most telling, then first."""
        if not self.asks_of_all:
            return np.zeros(0, np.int64)
        if telling is None:
            return np.argsort(classes.persons, kind="stable")
        return np.lexsort((np.arange(len(classes)), -np.round(telling, DIGITS), classes.persons))

    def _within(self, classes: Classes, out: Mask) -> bool:
        lost = int(classes.rows[out].sum())
        return lost <= self._limit and lost < int(classes.rows.sum())

    def _to_the_end(self, classes: Classes, forced: Mask, order: Ints) -> Mask | None:
        """Leave out what breaks a promise until nothing does; None when too much would go."""
        out = forced.copy()
        while self._within(classes, out):
            broken = self._broken(classes, out, ~out)
            if not broken.any():
                going = self._going(classes, out, order)
                if going is None:
                    return None
                if not len(going):
                    return out
                broken[going] = True
            if (broken & (classes.rows == 0)).any():
                return None
            out |= broken
        return None

    def _back_again(self, classes: Classes, forced: Mask, out: Mask) -> Iterator[Mask]:
        """Leave out just what breaks a promise compared with the choice before, beginning with ``out``."""
        if not self._compared or self._problem.whole:
            return
        broken = self._broken(classes, out)
        for _ in range(ROUNDS):
            following = forced | broken
            if np.array_equal(following, out) or not (classes.rows[~following] > 0).any():
                return
            out, broken = following, self._broken(classes, following)
            if not broken[~out].any():
                yield out

    def _small_sets(self, classes: Classes, forced: Mask, found: dict[bytes, Mask]) -> bool:
        """Try the sets with fewest rows; say whether these were all within the limit."""
        free = np.flatnonzero(~forced & (classes.rows > 0))
        lost = int(classes.rows[forced].sum())
        for tried, (rows, members) in enumerate(_lightest(classes.rows[free].tolist())):
            if lost + rows > self._limit:
                return True
            if tried == SETS:
                return False
            out = forced.copy()
            out[free[list(members)]] = True
            if out.tobytes() not in found and self._within(classes, out) and self._kept(classes, out):
                found[out.tobytes()] = out
        return True

    def _broken(self, classes: Classes, out: Mask, asked: Mask | None = None) -> Mask:
        """Find those of some classes that break a promise compared with the release without ``out``."""
        if not self._compared:
            return np.zeros(len(classes), np.bool_)
        bases: dict[tuple[str, bool], Ints] = {}
        for histogram, entries in zip(self._problem.cells.histograms, classes.entries, strict=True):
            key = (histogram.domain.name, histogram.in_rows)
            if key not in bases:
                bases[key] = base_of(histogram, entries, ~out)
        judge = Judge.of(replace(self._problem, rules=self._compared, bases=bases))
        # Of a class that breaks a promise all rows go: how many must is not asked, and takes longest.
        lines = tuple(line._replace(bounded=False, hereditary=True) for line in judge.lines)
        judge = replace(judge, lines=lines)
        if asked is None:
            return judge.findings(classes).broken
        # A class without rows is not judged. Past the limit it does not matter which others break a promise.
        some = replace(classes, rows=np.where(asked, classes.rows, 0))
        return judge.findings(some, self._limit).broken & asked

    def _going(self, classes: Classes, out: Mask, order: Ints) -> Ints | None:
        """Return the smallest classes that have to go besides; None when too many would."""
        if not self._problem.whole:
            return np.zeros(0, np.int64)
        kept = order[(~out & (classes.rows > 0))[order]]
        ways = [classes.persons] if self._problem.cells.rows_are_persons else [classes.persons, classes.rows]
        starred = [int(counted[out].sum()) for counted in ways] if self._problem.starred else None
        spare = self._limit - int(classes.rows[out].sum())
        most = int(np.searchsorted(np.cumsum(classes.rows[kept]), spare, side="right"))
        sizes = tuple(counted[kept] for counted in ways)
        number = smallest_first(self._problem.whole, sizes, starred, most)
        return None if number is None else kept[:number]


def base_of(histogram: Histogram, entries: Entries, kept: Mask) -> Ints:
    """Count who has which value in the classes that are kept."""
    values = len(histogram.domain)
    base = np.zeros(values, np.int64)
    if isinstance(entries, tuple):
        inside = np.repeat(kept, np.diff(entries[0]))
        np.add.at(base, entries[1][inside] % values, entries[2][inside])
    else:
        width = values * len(histogram.groups)
        added = kept.astype(np.int64) @ entries[:, :width].astype(np.int64)
        base += added.reshape(len(histogram.groups), values).sum(axis=0)
    return base


def _lightest(weights: list[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield all sets of positions in the order of their weight, the empty one first.

    >>> [members for _, members in _lightest([3, 1])]
    [(), (1,), (0,), (0, 1)]
    """
    order = sorted(range(len(weights)), key=lambda i: (weights[i], i))
    yield 0, ()
    if not order:
        return
    queue: list[tuple[int, tuple[int, ...]]] = [(weights[order[0]], (0,))]
    while queue:
        weight, ranks = heapq.heappop(queue)
        yield weight, tuple(sorted(order[rank] for rank in ranks))
        last = ranks[-1]
        if last + 1 < len(order):
            step = weights[order[last + 1]]
            heapq.heappush(queue, (weight + step, (*ranks, last + 1)))
            heapq.heappush(queue, (weight + step - weights[order[last]], (*ranks[:-1], last + 1)))
