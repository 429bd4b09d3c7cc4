"""Rules worked out for one table, and asked about the classes of any partition of its cells.

Methods ask ``Judge.satisfied`` (or, where every microsecond counts, hand ``Judge.book`` to kernels of
their own, see ``_kernels_rules.state_of_class``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.table import exact
from sfumato.table._kernels_rules import BROKEN, SATISFIED, UNSURE, count_once, judge_classes, merge_entries
from sfumato.table.cells import Cells
from sfumato.table.rule import Rule, RuleKind, smallest_class
from sfumato.table.rule_tables import facts_of, numbers_of
from sfumato.table.solution import Problem

Ints = NDArray[np.int64]

_KERNEL_KIND = {
    RuleKind.LIKENESS: RuleKind.MAX_SHARE,
    RuleKind.LIKENESS_ENHANCED: RuleKind.MAX_SHARE,
    RuleKind.CLOSE_NUMERIC: RuleKind.CLOSE_ORDERED,
}
"""kinds that are one loop for kernels, with other numbers in its table"""
_WITH_WHOLE_NUMBER = {
    RuleKind.MIN_PERSONS: 0,
    RuleKind.MIN_POPULATION: 0,
    RuleKind.DISTINCT: 0,
    RuleKind.RECURSIVE: 2,
    RuleKind.NEIGHBOURHOOD: 2,
}
"""where a kind has a parameter that is a whole number"""


class Book(NamedTuple):
    """The rules as kernels read them: one entry for each rule."""

    kind: Ints
    histogram: Ints
    """which histogram of the cells it watches; -1 for none"""
    whole: Ints
    """its whole number (k, l, m, the height of a hierarchy)"""
    bound: NDArray[np.float64]
    """its fraction"""
    upper: NDArray[np.float64]
    """its second fraction"""
    values: Ints
    """how many sensitive values there are"""
    groups: Ints
    """how many combinations of what is known"""
    hereditary: NDArray[np.bool_]
    offset: Ints
    """where its numbers begin in the table"""
    table: NDArray[np.float64]
    everybody: int
    """all rows"""


@dataclass(frozen=True)
class Classes:
    """The classes of a partition: their rows, persons, population, and entries of every histogram."""

    rows: Ints
    persons: Ints
    population: Ints
    entries: tuple[tuple[Ints, Ints, Ints], ...] = ()
    """starts, keys, persons: as in ``Histogram``, for classes"""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Findings:
    """What the rules say of every class.

    ``broken``: some rule does not hold. ``certain``: neither does it in any part of the class.
    ``gone``: so many rows of the class, at least, are left out wherever it is divided further.
    """

    broken: NDArray[np.bool_]
    certain: NDArray[np.bool_]
    gone: Ints


@dataclass(frozen=True)
class Judge:
    """The rules of one problem, ready to be asked."""

    cells: Cells
    rules: tuple[Rule, ...]
    book: Book = field(repr=False)
    facts: tuple[exact.Facts | None, ...] = field(repr=False)

    @classmethod
    def of(cls, problem: Problem) -> Judge:
        """Work the rules of a problem out."""
        facts = tuple(facts_of(problem, rule) for rule in problem.rules)
        return cls(problem.cells, problem.rules, _book(problem, facts), facts)

    @property
    def counts_persons_only(self) -> bool:
        """Whether the number of persons of a class decides everything."""
        return all(rule.kind is RuleKind.MIN_PERSONS for rule in self.rules)

    @property
    def monotone(self) -> bool:
        """Whether merging classes that satisfy all rules always gives one that does."""
        return all(rule.monotone for rule in self.rules)

    @property
    def smallest(self) -> int:
        """The persons that every class surely needs."""
        return smallest_class(self.rules)

    def satisfied(self, classes: NDArray[np.integer], number: int) -> NDArray[np.bool_]:
        """Say for each of ``number`` classes whether it satisfies every rule.

        ``classes[c]`` is the class of cell c, or negative when the cell is left out.
        """
        found: NDArray[np.bool_] = ~self.findings(self.classes(classes, number)).broken
        return found

    def classes(self, classes: NDArray[np.integer], number: int) -> Classes:
        """Gather what the rules need to know of the classes of a partition."""
        owner = np.ascontiguousarray(classes, np.int64)
        inside = owner >= 0
        rows, persons, population = (
            np.bincount(owner[inside], weights=counted[inside], minlength=number).astype(np.int64)
            for counted in (self.cells.rows, self.cells.persons, self._population)
        )
        if self._spans is not None:
            count_once(*self._spans, owner, np.full(number, -1, np.int64), persons)
        entries = tuple(
            self.merged(which, owner, number, of_cells) for which, of_cells in enumerate(self.entries)
        )
        return Classes(rows, persons, population, entries)

    def findings(self, classes: Classes) -> Findings:
        """Ask every rule about every class."""
        number = len(classes)
        states, gone = np.zeros(number, np.int64), np.zeros(number, np.int64)
        certain = np.zeros(number, np.bool_)
        for r, rule in enumerate(self.rules):
            which = int(self.book.histogram[r])
            starts, keys, persons = classes.entries[which] if which >= 0 else self._nothing(number)
            own = np.zeros(number, np.int64)
            longest = int(np.diff(starts).max(initial=1))
            unsure = judge_classes(
                self.book,
                r,
                classes.rows,
                classes.persons,
                classes.population,
                starts,
                keys,
                persons,
                np.empty(longest, np.int64),
                np.empty(longest, np.float64),
                np.empty(3 * int(self.book.values[r]) + longest, np.float64),
                own,
                gone,
            )
            if unsure:
                self._decide(r, classes, own)
            if rule.hereditary:
                certain |= own == BROKEN
            states = np.maximum(states, own)
        return Findings(states == BROKEN, certain, gone)

    def _decide(self, r: int, classes: Classes, states: Ints) -> None:
        """Settle the classes that floating point could not."""
        rule, facts = self.rules[r], self.facts[r]
        for c in np.flatnonzero(states == UNSURE):
            if rule.kind is RuleKind.PRESENCE:
                share = Fraction(int(classes.persons[c]), int(classes.population[c]))
                holds = exact.fraction(rule) <= share <= exact.fraction(rule, 2)
            else:
                assert facts is not None
                starts, keys, persons = classes.entries[int(self.book.histogram[r])]
                some = slice(int(starts[c]), int(starts[c + 1]))
                holds = self._holds(r, keys[some].tolist(), persons[some].tolist())
            states[c] = SATISFIED if holds else BROKEN

    def _holds(self, r: int, keys: list[int], persons: list[int]) -> bool:
        rule, facts, values = self.rules[r], self.facts[r], int(self.book.values[r])
        assert facts is not None
        if rule.kind is RuleKind.GUARDED:
            return self._guarded(r, keys, persons)
        groups: dict[int, dict[int, int]] = {}
        for key, count in zip(keys, persons, strict=True):
            groups.setdefault(key // values, {})[key % values] = count
        return all(exact.satisfies(rule, counts, facts) for counts in groups.values())

    def _guarded(self, r: int, keys: list[int], persons: list[int]) -> bool:
        values, first = int(self.book.values[r]), int(self.book.offset[r])
        most = exact.fraction(self.rules[r]) * sum(persons)
        for guard in {key // values for key in keys}:
            row = first + guard * values
            below = sum(
                f for key, f in zip(keys, persons, strict=True) if self.book.table[row + key % values] > 0
            )
            if below > most:
                return False
        return True

    @cached_property
    def _population(self) -> Ints:
        population = self.cells.population
        return self.cells.persons if population is None else population

    @cached_property
    def _spans(self) -> tuple[Ints, Ints] | None:
        spans = self.cells.spans
        return None if spans is None else (_own(spans.starts), _own(spans.cells))

    @cached_property
    def entries(self) -> tuple[tuple[Ints, Ints, Ints], ...]:
        """The entries of every histogram, cell by cell, as kernels take them."""
        return tuple((_own(h.starts), _own(h.keys), _own(h.persons)) for h in self.cells.histograms)

    def merged(
        self, which: int, owner: Ints, number: int, entries: tuple[Ints, Ints, Ints]
    ) -> tuple[Ints, Ints, Ints]:
        """Merge entries of one histogram under the owners (cells or smaller classes) that they belong to."""
        starts = np.zeros(number + 1, np.int64)
        keys, persons = np.empty_like(entries[1]), np.empty_like(entries[2])
        histogram = self.cells.histograms[which]
        place = np.full(len(histogram.domain) * len(histogram.groups), -1, np.int64)
        merge_entries(owner, *entries, starts, keys, persons, place)
        found = int(starts[-1])
        return starts, keys[:found], persons[:found]

    @staticmethod
    def _nothing(number: int) -> tuple[Ints, Ints, Ints]:
        empty = np.zeros(0, np.int64)
        return np.zeros(number + 1, np.int64), empty, empty


def _own(array: Ints) -> Ints:
    """Return the array as writable contiguous int64: kernels know one type only."""
    return np.array(array, np.int64)


def _book(problem: Problem, facts: tuple[exact.Facts | None, ...]) -> Book:
    rules, cells = problem.rules, problem.cells
    count = len(rules)
    book = Book(
        kind=np.array([_KERNEL_KIND.get(rule.kind, rule.kind) for rule in rules], np.int64),
        histogram=np.full(count, -1, np.int64),
        whole=np.zeros(count, np.int64),
        bound=np.zeros(count),
        upper=np.zeros(count),
        values=np.ones(count, np.int64),
        groups=np.ones(count, np.int64),
        hereditary=np.array([rule.hereditary for rule in rules], np.bool_),
        offset=np.zeros(count, np.int64),
        table=np.zeros(0),
        everybody=cells.total_rows,
    )
    tables = [np.zeros(1)]
    length = 1
    for r, (rule, known) in enumerate(zip(rules, facts, strict=True)):
        if rule.kind in _WITH_WHOLE_NUMBER:
            book.whole[r] = rule.parameters[_WITH_WHOLE_NUMBER[rule.kind]]
        if rule.kind not in (RuleKind.MIN_PERSONS, RuleKind.MIN_POPULATION, RuleKind.DISTINCT):
            book.bound[r] = float(exact.fraction(rule))
        if rule.kind is RuleKind.PRESENCE:
            book.upper[r] = float(exact.fraction(rule, 2))
        if rule.column is None or known is None:
            continue
        histogram = cells.histogram(rule.column, rule.known)
        book.histogram[r] = cells.histograms.index(histogram)
        book.values[r] = len(histogram.domain)
        book.groups[r] = len(histogram.groups)
        if rule.kind is RuleKind.CLOSE_HIERARCHICAL:
            assert known.ladder is not None
            book.whole[r] = known.ladder.height
        book.offset[r] = length
        tables.append(numbers_of(rule, known, histogram))
        length += len(tables[-1])
    return book._replace(table=np.concatenate(tables))
