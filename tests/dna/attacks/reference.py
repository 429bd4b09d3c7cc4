"""The studies behind the reference figures: the same simulated people, the same draws, our attacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfumato.dna.attacks import BeaconAttack, Homer, LikelihoodRatio
from tests.dna.attacks.people import PEOPLE, Split, reference_population

POOLS = (50, 100, 200, 500, 1000)
DRAWN = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
"""numbers of sites in the order in which the reference drew them; the table shows every other one"""
SHOWN = DRAWN[::2]
DRAWS = 3
OTHERS = 200
"""people outside, people of the reference panel, and members who are attacked at most"""
BEACONS = (65, 250, 1000)
BEACON_CHROMOSOMES = 5
"""the reference does not say how many sites its Beacons had; with more sites there are more rare alleles"""


@dataclass(frozen=True)
class Cell:
    """One cell of the table of published frequencies."""

    pool: int
    sites: int
    homer: float
    ratio: float
    nominal: float
    """strangers whom the test of Homer's paper calls members at 5 %"""


def frequency_cells() -> Iterator[Cell]:
    """Run both attacks for each size of pool and number of sites; means over the draws."""
    population = reference_population(common=True)
    chance = np.random.default_rng(1)
    for pool in POOLS:
        for sites in DRAWN:
            found = []
            for _ in range(DRAWS):
                order = chance.permutation(PEOPLE)
                which = chance.choice(len(population), sites, replace=False)
                if sites not in SHOWN:
                    continue
                split = Split.of(population[np.sort(which)], order, (pool, OTHERS, OTHERS))
                published, known = split.statistics(), split.knowledge(most=OTHERS)
                homer, ratio = (
                    attack.run(published, known).details for attack in (Homer(), LikelihoodRatio())
                )
                found.append([homer["auc"], ratio["auc"], homer["nominal false positive rate"]])
            if found:
                yield Cell(pool, sites, *np.mean(np.array(found, np.float64), axis=0).tolist())


@dataclass(frozen=True)
class BeaconCell:
    """One row of the table of Beacons: AUC after 10, 100, 1,000 questions, and with unique alleles hidden."""

    people: int
    order: str
    areas: tuple[float, float, float]
    hidden: float


def beacon_cells() -> Iterator[BeaconCell]:
    """Attack Beacons of several sizes in both orders; means over the draws."""
    population = np.array(reference_population(common=False, chromosomes=BEACON_CHROMOSOMES))
    for people in BEACONS:
        for order in ("random", "rarest"):
            found = []
            for seed in range(DRAWS):
                everybody = np.random.default_rng(seed).permutation(PEOPLE)
                split = Split.of(population, everybody, (people, OTHERS, OTHERS))
                known = split.knowledge(most=OTHERS)
                told = BeaconAttack(1000, order).run(split.beacon(), known).details
                hidden = BeaconAttack(100, order).run(split.beacon(least=2), known).details
                found.append([told[f"auc after {many} questions"] for many in (10, 100)])
                found[-1] += [told["auc"], hidden["auc"]]
            mean = np.mean(np.array(found, np.float64), axis=0).tolist()
            yield BeaconCell(people, order, (mean[0], mean[1], mean[2]), mean[3])


def frequency_table(shared: Path) -> dict[tuple[int, int], tuple[float, float]]:
    """Read the reference table: (pool, sites) → AUC of Homer and of the likelihood ratio."""
    found = {}
    for line in _section(shared, "**Homer/LR**", "LR AUC"):
        cells = [cell.strip() for cell in line.strip("|\n").split("|")]
        if cells[0].isdigit():
            for sites, cell in zip(SHOWN, cells[1:], strict=True):
                homer, ratio = (float(part) for part in cell.split("/"))
                found[int(cells[0]), sites] = homer, ratio
    return found


def beacon_table(shared: Path) -> dict[tuple[int, str], tuple[float, ...]]:
    """Read the reference table: (people, order) → AUC after 10, 100, 1,000 questions, and with hiding."""
    found = {}
    for line in _section(shared, "**Beacon** (one draw", "Hiding every"):
        cells = [cell.strip() for cell in line.strip("|\n").split("|")]
        if cells[0].isdigit():
            found[int(cells[0]), cells[1].split()[0]] = tuple(float(cell) for cell in cells[2:])
    return found


def _section(shared: Path, begin: str, end: str) -> list[str]:
    text = (shared / "golden" / "dna.md").read_text(encoding="utf-8")
    part = re.search(re.escape(begin) + "(.*?)" + re.escape(end), text, re.DOTALL)
    if part is None:
        raise AssertionError("the reference table is not where it was")
    return part[1].splitlines()
