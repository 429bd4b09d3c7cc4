"""DNALA: loss and CPU seconds on real mitochondria and on twenty thousand simulated sequences.

    python -m benchmarks.dnala

Peers in the same run: closest pair first without search, greedy in the order of the file, groups around the
farthest row as MDAV makes them, and the exact pairing of networkx (on fewer rows: it takes minutes on all).
Reads 1000 Genomes from the neighbour folder ``shared`` and says so when it is not there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import DATA, SHARED, Result, cpu_seconds, in_child, table
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Problem
from sfumato.dna.methods.dnala import Dnala
from sfumato.dna.methods.pairing.distances import Bits
from sfumato.dna.models.sequence_k_anonymity import SequenceKAnonymity
from sfumato.hierarchy.iupac import iupac

MITOCHONDRIA = SHARED / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz"
MDAV_RECORDED = {2: 12_157, 3: 20_571, 5: 38_202, 10: 77_911}
PEOPLE, SITES = 20_000, 2_000
FEW = 200
"""rows that networkx pairs"""


def mitochondria() -> Aligned:
    """Return the single nucleotide variants of 1000 Genomes' mitochondria."""
    import cyvcf2

    masks = {"A": 1, "C": 2, "G": 4, "T": 8}
    columns = []
    for record in cyvcf2.VCF(str(MITOCHONDRIA)):
        alleles = [record.REF, *record.ALT]
        if all(allele in masks for allele in alleles):
            sets = np.array([*(masks[allele] for allele in alleles), 15], np.uint8)
            columns.append(sets[record.genotype.array()[:, 0]])
    cells = np.stack(columns, axis=1)
    return Aligned(cells[:, (cells != cells[0]).any(axis=0)])


def simulated() -> Aligned:
    """Return haplotypes of a simulated population, kept between runs."""
    path = DATA / f"haplotypes_{PEOPLE}_{SITES}.npy"
    if not path.is_file():
        import msprime

        tree = msprime.sim_ancestry(
            PEOPLE // 2,
            population_size=10_000,
            sequence_length=600_000,
            recombination_rate=3e-7,
            random_seed=7,
        )
        tree = msprime.sim_mutations(tree, rate=1e-8, model=msprime.BinaryMutationModel(), random_seed=7)
        chance = np.random.default_rng(7)
        columns: list[NDArray[np.uint8]] = []
        for variant in tree.variants():
            if len(columns) < SITES and len(variant.alleles) == 2:
                bases = np.uint8(1) << chance.permutation(4)[:2].astype(np.uint8)
                columns.append(bases[variant.genotypes])
        DATA.mkdir(exist_ok=True)
        np.save(path, np.stack(columns, axis=1))
    return Aligned(np.load(path))


def protect(rows: Aligned, k: int, method: Dnala) -> int:
    """Return the loss of a method."""
    return int(method.protect(Problem(rows, (SequenceKAnonymity(k),))).details["loss"])


def mdav_like(rows: Aligned, k: int) -> int:
    """Groups around the row farthest from all others, again and again; return the loss."""
    far = Bits.of(rows.cells, rows.lattice).distances().astype(np.float64)
    alive = np.ones(len(rows), np.bool_)
    mean, level = far.mean(axis=1), iupac().levels
    loss = 0
    while alive.any():
        seed = int(np.where(alive, mean, -1).argmax())
        size = k if alive.sum() >= 2 * k else int(alive.sum())
        group = np.argsort(np.where(alive, far[seed], np.inf), kind="stable")[:size]
        alive[group] = False
        joined = rows.lattice.join(rows.cells[group])
        loss += int(size * level[joined].sum() - level[rows.cells[group]].sum())
    return loss


def by_networkx(rows: Aligned) -> int:
    """Return the loss of the best pairing by networkx."""
    import networkx

    far = Bits.of(rows.cells, rows.lattice).distances()
    graph = networkx.Graph()
    graph.add_weighted_edges_from((i, j, int(far[i, j])) for i in range(len(rows)) for j in range(i))
    return sum(int(far[i, j]) for i, j in networkx.min_weight_matching(graph))


def measured(work: Callable[[], int], runs: int = 3) -> tuple[float, int]:
    """Return CPU seconds of warm runs and the loss."""
    loss = work()
    return cpu_seconds(work, runs, warm=0), loss


def run_mitochondria(rows: Aligned) -> list[Result]:
    """Measure all pairings on real sequences."""
    where = "1000 Genomes chrMT, 1,074 × 2,586"
    seconds, loss = measured(lambda: protect(rows, 2, Dnala()))
    best, exact = measured(lambda: protect(rows, 2, Dnala(pairing="exact")), 1)
    greedy, first = measured(lambda: protect(rows, 2, Dnala(pairing="input-order")))
    plain, settled = measured(lambda: protect(rows, 2, Dnala(effort=0)))
    found = [
        Result(f"{where}, k=2, default", seconds, "s CPU", 0.6, "exact pairing", best, f"loss {loss:,}"),
        Result(f"{where}, k=2, loss of the default", loss, "", 9_851, "exact pairing", exact),
        Result(f"{where}, k=2, exact", best, "s CPU", 10, note=f"loss {exact:,}"),
        Result(f"{where}, k=2, loss of exact", exact, "", 9_765, "in the order of the file", first),
        Result(f"{where}, k=2, in the order of the file", greedy, "s CPU", note=f"loss {first:,}"),
        Result(f"{where}, k=2, settled, not shaken", plain, "s CPU", note=f"loss {settled:,}"),
    ]
    for k, recorded in MDAV_RECORDED.items():
        seconds, loss = measured(lambda k=k: protect(rows, k, Dnala()), 1)
        note = f"{seconds:.2f} s CPU; recorded for MDAV {recorded:,}"
        theirs = mdav_like(rows, k)
        found.append(Result(f"{where}, k={k}, loss", loss, "", 0.9 * recorded, "MDAV-like", theirs, note))
    few = rows.rows(np.arange(FEW))
    before = time.process_time()
    theirs = by_networkx(few)
    spent = time.process_time() - before
    ours, loss = measured(lambda: protect(few, 2, Dnala(pairing="exact")))
    note = f"loss {loss:,}, networkx {theirs:,}"
    return [*found, Result(f"{FEW} of these, k=2, exact", ours, "s CPU", None, "networkx", spent, note)]


def run_simulated(rows: Aligned) -> list[Result]:
    """Measure time and memory where all distances would not fit."""
    distinct = len(np.unique(rows.cells, axis=0))
    found = []
    protect(rows.rows(np.arange(100)), 2, Dnala())
    for k in (2, 5):
        _, seconds, memory = in_child(lambda k=k: protect(rows, k, Dnala()))
        work = f"{PEOPLE:,} × {SITES:,}, k={k}"
        note = f"{distinct:,} distinct rows"
        found.append(Result(work, seconds, "s CPU", 60, note=note))
        found.append(Result(f"{work}, peak memory", memory, "GB", 4))
        some = rows.rows(np.arange(0, PEOPLE, 20))
        blocked, whole = protect(some, k, Dnala()), protect(some, k, Dnala(neighbours=len(some)))
        work = f"{len(some):,} of these, k={k}, loss among 16 neighbours"
        found.append(Result(work, blocked, "", 1.02 * whole, "among all rows", whole))
    return found


def run() -> list[Result]:
    """Measure what data is there for."""
    found = []
    if MITOCHONDRIA.is_file():
        found += run_mitochondria(mitochondria())
    else:
        print("1000 Genomes is not there (../shared): DNALA was not measured on it", file=sys.stderr)
    return found + run_simulated(simulated())


if __name__ == "__main__":
    print(table("DNA: DNALA", run()))
