"""Combinations of values that an identified file holds: how they are numbered, and who has several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from sfumato.table.attacks.contract import People
from sfumato.table.attacks.matching.candidates import dense, encoded
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.cells import Spans


def expanded(starts: Ints, classes: Ints, places: Ints) -> tuple[Ints, Ints]:
    """List the classes at some places of a ragged list; first which of the places each belongs to.

    >>> expanded(np.array([0, 2, 3]), np.array([7, 8, 9]), np.array([1, 0, 1]))
    (array([0, 1, 1, 2]), array([9, 7, 8, 9]))
    """
    lengths = np.diff(starts)[places]
    owner = np.repeat(np.arange(len(places)), lengths)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return owner, classes[starts[:-1][places][owner] + within]


def spans_of(people: People, columns: Sequence[str], known: pa.Table) -> Spans | None:
    """Find who of an identified file has several of the combinations that ``known`` lists."""
    if people.person is None:
        return None
    batches = [b for b in people.table.engine.spans(people.table, columns, people.person) if b.num_rows]
    if not batches:
        return None
    found = pa.Table.from_batches(batches)
    numbers = np.asarray(found.column(0).to_numpy(), np.int64)
    combinations = places(known, found.select(range(1, found.num_columns)), len(columns))
    begins = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
    return Spans(np.append(begins, len(numbers)).astype(np.int64), combinations)


def places(known: pa.Table, rows: pa.Table, width: int) -> Ints:
    """Find the combination of every row: both hold the same columns first, and each row's is known."""
    number = np.zeros(known.num_rows + rows.num_rows, np.int64)
    for j in range(width):
        both = pa.chunked_array([*known.column(j).chunks, *rows.column(j).chunks])
        values, codes = encoded(both)
        number = dense(number) * (len(values) + 1) + codes
    number = np.unique(number, return_inverse=True)[1]
    place = np.empty(int(number.max(initial=0)) + 1, np.int64)
    place[number[: known.num_rows]] = np.arange(known.num_rows)
    found: Ints = place[number[known.num_rows :]]
    return found
