"""The two texts beside a PLINK .bed: sites (.bim) and people (.fam), six fields on each line.

    .bim  chromosome  name  centimorgans  position  allele 1  allele 2
    .fam  family  individual  father  mother  sex  phenotype

Family and individual identify. They are kept apart for joins and appear in no message.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as compute
import pyarrow.csv as pc
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.reading.content import text_of
from sfumato.dna.reading.phenotype import Phenotype, plink_phenotype
from sfumato.dna.sites import Sites

_FIELDS = 6


@dataclass(frozen=True, eq=False)
class Family:
    """The people of a .fam file, in its order."""

    samples: tuple[str, ...] = field(repr=False)
    """the individual, where that alone tells people apart; else family and individual with a blank between"""
    phenotype: Phenotype | None = field(repr=False)
    """who is a case and who a control; None when the file holds measurements or nothing instead"""

    def __len__(self) -> int:
        return len(self.samples)


def read_bim(path: Path) -> Sites:
    """Read sites. Allele 1, which dosages count, is the alternate one; allele 2 is the reference. Both are in
    upper case, as those of VCF.

    A site without a name (``.``) is called chromosome:position.
    """
    chromosome, name, _, position, first, second = _fields(path)
    places = _numbers(position, path)
    names = _texts(name)
    chromosomes = _texts(chromosome)
    unnamed = np.flatnonzero((names == ".") | (names == "0"))
    for at in unnamed.tolist():
        names[at] = f"{chromosomes[at]}:{places[at]}"
    return Sites(
        chromosomes, places, names, _texts(compute.utf8_upper(second)), _texts(compute.utf8_upper(first))
    )


def read_fam(path: Path) -> Family:
    """Read people. Family and individual together name a person; twice the same pair is refused."""
    family, individual, _, _, _, phenotype = _fields(path)
    families, individuals = family.to_pylist(), individual.to_pylist()
    pairs = tuple(f"{a} {b}" for a, b in zip(families, individuals, strict=True))
    again = len(pairs) - len(set(pairs))
    if again:
        raise BadInput(
            f"{again:,} lines name a person who stands there before",
            where=str(path),
            remedy="give every person another pair of family and individual",
        )
    alone = len(set(individuals)) == len(individuals)
    return Family(tuple(individuals) if alone else pairs, plink_phenotype(phenotype.to_pylist()))


def _fields(path: Path) -> list[pa.ChunkedArray]:
    """Return the six columns as texts."""
    text = b"".join(text_of(path)).replace(b"\r\n", b"\n")
    if not text.strip():
        raise BadInput("the file is empty", where=str(path), remedy="give the file that belongs to the .bed")
    if b" " in text or b"\t\t" in text:
        text = re.sub(rb"[ \t]+", b"\t", re.sub(rb"(?m)^[ \t]+|[ \t]+$", b"", text))
    text = text.rstrip(b"\n") + b"\n"
    # Arrow would read an empty line as a row of six empty fields: somebody without a name.
    if text.startswith(b"\n") or b"\n\n" in text:
        raise _ragged(text, path)
    try:
        table = pc.read_csv(
            io.BytesIO(text),
            read_options=pc.ReadOptions(column_names=[str(at) for at in range(_FIELDS)]),
            parse_options=pc.ParseOptions(delimiter="\t", quote_char=False, ignore_empty_lines=False),
            convert_options=pc.ConvertOptions(
                column_types={str(at): pa.string() for at in range(_FIELDS)}, strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        raise _ragged(text, path) from None
    return list(table.columns)


def _ragged(text: bytes, path: Path) -> BadInput:
    """Say which line has another number of fields than six, or is not text."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(b"\t") + 1 != _FIELDS:
            return BadInput(
                f"the line has {len(line.split())} fields instead of {_FIELDS}",
                where=f"{path}, line {number:,}",
                remedy="a line of this file has six fields with blanks or tabs between them",
            )
    return BadInput("the text is not UTF-8", where=str(path), remedy="write it as UTF-8")


def _texts(column: pa.ChunkedArray) -> NDArray[np.object_]:
    """Return a column as Python texts; equal texts are one object: chromosomes and alleles are few."""
    coded = column.combine_chunks().dictionary_encode()
    distinct = np.array(coded.dictionary.to_pylist(), np.object_)
    return np.asarray(distinct[coded.indices.to_numpy(zero_copy_only=False)])


def _numbers(column: pa.ChunkedArray, path: Path) -> NDArray[np.int64]:
    try:
        places = column.cast(pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        number = next(
            at for at, text in enumerate(column.to_pylist(), 1) if not re.fullmatch(r"-?\d{1,18}", text)
        )
        raise BadInput(
            "the position is not a whole number that can be read",
            where=f"{path}, line {number:,}",
            remedy="mend the line",
        ) from None
    return np.ascontiguousarray(places, np.int64)
