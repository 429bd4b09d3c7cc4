"""A table beside a list of the population: how many of each share every combination of columns.

What an adversary holds is a list of people (voters, a register, everybody whom a sample was drawn from).
All measures against it are functions of two numbers for every class i: f_i persons in the table and F_i
persons in the list, K. El Emam & F. K. Dankar, "Protecting privacy using k-anonymity" (2008).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.table.population import person_of, repeats_among, repeats_in_words
from sfumato.table.risk.alike import Alike

Ints = NDArray[np.int64]
_LABEL = re.compile(r"\[.+\]|\{.+\}|.+\*|\*.+", re.DOTALL)
"""labels that methods and masks write, such as [21-30], {a, b} and 476**; a lone * is a hidden value"""


@dataclass(frozen=True)
class Against:
    """For every class of the table or of the list: its persons here and there, one of them may be none.

    >>> print(Against.of([1, 1, 2, 0], [1, 3, 4, 5]))
    4 persons in 3 classes against 13 of the population in 4 classes
    """

    sample: Ints = field(repr=False)
    """f_i, in the table"""
    population: Ints = field(repr=False)
    """F_i, in the list"""
    persons: int
    """in the table: fewer than Σ f_i when some are in several classes"""
    said: tuple[str, ...] = ()
    """what a reader must know: columns that were left out or read in another way, people without a match"""

    @classmethod
    def of(
        cls,
        sample: ArrayLike,
        population: ArrayLike,
        persons: int | None = None,
        said: tuple[str, ...] = (),
    ) -> Against:
        """Take the persons of every class, in the same order for both."""
        ours, theirs = _counts(sample), _counts(population)
        if len(ours) != len(theirs) or not ((ours + theirs) > 0).all():
            raise BadInput(
                "every class has persons in the table or in the population", remedy="count both alike"
            )
        if not ours.sum():
            raise BadInput("there are no persons in the table", remedy="give a table with at least one row")
        if not theirs.sum():
            raise BadInput(
                "there are no persons in the population", remedy="give a list with at least one row"
            )
        if not np.minimum(ours, theirs).sum():
            raise BadInput(
                "nobody of the table is found in the population, which tells nothing about the risk",
                remedy="check that both are about the same people and write values alike",
            )
        total = int(ours.sum()) if persons is None else persons
        if not int(ours.max()) <= total <= int(ours.sum()):
            raise BadInput(f"{total:,} persons cannot fill these classes", remedy="count each person once")
        return cls(ours, theirs, total, said)

    @property
    def unmatched(self) -> int:
        """Persons of the table whom nobody in the list looks like; an upper bound where classes overlap."""
        return min(int(self.sample[self.population == 0].sum()), self.persons)

    @property
    def total_population(self) -> int:
        """N: everybody in the list."""
        return int(self.population.sum())

    @property
    def outnumbered(self) -> int:
        """Classes of the list that hold fewer people than the table: then it does not list everybody."""
        return int(((self.population > 0) & (self.population < self.sample)).sum())

    def sentences(self) -> tuple[str, ...]:
        """Say what a reader must know to take the figures rightly."""
        told = list(self.said)
        if self.unmatched:
            verb = "matches" if self.unmatched == 1 else "match"
            told.append(
                f"{self.unmatched:,} of {self.persons:,} persons {verb} nobody of the population: it does "
                "not list everybody, or writes some values in another way; somebody with a better list finds "
                "more"
            )
        if self.outnumbered:
            classes = "1 class" if self.outnumbered == 1 else f"{self.outnumbered:,} classes"
            have = "has" if self.outnumbered == 1 else "have"
            told.append(
                f"{classes} of the table {have} more people than the population: it does not list everybody, "
                "or several rows of one person were taken for several people"
            )
        return tuple(told)

    def __str__(self) -> str:
        ours, theirs = int((self.sample > 0).sum()), int((self.population > 0).sum())
        return (
            f"{self.persons:,} persons in {ours:,} classes against {self.total_population:,} of the "
            f"population in {theirs:,} classes"
        )


def against(
    table: Table,
    population: Table,
    quasi: Sequence[str],
    *,
    person: str | None = None,
    persons: int | None = None,
    population_person: str | None = None,
) -> Against:
    """Count a table and a list of the population by the quasi-identifiers that both have.

    Names are compared exactly, else without case and underscores. A quasi-identifier that the list lacks is
    left out, which is said: whoever holds this list cannot link by it. ``persons`` is the number of people in
    the table, needed when ``person`` names them and some have several rows. ``population_person`` is the
    column that names the people of the list; else ``person``, where the list has it.
    """
    pairs = common_columns(quasi, population.names)
    ours = _classes(table, list(pairs), person)
    whose = person_of(population, population_person, person, list(pairs.values()))
    theirs = _classes(population, list(pairs.values()), whose)
    if ours is None or theirs is None:
        which = "table" if ours is None else "population"
        raise BadInput(f"the {which} has no rows", remedy="give one with at least one row")
    for j, name in enumerate(pairs):
        _refuse_labels(name, _encoded(ours.column(j))[0], _encoded(theirs.column(j))[0])
    missing = [name for name in quasi if name not in pairs]
    said = []
    if missing:
        listed = ", ".join(f"'{name}'" for name in missing)
        said.append(f"the population has no {listed}: it was compared without")
    if again := repeats_in_words(repeats_among(population, list(pairs.values()), whose)):
        said.append(f"{again}: if the same people are listed several times, the risk is higher")
    return aligned(ours, theirs, list(pairs), persons, tuple(said))


def aligned(
    classes: pa.Table,
    others: pa.Table,
    names: Sequence[str],
    persons: int | None = None,
    said: tuple[str, ...] = (),
) -> Against:
    """Bring counted classes of a table and of a population into one order.

    Both hold the columns ``names`` in order, then the number of rows, then of persons. Values that are
    written differently are brought together as ``Alike`` tells, which is said.
    """
    number = np.zeros(classes.num_rows + others.num_rows, np.int64)
    told = list(said)
    for j, name in enumerate(names):
        (ours, places), (theirs, their_places) = _encoded(classes.column(j)), _encoded(others.column(j))
        found = Alike.of(name, ours, theirs)
        told += found.said
        column = np.concatenate([found.ours[places], found.theirs[their_places]])
        _, number = np.unique(number * (int(column.max()) + 1) + column, return_inverse=True)
    width = len(names)
    sample, population = np.zeros((2, int(number.max()) + 1), np.int64)
    np.add.at(sample, number[: classes.num_rows], _column(classes, width + 1))
    np.add.at(population, number[classes.num_rows :], _column(others, width + 1))
    return Against.of(sample, population, persons, tuple(told))


def common_columns(quasi: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Lead from quasi-identifiers to the columns of a list that are called the same.

    >>> common_columns(["birth_date", "sex", "zip"], ["name", "BirthDate", "sex"])
    {'birth_date': 'BirthDate', 'sex': 'sex'}
    """

    def plain(name: str) -> str:
        return name.casefold().replace("_", "").replace("-", "").replace(" ", "")

    found: dict[str, str] = {}
    for name in quasi:
        alike = [other for other in names if plain(other) == plain(name)]
        if name in names:
            found[name] = name
        elif len(alike) == 1:
            found[name] = alike[0]
    if not found:
        raise BadInput(
            "the population has none of the quasi-identifiers as a column",
            remedy="name its columns as in the table: " + ", ".join(f"'{name}'" for name in quasi[:8]),
        )
    return found


def _encoded(column: pa.ChunkedArray) -> tuple[list[Any], Ints]:
    array = column.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    encoded = pc.dictionary_encode(array, null_encoding="encode")
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _classes(table: Table, names: Sequence[str], person: str | None) -> pa.Table | None:
    batches = list(table.engine.count(table, names, person=person))
    found = pa.Table.from_batches(batches) if batches else None
    return found if found is not None and found.num_rows else None


def _refuse_labels(column: str, ours: list[Any], theirs: list[Any]) -> None:
    """Refuse a table that was generalised: whoever is meant by a label would seem to be on no list."""
    listed = set(theirs)
    labels = [
        text for text in ours if isinstance(text, str) and _LABEL.fullmatch(text) and text not in listed
    ]
    if labels:
        raise BadInput(
            f"{len(labels):,} of its {len(ours):,} values stand for several: not to be compared one by one",
            where=f"column '{column}'",
            remedy="compare the original, or attack the release with this list (sfumato attack --with)",
        )


def _column(classes: pa.Table, position: int) -> Ints:
    return np.asarray(classes.column(position).to_numpy(), np.int64)


def _counts(sizes: ArrayLike) -> Ints:
    counts = np.atleast_1d(np.asarray(sizes))
    if counts.size == 0:
        return np.zeros(0, np.int64)
    if counts.ndim != 1 or counts.dtype.kind not in "iu" or int(counts.min()) < 0:
        raise BadInput("class sizes must be one list of whole numbers from 0")
    return counts.astype(np.int64)
