"""The classes of a node under any rules: with their sensitive values, and what the rules say of them.

Sensitive values are merged only when a node is not refuted by the sizes of its classes alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table import judge as judging
from sfumato.table.judge import Entries, Findings, Judge
from sfumato.table.methods.lattice._kernels_grouping import added_up
from sfumato.table.methods.lattice._kernels_ruled import judged_sizes, too_small, weighed
from sfumato.table.methods.lattice.grouping import Classes, Grouper, taken_once
from sfumato.table.methods.lattice.shape import Levels

PIVOTAL = 2
"""columns that climb first when a node is grouped"""
_MEMORY = 60_000_000
"""numbers that remembered classes may hold in all, about"""


class Values:
    """The sensitive values of some classes, merged from those of smaller classes when asked for."""

    def __init__(self, judge: Judge, number: int, source: Values | None, owner: NDArray[np.int64]) -> None:
        self._judge, self._number = judge, number
        self._source, self._owner = source, owner
        self._entries: tuple[Entries, ...] | None = judge.entries if source is None else None

    def entries(self) -> tuple[Entries, ...]:
        """Return the entries of every histogram."""
        if self._entries is None:
            assert self._source is not None
            self._entries = tuple(
                self._judge.merged(which, self._owner, self._number, entries)
                for which, entries in enumerate(self._source.entries())
            )
            self._source = None
        return self._entries


@dataclass(frozen=True)
class RuledClasses(Classes):
    """The classes of one node, with the population of each and their sensitive values."""

    population: NDArray[np.int64] = field(repr=False)
    values: Values = field(repr=False)

    def copy(self) -> RuledClasses:
        """Return the same classes: their arrays are their own already."""
        return self


@dataclass(frozen=True)
class RuledSurvey:
    """What the rules say of the classes of one node; see ``utility.contract.Survey``.

    ``hopeless``: a class without rows breaks a rule, and nothing can be left out to mend it.
    """

    levels: Levels
    rows: int
    smallest: int
    suppressed: int
    surely: int
    hopeless: bool
    _grouper: RuledGrouper = field(repr=False)
    _classes: RuledClasses = field(repr=False)
    _findings: Findings | None = field(default=None, repr=False)
    kept: int = 0
    classes: int = 0
    """0 when the node was given up before its classes were judged"""
    squares_kept: int = 0
    squares: int = 0
    proved: bool = True
    """whether nothing else that could be left out at this node would be better"""

    def histogram(self) -> NDArray[np.int64]:
        """Suppressed rows by column and group."""
        assert self._findings is not None
        return self._grouper.weighed(self._classes, np.where(self._findings.broken, self._classes.rows, 0))

    def histogram_below(self) -> NDArray[np.int64]:
        """The same of rows that are suppressed at least, here and below."""
        assert self._findings is not None
        return self._grouper.weighed(self._classes, self._findings.gone)

    def class_rows(self) -> NDArray[np.int64]:
        """Size of every class."""
        return self._classes.rows[self._classes.rows > 0]

    def class_kept(self) -> NDArray[np.bool_]:
        """Whether a class is published."""
        assert self._findings is not None
        kept: NDArray[np.bool_] = ~self._findings.broken[self._classes.rows > 0]
        return kept


class RuledGrouper(Grouper):
    """Groups the cells of one table at any node, and asks the rules about the classes.

    A node at which more than ``limit`` rows lie in too small classes is given up at once.
    """

    def __init__(self, judge: Judge, ladders: tuple[Ladder, ...], limit: int) -> None:
        numbers = 4 + sum(
            entries.shape[1] // 2
            if not isinstance(entries, tuple)
            else 2 * len(entries[1]) // len(entries[0])
            for entries in judge.entries
        )
        super().__init__(judge.cells, ladders, max(4 * len(judge.cells), _MEMORY // numbers))
        self.judge, self._limit = judge, limit
        population = judge.cells.population
        self._compares = population is not None
        self._population_spans = judge.cells.population_spans
        bottom, nobody = self._bottom, np.zeros(0, np.int64)
        self._bottom: RuledClasses = RuledClasses(
            bottom.levels,
            bottom.keys,
            bottom.rows,
            bottom.persons,
            bottom.persons if population is None else np.array(population, np.int64),
            Values(judge, len(judge.cells), None, nobody),
        )
        self._judged = np.zeros(7, np.int64)
        self._pivots: set[bytes] = set()
        self._pivotal = np.zeros(len(ladders), np.bool_)
        self._pivotal[np.argsort(_sameness(judge.cells.codes), kind="stable")[:PIVOTAL]] = True
        self._forget()

    def group(self, levels: Levels, *, remember: bool = False) -> Classes:
        """Return the classes of a node, by way of one that many nodes have in common.

        Merging sensitive values from all cells is dear. So the columns that tell most cells apart climb
        first, alone; what they come to is remembered for all nodes at which they stand as high.
        """
        if self._population_spans is not None:
            return self._group_spanning(levels)
        stand = levels[self._pivotal].tobytes()
        if self._spans is None and stand not in self._pivots:
            super().group(np.where(self._pivotal, levels, 0), remember=True)
            self._pivots.add(stand)
        return super().group(levels, remember=remember)

    def _group_spanning(self, levels: Levels) -> Classes:
        """Count everybody once, those of the population too."""
        classes = super()._group_spanning(levels)
        assert isinstance(classes, RuledClasses)
        if self._population_spans is None:
            return classes
        population = classes.population.copy()
        taken_once(self._population_spans, self.owners(levels)[0], population)
        return replace(classes, population=population)

    # A survey of rules is not one of sizes alone: both fulfil ``utility.contract.Survey``.
    def survey(self, classes: Classes, smallest: int) -> RuledSurvey:  # type: ignore[override]
        """Ask the rules about the classes of a node; ``smallest`` rows are in every class that is kept."""
        assert isinstance(classes, RuledClasses)
        if not self._compares:
            lost = int(
                too_small(classes.rows, classes.persons, self.judge.least_rows, self.judge.least_persons)
            )
            if lost > self._limit:
                return RuledSurvey(
                    classes.levels, self.total_rows, smallest, lost, lost, False, self, classes
                )
        findings = self.judge.findings(
            judging.Classes(classes.rows, classes.persons, classes.population, classes.values.entries()),
            self._limit,
        )
        judged_sizes(classes.rows, findings.broken, findings.gone, self._judged)
        suppressed, kept, count, squares_kept, squares, surely, void = self._judged.tolist()
        return RuledSurvey(
            classes.levels,
            self.total_rows,
            smallest,
            suppressed,
            surely,
            void > 0,
            self,
            classes,
            findings,
            kept,
            count,
            squares_kept,
            squares,
        )

    def weighed(self, classes: Classes, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add up weights of the classes by column and by group at the node's level."""
        code = self.coding
        widths = code.groups[self._columns, classes.levels]
        weighed(classes.keys, weights, code.words, code.word, code.shift, code.mask, widths, self._histogram)
        return self._histogram

    def _merge(self, source: Classes, levels: Levels) -> RuledClasses:
        assert isinstance(source, RuledClasses)
        owner = np.empty(len(source), np.int64)
        found = self._climb(source, levels, owner)
        rows = added_up(owner, source.rows, found)
        persons = rows if self._twins else added_up(owner, source.persons, found)
        return RuledClasses(
            levels,
            self._keys[: found * self.coding.words].copy(),
            rows,
            persons,
            added_up(owner, source.population, found) if self._compares else persons,
            Values(self.judge, found, source.values, owner),
        )


def _sameness(codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return for every column how likely two cells are to have the same value in it."""
    return np.array([float((np.bincount(column) ** 2).sum()) for column in codes])
