"""Whole releases of DNA by ``sfumato protect`` and ``sfumato verify``, as they are run: CPU seconds, memory.

    python -m benchmarks.dna_release

The mitochondria of 1000 Genomes, from the neighbour folder ``shared`` where that is there; twenty thousand
simulated sequences, nearly all different, as FASTA, as a column of a table and as genotypes in VCF; and PLINK
files of five thousand people. Starting Python and loading what is compiled is part of each figure.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import SHARED, Result, in_child, table
from sfumato.hierarchy.iupac import letters

SFUMATO = str(Path(sys.executable).parent / "sfumato")
MITOCHONDRIA = SHARED / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz"
PEOPLE, SITES = 20_000, 2_000
PLINK_PEOPLE, PLINK_SITES = 5_000, 20_000
FIELDS = """\
    schema:
      fields:
        - {name: who, role: person}
        - {name: dna, role: sequence}
        - {name: ill, role: sensitive}
"""


def sequences(people: int = PEOPLE, sites: int = SITES) -> NDArray[np.uint8]:
    """Return simulated sequences with three bases changed in each, so that hardly two are the same."""
    from sfumato.dna.simulate import simulated_sequences

    cells = simulated_sequences(people, sites).cells.copy()
    chance = np.random.default_rng(2)
    for row in cells:
        row[chance.choice(sites, 3, replace=False)] = 1 << chance.integers(0, 4, 3)
    return cells


def write_fasta(cells: NDArray[np.uint8], path: Path) -> None:
    """Write sequences as FASTA."""
    path.write_bytes(b"".join(b">p%d\n%s\n" % (at, letters()[row].tobytes()) for at, row in enumerate(cells)))


def write_table(cells: NDArray[np.uint8], path: Path) -> None:
    """Write sequences in one column of a table."""
    lines = [
        b"p%d,%s,%s\n" % (at, letters()[row].tobytes(), (b"flu", b"hiv", b"none")[at % 3])
        for at, row in enumerate(cells)
    ]
    path.write_bytes(b"who,dna,ill\n" + b"".join(lines))


def write_vcf(cells: NDArray[np.uint8], path: Path) -> None:
    """Write genotypes: whatever is not the most frequent base of a column is an alternate allele."""
    chance, spelt = np.random.default_rng(3), np.array([b"0/0", b"0/1", b"1/1"])
    fixed = b"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t"
    with path.open("wb") as file:
        file.write(b"##fileformat=VCFv4.2\n##contig=<ID=1>\n")
        file.write(b'##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n')
        file.write(fixed + b"\t".join(b"p%d" % at for at in range(len(cells))) + b"\n")
        for at, column in enumerate(cells.T):
            other = column != np.bincount(column).argmax()
            dosage = other.astype(np.int8) + (other & (chance.random(len(column)) < 0.3))
            file.write(b"1\t%d\t.\tA\tG\t.\t.\t.\tGT\t" % (100 + 10 * at))
            file.write(b"\t".join(spelt[dosage].tolist()) + b"\n")


def write_plink(path: Path) -> None:
    """Write PLINK files of unlinked SNPs."""
    import bed_reader

    chance = np.random.default_rng(5)
    drawn = chance.binomial(2, chance.beta(0.5, 3, PLINK_SITES), (PLINK_PEOPLE, PLINK_SITES))
    bed_reader.to_bed(
        path,
        drawn.astype(np.int8),
        properties={
            "iid": [f"p{at}" for at in range(PLINK_PEOPLE)],
            "chromosome": ["1"] * PLINK_SITES,
            "sid": [f"rs{at + 1}" for at in range(PLINK_SITES)],
            "bp_position": [100 + 10 * at for at in range(PLINK_SITES)],
            "allele_1": ["G"] * PLINK_SITES,
            "allele_2": ["A"] * PLINK_SITES,
        },
    )


def recipe(folder: Path, path: Path, k: int, more: str = "") -> Path:
    """Write a recipe over a file."""
    target = folder / f"{path.name}.yaml"
    target.write_text(
        f"sfumato: 1\ntitle: Benchmark\nresources:\n  - name: data\n    kind: dna\n    path: {path}\n{more}"
        f"models:\n  - sequence-k-anonymity: {{k: {k}}}\noutput: {{folder: {path.name}.out}}\n",
        encoding="utf-8",
    )
    return target


def sfumato(*arguments: str | Path) -> tuple[float, float]:
    """Run a command; return its CPU seconds and its memory in GB."""
    command = [SFUMATO, *map(str, arguments)]
    _, seconds, memory = in_child(lambda: subprocess.run(command, check=True, capture_output=True))
    return seconds, memory


def measured(what: str, written: Path, bars: tuple[float | None, float | None]) -> list[Result]:
    """Make a release and verify it."""
    protect, memory = sfumato("protect", written, "--replace")
    target = written.parent / f"{written.stem}.out" / "release"
    verify, _ = sfumato("verify", target)
    return [
        Result(f"{what}: protect", protect, "s CPU", bars[0], note=f"{memory:.2f} GB"),
        Result(f"{what}: verify", verify, "s CPU", bars[1]),
    ]


def run() -> list[Result]:
    """Measure all of them."""
    found: list[Result] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        few = sequences(200, 50)
        for write, end, more in (
            (write_fasta, "fasta", ""),
            (write_table, "csv", FIELDS),
            (write_vcf, "vcf", ""),
        ):
            # What is compiled is compiled here, and not in what is measured.
            write(few, folder / f"few.{end}")
            sfumato("protect", recipe(folder, folder / f"few.{end}", 2, more))
        if MITOCHONDRIA.is_file():
            written = recipe(folder, MITOCHONDRIA, 5)
            found += measured("1000 Genomes chrMT, 1,074 × 2,797, k=5", written, (6, None))
        else:
            found.append(Result("1000 Genomes chrMT", float("nan"), "", note="not there"))
        many = sequences()
        for write, end, more in (
            (write_fasta, "fasta", ""),
            (write_table, "csv", FIELDS),
            (write_vcf, "vcf", ""),
        ):
            write(many, folder / f"many.{end}")
            written = recipe(folder, folder / f"many.{end}", 2, more)
            found += measured(f"{PEOPLE:,} × {SITES:,} as {end}, k=2", written, (90, 15))
        write_plink(folder / "people.bed")
        written = recipe(folder, folder / "people.bed", 2)
        found += measured(f"{PLINK_PEOPLE:,} × {PLINK_SITES:,} as PLINK, k=2", written, (90, 15))
    return found


if __name__ == "__main__":
    print(table("DNA: whole releases", run()))
    sys.exit()
