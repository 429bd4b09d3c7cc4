"""Genotypes spelt by their letters, as tables of SNPs often are: AG, A/G, GG; nothing where it is not known.

A genotype here is how many alternate alleles somebody has, so one allele of each column must be the
reference (0). Letters do not say which: it is **the first in the alphabet**, whatever is more frequent, and
the other one is the alternate (1). What 0 and 1 stand for is told beside the rows (``Rows.alleles``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, UNKNOWN

Pair = tuple[str, str]
"""reference and alternate allele"""
NONE = "."
"""the alternate of a column in which everybody has the same allele"""
_GENOTYPE = re.compile(r"([ACGTDI])[/|]?([ACGTDI])")
"""bases, or D and I for a deletion and an insertion"""
_NOT_KNOWN = frozenset(("", "--", "00", "NN", "..", "./.", "-/-", "N/N"))
_OF_ALTERNATES = np.array([HOM_REF, HET, HOM_ALT], np.uint8)


def in_letters(columns: Iterable[pa.ChunkedArray]) -> bool:
    """Say whether a table spells genotypes by letters: as its first column does that says anything."""
    for column in columns:
        texts = [text for text in column.drop_null().unique().to_pylist() if _plain(text) not in _NOT_KNOWN]
        if texts:
            return any(_GENOTYPE.fullmatch(_plain(text)) for text in texts)
    return False


def read_letters(
    column: pa.ChunkedArray, name: str, where: str, known: Pair | None = None
) -> tuple[NDArray[np.uint8], Pair]:
    """Return the sets of one column and its alleles; ``known`` are those that another table has there.

    >>> cells, alleles = read_letters(pa.chunked_array([["GA", "GG", None, "AA"]]), "rs1", "the table")
    >>> cells.tolist(), alleles
    ([2, 4, 7, 1], ('A', 'G'))
    """
    coded = column.combine_chunks().fill_null("").dictionary_encode()
    spelt = [_plain(text) for text in coded.dictionary.to_pylist()]
    indices = np.asarray(coded.indices.to_numpy(zero_copy_only=False), np.int64)
    found = [None if text in _NOT_KNOWN else _GENOTYPE.fullmatch(text) for text in spelt]
    wrong = np.array(
        [match is None and text not in _NOT_KNOWN for match, text in zip(found, spelt, strict=True)], np.bool_
    )
    if wrong.any():
        first = int(np.flatnonzero(wrong[indices])[0]) + 1
        raise BadInput(
            "the cell is no genotype of two letters",
            where=f"{where}, column '{name}', row {first:,}",
            remedy="write AG, or nothing where it is not known; or leave the column out",
        )
    seen = sorted({letter for match in found if match for letter in match.groups()})
    alleles = _alleles(seen, known, f"{where}, column '{name}'")
    masks = np.array(
        [
            UNKNOWN if match is None else _OF_ALTERNATES[_alternates(match.groups(), alleles)]
            for match in found
        ],
        np.uint8,
    )
    return masks[indices], alleles


def _plain(text: str) -> str:
    return text.strip().upper().replace("|", "/")


def _alternates(letters: Sequence[str], alleles: Pair) -> int:
    return sum(letter == alleles[1] for letter in letters)


def _alleles(seen: list[str], known: Pair | None, where: str) -> Pair:
    """Settle what 0 and 1 stand for."""
    first, second = known or (NONE, NONE)
    others = [letter for letter in seen if letter not in (first, second)]
    if first == NONE and others:
        first = others.pop(0)
    if second == NONE and others:
        second = others.pop(0)
    if others:
        number = len({*seen, *(known or ())} - {NONE})
        raise BadInput(
            f"the column has {number:,} alleles", where=where, remedy="leave it out: two can be told apart"
        )
    return first, second
