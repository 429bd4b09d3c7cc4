"""Write published sets: cells, lists, long tables, baskets; shuffled unless told otherwise.

The order of records links them to the source, and so would the order of items within a record link them to
how they were made: records are put in an order drawn from the operating system, items in that of their texts.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import slots_of
from sfumato.codes.spelling import elements, words
from sfumato.core.errors import BadInput, nearest
from sfumato.core.randomness import Random, SecretRandom
from sfumato.engine import open_engine
from sfumato.engine.contract import Order
from sfumato.engine.sources import Frame

CODES = "codes"
"""the column of published items"""
RECORD = "record"
"""the column of a long table that says which items stand together: a number drawn at random"""


class PublishedLayout(StrEnum):
    """How published sets lie in a file."""

    CELLS = "cells"
    """one cell for each record, items with a blank between them"""
    LISTS = "lists"
    """one list for each record"""
    LONG = "long"
    """one row for each item, beside the random number of its record; empty records are lost"""


@dataclass(frozen=True)
class Written:
    """How many records a file holds, and how many empty ones its layout cannot hold."""

    records: int
    lost: int = 0


FORMATS: dict[str, tuple[PublishedLayout, ...]] = {
    ".csv": (PublishedLayout.CELLS, PublishedLayout.LONG),
    ".csv.gz": (PublishedLayout.CELLS, PublishedLayout.LONG),
    ".parquet": (PublishedLayout.LISTS, PublishedLayout.CELLS, PublishedLayout.LONG),
    ".jsonl": (PublishedLayout.LISTS,),
    ".dat": (PublishedLayout.CELLS,),
    ".dat.gz": (PublishedLayout.CELLS,),
}
"""what each kind of file can hold; the first is taken when nothing is said"""


def layout_for(path: Path, layout: PublishedLayout | str | None = None) -> PublishedLayout:
    """Return the layout for a file, by its suffix.

    >>> layout_for(Path("release.parquet")), layout_for(Path("a.csv"), "long")
    (<PublishedLayout.LISTS: 'lists'>, <PublishedLayout.LONG: 'long'>)
    """
    name = path.name.lower()
    suffix = next((known for known in sorted(FORMATS, key=len, reverse=True) if name.endswith(known)), None)
    if suffix is None:
        raise BadInput(
            "sets cannot be written in this kind of file",
            where=str(path),
            remedy=f"use {', '.join(FORMATS)}",
        )
    if layout is None:
        return FORMATS[suffix][0]
    if layout not in tuple(PublishedLayout):
        raise BadInput(f"there is no layout '{layout}'", remedy=nearest(layout, PublishedLayout))
    if layout not in FORMATS[suffix]:
        raise BadInput(
            f"a {suffix} file cannot hold the layout '{PublishedLayout(layout).value}'",
            where=str(path),
            remedy=f"use {' or '.join(FORMATS[suffix])}",
        )
    return PublishedLayout(layout)


def published_table(
    published: PublishedSets,
    layout: PublishedLayout | str = PublishedLayout.LISTS,
    *,
    order: Order = Order.SHUFFLED,
    random: Random | None = None,
) -> pa.Table:
    """Return published sets as an Arrow table.

    >>> sets = PublishedSets.of([["295", ["401.2", "401.4"]], []])
    >>> published_table(sets, "cells", order=Order.KEPT)["codes"].to_pylist()
    ['(401.2,401.4) 295', '']
    """
    layout = PublishedLayout(layout)
    records = np.arange(len(published))
    if order is Order.SHUFFLED:
        records = (random or SecretRandom()).permutation(len(published))
    texts = words(published.items) if layout is PublishedLayout.CELLS else elements(published.items)
    starts, shown = _in_new_order(published, records, texts)
    spelt = pa.array(texts, pa.string()).take(pa.array(shown))
    if layout is PublishedLayout.LONG:
        # Numbers without a gap: how many records were empty is not to be read from them.
        filled = np.cumsum(np.diff(starts) > 0)
        return pa.table({RECORD: pa.array(filled[slots_of(starts)]), CODES: spelt})
    lists = pa.ListArray.from_arrays(pa.array(starts, pa.int32()), spelt)
    if layout is PublishedLayout.LISTS:
        return pa.table({CODES: lists})
    return pa.table({CODES: pc.binary_join(lists, " ")})


def write_published(
    published: PublishedSets,
    path: Path | str,
    layout: PublishedLayout | str | None = None,
    *,
    order: Order = Order.SHUFFLED,
    random: Random | None = None,
) -> Written:
    """Write published sets to a CSV, Parquet, JSON lines or ``.dat`` file, by its suffix."""
    path = Path(path)
    chosen = layout_for(path, layout)
    table = published_table(published, chosen, order=order, random=random)
    name = path.name.lower()
    if name.endswith((".csv", ".csv.gz", ".parquet")):
        with contextlib.closing(open_engine()) as engine:
            engine.write(engine.read(Frame(table)), path, order=Order.KEPT)
    else:
        content = as_lines(table, chosen)
        # A fixed time in the header of the packed file: when it was made is nobody's business.
        path.write_bytes(gzip.compress(content, mtime=0) if name.endswith(".gz") else content)
        os.chmod(path, 0o644)
    lost = int(np.count_nonzero(np.diff(published.starts) == 0)) if chosen is PublishedLayout.LONG else 0
    return Written(len(published) - lost, lost)


def as_lines(table: pa.Table, layout: PublishedLayout) -> bytes:
    """Write lists as JSON lines, cells as baskets."""
    rows = table.column(CODES)
    lines = _as_json(rows) if layout is PublishedLayout.LISTS else rows
    return "".join(f"{line}\n" for line in lines.to_pylist()).encode("utf-8")


def _as_json(lists: pa.ChunkedArray) -> pa.Array:
    """Write one object for each list; every distinct text is spelt once."""
    column = lists.combine_chunks()
    values = column.flatten().dictionary_encode()
    spelt = pa.array(
        [json.dumps(text, ensure_ascii=False) for text in values.dictionary.to_pylist()], pa.string()
    )
    joined = pc.binary_join(pa.ListArray.from_arrays(column.offsets, spelt.take(values.indices)), ", ")
    return pc.binary_join_element_wise(f'{{"{CODES}": [', joined, "]}", "")


def _in_new_order(
    published: PublishedSets, records: NDArray[np.int64], texts: tuple[str, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return starts and items with records in an order, and items of a record in that of their texts."""
    lengths = np.diff(published.starts)[records]
    starts = np.zeros(len(records) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    inside = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
    shown = published.shown[np.repeat(published.starts[records], lengths) + inside].astype(np.int64)
    by_text = np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int64)
    rank = np.empty(len(texts), np.int64)
    rank[by_text] = np.arange(len(texts))
    ranks = np.sort(slots_of(starts) * max(len(texts), 1) + rank[shown])
    return starts, by_text[ranks % max(len(texts), 1)]
