"""How many people of a population match every class of a release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.table.population import repeats_in_words
from sfumato.table.published import PublishedTable

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Matching:
    """The population behind a release."""

    persons: Ints
    """of the population, for every class of the release"""
    absent: Ints
    """persons of the classes that only the population has"""
    note: str = ""
    """what a reader must know of how the population was counted"""


def matching(published: PublishedTable, model: str) -> Matching:
    """Find the class of the population that looks like each class of the release.

    Its people count once each where a column names them; rows that repeat another are noted where none does.
    """
    population = published.population
    if population is None:
        raise BadInput(
            "the model compares with the population and none is given",
            where=model,
            remedy="give 'population': a table of everybody, with the same quasi-identifiers",
        )
    said = repeats_in_words(population.repeats)
    note = f"{said}: if the same people are listed several times, fewer look alike" if said else ""
    if published.classes is None or population.classes is None:
        return Matching(np.zeros(len(published.class_persons), np.int64), population.class_persons, note)
    own, others = _numbered(published.classes, population.classes, len(published.quasi))
    found = np.zeros(int(max(own.max(), others.max())) + 1, np.int64)
    np.add.at(found, others, population.class_persons)
    return Matching(found[own], population.class_persons[~np.isin(others, own)], note)


def _numbered(classes: pa.Table, others: pa.Table, width: int) -> tuple[Ints, Ints]:
    """Number the combinations of both alike. Values are compared as they are written."""
    number = np.zeros(classes.num_rows + others.num_rows, np.int64)
    for j in range(width):
        codes: dict[str | None, int] = {}
        column = np.concatenate([_coded(table.column(j), codes) for table in (classes, others)])
        _, number = np.unique(number * (len(codes) + 1) + column, return_inverse=True)
    return number[: classes.num_rows], number[classes.num_rows :]


def _coded(column: pa.ChunkedArray, codes: dict[str | None, int]) -> Ints:
    """Give every value the code of its text; missing is a value of its own."""
    array = column.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    encoded = pc.dictionary_encode(array, null_encoding="encode")
    texts = [None if value is None else as_text(value) for value in encoded.dictionary.to_pylist()]
    lookup = np.array([codes.setdefault(text, len(codes)) for text in texts], np.int64)
    found: Ints = lookup[encoded.indices.to_numpy(zero_copy_only=False)]
    return found
