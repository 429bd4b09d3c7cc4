"""The values of a column that is randomised: as positions in a known domain, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import Domain, as_text
from sfumato.core.errors import BadInput
from sfumato.table.perturbation.reading import column_of, with_column

Value = str | bool | int | float | None
"""a value as recipes write it; None for missing"""
MOST_VALUES = 2000
"""a matrix over more would not fit its purpose: nearly every value would be replaced"""


@dataclass(frozen=True)
class Coded:
    """A column as positions in ``values`` (texts, None for missing); ``typed`` has them in their type."""

    column: str
    values: tuple[str | None, ...]
    typed: pa.Array
    codes: NDArray[np.int64]

    def written(self, records: pa.Table, codes: NDArray[np.int64]) -> pa.Table:
        """Return the records with other values in this column."""
        return with_column(records, self.column, self.typed.take(pa.array(codes)))


def given_values(values: Sequence[Any], where: str) -> tuple[str | None, ...]:
    """Read a domain from metadata: at least one value, none twice, None for missing.

    >>> given_values([1, 2.5, None], "a step")
    ('1', '2.5', None)
    """
    if isinstance(values, str):
        raise BadInput("values is one text", where=where, remedy="write a list")
    texts = tuple(None if value is None else as_text(value) for value in values)
    if not texts or len(set(texts)) < len(texts):
        raise BadInput(
            "the list of values is empty, or names one twice", where=where, remedy="name each value once"
        )
    if len(texts) > MOST_VALUES:
        raise BadInput(
            f"{len(texts)} values are too many to randomise",
            where=where,
            remedy=f"generalise the column to at most {MOST_VALUES} values first",
        )
    return texts


def code_column(records: pa.Table, column: str, values: tuple[str | None, ...] | None) -> Coded:
    """Find every value of a column in its domain; without one, take the values that occur."""
    found = column_of(records, column)
    encoded = pc.dictionary_encode(found, null_encoding="encode")
    occurring = encoded.dictionary.to_pylist()
    texts = [None if value is None else as_text(value) for value in occurring]
    if values is None:
        domain = Domain.of(column, occurring)
        values = given_values(domain.texts, f"column '{column}'") if len(domain) else ()
    place = {text: code for code, text in enumerate(values)}
    places = np.array([place.get(text, -1) for text in texts], np.int64)
    codes = places[np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)]
    _refuse_strangers(column, codes, None in texts and None not in place)
    known = dict(zip(texts, occurring, strict=True))
    typed = [known[text] if text in known else _as_type(text, found.type, column) for text in values]
    return Coded(column, values, pa.array(typed, found.type), codes)


def _refuse_strangers(column: str, codes: NDArray[np.int64], missing: bool) -> None:
    strangers = int((codes < 0).sum())
    if strangers:
        first = int(np.flatnonzero(codes < 0)[0]) + 1
        raise BadInput(
            f"{strangers} rows hold a value that is not in the list of values (first in row {first})"
            + ("; missing is a value of its own" if missing else ""),
            where=f"column '{column}'",
            remedy="list every value that the column may have" + (", and null" if missing else ""),
        )


def _as_type(text: str | None, kind: pa.DataType, column: str) -> Any:
    try:
        return None if text is None else pa.scalar(text).cast(kind).as_py()
    except pa.ArrowException:
        raise BadInput(
            f"a listed value cannot stand in a column of type {kind}",
            where=f"column '{column}'",
            remedy="check the list of values",
        ) from None
