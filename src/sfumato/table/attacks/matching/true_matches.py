"""Claims against the truth: with the same person ids on both sides it is known whose record is whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import as_text
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.matching.candidates import Candidates, counted, encoded
from sfumato.table.attacks.matching.combinations import places
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class Truth:
    """Whose record is whose: how many of the records that agree with somebody are theirs."""

    people: int
    """of the identified file who are in the data"""
    right: NDArray[np.float64] = field(repr=False)
    """for each of them, the chance that a record of the most precise classes that agree is theirs"""
    ids: pa.Array = field(repr=False)
    certain: int = 0
    """those of whom every agreeing record is theirs"""
    wrong: int = 0
    """people, in the data or not, with exactly one agreeing record, which is somebody else's"""
    strangers: int = 0
    """people of the identified file who are not in the data"""


def truth(found: Candidates, target: PublishedTable, people: People, knowledge: Knowledge) -> Truth:
    """Compare every claim with the truth; of somebody who stands in several rows the best claim counts."""
    assert people.person is not None
    assert target.person is not None
    names = [people.columns[name] for name in found.columns]
    width = len(names)
    claims = counted(people.table, [*names, people.person])
    records = counted(target.table, [*found.columns, target.person])
    assert claims is not None
    assert records is not None
    members = [claims.column(width), records.column(width)]
    original = knowledge.original
    if original is not None and original.person is not None:
        everybody = counted(original.table, [original.person])
        members += [everybody.column(0)] if everybody is not None else []
    numbers, ids = numbered_alike(members)
    who, owner = numbers[0], numbers[1]
    inside = np.zeros(len(ids), np.bool_)
    inside[numbers[-1][numbers[-1] >= 0]] = True
    combination = places(found.known, claims, width)
    place_of_class = places(found.release.classes, records, width)
    known = who >= 0
    who, combination = who[known], combination[known]
    own, own_narrow = _own_records(
        found, who, combination, owner, place_of_class, _rows_of(records), len(ids)
    )
    share = own_narrow / np.maximum(found.narrow_records[combination], 1)
    best, sole, wrong = np.zeros(len(ids)), np.zeros(len(ids), np.bool_), np.zeros(len(ids), np.bool_)
    np.maximum.at(best, who, share)
    sole[who[(own > 0) & (own == found.records[combination])]] = True
    wrong[who[(found.records[combination] == 1) & (own == 0)]] = True
    attacked = np.zeros(len(ids), np.bool_)
    attacked[who] = True
    hit = np.flatnonzero(attacked & inside)
    return Truth(
        len(hit),
        best[hit],
        ids.take(pa.array(hit)),
        certain=int(sole[hit].sum()),
        wrong=int((wrong & (best == 0)).sum()),
        strangers=int((attacked & ~inside).sum()),
    )


def _own_records(
    found: Candidates, who: Ints, combination: Ints, owner: Ints, classes: Ints, rows: Ints, number: int
) -> tuple[Ints, Ints]:
    """Count for each claim the person's records that agree: all, and those of the most precise classes."""
    place, record = joined(who, owner, number)
    agree = found.agree(combination[place], classes[record])
    place, record = place[agree], record[agree]
    own, narrow = np.zeros(len(who), np.int64), np.zeros(len(who), np.int64)
    np.add.at(own, place, rows[record])
    precise = found.precision[classes[record]] == found.least_precision[combination[place]]
    np.add.at(narrow, place[precise], rows[record[precise]])
    return own, narrow


def joined(who: Ints, owner: Ints, persons: int) -> tuple[Ints, Ints]:
    """Join rows about people with records of the same people: places in both; −1 is nobody."""
    order = np.flatnonzero(owner >= 0)
    order = order[np.argsort(owner[order], kind="stable")]
    starts = np.searchsorted(owner[order], np.arange(persons + 1))
    many = starts[who + 1] - starts[who]
    place = np.repeat(np.arange(len(who)), many)
    offset = np.arange(len(place)) - np.repeat(np.cumsum(many) - many, many)
    return place, order[starts[who[place]] + offset]


def numbered_alike(columns: Sequence[pa.ChunkedArray]) -> tuple[list[Ints], pa.Array]:
    """Number the ids of several columns alike, −1 for missing; their types may differ. Return the ids too."""
    if len({column.type for column in columns}) > 1:
        columns = [_texts(column) for column in columns]
    joined = pa.chunked_array([chunk for column in columns for chunk in column.chunks], columns[0].type)
    found = pc.dictionary_encode(pa.concat_arrays(joined.chunks))
    numbers = found.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    ends = np.cumsum([len(column) for column in columns])
    return np.split(numbers, ends[:-1]), found.dictionary


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    values, codes = encoded(column)
    texts = pa.array([None if value is None else as_text(value) for value in values], pa.string())
    return pa.chunked_array([texts.take(pa.array(codes))])


def _rows_of(table: pa.Table) -> Ints:
    return np.asarray(table.column(table.num_columns - 2).to_numpy(), np.int64)
