"""Genotypes as PLINK files, with bed-reader: for rows whose cells are exact or fully missing.

Two bits have no room for 0/. and ./1. Families and individuals are numbers in an order drawn at random;
parents, sex and phenotype are left empty.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading.genotypes import dosages_of_sets
from sfumato.dna.reading.parts import part
from sfumato.dna.reading.rows import counted_as
from sfumato.dna.sites import Sites
from sfumato.dna.writing.cells import check_cells
from sfumato.dna.writing.fasta import rows_are_genotypes
from sfumato.dna.writing.names import check_sites, public_names
from sfumato.dna.writing.order import row_order
from sfumato.engine.contract import Order
from sfumato.hierarchy.iupac import UNKNOWN

_MISSING_IN_BED = -127


def write_plink(
    rows: Aligned,
    sites: Sites,
    path: Path | str,
    *,
    order: Order = Order.SHUFFLED,
    random: Random | None = None,
) -> int:
    """Write a .bed with its .bim and .fam and return how many people they hold."""
    path = Path(path)
    if path.suffix.lower() != ".bed":
        raise BadInput("PLINK genotypes lie in a .bed file", where=str(path), remedy="name it so")
    if not rows_are_genotypes(rows):
        raise BadInput("these rows are no genotypes", remedy="write bases as FASTA or as a table")
    if rows.width != len(sites):
        raise AssertionError("each column of genotypes has one site")
    check_sites(sites, bases=False)
    check_cells(rows)
    picked = row_order(len(rows), order, random)
    dosages = dosages_of_sets(rows.cells[picked])
    between = int(np.count_nonzero((dosages < 0) & (rows.cells[picked] != UNKNOWN)))
    if between:
        raise BadInput(
            f"{counted_as(between, 'cell')} generalised in part, for which PLINK files have no room",
            remedy="write VCF, or make those cells missing",
        )
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    nothing = ["0"] * len(rows)
    part("bed_reader").to_bed(
        path,
        np.where(dosages < 0, np.int8(_MISSING_IN_BED), dosages),
        properties={
            "fid": numbers,
            "iid": numbers,
            "father": nothing,
            "mother": nothing,
            "sex": [0] * len(rows),
            "pheno": ["-9"] * len(rows),
            "chromosome": sites.chromosome.tolist(),
            "sid": public_names(sites),
            "cm_position": [0] * len(sites),
            "bp_position": sites.position.tolist(),
            "allele_1": sites.alternate.tolist(),
            "allele_2": sites.reference.tolist(),
        },
        count_A1=True,
    )
    for suffix in (".bed", ".bim", ".fam"):
        path.with_suffix(suffix).chmod(0o644)
    return len(rows)
