"""The text of a VCF file, looked through before htslib reads it.

htslib passes over a NUL byte within a genotype in silence, cyvcf2 may end the whole process at a record with
a wrong number of columns or a genotype that is none, and a position past 2³¹ comes back as another one. So
all of it is looked for first, at about the speed at which the records are read.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.files import open_plain
from sfumato.dna.reading.content import is_packed, lines_of
from sfumato.dna.reading.rows import check_names, counted_as

_FIXED = 9
"""columns before the samples"""
LAST_POSITION = 2**31 - 1
"""positions are kept in 32 bits by htslib's formats"""
_ALLELE = rb"(?:0|[1-9][0-9]*+|\.)"
"""01 is no allele: it would be a haploid call of the alternate where a stroke was lost"""
_SAMPLE = rb"\t" + _ALLELE + rb"(?:[/|]" + _ALLELE + rb")*+(?=[:\t]|$)(?::[^\t]*+)?+"
_SAMPLES = re.compile(rb"(?:" + _SAMPLE + rb")*+")
_PLAIN = 4
"""a tab, an allele, a stroke, an allele"""
_SIGNS = tuple(
    np.isin(np.arange(256), list(allowed)) for allowed in (b"\t", b"0123456789.", b"/|", b"0123456789.")
)


def check_text(path: Path) -> None:
    """Refuse a VCF file whose lines are not those of VCF, and say which line."""
    columns = number = 0
    line = b""
    for number, line in enumerate(lines_of(path), 1):
        if columns:
            _check_record(line, columns, f"{path}, line {number:,}")
        elif number == 1 and not line.startswith(b"##fileformat=VCF"):
            raise BadInput(
                "the file does not begin with ##fileformat=VCF",
                where=f"{path}, line 1",
                remedy="remove what stands before it (also a byte order mark), or add the line",
            )
        elif line.startswith(b"#CHROM"):
            columns = line.count(b"\t") + 1
            _check_samples(line.split(b"\t")[_FIXED:], str(path))
    if columns and not line.startswith(b"#") and not _ends_with_a_line(path):
        _check_last(line, f"{path}, line {number:,}")
    if not columns:
        raise BadInput(
            "the header has no line with the names of the columns (#CHROM)", where=str(path), remedy="add it"
        )


def _check_samples(names: list[bytes], where: str) -> None:
    samples = []
    for number, name in enumerate(names, 1):
        try:
            samples.append(name.decode("utf-8"))
        except UnicodeDecodeError:
            raise BadInput(
                f"the name of sample {number:,} is not UTF-8", where=where, remedy="write the header as UTF-8"
            ) from None
    check_names(samples, "sample name", where)
    if not samples:
        raise BadInput(
            "the file has sites but no samples", where=where, remedy="give a file with genotypes of people"
        )


def _ends_with_a_line(path: Path) -> bool:
    """Say whether a text is whole to its last byte; packed ones have checksums."""
    if is_packed(path):
        return True
    with open_plain(path) as file:
        file.seek(-1, 2)
        return file.read() == b"\n"


def _check_last(line: bytes, where: str) -> None:
    """Refuse a last call that has lost an allele where the text ends in the middle of it: 0/1 cut to 0."""
    calls = [field.split(b":", 1)[0] for field in line.split(b"\t")[_FIXED:]]
    first, last = (call.count(b"/") + call.count(b"|") for call in (calls[0], calls[-1]))
    if last < first:
        raise BadInput(
            "the last call has fewer alleles than the first, and the text may be cut short there",
            where=where,
            remedy="copy the file again; where it is whole, end it with a line break",
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
    if len(fields[1]) > 9 and int(fields[1]) > LAST_POSITION:
        raise BadInput(
            f"the position lies beyond {LAST_POSITION:,}, the last that can be read",
            where=where,
            remedy="divide the chromosome",
        )
    if fields[8].split(b":", 1)[0] != b"GT":
        raise BadInput(
            "the record has no genotypes (GT, the first field of FORMAT)",
            where=where,
            remedy="give a file with a GT of each sample",
        )
    start = len(line) - len(fields[_FIXED]) - 1
    if _are_plain(line, start, columns - _FIXED):
        return
    good = _SAMPLES.match(line, start)
    end = good.end() if good else start
    if end != len(line):
        sample = line.count(b"\t", start, end) + 1
        raise BadInput(
            f"the field of sample {sample:,} does not begin with a genotype such as 0/1 or ./.",
            where=where,
            remedy="mend it, or write ./. where it is not known",
        )


def _are_plain(line: bytes, start: int, samples: int) -> bool:
    """Say whether every sample is just two alleles of one sign each, such as 0/1: most lines are, and this
    is found many times faster than their fields are matched one by one."""
    if len(line) - start != _PLAIN * samples:
        return False
    signs = np.frombuffer(line, np.uint8, offset=start).reshape(samples, _PLAIN)
    return all(bool(table[signs[:, place]].all()) for place, table in enumerate(_SIGNS))
