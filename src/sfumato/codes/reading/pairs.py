"""The pairs (record, code) of a source, as numbers: what every layout comes down to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.codes.reading.layouts import SEPARATORS, Baskets, Cells, Lists, Long, SearchLog, SetLayout
from sfumato.codes.reading.numbering import NOTHING, Numbering, as_texts, owners_of, sorted_texts
from sfumato.codes.reading.opening import is_list, only, opened
from sfumato.codes.sets import distinct
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.engine.lines import BASKET

ROWS_ARE_PEOPLE = "no column names the person: every row was taken as one"


@dataclass(frozen=True)
class Pairs:
    """Record ``record[i]`` holds ``texts[code[i]]`` (−1: a code that is missing).

    There are ``records`` records, some perhaps without a pair. With visits, ``visit[i]`` is the visit of
    pair i and ``owner[v]`` the record that visit v belongs to. Pair i stands on row ``row[i]`` of the source,
    on row i where that is None.
    """

    record: NDArray[np.int64]
    code: NDArray[np.int64]
    texts: pa.Array
    records: int
    rows: int
    where: str
    people: pa.Array | None = None
    visit: NDArray[np.int64] | None = None
    owner: NDArray[np.int64] | None = None
    notes: tuple[str, ...] = field(default=())
    row: NDArray[np.int64] | None = None


def pairs_of(data: Any, layout: SetLayout) -> Pairs:
    """Read the pairs of any layout."""
    with opened(data) as (table, where):
        match layout:
            case Long():
                return _long(table, layout, where)
            case Cells():
                return _cells(table, layout, where)
            case Lists():
                return _lists(table, layout, where)
            case Baskets():
                return _cells(table, Cells(_basket_column(table, where), " "), where)
            case SearchLog():
                from sfumato.codes.reading.search_log import search_pairs

                return search_pairs(table, layout, where)


def _basket_column(table: Table, where: str) -> str:
    if table.names != (BASKET,):
        raise BadInput(
            "this is not a file of baskets", where=where, remedy="give a .dat file, or name another layout"
        )
    return BASKET


def _long(table: Table, layout: Long, where: str) -> Pairs:
    """Stream the rows; only numbers are kept. Without a person their order matters."""
    named = [name for name in (layout.person, layout.visit, layout.code) if name is not None]
    picked = only(table, named, where)
    if layout.person is None:
        codes = Numbering()
        codes.add(picked.engine.arrow(picked).column(layout.code))
        code, found = codes.numbers()
        return Pairs(np.arange(len(code)), code, found, len(code), len(code), where, notes=(ROWS_ARE_PEOPLE,))
    parts = {name: Numbering() for name in named}
    for batch in picked.engine.scan(picked):
        for name in parts:
            parts[name].add(batch.column(name))
    code, found = parts[layout.code].numbers()
    record, people = persons(*parts[layout.person].numbers(), layout.person, where)
    if layout.visit is None:
        return Pairs(record, code, found, len(people), len(code), where, people)
    visit, owner, notes = _visits(record, *parts[layout.visit].numbers())
    return Pairs(record, code, found, len(people), len(code), where, people, visit, owner, notes)


def persons(
    numbers: NDArray[np.int64], texts: pa.Array, column: str, where: str
) -> tuple[NDArray[np.int64], pa.Array]:
    """Number the people in the order of their texts; refuse rows without one."""
    record, people = sorted_texts(numbers, texts)
    missing = int(np.count_nonzero(record == NOTHING))
    if missing:
        many = "1 row has" if missing == 1 else f"{missing:,} rows have"
        raise BadInput(
            f"{many} no person",
            where=f"{where}, column '{column}'",
            remedy="mend the rows, or leave them out",
        )
    return record, people


def _visits(
    record: NDArray[np.int64], numbers: NDArray[np.int64], texts: pa.Array
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...]]:
    """Number the visits by person and text; rows of a person without one are one visit."""
    which, names = sorted_texts(numbers, texts)
    unnamed = int(np.count_nonzero(which == NOTHING))
    which[which == NOTHING] = len(names)
    each = record * (len(names) + 1) + which
    keys = distinct(each)
    many = "1 row names" if unnamed == 1 else f"{unnamed:,} rows name"
    notes = (f"{many} no visit: those of one person were taken as one visit",) if unnamed else ()
    return np.searchsorted(keys, each).astype(np.int64), keys // (len(names) + 1), notes


def _cells(table: Table, layout: Cells, where: str) -> Pairs:
    """Cut the cells at the separator."""
    column, people_column, rows = _row_by_row(table, layout.column, layout.person, where)
    if is_list(column.type):
        raise BadInput(
            "the column holds lists", where=f"{where}, column '{layout.column}'", remedy="use layout: lists"
        )
    texts = as_texts(column)
    # An empty cell holds no code; cut, it would seem to hold an empty one.
    texts = pc.if_else(pc.equal(pc.utf8_trim_whitespace(texts), ""), pa.scalar(None, pa.string()), texts)
    separator = layout.separator
    notes: list[str] = []
    if separator is None:
        separator = next((s for s in SEPARATORS[:-1] if _holds(texts, s)), SEPARATORS[-1])
        said = "a blank" if separator == " " else f"'{separator}'"
        notes.append(f"{said} was taken as what separates the codes of a cell")
    if separator == " ":
        cut = pc.utf8_split_whitespace(pc.utf8_trim_whitespace(texts))
    else:
        cut = pc.split_pattern(texts, separator)
    return _gathered(cut, people_column, layout.person, rows, where, notes)


def _holds(texts: pa.ChunkedArray, separator: str) -> bool:
    return bool(pc.any(pc.match_substring(texts, separator)).as_py())


def _lists(table: Table, layout: Lists, where: str) -> Pairs:
    """Take the elements of lists."""
    column, people_column, rows = _row_by_row(table, layout.column, layout.person, where)
    if not is_list(column.type):
        raise BadInput(
            "the column does not hold lists",
            where=f"{where}, column '{layout.column}'",
            remedy="use layout: cells, or another engine if the file does hold lists",
        )
    if not pa.types.is_list(column.type):
        column = column.cast(pa.list_(column.type.value_type))
    return _gathered(column, people_column, layout.person, rows, where, [])


def _row_by_row(
    table: Table, column: str, person: str | None, where: str
) -> tuple[pa.ChunkedArray, pa.ChunkedArray | None, int]:
    picked = only(table, [column, *([person] if person else [])], where)
    data = picked.engine.arrow(picked)
    return data.column(column), data.column(person) if person else None, data.num_rows


def _gathered(
    lists: pa.ChunkedArray,
    people_column: pa.ChunkedArray | None,
    person: str | None,
    rows: int,
    where: str,
    notes: list[str],
) -> Pairs:
    """Number the elements of lists and the rows or people that hold them."""
    row, elements = owners_of(lists)
    codes = Numbering()
    codes.add(elements)
    code, texts = codes.numbers()
    if people_column is None or person is None:
        return Pairs(row, code, texts, rows, rows, where, notes=(*notes, ROWS_ARE_PEOPLE), row=row)
    who = Numbering()
    who.add(people_column)
    record, people = persons(*who.numbers(), person, where)
    return Pairs(record[row], code, texts, len(people), rows, where, people, notes=tuple(notes), row=row)
