"""People whose sensitive value is attacked: what is known about them, and what the value really is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.matching.candidates import counted, encoded
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.attacks.matching.true_matches import joined, numbered_alike
from sfumato.table.published import PublishedTable

Floats = NDArray[np.float64]
UNKNOWN, ELSEWHERE = -1, -2
"""truths that are no number of a value: nobody knows it; no release holds it"""


@dataclass(frozen=True)
class Attacked:
    """Groups of people who are alike in what is known and what is true; somebody in several shares out."""

    rows: pa.Table = field(repr=False)
    """the columns of the identified file that releases share"""
    truths: Ints = field(repr=False)
    weights: Floats = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def people(self) -> int:
        """Everybody, once."""
        return round(float(self.weights.sum()))

    @property
    def compared(self) -> bool:
        """Whether the true value of everybody is known."""
        return bool((self.truths != UNKNOWN).all())


def attacked(
    attack: str,
    people: People,
    columns: Sequence[str],
    releases: Sequence[PublishedTable],
    knowledge: Knowledge,
    column: str,
    numbers: Mapping[str | None, int],
) -> Attacked:
    """Return who is attacked, by the columns of the identified file; ``numbers`` are those of values.

    The truth is the original, or without it the target, if both sides hold person ids. With ids on all sides
    only people who are in every release are attacked.
    """
    own = _is_truth(people, knowledge, column) and column not in columns
    asked = [*columns, *([column] if own else []), *([people.person] if people.person else [])]
    rows = counted(people.table, asked)
    if rows is None:
        raise BadInput("the identified file has no rows", where=attack, remedy="give one with somebody in it")
    truths = np.full(rows.num_rows, UNKNOWN, np.int64)
    if own:
        truths = _numbered(rows.column(len(columns)), numbers)
    notes: tuple[str, ...] = ()
    if people.person is None or any(release.person is None for release in releases[1:]):
        notes = ("people who are not in all releases are attacked too",)
    if people.person is None:
        weights = np.asarray(rows.column(len(asked)).to_numpy(), np.float64)
        return Attacked(rows.select(range(len(columns))), truths, weights, notes)
    told = None if own else _told(releases[0], knowledge, column)
    lists = [counted(release.table, [release.person]) for release in releases if release.person is not None]
    sides = [rows.column(len(asked) - 1), *(each.column(0) for each in lists if each is not None)]
    persons, ids = numbered_alike([*sides, *([told.column(0)] if told is not None else [])])
    inside = np.ones(len(ids), np.bool_)
    for listed in persons[1 : len(sides)]:
        inside &= np.isin(np.arange(len(ids)), listed)
    who = persons[0]
    kept = np.flatnonzero(np.append(inside, False)[who])
    if told is not None:
        place, record = joined(who[kept], persons[-1], len(ids))
        kept, truths = kept[place], _numbered(told.column(1), numbers)[record]
    else:
        truths = truths[kept]
    if not len(kept):
        raise BadInput(
            "nobody of the identified file is in all releases, by their ids",
            where=attack,
            remedy="check that the person columns hold the same ids, or leave them out",
        )
    weights = 1.0 / np.bincount(who[kept])[who[kept]]
    return Attacked(rows.select(range(len(columns))).take(pa.array(kept)), truths, weights, notes)


def _is_truth(people: People, knowledge: Knowledge, column: str) -> bool:
    original = knowledge.original
    return original is not None and original.table == people.table and column in original.table.names


def _told(target: PublishedTable, knowledge: Knowledge, column: str) -> pa.Table | None:
    """Return who has which value, by the original or else by the target; None where neither tells persons."""
    for each in (knowledge.original, target):
        if each is not None and each.person is not None and column in each.table.names:
            return counted(each.table, [each.person, column])
    return None


def _numbered(column: pa.ChunkedArray, numbers: Mapping[str | None, int]) -> Ints:
    """Return the number of every value; one that no release holds is told apart."""
    values, codes = encoded(column)
    found = np.array([numbers.get(as_written(value), ELSEWHERE) for value in values], np.int64)
    return found[codes]


def as_written(value: Any) -> str | None:
    """Return a value as all releases write it."""
    return None if value is None else as_text(value)
