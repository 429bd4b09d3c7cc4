"""Read published sets again: what a check, an attack or an analyst sees of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.codes.published import Items, PublishedSets, set_label
from sfumato.codes.reading.numbering import NOTHING, Numbering, as_texts, in_order, moved, owners_of
from sfumato.codes.reading.opening import is_list, only, opened
from sfumato.codes.sets import distinct
from sfumato.codes.spelling import Misspelt, Spelt, cut, read_element, read_word
from sfumato.codes.writing import CODES, RECORD, PublishedLayout
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.engine.lines import BASKET

ItemsSpec = Items | Mapping[str, Sequence[str]]
"""the items that a release may show: label → codes, as its schema tells them"""


def read_published(
    data: Any,
    layout: PublishedLayout | str | None = None,
    items: ItemsSpec | None = None,
    *,
    column: str = CODES,
    record: str = RECORD,
) -> PublishedSets:
    """Read published sets from a table of an engine, a source, a path or a frame.

    Without ``layout`` it is recognised: a column of lists, a column ``record`` beside the items, or cells.
    Without ``items`` an element is a code or a set as it is spelt; with them it must be one of their labels.
    In a long table each record number is a record, in ascending order; the others are in that of the file.

    >>> import pyarrow as pa
    >>> read_published(pa.table({"codes": ["295 (401.2,401.4)", ""]}), "cells").record(0)
    ('(401.2,401.4)', '295')
    """
    with opened(data) as (table, where):
        if column == CODES and table.names == (BASKET,):
            column = BASKET
        chosen = _layout(table, layout, column, record)
        if chosen is PublishedLayout.LONG:
            row, texts, records = _long(table, column, record, where)
        else:
            row, texts, records = _by_row(table, chosen, column, where)
    numbering = Numbering()
    numbering.add(texts)
    element, spellings = numbering.numbers()
    if (element == NOTHING).any():
        first = int(row[np.argmax(element == NOTHING)]) + 1
        raise BadInput("an item is missing", where=f"{where}, record {first}", remedy="mend the file")
    read = read_word if chosen is PublishedLayout.CELLS else read_element
    spelt = []
    for number, text in enumerate(spellings.to_pylist()):
        try:
            spelt.append(read(text))
        except Misspelt:
            raise _misspelt(where, int(row[np.argmax(element == number)])) from None
    if items is None:
        known, item_of = _items_of(spelt)
    else:
        known = items if isinstance(items, Items) else items_of(items)
        item_of = _places(spelt, known, row, element, where)
    return _gathered(known, row, item_of[element], records)


def items_of(
    spec: Mapping[str, Sequence[str]],
    *,
    sizes: Mapping[str, int] | None = None,
    total: int | None = None,
    sensitive: Sequence[str] = (),
) -> Items:
    """Make items from their labels and codes; ``sizes`` says of how many codes each speaks in all.

    >>> items_of({"401": ["401.1", "401.9"], "295": ["295"]}).labels
    ('295', '401')
    """
    labels = sorted(spec)
    domain = sorted({code for codes in spec.values() for code in codes} | {*sensitive})
    place = {code: position for position, code in enumerate(domain)}
    marked = np.array([code in {*sensitive} for code in domain], np.bool_)
    return Items.of_groups(
        domain,
        [[place[code] for code in spec[label]] for label in labels],
        labels=labels,
        sizes=None if sizes is None else [sizes.get(label, len({*spec[label]})) for label in labels],
        total=total,
        sensitive=marked,
    )


def _layout(table: Table, layout: PublishedLayout | str | None, column: str, record: str) -> PublishedLayout:
    if layout is not None:
        return PublishedLayout(layout)
    if record in table.names:
        return PublishedLayout.LONG
    types = {known.name: known.type for known in table.columns}
    return PublishedLayout.LISTS if types.get(column) == "other" else PublishedLayout.CELLS


def _by_row(
    table: Table, layout: PublishedLayout, column: str, where: str
) -> tuple[NDArray[np.int64], pa.Array, int]:
    picked = only(table, [column], where)
    data = picked.engine.arrow(picked).column(column)
    if is_list(data.type) != (layout is PublishedLayout.LISTS):
        raise BadInput(
            f"the column is not laid out as {layout.value}",
            where=f"{where}, column '{column}'",
            remedy="name the layout that the file has",
        )
    if layout is PublishedLayout.LISTS:
        return (*owners_of(data.cast(pa.list_(pa.string()))), len(data))
    cells = pc.fill_null(as_texts(data), "")
    # Blanks stand inside elements only where there are quotes; all other cells are cut at once.
    quoted = pc.match_substring(cells, '"').to_numpy(zero_copy_only=False)
    simple = pc.utf8_split_whitespace(pc.utf8_trim_whitespace(pc.if_else(pa.array(quoted), "", cells)))
    row, found = owners_of(simple)
    kept = pc.not_equal(found, "")
    rows, parts = [row[kept.to_numpy(zero_copy_only=False)]], [found.filter(kept)]
    for number in np.flatnonzero(quoted).tolist():
        try:
            inside = cut(cells[number].as_py())
        except Misspelt:
            raise _misspelt(where, number) from None
        rows.append(np.full(len(inside), number, np.int64))
        parts.append(pa.array(inside, pa.string()))
    return np.concatenate(rows), pa.chunked_array(parts, pa.string()), len(cells)


def _long(table: Table, column: str, record: str, where: str) -> tuple[NDArray[np.int64], Any, int]:
    picked = only(table, [record, column], where)
    data = picked.engine.arrow(picked)
    numbers = as_texts(data.column(record))
    if numbers.null_count:
        raise BadInput(f"{numbers.null_count} rows have no record", where=f"{where}, column '{record}'")
    who = Numbering()
    who.add(numbers)
    number, texts = who.numbers()
    by_length, place = in_order(texts.to_pylist(), lambda text: f"{len(text):09d}{text}")
    return moved(number, place), data.column(column), len(by_length)


def _misspelt(where: str, row: int) -> BadInput:
    return BadInput(
        "an item is not spelt as published items are",
        where=f"{where}, record {row + 1}",
        remedy="write sets as (a,b), and codes with blanks, commas or brackets in double quotes",
    )


def _items_of(spelt: Sequence[Spelt]) -> tuple[Items, NDArray[np.int64]]:
    """Take every distinct set of codes as an item; return them and which item each element is."""
    groups = [frozenset((said.label,) if said.codes is None else said.codes) for said in spelt]
    ordered = sorted({*groups}, key=sorted)
    ordered.sort(key=lambda group: set_label(sorted(group)))
    domain = sorted({code for group in ordered for code in group})
    place = {code: position for position, code in enumerate(domain)}
    items = Items.of_groups(domain, [[place[code] for code in group] for group in ordered])
    number = {group: item for item, group in enumerate(ordered)}
    return items, np.array([number[group] for group in groups], np.int64)


def _places(
    spelt: Sequence[Spelt], items: Items, row: NDArray[np.int64], element: NDArray[np.int64], where: str
) -> NDArray[np.int64]:
    """Find elements among the items: sets by their codes, all others by their labels.

    A set and a code may be written alike, so that a text in brackets never stands for a code.
    """
    named = {items.labels[item]: item for item in np.flatnonzero(~items.sets).tolist()}
    nodes = {items.labels[item]: item for item in np.flatnonzero(~items.sets & ~items.singles).tolist()}
    listed = {
        frozenset(items.domain[code] for code in items.under(item)): item
        for item in np.flatnonzero(items.sets).tolist()
    }

    def place(said: Spelt) -> int:
        if said.codes is None:
            return named.get(said.label, NOTHING)
        return listed.get(frozenset(said.codes), nodes.get(said.label, NOTHING))

    found = np.array([place(said) for said in spelt], np.int64)
    strange = int(np.count_nonzero(found == NOTHING))
    if strange:
        first = int(row[(found == NOTHING)[element]].min()) + 1
        many = "1 item is" if strange == 1 else f"{strange} items are"
        raise BadInput(
            f"{many} not among those that the release declares",
            where=f"{where}, record {first}",
            remedy="check that the file and its schema belong together",
        )
    return found


def _gathered(items: Items, row: NDArray[np.int64], item: NDArray[np.int64], records: int) -> PublishedSets:
    keys = distinct(row * max(len(items), 1) + item)
    owner = keys // max(len(items), 1)
    starts = np.zeros(records + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=records), out=starts[1:])
    return PublishedSets(items, starts, (keys - owner * max(len(items), 1)).astype(np.int32))
