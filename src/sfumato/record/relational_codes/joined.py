"""A table and codes about the same people, joined by who they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.codes.reading import Cells as CellLayout
from sfumato.codes.reading import Lists, Long, ReadCodes, SetLayout
from sfumato.codes.reading.numbering import as_named, as_texts
from sfumato.codes.reading.opening import only
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, nearest
from sfumato.engine.contract import Table
from sfumato.hierarchy import infer
from sfumato.hierarchy.ladder import Hierarchy, Ladder
from sfumato.table.cells import Cells

Strangers = Literal["error", "drop"]
_LAYOUTS = ("long", "cells", "lists")
_NO_PLAIN_TYPE = "other"
"""what engines call the type of columns that hold no plain values"""


@dataclass(frozen=True)
class Joined:
    """One row and one set of codes for each person, in the order of the table."""

    quasi: pa.Table = field(repr=False)
    sets: CodeSets = field(repr=False)
    without_codes: int
    """people of the table without any code: kept, with an empty set"""
    strangers: int
    """people with codes who are not in the table: left out"""
    notes: tuple[str, ...] = ()


def layout_of(
    table: Table, code: str, person: str, layout: str | None = None, separator: str | None = None
) -> SetLayout:
    """Return how codes lie in a table: as said, else lists for a column of lists, else one on each row."""
    if layout is not None and layout not in _LAYOUTS:
        raise BadInput(f"'layout' cannot be '{layout}'", remedy=nearest(layout, _LAYOUTS))
    types = {column.name: column.type for column in table.columns}
    if layout is None:
        layout = "lists" if types.get(code) == _NO_PLAIN_TYPE else "cells" if separator else "long"
    if separator is not None and layout != "cells":
        raise BadInput("a separator is for cells that hold several codes", remedy="leave it out")
    if layout == "lists":
        return Lists(code, person)
    return CellLayout(code, separator, person) if layout == "cells" else Long(person, code)


def join(
    table: Table, quasi: Sequence[str], person: str, read: ReadCodes, strangers: Strangers = "error"
) -> Joined:
    """Give every row of a table the codes of its person.

    People without codes stay, with an empty set. Codes of people who are not in the table are refused, or
    left out with ``strangers="drop"``: there is no row to publish them with.
    """
    if strangers not in get_args(Strangers):
        raise BadInput(f"'strangers' cannot be '{strangers}'", remedy=nearest(strangers, get_args(Strangers)))
    rows = _rows(table, quasi, person)
    if not rows.num_rows:
        raise BadInput("the table has no rows", remedy="give a table with at least one row")
    people = _people(rows.column(person), person)
    assert read.people is not None, "codes are read with a person"
    found = pc.index_in(people, value_set=read.people)
    place = pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    met = np.zeros(len(read.people), np.bool_)
    met[place[place >= 0]] = True
    unknown = int((~met).sum())
    verb = "is" if unknown == 1 else "are"
    if unknown == len(met):
        raise BadInput(
            "nobody with codes is in the table, so that nothing could be joined",
            where=f"column '{person}'",
            remedy="check that both name people in the same way",
        )
    if unknown and strangers == "error":
        raise BadInput(
            f"of {len(met):,} people with codes, {unknown:,} {verb} not in the table",
            where=f"column '{person}'",
            remedy="add their rows or take their codes out, in Python also by strangers='drop'",
        )
    sets = _laid_out(read.sets, place)
    empty = int(np.count_nonzero(np.diff(sets.starts) == 0))
    notes = [*read.notes]
    if empty:
        have = "has" if empty == 1 else "have"
        notes.append(f"of {len(sets):,} people, {empty:,} {have} no code: kept, with an empty set")
    if unknown:
        many = "1 person" if unknown == 1 else f"{unknown:,} people"
        notes.append(f"codes of {many} who {verb} not in the table were left out")
    return Joined(rows.select(list(quasi)), sets, empty, unknown, tuple(notes))


def _rows(table: Table, quasi: Sequence[str], person: str) -> pa.Table:
    if not quasi:
        raise BadInput("no column is a quasi-identifier", remedy="say what an adversary may know")
    for name in (*quasi, person):
        if [*quasi, person].count(name) > 1:
            raise BadInput("the column is named twice", where=f"column '{name}'", remedy="name it once")
    picked = only(table, [*quasi, person], "the table")
    for column in picked.columns:
        if column.type == _NO_PLAIN_TYPE:
            raise BadInput(
                "its values are neither texts nor numbers, dates or truth values",
                where=f"column '{column.name}'",
                remedy="turn them into text, or leave the column out",
            )
    return picked.engine.arrow(picked)


def _people(column: pa.ChunkedArray, person: str) -> pa.Array:
    """Return who each row is about; refuse rows without a person, and people with several rows."""
    people = as_named(as_texts(column))
    people = people.combine_chunks() if isinstance(people, pa.ChunkedArray) else people
    blank = pc.fill_null(pc.equal(people, ""), True)
    missing = int(pc.sum(blank).as_py() or 0)
    if missing:
        many = "1 row has" if missing == 1 else f"{missing:,} rows have"
        raise BadInput(f"{many} no person", where=f"column '{person}'", remedy="mend the rows")
    again = len(people) - pc.count_distinct(people).as_py()
    if again:
        raise BadInput(
            f"{again:,} {'row is' if again == 1 else 'rows are'} about somebody who has another row",
            where=f"column '{person}'",
            remedy="give one row for each person",
        )
    return people


def _laid_out(sets: CodeSets, place: NDArray[np.int64]) -> CodeSets:
    """Return record ``place[r]`` (none where −1) for every row r, over the codes that still occur."""
    there = place >= 0
    taken = sets.take(place[there])
    rows = np.flatnonzero(there)[slots_of(taken.starts)]
    used, codes = np.unique(taken.codes, return_inverse=True)
    return CodeSets.from_pairs(rows, codes, [sets.domain[code] for code in used.tolist()], len(place))


def cells_of(quasi: pa.Table) -> tuple[Cells, NDArray[np.int64]]:
    """Return the distinct combinations of quasi-identifiers, and the one of every row."""
    domains, codes = [], []
    for name in quasi.column_names:
        column = quasi.column(name).combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        encoded = pc.dictionary_encode(column, null_encoding="encode")
        values = encoded.dictionary.to_pylist()
        domain = Domain.of(name, values)
        place = {value: code for code, value in enumerate(domain.values)}
        moved = np.array([place[value] for value in values], np.int32)
        domains.append(domain)
        codes.append(moved[encoded.indices.to_numpy(zero_copy_only=False)])
    cells, cell_of = np.unique(np.array(codes, np.int32), axis=1, return_inverse=True)
    cell_of = cell_of.reshape(-1).astype(np.int64)
    rows = np.bincount(cell_of, minlength=cells.shape[1]).astype(np.int64)
    return Cells(tuple(domains), np.ascontiguousarray(cells, np.int32), rows, rows), cell_of


def ladders_of(
    cells: Cells, hierarchies: Mapping[str, Hierarchy], *, infer_missing: bool
) -> tuple[Ladder | None, ...]:
    """Lay hierarchies over the quasi-identifiers; infer those that are needed and that nobody gave."""
    for name in hierarchies:
        if name not in cells.names:
            raise BadInput(f"'{name}' is no quasi-identifier", remedy=nearest(name, cells.names))
    ladders: list[Ladder | None] = []
    for domain in cells.domains:
        hierarchy: Any = hierarchies.get(domain.name)
        if hierarchy is None and infer_missing:
            hierarchy = infer(domain)
        ladders.append(None if hierarchy is None else hierarchy.ladder(domain))
    return tuple(ladders)
