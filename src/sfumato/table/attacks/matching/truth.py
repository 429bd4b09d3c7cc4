"""Who was right: released rows beside the true value of the same person, while ids are still in the house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.published import PublishedTable

_PERSON, _TRUE = "person\0", "true\0"


@dataclass(frozen=True)
class Truth:
    """For every person and combination shown of them, once: what is shown, and the true value as text."""

    released: tuple[pa.ChunkedArray, ...]
    true: pa.ChunkedArray
    left_out: int
    """people of the original who have several values: no claim about one of them is right or wrong"""

    def __len__(self) -> int:
        return len(self.true)

    @property
    def note(self) -> str:
        """What a reader must know: who was left out."""
        people = "1 person" if self.left_out == 1 else f"{self.left_out:,} people"
        verb = "is" if self.left_out == 1 else "are"
        return f"{people} with several values {verb} not attacked" if self.left_out else ""


def true_values(
    target: PublishedTable, knowledge: Knowledge, shown: Sequence[str], column: str
) -> Truth | None:
    """Find the true value of ``column`` for every released row; None where persons cannot be told.

    Rows of the release are joined with those of the original by person. Without an original that names
    persons, or in a release that no longer does, nobody can tell whose row is whose.
    """
    original = knowledge.original
    if original is None or original.person is None or target.person is None:
        return None
    if not {original.person, column} <= set(original.table.names) or target.person not in target.table.names:
        return None
    known = _grouped(original.table, [original.person, column], [_PERSON, _TRUE])
    several = known.group_by(_PERSON).aggregate([([], "count_all")])
    one = several.filter(pc.equal(several.column("count_all"), 1)).select([_PERSON])
    if not one.num_rows:
        raise BadInput(
            "everybody has several values, so that none is the true one",
            where=f"column '{column}'",
            remedy="take each row as a person: leave the person column out",
        )
    known = known.join(one, keys=_PERSON, join_type="inner")
    places = [f"shown\0{i}" for i in range(len(shown))]
    released = _grouped(target.table, [target.person, *shown], [_PERSON, *places])
    both = released.join(known, keys=_PERSON, join_type="inner")
    if not both.num_rows:
        raise BadInput(
            "nobody of the release is found in the original by their person column",
            where=f"column '{target.person}'",
            remedy="give the original that the release was made from, or leave it out",
        )
    true = pa.chunked_array([texts_of(both.column(_TRUE))])
    return Truth(tuple(both.column(place) for place in places), true, several.num_rows - one.num_rows)


def _grouped(table: Table, names: Sequence[str], called: Sequence[str]) -> pa.Table:
    """Return the combinations that occur, each once, with persons as text."""
    batches = list(table.engine.count(table, names))
    if not batches:
        raise BadInput("the table has no rows", remedy="give a table with at least one row")
    found = pa.Table.from_batches(batches)
    columns = [_plain(found.column(j)) for j in range(len(names))]
    columns[0] = pa.chunked_array([texts_of(columns[0])])
    grouped = pa.table(columns, names=list(called))
    return grouped.filter(pc.is_valid(grouped.column(called[0])))


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def places(rows: Sequence[pa.ChunkedArray], among: Sequence[pa.ChunkedArray]) -> NDArray[np.int64]:
    """Return for each row which of some distinct combinations it holds, or −1; missing is a value of its own.

    >>> places([pa.chunked_array([["b", None, "c"]])], [pa.chunked_array([[None, "b"]])]).tolist()
    [1, 0, -1]
    """
    size = len(among[0])
    number = np.zeros(size + len(rows[0]), np.int64)
    for asked, listed in zip(rows, among, strict=True):
        codes: dict[Any, int] = {}
        parts = []
        for column in (listed, asked):
            array = _plain(column).combine_chunks()
            encoded = pc.dictionary_encode(array, null_encoding="encode")
            known = encoded.dictionary.to_pylist()
            lookup = np.array([codes.setdefault(value, len(codes)) for value in known], np.int64)
            parts.append(lookup[encoded.indices.to_numpy(zero_copy_only=False)])
        both = number * (len(codes) + 1) + np.concatenate(parts)
        number = np.unique(both, return_inverse=True)[1].astype(np.int64)
    first = np.full(int(number.max(initial=0)) + 1, -1, np.int64)
    first[number[:size]] = np.arange(size)
    return np.asarray(first[number[size:]], np.int64)


def texts_of(column: pa.ChunkedArray) -> pa.Array:
    """Write values as releases do, each distinct one once."""
    array = _plain(column).combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], column.type)
    encoded = pc.dictionary_encode(array)
    texts = [as_text(value) for value in encoded.dictionary.to_pylist()]
    return pa.array(texts, pa.string()).take(encoded.indices)
