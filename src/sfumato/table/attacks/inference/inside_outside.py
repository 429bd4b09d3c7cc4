"""People of whom it is known that they are in the data, and others of whom it is known that they are not.

Whoever wants to know how well membership can be told must have both. The list of the population says who
there is; ids, as long as they are in the house, say who of them is inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, Victim
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.inference.tracing import Told
from sfumato.table.attacks.matching.truth import texts_of
from sfumato.table.published import PublishedTable

Ints = NDArray[np.int64]
_HEADS = 0.5
_FEWEST = 8
"""people outside, below which nothing can be calibrated"""


@dataclass(frozen=True)
class Sides:
    """Records of people inside and outside, with columns named as in the release."""

    columns: tuple[str, ...]
    inside: pa.Table
    inside_rows: Ints
    """the row (from 1) of each of those inside in the file that they were taken from"""
    outside: pa.Table

    def divided(self, seed: int, most: int) -> Divided:
        """Draw people: half of those outside are the reference, a quarter sets the threshold."""
        generator = np.random.default_rng(seed)
        some = np.sort(generator.permutation(self.inside.num_rows)[:most])
        order = generator.permutation(self.outside.num_rows)
        half = (len(order) + 1) // 2
        reference, rest = order[:half], order[half:]
        known, tested = np.array_split(rest, 2)
        return Divided(
            _taken(self.inside, some),
            self.inside_rows[some],
            _taken(self.outside, reference[: 10 * most]),
            _taken(self.outside, known[:most]),
            _taken(self.outside, tested[:most]),
        )


@dataclass(frozen=True)
class Divided:
    """Whom membership is told of, and by whom it is calibrated."""

    inside: pa.Table
    inside_rows: Ints
    reference: pa.Table
    known: pa.Table
    tested: pa.Table

    def victims(self, scores: NDArray[np.float64], told: Told) -> tuple[Victim, ...]:
        """List those inside who are claimed to be, the highest scores first."""
        least = np.nextafter(told.threshold, -np.inf) if told.coin >= _HEADS else told.threshold
        claimed = np.flatnonzero(scores > least)
        claimed = claimed[np.argsort(-scores[claimed], kind="stable")][:MOST_VICTIMS]
        return tuple(Victim(int(row), told.confidence) for row in self.inside_rows[claimed])


def sides(attack: str, target: PublishedTable, knowledge: Knowledge, *, outside: bool) -> Sides:
    """Find both sides; ``outside`` says that nobody of the population's list is in the data.

    Of people who are named, the first row of each is taken: nobody is attacked, or calibrated by, twice.
    """
    population, original = knowledge.population, knowledge.original
    if population is None:
        raise BadInput(
            "no list of people is given, some of whom are known not to be in the data",
            where=attack,
            remedy="give 'population'",
        )
    everybody, numbers = _one_row_each(_read(population.table, population.columns, population.person))
    ids = None if outside else ids_inside(target, original)
    columns = tuple(population.columns)
    if not outside and ids is not None and population.person is not None:
        member = pc.is_in(texts_of(everybody.column(_PERSON)), value_set=ids)
        is_inside = pc.fill_null(member, False).to_numpy(zero_copy_only=False)
        unknown = everybody.column(_PERSON).is_null().to_numpy()
        rows = np.flatnonzero(is_inside)
        others = _taken(everybody, np.flatnonzero(~is_inside & ~unknown))
        if len(rows):
            return _checked(attack, Sides(columns, _taken(everybody, rows), numbers[rows], others))
    elif outside:
        others = everybody
    else:
        raise BadInput(
            "it is not known who of the population is in the data",
            where=attack,
            remedy="name the person columns of both, or say 'outside: true' if nobody of the list is",
        )
    if original is None:
        raise BadInput(
            "nobody of the list is in the data, and the original is not given",
            where=attack,
            remedy="give the original, or a list with people of both sides",
        )
    columns = tuple(name for name in columns if name in original.table.names)
    if not columns:
        raise BadInput("the original has no column in common with the list", where=attack, remedy="map them")
    held = _read(original.table, {name: name for name in columns}, original.person)
    own, numbers = _one_row_each(held)
    return _checked(attack, Sides(columns, own, numbers, others))


_PERSON = "person\0"


def _checked(attack: str, found: Sides) -> Sides:
    if found.outside.num_rows < _FEWEST or not found.inside.num_rows:
        raise BadInput(
            f"{found.inside.num_rows} people inside and {found.outside.num_rows} outside are too few",
            where=attack,
            remedy=f"give a list with at least {_FEWEST} people who are not in the data",
        )
    return found


def ids_inside(target: PublishedTable, original: PublishedTable | None) -> pa.Array | None:
    """Return the ids, as text, of the people who are in the data; None where no table names persons."""
    for table in (target, original):
        if table is not None and table.person is not None and table.person in table.table.names:
            batches = list(table.table.engine.count(table.table, [table.person]))
            ids = texts_of(pa.Table.from_batches(batches).column(0)).drop_null() if batches else ()
            if len(ids):
                return ids
    return None


def _read(table: Table, columns: Mapping[str, str], person: str | None) -> pa.Table:
    """Bring some columns of a table into memory, in the order of its rows, named as in the release."""
    found = table.engine.arrow(table)
    taken: dict[str, Any] = {name: found.column(own) for name, own in columns.items()}
    if person is not None:
        taken[_PERSON] = found.column(person)
    return pa.table(taken)


def _one_row_each(table: pa.Table) -> tuple[pa.Table, Ints]:
    """Keep the first row of every person, and all that name nobody; also return their numbers, from 1."""
    rows = np.arange(table.num_rows)
    if _PERSON not in table.column_names:
        return table, rows + 1
    person = texts_of(table.column(_PERSON))
    codes = pc.dictionary_encode(person).indices
    named = pc.is_valid(person).to_numpy(zero_copy_only=False)
    whose = np.asarray(pc.fill_null(codes, 0).to_numpy(zero_copy_only=False), np.int64)
    _, first = np.unique(np.where(named, whose, len(rows) + rows), return_index=True)
    kept = np.sort(first).astype(np.int64)
    return _taken(table, kept), kept + 1


def _taken(table: pa.Table, rows: Ints) -> pa.Table:
    return table.take(pa.array(rows, pa.int64()))
