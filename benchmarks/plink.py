"""Counting genotypes of a large PLINK file, straight from its packed bytes.

    python -m benchmarks.plink

Makes a study of 1,000,000 sites and 10,000 people once (a .bed of 2.5 GB, kept with the generated tables).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.result import DATA, Result, cpu_seconds, table
from sfumato.dna.reading import open_plink

SITES, PEOPLE = 1_000_000, 10_000
_AT_ONCE = 10_000


def study() -> Path:
    """Return the .bed file; genotypes are drawn at random, one in four of them missing."""
    path = DATA / f"genotypes-{SITES}-{PEOPLE}.bed"
    size = 3 + SITES * ((PEOPLE + 3) // 4)
    if path.exists() and path.stat().st_size == size:
        return path
    DATA.mkdir(exist_ok=True)
    generator = np.random.default_rng(1)
    path.with_suffix(".bim").write_text(
        "".join(f"{1 + at * 22 // SITES}\trs{at + 1}\t0\t{at + 1}\tA\tG\n" for at in range(SITES))
    )
    path.with_suffix(".fam").write_text(
        "".join(f"f{at}\ti{at}\t0\t0\t1\t{1 + at % 2}\n" for at in range(PEOPLE))
    )
    with path.open("wb") as file:
        file.write(b"\x6c\x1b\x01")
        for _ in range(0, SITES, _AT_ONCE):
            file.write(generator.bytes(_AT_ONCE * ((PEOPLE + 3) // 4)))
    return path


def run() -> list[Result]:
    """Measure opening and counting."""
    path = study()
    source = open_plink(path)
    if source.family.phenotype is None:
        raise AssertionError("the study has cases and controls")
    cases = source.family.phenotype.cases
    groups = [cases, ~cases, np.ones(PEOPLE, np.bool_)]
    size = f"{SITES:,} sites × {PEOPLE:,} people"
    work: list[tuple[str, Callable[[], object], float | None]] = [
        (f"open {size} (.bim and .fam)", lambda: open_plink(path), None),
        (f"count cases, controls and all, {size}", lambda: source.counts(groups), 40.0),
    ]
    return [Result(name, cpu_seconds(task), "s of CPU", bar) for name, task, bar in work]


if __name__ == "__main__":
    print(table("PLINK files", run()))
