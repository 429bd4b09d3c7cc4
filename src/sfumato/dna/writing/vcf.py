"""Generalised genotypes as VCF: 0/. is at least one reference allele, ./1 at least one alternate.

Readers that ask for it get these as they are (cyvcf2 with ``strict_gt=True``); some others guess, such as
cyvcf2 without it, which takes 0/. for 0/0.

The header is written anew from an allow-list: the version, the chromosomes and what GT is. Nothing of the
file that was read gets into it: no command lines, sources, paths, filters, INFO or FORMAT fields; samples are
S1, S2, … in an order drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.core.system import system_errors
from sfumato.core.temporary import folder_beside
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading.parts import part
from sfumato.dna.sites import Sites
from sfumato.dna.writing.cells import check_cells
from sfumato.dna.writing.fasta import rows_are_genotypes
from sfumato.dna.writing.names import check_sites, public_names
from sfumato.dna.writing.order import row_order
from sfumato.engine.contract import Order


def write_vcf(
    rows: Aligned,
    sites: Sites,
    path: Path | str,
    *,
    order: Order = Order.SHUFFLED,
    random: Random | None = None,
) -> int:
    """Write genotypes, one column of samples for each row, and return how many samples. ``.gz`` is packed in
    blocks (bgzip), so that it can be indexed. Calls are unphased."""
    path = Path(path)
    if not rows_are_genotypes(rows):
        raise BadInput("these rows are no genotypes", remedy="write bases as FASTA or as a table")
    if path.suffix.lower() == ".bcf":
        raise BadInput("BCF is not written", where=str(path), remedy="write .vcf or .vcf.gz")
    if rows.width != len(sites):
        raise AssertionError("each column of genotypes has one site")
    check_sites(sites)
    check_cells(rows)
    picked = row_order(len(rows), order, random)
    lines = _lines(rows, sites, picked)
    with system_errors(str(path)), folder_beside(path) as folder:
        # Beside its place first: a full disk leaves no half of a file.
        draft = folder / path.name
        if path.suffix.lower() == ".gz":
            with part("Bio.bgzf").BgzfWriter(str(draft), "wb") as file:
                for line in lines:
                    file.write(line)
        else:
            with draft.open("wb") as file:
                for line in lines:
                    file.write(line)
        draft.chmod(0o644)
        draft.replace(path)
    return len(rows)


def _lines(
    rows: Aligned, sites: Sites, picked: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> Iterator[bytes]:
    yield b"##fileformat=VCFv4.2\n"
    for chromosome in dict.fromkeys(sites.chromosome):
        yield f"##contig=<ID={chromosome}>\n".encode()
    yield b'##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n'
    fixed = ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT"]
    yield ("\t".join([*fixed, *(f"S{number}" for number in range(1, len(rows) + 1))]) + "\n").encode()
    spelt = np.full(32, b"", "S3")
    for mask, text in rows.lattice.spellings.items():
        spelt[mask] = text.encode()
    for at, name in enumerate(public_names(sites)):
        chromosome, position = sites.chromosome[at], int(sites.position[at])
        # A name that only repeats the place is written as none.
        shown = "." if name == f"{chromosome}:{position}" else name
        site = (
            f"{chromosome}\t{position}\t{shown}\t{sites.reference[at]}\t{sites.alternate[at]}\t.\t.\t.\tGT\t"
        )
        yield site.encode() + b"\t".join(spelt[rows.cells[picked, at]].tolist()) + b"\n"
