"""From texts in Arrow batches to small whole numbers: what is the same text gets the same number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

NOTHING = -1
"""the number of a text that is missing or left out"""
_BLOCK = 10_000_000
"""values that are encoded at once: fewer make more dictionaries to be merged, which is what takes long"""


def as_texts(column: Any) -> pa.Array | pa.ChunkedArray:
    """Return a column as text (dictionaries, views and large strings are unwrapped)."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column if column.type == pa.string() else column.cast(pa.string())


class Numbering:
    """Values that arrive in parts; large blocks are encoded at once, so that only numbers are kept."""

    def __init__(self) -> None:
        self._waiting: list[pa.Array] = []
        self._rows = 0
        self._blocks: list[pa.DictionaryArray] = []

    def add(self, column: Any) -> None:
        """Take one more part."""
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        self._waiting += column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        self._rows += len(column)
        if self._rows >= _BLOCK:
            self._encode()

    def numbers(self) -> tuple[NDArray[np.int64], pa.Array]:
        """Return the number of every value (−1 for missing) and the distinct values as texts."""
        self._encode()
        if not self._blocks:
            return np.empty(0, np.int64), pa.array([], pa.string())
        merged = pa.chunked_array(self._blocks).unify_dictionaries()
        found = [
            pc.fill_null(chunk.indices, NOTHING).to_numpy(zero_copy_only=False) for chunk in merged.chunks
        ]
        texts = merged.chunk(merged.num_chunks - 1).dictionary
        return np.concatenate(found).astype(np.int64), texts

    def _encode(self) -> None:
        if not self._waiting:
            return
        try:
            encoded = pa.concat_arrays(self._waiting).dictionary_encode()
            texts = as_texts(encoded.dictionary)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            raise BadInput(
                "values of a column cannot be read as text", remedy="give people, visits and codes as text"
            ) from None
        self._blocks.append(pa.DictionaryArray.from_arrays(encoded.indices, texts))
        self._waiting, self._rows = [], 0


def in_order(
    texts: Sequence[str], say: Callable[[str], str | None] = lambda text: text
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Sort what distinct texts become; return it and where each text went (−1: nowhere).

    >>> in_order([" b", "a", "b", ""], lambda text: text.strip() or None)
    (('a', 'b'), array([ 1,  0,  1, -1]))
    """
    said = [say(text) for text in texts]
    domain = tuple(sorted({text for text in said if text is not None}))
    place = {text: position for position, text in enumerate(domain)}
    return domain, np.array([NOTHING if text is None else place[text] for text in said], np.int64)


def as_named(texts: Any) -> Any:
    """Return how people and visits are called: no blanks around, one spelling for letters that look alike.

    Whoever was written ``17`` and ``17 `` would count as two people, and k as one more than it is.
    """
    return pc.utf8_normalize(pc.utf8_trim_whitespace(texts), "NFC")


def sorted_texts(numbers: NDArray[np.int64], texts: pa.Array) -> tuple[NDArray[np.int64], pa.Array]:
    """Number texts anew in their order; those that name the same are one, blank ones are as missing.

    >>> numbers, texts = sorted_texts(np.array([0, 1, 2, 3, 0]), pa.array(["b", " ", "a", "b "]))
    >>> numbers.tolist(), texts.to_pylist()
    ([1, -1, 0, 1, 1], ['a', 'b'])
    """
    named = as_named(texts).dictionary_encode()
    numbers = moved(numbers, named.indices.to_numpy().astype(np.int64))
    texts = named.dictionary
    order = pc.sort_indices(texts).to_numpy().astype(np.int64)
    blank = pc.equal(texts, "").to_numpy(zero_copy_only=False)
    order = order[~blank[order]]
    place = np.full(len(texts), NOTHING, np.int64)
    place[order] = np.arange(len(order))
    return moved(numbers, place), texts.take(pa.array(order))


def moved(numbers: NDArray[np.int64], where: NDArray[np.int64]) -> NDArray[np.int64]:
    """Follow numbers to where their texts went; what was nothing stays nothing.

    >>> moved(np.array([0, -1, 1]), np.array([5, -1])).tolist()
    [5, -1, -1]
    """
    return np.append(where, NOTHING)[numbers]


def owners_of(lists: Any, first_row: int = 0) -> tuple[NDArray[np.int64], pa.Array]:
    """Return for every element of a list column the row that it stands in, and the elements."""
    parts: Iterable[pa.ListArray] = lists.chunks if isinstance(lists, pa.ChunkedArray) else [lists]
    rows, elements = [np.empty(0, np.int64)], []
    for part in parts:
        rows.append(pc.list_parent_indices(part).to_numpy().astype(np.int64) + first_row)
        elements.append(part.flatten())
        first_row += len(part)
    joined = pa.chunked_array(elements, type=lists.type.value_type).combine_chunks()
    return np.concatenate(rows), joined
