"""What a file is, by its first bytes; and its bytes, unpacked, with what is wrong with them.

Names of files are not to be trusted: a ``.vcf`` may be packed, a ``.gz`` may not be, a ``.bed`` may be a list
of regions of a browser instead of genotypes.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.files import GZIP, damaged, nul_at, open_plain, unpacked

_BGZF_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
"""the empty block with which a file packed by bgzip ends"""
_TABLES = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".csv.gz", ".tsv.gz")
_OTHERS = {
    b"BAM\x01": "a BAM file of reads",
    b"CRAM": "a CRAM file of reads",
    b"PK\x03\x04": "a zip archive",
    b"@": "a FASTQ or SAM file of reads",
    b"\x6c\x1b": "a PLINK file that is packed",
}


class Content(StrEnum):
    """The kinds of files that hold DNA."""

    FASTA = "FASTA"
    VCF = "VCF"
    BCF = "BCF"
    PLINK = "PLINK bed"
    TABLE = "table"


def content_of(path: Path) -> Content:
    """Say what a file holds. Raises ``BadInput`` that says what the file is when it is nothing known."""
    with open_plain(path) as file:
        start = file.read(4)
    if not start:
        raise BadInput("the file is empty", where=str(path), remedy="give a file with data")
    if start.startswith(b"\x6c\x1b"):
        return Content.PLINK
    head = next(unpacked(path), b"")
    found = _by_start(head)
    if found is not None:
        return found
    if path.name.lower().endswith(_TABLES):
        return Content.TABLE
    raise BadInput(
        f"this is {_in_words(path, head)}, which holds no sequences or genotypes that can be read",
        where=str(path),
        remedy="give FASTA, VCF, BCF, a PLINK .bed, or a column of a CSV or Parquet file",
    )


def _by_start(head: bytes) -> Content | None:
    if head.startswith(b"BCF\x02"):
        return Content.BCF
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"##fileformat=VCF", b"#CHROM")):
        return Content.VCF
    return Content.FASTA if text.startswith(b">") else None


def _in_words(path: Path, head: bytes) -> str:
    if not head:
        return "a packed file without content"
    for start, name in _OTHERS.items():
        if head.startswith(start):
            return name
    suffix = path.suffix.lower()
    if suffix in (".bim", ".fam"):
        return f"the {suffix} file of a PLINK fileset (give its .bed)"
    if suffix == ".bed":
        return "a .bed file without the first bytes of PLINK's"
    if suffix in (".fasta", ".fa", ".fna", ".fas"):
        return "a file without the '>' that begins FASTA"
    if suffix == ".vcf":
        return "a file without the header that begins VCF"
    return "a file of another kind"


def is_packed(path: Path) -> bool:
    """Say whether a file is gzip data, whatever its name."""
    with open_plain(path) as file:
        return file.read(2) == GZIP


def check_end(path: Path) -> None:
    """Refuse a file of bgzip without its last block: it may be cut between two blocks."""
    with open_plain(path) as file:
        start = file.read(18)
        if start[:2] == GZIP and start[12:14] == b"BC":
            file.seek(-min(len(_BGZF_END), path.stat().st_size), 2)
            if file.read() != _BGZF_END:
                raise damaged(path)


def text_of(path: Path) -> Iterator[bytes]:
    """Go through the bytes of a text file; NUL bytes, which readers take for ends of lines, are refused."""
    line = 1
    for chunk in unpacked(path):
        at = chunk.find(b"\0")
        if at >= 0:
            raise nul_at(path, line + chunk.count(b"\n", 0, at))
        line += chunk.count(b"\n")
        yield chunk


def lines_of(path: Path) -> Iterator[bytes]:
    """Go through the lines of a text file, without their ends."""
    rest = b""
    for chunk in text_of(path):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r")
    if rest:
        yield rest.removesuffix(b"\r")
