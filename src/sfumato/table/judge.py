"""Rules worked out for one table, and asked about the classes of any partition of its cells.

Methods ask ``Judge.satisfied`` (or, where every microsecond counts, hand ``Judge.lines`` to kernels of
their own, see ``_kernels_rules.state_of_entries``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.table import exact
from sfumato.table._kernels_classes import (
    add_lines,
    count_once,
    find_small,
    judge_entries,
    judge_matrix,
    judge_sizes,
    mark_broken,
    merge_entries,
)
from sfumato.table._kernels_rules import BROKEN, SATISFIED, UNSURE
from sfumato.table.cells import Cells, Histogram
from sfumato.table.rule import Rule, RuleKind, smallest_class
from sfumato.table.rule_lines import Line, line_of
from sfumato.table.rule_needs import needed_rows
from sfumato.table.rule_tables import facts_of
from sfumato.table.solution import Problem

Ints = NDArray[np.int64]
Matrix = NDArray[np.int32]
"""persons of every key, one line for each class; what is past the last key stays 0"""
Entries = tuple[Ints, Ints, Ints] | Matrix
"""who has which value, class by class: starts, keys, persons as in ``Histogram``, or a matrix"""

MOST_KEYS = 64
"""keys up to which entries are held as a matrix: adding short lines is faster than matching keys"""
_TOGETHER = 8
"""keys that processors add at once: lines of a matrix are filled up with zeros to a multiple of it"""


@dataclass(frozen=True)
class Classes:
    """The classes of a partition: their rows, persons, population, and entries of every histogram."""

    rows: Ints
    persons: Ints
    population: Ints
    entries: tuple[Entries, ...] = ()

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
    lines: tuple[Line, ...] = field(repr=False)
    facts: tuple[exact.Facts | None, ...] = field(repr=False)

    @classmethod
    def of(cls, problem: Problem) -> Judge:
        """Work the rules of a problem out."""
        facts = tuple(facts_of(problem, rule) for rule in problem.rules)
        lines = tuple(
            line_of(rule, problem.cells, known) for rule, known in zip(problem.rules, facts, strict=True)
        )
        return cls(problem.cells, problem.rules, lines, facts)

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
        if self.cells.population_spans is not None:
            spans = self.cells.population_spans
            seen = np.full(number, -1, np.int64)
            count_once(_own(spans.starts), _own(spans.cells), owner, seen, population)
        entries = tuple(
            self.merged(which, owner, number, of_cells) for which, of_cells in enumerate(self.entries)
        )
        return Classes(rows, persons, population, entries)

    def findings(self, classes: Classes, most: int | None = None) -> Findings:
        """Ask every rule about every class.

        As soon as more than ``most`` rows are sure to be left out, the rest is not asked: classes may
        then be broken that are not said to be.
        """
        most = self.cells.total_rows if most is None else most
        number = len(classes)
        broken, certain = np.empty(number, np.bool_), np.empty(number, np.bool_)
        gone, states = np.empty(number, np.int64), np.empty(number, np.int64)
        find_small(classes.rows, self.least_rows, broken, certain, gone)
        for r, rule in enumerate(self.rules):
            line, which = self.lines[r], self.watched[r]
            if which < 0:
                unsure = judge_sizes(line, classes.rows, classes.persons, classes.population, states, gone)
            elif isinstance(entries := classes.entries[which], tuple):
                longest = int(np.diff(entries[0]).max(initial=1))
                unsure = judge_entries(line, classes.rows, *entries, longest, most, states, gone)
            else:
                unsure = judge_matrix(line, classes.rows, entries, most, states, gone)
            if unsure < 0:
                return Findings(gone > 0, certain, gone)
            if unsure:
                self._decide(r, classes, states, gone)
            mark_broken(states, rule.hereditary, broken, certain)
        return Findings(broken, certain, gone)

    def _decide(self, r: int, classes: Classes, states: Ints, gone: Ints) -> None:
        """Settle the classes that floating point could not."""
        rule = self.rules[r]
        for c in np.flatnonzero(states == UNSURE):
            if rule.kind is RuleKind.PRESENCE:
                share = Fraction(int(classes.persons[c]), int(classes.population[c]))
                holds = exact.fraction(rule) <= share <= exact.fraction(rule, 2)
                if classes.rows[c] == 0 and not holds:
                    gone[c] = self.lines[r].everybody
            else:
                holds = self._holds(r, *_of_class(classes.entries[self.watched[r]], int(c)))
            states[c] = SATISFIED if holds else BROKEN
            if not holds and rule.monotone:
                gone[c] = max(gone[c], classes.rows[c] if rule.hereditary else 1)

    def _holds(self, r: int, keys: list[int], persons: list[int]) -> bool:
        rule, facts, values = self.rules[r], self.facts[r], self.lines[r].values
        assert facts is not None
        if rule.kind is RuleKind.GUARDED:
            return self._guarded(r, keys, persons)
        groups: dict[int, dict[int, int]] = {}
        for key, count in zip(keys, persons, strict=True):
            groups.setdefault(key // values, {})[key % values] = count
        return all(exact.satisfies(rule, counts, facts) for counts in groups.values())

    def _guarded(self, r: int, keys: list[int], persons: list[int]) -> bool:
        values, below_guard = self.lines[r].values, self.lines[r].table
        most = exact.fraction(self.rules[r]) * sum(persons)
        for guard in {key // values for key in keys}:
            row = guard * values
            below = sum(
                f for key, f in zip(keys, persons, strict=True) if below_guard[row + key % values] > 0
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
    def watched(self) -> tuple[int, ...]:
        """Which histogram each rule watches; -1 for none."""
        counted = [(h.domain.name, h.known, h.in_rows) for h in self.cells.histograms]
        return tuple(
            -1 if rule.column is None else counted.index((rule.column, rule.known, rule.in_rows))
            for rule in self.rules
        )

    @cached_property
    def entries(self) -> tuple[Entries, ...]:
        """The entries of every histogram, cell by cell, as kernels take them."""
        return tuple(_entries(histogram) for histogram in self.cells.histograms)

    @cached_property
    def least_rows(self) -> int:
        """The rows without which no class satisfies all rules."""
        return max(
            (needed_rows(rule, facts) for rule, facts in zip(self.rules, self.facts, strict=True)), default=1
        )

    @cached_property
    def least_persons(self) -> int:
        """The persons without which no class satisfies all rules."""
        wanted = [rule.parameters[0] for rule in self.rules if rule.kind is RuleKind.MIN_PERSONS]
        return max([1, *wanted])

    def only(self, r: int) -> Judge:
        """Return a judge of one of the rules alone."""
        return Judge(self.cells, (self.rules[r],), (self.lines[r],), (self.facts[r],))

    def merged(self, which: int, owner: Ints, number: int, entries: Entries) -> Entries:
        """Merge entries of one histogram under the owners (cells or smaller classes) that they belong to."""
        if not isinstance(entries, tuple):
            lines = np.zeros((number, entries.shape[1]), np.int32)
            # All sums stay below 2^31: two of them in one 64-bit number never meet.
            add_lines(owner, entries.view(np.int64), lines.view(np.int64))
            return lines
        starts = np.zeros(number + 1, np.int64)
        keys, persons = np.empty_like(entries[1]), np.empty_like(entries[2])
        histogram = self.cells.histograms[which]
        place = np.full(len(histogram.domain) * len(histogram.groups), -1, np.int64)
        merge_entries(owner, *entries, starts, keys, persons, place)
        found = int(starts[-1])
        return starts, keys[:found], persons[:found]


def _entries(histogram: Histogram) -> Entries:
    """Lay a histogram out as a matrix when it has few keys."""
    width = len(histogram.domain) * len(histogram.groups)
    if width > MOST_KEYS or histogram.persons.sum() >= 2**31:
        return _own(histogram.starts), _own(histogram.keys), _own(histogram.persons)
    filled_up = -(-width // _TOGETHER) * _TOGETHER
    lines = np.zeros((len(histogram.starts) - 1, filled_up), np.int32)
    owner = np.repeat(np.arange(len(lines)), np.diff(histogram.starts))
    lines[owner, histogram.keys] = histogram.persons
    return lines


def _of_class(entries: Entries, c: int) -> tuple[list[int], list[int]]:
    """Return the keys and the persons of one class."""
    if not isinstance(entries, tuple):
        keys = np.flatnonzero(entries[c])
        return keys.tolist(), entries[c, keys].tolist()
    some = slice(int(entries[0][c]), int(entries[0][c + 1]))
    return entries[1][some].tolist(), entries[2][some].tolist()


def _own(array: Ints) -> Ints:
    """Return the array as writable contiguous int64: kernels know one type only."""
    return np.array(array, np.int64)
