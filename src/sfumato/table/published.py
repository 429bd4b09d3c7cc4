"""A table as the public sees it: what checkers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.verdict import Witness
from sfumato.engine.contract import Table
from sfumato.hierarchy.ladder import ROOT, Hierarchy
from sfumato.table.perturbation.contract import Mechanism


@dataclass(frozen=True)
class ClassValues:
    """Who has which sensitive value, class by class.

    Entries ``starts[i]`` to ``starts[i + 1]`` belong to part i: ``persons`` people with the value
    ``domain.values[codes]``. A part is a class, or those of class ``owner[i]`` who share what an
    adversary knows besides. A person with several values counts once for each of them.

    ``base`` is the whole table: what one class of everybody would show. So somebody counts there once for
    each value that they have, in however many classes their rows lie.
    """

    domain: Domain
    owner: NDArray[np.int64]
    starts: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int64] = field(repr=False)
    persons: NDArray[np.int64] = field(repr=False)
    people: NDArray[np.int64] = field(repr=False)
    """the persons of every part, each once; fewer than its entries add up to if some have several values"""
    repeated: NDArray[np.int64] | None = field(default=None, repr=False)
    """by value, how often persons who have it in several parts were counted again; None for never"""

    def __len__(self) -> int:
        return len(self.owner)

    def counts(self, part: int) -> dict[int, int]:
        """Return the persons of every value that occurs in a part, by its code."""
        some = slice(self.starts[part], self.starts[part + 1])
        return dict(zip(self.codes[some].tolist(), self.persons[some].tolist(), strict=True))

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """Add the entries of every part up: somebody with several values counts for each of them."""
        return np.add.reduceat(self.persons, self.starts[:-1]) if len(self) else np.zeros(0, np.int64)

    @cached_property
    def added_up(self) -> NDArray[np.int64]:
        """Add the entries of every value up over all parts: somebody counts in each that they are in."""
        counted = np.zeros(len(self.domain), np.int64)
        np.add.at(counted, self.codes, self.persons)
        return counted

    @cached_property
    def base(self) -> NDArray[np.int64]:
        """Count the persons of every value in the whole table, each once."""
        return self.added_up if self.repeated is None else self.added_up - self.repeated


@dataclass(frozen=True)
class PublishedTable:
    """Rows in an engine, and the parts that columns play.

    ``person`` and ``guard`` are there only while the data are still in the house: no release holds
    them. ``known`` are sensitive columns that an adversary may know.
    """

    table: Table
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    person: str | None = None
    known: tuple[str, ...] = ()
    guard: str | None = None
    mechanisms: tuple[Mechanism, ...] = ()
    """how columns were randomised, where a step of the recipe did so"""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """of sensitive columns, where they have one"""
    population: PublishedTable | None = None
    """everybody whom the table was drawn from, with quasi-identifiers written as in the table; its
    ``person`` names them, if a column does"""
    original: Table | None = None
    """the table before it was protected, before anything is released"""
    input: Table | None = None
    """the table that was searched, all its records and sensitive columns, before anything is released"""
    hiding: tuple[str, ...] = ()
    """quasi-identifiers in which a missing value may be one that was hidden"""
    blanked: int = 0
    """suppressed records that stay: ``*`` in every quasi-identifier, nothing in the sensitive columns"""
    repeats: int = 0
    """of a population in which no column names people: rows that repeated another in every column"""

    @cached_property
    def classes(self) -> pa.Table:
        """The combinations of quasi-identifiers that occur, with their rows and persons.

        Counted once from the published rows, and kept: several checkers ask. The columns are the
        quasi-identifiers in order, then the number of rows, then of persons.
        """
        batches = list(self.table.engine.count(self.table, self.quasi, person=self.person))
        return pa.Table.from_batches(batches) if batches else None

    @cached_property
    def class_persons(self) -> NDArray[np.int64]:
        """The number of persons of every class, in the order of ``classes``."""
        if self.classes is None:
            return np.zeros(0, np.int64)
        return np.asarray(self.classes.column(len(self.quasi) + 1).to_numpy(), np.int64)

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """Which class shows nothing but ``*``: the blanked records are in it, and others that say no more."""
        blank = np.ones(self.classes.num_rows, np.bool_)
        for j in range(len(self.quasi)):
            shown = self.classes.column(j)
            blank &= np.array([value == ROOT for value in shown.to_pylist()], np.bool_)
        return blank

    def values_of(self, column: str, known: Sequence[str] = ()) -> ClassValues:
        """Count who has which value of a sensitive column in every class.

        With ``known`` every class is divided further by what an adversary knows. Of those of whom all is
        hidden and nothing known, as many are left out as were blanked: there is nothing about them to
        learn or to protect. The others have a missing value, like anybody else.
        """
        key = (column, tuple(known))
        if key not in self._values:
            self._values[key] = self._count_values(*key)
        return self._values[key]

    @cached_property
    def _values(self) -> dict[tuple[str, tuple[str, ...]], ClassValues]:
        return {}

    def _count_values(self, column: str, known: tuple[str, ...]) -> ClassValues:
        names = [*self.quasi, *known, column]
        batches = list(self.table.engine.count(self.table, names, person=self.person))
        if not batches:
            empty = np.zeros(0, np.int64)
            return ClassValues(Domain.of(column, ()), empty, np.zeros(1, np.int64), empty, empty, empty)
        found = pa.Table.from_batches(batches)
        width = len(self.quasi)
        both = [
            pa.chunked_array([*self.classes.column(j).chunks, *found.column(j).chunks]) for j in range(width)
        ]
        number = numbered(both)
        class_of = np.empty(len(number), np.int64)
        class_of[number[: self.classes.num_rows]] = np.arange(self.classes.num_rows)
        owner = class_of[number[self.classes.num_rows :]]
        persons = np.asarray(found.column(len(names) + 1).to_numpy(), np.int64)
        if self.blanked:
            blank = self.hidden[owner]
            for asked in found.columns[width : len(names)]:
                blank &= asked.is_null().to_numpy()
            persons = np.where(blank, persons - self.blanked, persons)
            kept = persons > 0
            found, owner, persons = found.filter(pa.array(kept)), owner[kept], persons[kept]
        values = found.column(len(names) - 1).to_pylist()
        domain = Domain.of(column, values)
        code_of = {value: code for code, value in enumerate(domain.values)}
        codes = np.array([code_of[value] for value in values], np.int64)
        part = owner
        if known:
            part = numbered([pa.chunked_array([pa.array(owner)]), *found.columns[width : len(names) - 1]])
        order = np.lexsort((codes, part))
        part, owner = part[order], owner[order]
        first = np.flatnonzero(np.diff(part, prepend=-1))
        starts = np.append(first, len(part)).astype(np.int64)
        persons = persons[order]
        people = np.add.reduceat(persons, first) if len(first) else np.zeros(0, np.int64)
        if not known:
            people = np.minimum(people, self.class_persons[owner[first]])
        repeated = self._repeated(column, known, code_of)
        return ClassValues(domain, owner[first], starts, codes[order], persons, people, repeated)

    def _repeated(
        self, column: str, known: tuple[str, ...], code_of: Mapping[object, int]
    ) -> NDArray[np.int64] | None:
        """Count by value how often people were counted again who have it in several parts."""
        if self.person is None:
            return None
        names = [*self.quasi, *known, column]
        batches = [b for b in self.table.engine.spans(self.table, names, self.person) if b.num_rows]
        if not batches:
            return None
        found = pa.Table.from_batches(batches)
        if self.blanked:
            # Of blanked records nothing is counted, so that nobody is counted again there.
            blank = np.ones(found.num_rows, np.bool_)
            for j, name in enumerate(names, 1):
                shown = found.column(j).to_pylist()
                blank &= np.array([v == ROOT if name in self.quasi else v is None for v in shown], np.bool_)
            found = found.filter(pa.array(~blank))
        pairs, times = np.unique(
            np.stack(
                [
                    np.asarray(found.column(0).to_numpy(), np.int64),
                    np.array([code_of[v] for v in found.column(len(names)).to_pylist()], np.int64),
                ]
            ),
            axis=1,
            return_counts=True,
        )
        again = np.zeros(len(code_of), np.int64)
        np.add.at(again, pairs[1], times - 1)
        return again

    def witness(self, broken: NDArray[np.bool_]) -> Witness:
        """Choose one of the classes that break a promise, always the same, and say where it lies."""
        names = list(self.quasi)
        found = self.classes.filter(pa.array(broken)).rename_columns([*names, "", ""]).select(names)
        order = np.flatnonzero(broken)[
            pc.sort_indices(found, sort_keys=[(name, "ascending") for name in names]).to_numpy()
        ]
        chosen = self.classes.slice(int(order[0]), 1)
        combination = pa.table(chosen.columns[: len(names)], names=names)
        rows = self.table.engine.first_rows(self.table, names, combination)
        return Witness(self.quasi, tuple(rows), int(self.class_persons[order[0]]))


def numbered(columns: Sequence[pa.ChunkedArray]) -> NDArray[np.int64]:
    """Number the different combinations of values; missing is a value of its own.

    >>> numbered([pa.chunked_array([["a", None, "a"]]), pa.chunked_array([[1, 1, 1]])]).tolist()
    [0, 1, 0]
    """
    number = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        array = column.combine_chunks()
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        encoded = pc.dictionary_encode(array, null_encoding="encode")
        codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        _, number = np.unique(number * (len(encoded.dictionary) + 1) + codes, return_inverse=True)
    return number
