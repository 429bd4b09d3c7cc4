"""Names of nodes: text, compared sign by sign. ``1`` and ``01`` are two nodes, so are ``Bob`` and ``bob``.

Whoever merges names that only look alike connects people who have never met; whoever keeps two spellings of
one person apart sees fewer of their friends. The first cannot be undone, so names are never changed, and how
many look alike is told.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

MOST = 2**31 - 1
"""the most nodes, and the most ends of edges: both are numbered in 32 bits"""
_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
"""whole numbers as they are written in one way only, and that fit into 64 bits"""


def whole_numbers(names: pa.StringArray) -> bool:
    """Say whether all names are whole numbers, none of them written in two ways."""
    return bool(pc.all(pc.match_substring_regex(names, _WHOLE)).as_py())


def ranks(names: pa.StringArray) -> NDArray[np.int64]:
    """Return the place of each name in their order: by value where all are whole numbers, else as text.

    >>> ranks(pa.array(["10", "9", "-1"])).tolist(), ranks(pa.array(["10", "9", "01"])).tolist()
    ([2, 1, 0], [1, 2, 0])
    """
    if not len(names):
        return np.zeros(0, np.int64)
    if whole_numbers(names):
        order = np.argsort(names.cast(pa.int64()).to_numpy(), kind="stable")
    else:
        order = pc.sort_indices(names).to_numpy()
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    return place


def look_alikes(names: pa.StringArray) -> int:
    """Count names that another name would be, but for zeros in front, blanks, case or the form of letters.

    >>> look_alikes(pa.array(["1", "01", "Bob", "bob ", "Ed"]))
    4
    """
    if not len(names) or whole_numbers(names):
        return 0
    plain = pc.utf8_trim_whitespace(pc.utf8_lower(pc.utf8_normalize(names, form="NFKC")))
    plain = pc.replace_substring_regex(plain, r"^0+([0-9])", r"\1")
    often = pc.value_counts(plain).field("counts").to_numpy()
    return int(often[often > 1].sum())


def check_distinct(names: pa.StringArray, what: str, where: str, remedy: str) -> None:
    """Refuse names that stand for more than one node."""
    many = len(names) - pc.count_distinct(names).as_py()
    if many:
        raise BadInput(
            f"{many:,} of {len(names):,} {what} are not the first of their name", where=where, remedy=remedy
        )


def as_names(column: pa.ChunkedArray, title: str, where: str) -> pa.ChunkedArray:
    """Return a column of names, text or whole numbers; other types and missing names are refused.

    Fractions are refused because 1 and 1.0 would be two names, and a column becomes one of fractions by
    accident: it does in pandas as soon as one value is missing.
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_integer(kind) or is_text(kind) or pa.types.is_null(kind)):
        raise BadInput(
            f"the column holds values of the type {kind}, which are no names",
            where=f"{where}, column '{title}'",
            remedy="give whole numbers or text",
        )
    whole = pa.types.is_integer(kind)
    column = column.cast(kind if whole else pa.string())
    missing = pc.is_null(column) if whole else pc.fill_null(pc.equal(column, ""), True)
    many = int(pc.sum(missing).as_py() or 0)
    if many:
        first = int(pc.index(missing, True).as_py()) + 1
        raise BadInput(
            f"{many:,} of {len(column):,} names are missing (first in row {first:,})",
            where=f"{where}, column '{title}'",
            remedy="give every edge both ends and every row of a node table its node",
        )
    return column


def is_text(kind: pa.DataType) -> bool:
    """Say whether a type is one of text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def numbered(*columns: pa.ChunkedArray) -> tuple[pa.StringArray, list[NDArray[np.int64]]]:
    """Return the distinct names of some columns, and for each column the places of its names.

    Columns that are all of whole numbers are told apart as numbers, which is faster.
    """
    ends = np.cumsum([len(column) for column in columns])
    if all(pa.types.is_integer(column.type) and column.type != pa.uint64() for column in columns):
        values = np.concatenate([column.cast(pa.int64()).to_numpy() for column in columns])
        found, codes = np.unique(values, return_inverse=True)
        names = pa.array(found).cast(pa.string())
    else:
        texts = [column.cast(pa.string()) for column in columns]
        joined = pa.chunked_array([chunk for column in texts for chunk in column.chunks], pa.string())
        if not len(joined):
            return pa.array([], pa.string()), [np.zeros(0, np.int64) for _ in columns]
        coded = joined.dictionary_encode().unify_dictionaries()
        names = coded.chunk(0).dictionary
        codes = np.concatenate([chunk.indices.to_numpy() for chunk in coded.chunks])
    return names, [np.ascontiguousarray(part, np.int64) for part in np.split(codes, ends[:-1])]
