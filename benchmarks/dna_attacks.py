"""Attacks on DNA: areas under the curve beside the reference figures, and CPU seconds.

    python -m benchmarks.dna_attacks

The simulated population of the reference figures (1,400 people, 40 chromosomes of 5 Mb) is made once and kept
in the temporary folder: 0.3 GB.
"""

from __future__ import annotations

import numpy as np

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.dna.aligned import Aligned
from sfumato.dna.attacks import BeaconAttack, Homer, Knowledge, LikelihoodRatio, SequenceLinkage
from tests.dna.attacks.people import unlinked
from tests.dna.attacks.reference import beacon_cells, frequency_cells, frequency_table

BAR = 0.03
"""how far an area may lie from the reference"""


def areas() -> list[Result]:
    """Compare with the reference table, cell by cell; without the neighbour folder show the areas alone."""
    expected = frequency_table(SHARED) if SHARED.is_dir() else {}
    found = []
    below = 0
    for cell in frequency_cells():
        below += cell.ratio < cell.homer
        known = expected.get((cell.pool, cell.sites))
        where = f"pool of {cell.pool:,}, {cell.sites:,} sites"
        note = (
            f"Homer {cell.homer:.3f}, likelihood ratio {cell.ratio:.3f}; nominal 5 % test: {cell.nominal:.3f}"
        )
        if known is None:
            found.append(Result(f"AUC of the likelihood ratio, {where}", cell.ratio, "AUC", note=note))
        else:
            apart = max(abs(cell.homer - known[0]), abs(cell.ratio - known[1]))
            found.append(Result(f"away from the reference, {where}", apart, "AUC", BAR, note=note))
    found.append(Result("cells where Homer is better than the likelihood ratio", below, "cells", 0))
    for beacon in beacon_cells():
        after = ", ".join(f"{area:.3f}" for area in beacon.areas)
        found.append(
            Result(
                f"AUC on a Beacon of {beacon.people:,} that hides unique alleles, {beacon.order} first",
                beacon.hidden,
                "AUC",
                note=f"without hiding, after 10, 100, 1,000 questions: {after}",
            )
        )
    return found


def timed() -> list[Result]:
    """Measure CPU seconds of attacks on 400 people, and of linkage among 20,000 rows."""
    split = unlinked(100_000, (200, 200, 200), 1)
    published, known = split.statistics(), split.knowledge()
    chance = np.random.default_rng(1)
    cells = np.array([1, 2, 4, 8], np.uint8)[chance.integers(0, 4, (20_000, 2000))]
    rows = Aligned(cells)
    house = Knowledge(original=rows, kept=np.arange(len(rows)))
    beacon = split.beacon()
    return [
        Result(
            "homer, 400 people, 100,000 sites", cpu_seconds(lambda: Homer().run(published, known), 3), "s"
        ),
        Result(
            "likelihood ratio, 400 people, 100,000 sites",
            cpu_seconds(lambda: LikelihoodRatio().run(published, known), 3),
            "s",
        ),
        Result(
            "beacon, 400 people, 100,000 sites, 1,000 questions",
            cpu_seconds(lambda: BeaconAttack(1000).run(beacon, known), 3),
            "s",
        ),
        Result(
            "sequence linkage, 20,000 rows × 2,000 positions, 20 SNPs known",
            cpu_seconds(lambda: SequenceLinkage(20).run(rows, house), 1),
            "s",
        ),
    ]


def run() -> list[Result]:
    """Areas, then seconds."""
    return [*areas(), *timed()]


if __name__ == "__main__":
    print(table("DNA: attacks", run()))
