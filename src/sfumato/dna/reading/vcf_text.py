"""The text of a VCF file, looked through before htslib reads it.

htslib passes over a NUL byte within a genotype in silence, and cyvcf2 may end the whole process at a record
with a wrong number of columns or a genotype that is none. So both are looked for first, at about the speed at
which the records are read.
"""

from __future__ import annotations

import re
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.dna.reading.content import lines_of
from sfumato.dna.reading.rows import check_names, counted_as

_FIXED = 9
"""columns before the samples"""
_ALLELE = rb"(?:0|[1-9][0-9]*+|\.)"
"""01 is no allele: it would be a haploid call of the alternate where a stroke was lost"""
_SAMPLE = rb"\t" + _ALLELE + rb"(?:[/|]" + _ALLELE + rb")*+(?=[:\t]|$)(?::[^\t]*+)?+"
_SAMPLES = re.compile(rb"(?:" + _SAMPLE + rb")*+")


def check_text(path: Path) -> None:
    """Refuse a VCF file whose lines are not those of VCF, and say which line."""
    columns = 0
    for number, line in enumerate(lines_of(path), 1):
        if columns:
            _check_record(line, columns, f"{path}, line {number:,}")
        elif line.startswith(b"#CHROM"):
            names = line.split(b"\t")
            columns = len(names)
            samples = [name.decode("utf-8", "replace") for name in names[_FIXED:]]
            check_names(samples, "sample name", str(path))
            if not samples:
                raise BadInput(
                    "the file has sites but no samples",
                    where=str(path),
                    remedy="give a file with genotypes of people",
                )
    if not columns:
        raise BadInput(
            "the header has no line with the names of the columns (#CHROM)", where=str(path), remedy="add it"
        )


def _check_record(line: bytes, columns: int, where: str) -> None:
    found = line.count(b"\t") + 1
    if found != columns:
        raise BadInput(
            f"the line has {counted_as(found, 'column')}, the header {columns:,}",
            where=where,
            remedy="give each line one field for each column",
        )
    fields = line.split(b"\t", _FIXED)
    if not fields[1].isdigit():
        raise BadInput("the position is not a whole number", where=where, remedy="mend the line")
    if fields[8].split(b":", 1)[0] != b"GT":
        raise BadInput(
            "the record has no genotypes (GT, the first field of FORMAT)",
            where=where,
            remedy="give a file with a GT of each sample",
        )
    start = len(line) - len(fields[_FIXED]) - 1
    good = _SAMPLES.match(line, start)
    end = good.end() if good else start
    if end != len(line):
        sample = line.count(b"\t", start, end) + 1
        raise BadInput(
            f"the field of sample {sample:,} does not begin with a genotype such as 0/1 or ./.",
            where=where,
            remedy="mend it, or write ./. where it is not known",
        )
