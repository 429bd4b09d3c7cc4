"""Methods for genotypes and sequences side by side: what each loses of the same people for the same k.

    python -m benchmarks.dna_methods

Genotypes are simulated (msprime): SNPs of twenty chromosomes, and of one region of a million bases. The bar
is DNALA's loss of independent SNPs in the same run, which haplotype-blocks must not exceed. The error of
linkage, and hits lost where linked SNPs weigh more, stand beside DNALA's as a peer: they are lower on most of
the data, which is no claim. Hits are counted over 40 simulated studies of three causal SNPs. The mitochondria
of the 1000 Genomes are read from the neighbour folder ``shared``, and left out where it is not there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import SHARED, Result, table
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Problem
from sfumato.dna.methods import Binning, Dnala, HaplotypeBlocks, SnpSuppression
from sfumato.dna.methods.blocks import haplotype_blocks
from sfumato.dna.models import SequenceKAnonymity
from sfumato.dna.simulate import phenotype, simulated
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory
from sfumato.dna.utility import FrequencyError, HitsLost, LatticeLoss, LinkageError
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, genotypes

STUDIES = 40
PEOPLE = 500
MITOCHONDRIA = SHARED / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz"
METHODS: dict[str, Any] = {
    "dnala": Dnala(),
    "haplotype-blocks": HaplotypeBlocks(),
    "haplotype-blocks, linked": HaplotypeBlocks("linked"),
    "haplotype-blocks, alike": HaplotypeBlocks("alike"),
    "binning": Binning(),
    "snp-suppression": SnpSuppression(),
}
CLAIMED = "loss of independent SNPs"
COMPARED = {
    "haplotype-blocks": (CLAIMED, "error of linkage"),
    "haplotype-blocks, linked": ("hits lost",),
    "haplotype-blocks, alike": ("lattice loss",),
}
"""what each is compared with DNALA by, in the same run"""


def run() -> list[Result]:
    """Protect all data by all methods, for pairs and groups of five."""
    found = []
    for name, rows, studies in _data():
        linked = haplotype_blocks(rows).linked
        for k in (2, 5):
            figures = {}
            for called, method in METHODS.items():
                before = time.process_time()
                solution = method.protect(Problem(rows, (SequenceKAnonymity(k),)))
                seconds = time.process_time() - before
                figures[called] = _figures(rows, solution.published, studies, linked)
                note = f"{seconds:.2g} s of CPU; " + ", ".join(
                    f"{what} {value:.3g}" for what, value in figures[called].items()
                )
                for what in COMPARED.get(called, ("lattice loss",)):
                    theirs = figures["dnala"][what] if called in COMPARED else None
                    work = f"{name}, k={k}: {called}, {what}"
                    ours = figures[called][what]
                    bar, peer = (theirs, "") if what == CLAIMED else (None, "dnala" * (theirs is not None))
                    other = None if what == CLAIMED else theirs
                    found.append(Result(work, ours, "", bar, peer, other, note))
    return found


def _data() -> Iterator[tuple[str, Aligned, list[NDArray[np.bool_]]]]:
    for seed in (1, 2):
        wide = simulated(people=PEOPLE, sites=1000, length=1e5, chromosomes=20, seed=seed)
        yield f"20 chromosomes, seed {seed}", _rows(wide), _studies(wide, 4.0)
        region = simulated(people=PEOPLE, sites=500, length=1e6, seed=seed)
        yield f"one region, seed {seed}", _rows(region), _studies(region, 4.0)
    if not MITOCHONDRIA.is_file():
        print("the mitochondria are not there (../shared): they were left out", file=sys.stderr)
        return
    from sfumato.dna.reading import open_rows

    rows = open_rows(MITOCHONDRIA).alignment()
    varies = np.flatnonzero((rows.cells != rows.cells[0]).any(axis=0))
    rows = rows.columns(varies)
    commonest = np.array([np.bincount(column).argmax() for column in rows.cells.T], np.uint8)
    other = np.ascontiguousarray((rows.cells != commonest).T.astype(np.int8))
    yield "mitochondria", rows, _studies(InMemory(other, numbered(rows.width)), 6.0)


def _rows(source: InMemory) -> Aligned:
    return Aligned(np.array([HOM_REF, HET, HOM_ALT], np.uint8)[source.dosages.T], genotypes())


def _studies(source: InMemory, odds_ratio: float) -> list[NDArray[np.bool_]]:
    """Who is ill in each study, by causes that a tenth of the people or more carry."""
    mean = source.dosages.mean(axis=1)
    common = np.flatnonzero((mean > 0.1) & (mean < source.dosages.max() - 0.1))
    causes = InMemory(source.dosages[common], source.sites.some(common))
    return [phenotype(causes, odds_ratio=odds_ratio, seed=seed).cases for seed in range(STUDIES)]


def _figures(
    rows: Aligned, published: Aligned, studies: list[NDArray[np.bool_]], linked: NDArray[np.float64]
) -> dict[str, float]:
    levels = rows.lattice.levels
    climbed = (levels[published.cells] - levels[rows.cells]) / linked
    open_still = (levels[rows.lattice.top] - levels[rows.cells]) / linked
    hits = lost = 0.0
    for cases in studies:
        measured = HitsLost().of(rows, published, cases=cases)
        if measured is not None:
            of_study = float(measured.details["hits"])
            hits += of_study
            lost += measured.value * of_study
    return {
        "lattice loss": LatticeLoss().of(rows, published).value,
        "loss of independent SNPs": float(climbed.sum() / open_still.sum()),
        "error of frequencies": FrequencyError().of(rows, published).value,
        "error of linkage": LinkageError().of(rows, published).value,
        "hits lost": lost / hits,
    }


if __name__ == "__main__":
    print(table("DNA: methods for rows", run()))
