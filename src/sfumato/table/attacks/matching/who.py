"""Who is attacked and how they are scored: what attacks with an identified file share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, Victim
from sfumato.core.errors import BadInput, nearest
from sfumato.engine.contract import Table
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.matching.candidates import Candidates, counted
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.published import PublishedTable

_MOST_LOOKS = 12
"""different confidences among the victims that are told"""


def people_of(
    attack: str, target: PublishedTable, knowledge: Knowledge, columns: Sequence[str] | None = None
) -> People:
    """Return the identified file, on some of its columns if asked.

    Without one the original itself serves: an adversary who knows the quasi-identifiers of everybody in it.
    """
    people = knowledge.people
    if people is None and knowledge.original is not None:
        original = knowledge.original
        shared = {name: name for name in target.quasi if name in original.table.names}
        people = People(original.table, shared, original.person)
    if people is None:
        raise BadInput("no identified file is given", where=attack, remedy="say whom the adversary knows")
    if columns is None:
        return people
    for name in columns:
        if name not in people.columns:
            raise BadInput(
                f"the identified file and the release have no common column '{name}'",
                where=attack,
                remedy=nearest(name, people.columns),
            )
    return replace(people, columns={name: people.columns[name] for name in columns})


def is_original(people: People, knowledge: Knowledge) -> bool:
    """Say whether the identified file is the original itself, so that everybody in it is in the data."""
    return knowledge.original is not None and people.table == knowledge.original.table


def number_of_persons(table: Table, person: str | None) -> int:
    """Count everybody once; rows where no column tells persons."""
    found = counted(table, [], person)
    return 0 if found is None else int(found.column(found.num_columns - 1)[0].as_py())


@dataclass(frozen=True)
class Units:
    """People who fare alike: those with one combination together, those with several one by one.

    Unit i stands for ``weights[i]`` people who have the combinations
    ``combinations[starts[i]:starts[i + 1]]``.
    """

    starts: Ints = field(repr=False)
    combinations: Ints = field(repr=False)
    weights: Ints = field(repr=False)

    @classmethod
    def of(cls, found: Candidates) -> Units:
        """Take the people of an identified file; nobody counts twice who stands in several of its rows."""
        single = found.persons.copy()
        starts, combinations = np.zeros(0, np.int64), np.zeros(0, np.int64)
        if found.spans is not None:
            starts, combinations = found.spans.starts[:-1], found.spans.cells
            np.subtract.at(single, combinations, 1)
        alone = np.flatnonzero(single > 0)
        return cls(
            np.concatenate(
                [np.arange(len(alone)), len(alone) + starts, [len(alone) + len(combinations)]]
            ).astype(np.int64),
            np.concatenate([alone, combinations]).astype(np.int64),
            np.concatenate([single[alone], np.ones(len(starts), np.int64)]),
        )

    @property
    def people(self) -> int:
        """Everybody, once."""
        return int(self.weights.sum())

    def best(self, of_combinations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each unit the greatest figure among its combinations."""
        if not len(self.weights):
            return np.zeros(0, np.float64)
        return np.maximum.reduceat(of_combinations[self.combinations], self.starts[:-1])


def victims_among(
    table: Table,
    names: Sequence[str],
    known: pa.Table,
    confidence: NDArray[np.float64],
    candidates: Ints | None = None,
) -> tuple[Victim, ...]:
    """Return the rows of the identified file about which the adversary is surest.

    Row i of ``known`` says in its first columns, ``names`` in the file, whom ``confidence[i]`` is about.
    """
    among = np.ones(len(confidence), np.int64) if candidates is None else candidates
    told: list[Victim] = []
    for value in sorted(set(confidence[confidence > 0].tolist()), reverse=True)[:_MOST_LOOKS]:
        for many in sorted(set(among[confidence == value].tolist())):
            hit = known.filter(pa.array((confidence == value) & (among == many)))
            told += _rows(table, names, hit.columns[: len(names)], value, many, MOST_VICTIMS - len(told))
        if len(told) >= MOST_VICTIMS:
            break
    return tuple(told[:MOST_VICTIMS])


def victims_by_combination(
    people: People, found: Candidates, confidence: NDArray[np.float64], candidates: Ints
) -> tuple[Victim, ...]:
    """Return the rows of the identified file about whose combination the adversary is surest."""
    return victims_among(people.table, found.file_columns, found.known, confidence, candidates)


def victims_by_person(people: People, right: NDArray[np.float64], ids: pa.Array) -> tuple[Victim, ...]:
    """Return the rows of those about whom the adversary is most often right."""
    assert people.person is not None
    kind = next(column.type for column in people.table.columns if column.name == people.person)
    told: list[Victim] = []
    for value in sorted(set(right[right > 0].tolist()), reverse=True)[:_MOST_LOOKS]:
        hit = ids.filter(pa.array(right == value))
        column = hit if kind != "integer" else hit.cast(pa.int64())
        many = max(1, round(1 / value))
        told += _rows(people.table, [people.person], [column], value, many, MOST_VICTIMS - len(told))
        if len(told) >= MOST_VICTIMS:
            break
    return tuple(told[:MOST_VICTIMS])


def _rows(
    table: Table, names: Sequence[str], columns: Sequence[Any], confidence: float, candidates: int, limit: int
) -> list[Victim]:
    if limit <= 0:
        return []
    picked = dict(zip(names, columns, strict=True))
    rows = table.engine.first_rows(table, list(picked), pa.table(picked), limit)
    return [Victim(row, confidence, candidates) for row in rows]
