"""Statistics of sites at the size of a genome: frequencies, χ² and safe SNPs of 1 M sites × 10,000 people.

    python -m benchmarks.dna_statistics

Writes a .bed file of 2.5 GB and a reference panel of 0.5 GB into a temporary folder, and removes them again.
Each piece of work is done from the files on, in a process of its own. Memory is the peak of what the process
holds itself: pages of the file, which is mapped while it is counted, are the system's to drop.
"""

from __future__ import annotations

import functools
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import Result, in_child, table
from sfumato.dna.contract import Study
from sfumato.dna.methods.association import Association
from sfumato.dna.methods.frequencies import Frequencies
from sfumato.dna.methods.safe_snps import SafeSnps
from sfumato.dna.reading.plink import open_plink

SITES, PEOPLE, PANEL = 1_000_000, 10_000, 2_000
DIFFERENT = 8_192
"""sites that are drawn; they are repeated on the other chromosomes, which takes nothing from the work"""
BAR, MEMORY = 60.0, 2.0
_CODES = np.array([3, 2, 0], np.uint8)
"""how a .bed file writes 0, 1, 2 of its first allele"""


def _packed(frequencies: NDArray[np.float64], people: int, chance: np.random.Generator) -> NDArray[np.uint8]:
    """Draw genotypes and pack four people into a byte."""
    rows = np.empty((len(frequencies), (people + 3) // 4), np.uint8)
    for at, frequency in enumerate(frequencies):
        draws = chance.random(people)
        codes = _CODES[(draws < frequency**2).astype(np.int8) + (draws < 1 - (1 - frequency) ** 2)]
        codes = np.concatenate([codes, np.zeros(-people % 4, np.uint8)]).reshape(-1, 4)
        rows[at] = codes[:, 0] | codes[:, 1] << 2 | codes[:, 2] << 4 | codes[:, 3] << 6
    return rows


def write(folder: Path, name: str, people: int, seed: int) -> Path:
    """Write a .bed file with its .bim and .fam; the frequencies are the same for every seed."""
    frequencies = np.random.default_rng(0).beta(1, 1, DIFFERENT) * 0.9 + 0.05
    rows = _packed(frequencies, people, np.random.default_rng(seed))
    path = folder / f"{name}.bed"
    with path.open("wb") as file:
        file.write(b"\x6c\x1b\x01")
        for first in range(0, SITES, DIFFERENT):
            rows[: SITES - first].tofile(file)
    with path.with_suffix(".bim").open("w", encoding="ascii") as file:
        for at in range(SITES):
            file.write(f"{at // 45_455 + 1}\trs{at}\t0\t{1 + 2_500 * (at % 45_455)}\tA\tG\n")
    with path.with_suffix(".fam").open("w", encoding="ascii") as file:
        file.writelines(f"{at}\t{at}\t0\t0\t0\t{1 + at % 2}\n" for at in range(people))
    return path


def _watched(work: Callable[[], object], peak: Path) -> None:
    """Do something, and write down the most gigabytes that this process held meanwhile."""
    done = threading.Event()
    held = [0]

    def watch() -> None:
        while not done.wait(0.02):
            lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
            held[0] = max(held[0], *(int(line.split()[1]) for line in lines if line.startswith("RssAnon")))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        work()
    finally:
        done.set()
        watcher.join()
        peak.write_text(str(held[0] / 1e6), encoding="ascii")


def run() -> list[Result]:
    """Measure reading and counting, tests, and safe selection, each from the files on."""
    found = []
    with tempfile.TemporaryDirectory(prefix="sfumato-dna-") as name:
        folder = Path(name)
        pool, panel = write(folder, "pool", PEOPLE, 1), write(folder, "panel", PANEL, 2)
        cases = np.arange(PEOPLE) % 2 == 0

        def study(reference: bool = False) -> Study:
            return Study(open_plink(pool), cases, open_plink(panel) if reference else None)

        everything = SafeSnps(auc=0.6)
        work = {
            "frequencies": lambda: Frequencies().publish(study()),
            "χ², p and odds ratios": lambda: Association().publish(study()),
            "safe SNPs, random, AUC ≤ 0.6": lambda: everything.publish(study(reference=True)),
            "all three": lambda: (
                Frequencies().publish(study()),
                Association().publish(study()),
                everything.publish(study(reference=True)),
            ),
        }
        for what, do in work.items():
            peak = folder / "peak"
            wall, cpu, _ = in_child(functools.partial(_watched, do, peak))
            note = f"{wall:.0f} s on the clock, load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores"
            found.append(Result(f"1 M sites × 10,000 people: {what}", cpu, "s CPU", BAR, note=note))
            gigabytes = float(peak.read_text(encoding="ascii"))
            found.append(Result(f"the same: {what}, peak memory", gigabytes, "GB", MEMORY))
    return found


if __name__ == "__main__":
    print(table("Statistics of sites", run()))
