"""How exposed people are by their codes: all sets of up to three codes of everybody, exactly.

Peers that measure this on set-valued data and could be run were not found: counting all sets with Python's
``Counter`` (recorded: 3-itemsets of BMS-WebView-1 without its longest records, 3.8 s) is what scripts do.
"""

from __future__ import annotations

import gzip
import sys
from functools import partial

import numpy as np

from benchmarks.result import SHARED, Result, cpu_seconds, in_child, table
from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.risk import exposure, release_exposure
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility import CertaintyPenalty, QueryError

BASKETS = {"BMS-WebView-1": (3, 2.0), "BMS-WebView-2": (3, 3.0), "retail": (2, 3.0)}
"""the largest number of known codes, and the bar in seconds of CPU"""
FAN_OUT = 5


def baskets(name: str) -> CodeSets:
    """Read one of the public collections of sets."""
    with gzip.open(SHARED / "data" / "codes" / "bench" / f"{name}.dat.gz", "rt") as lines:
        return CodeSets.of(line.split() for line in lines if line.strip())


def many_people(records: int = 1_000_000, codes: int = 3_000, each: int = 8, seed: int = 1) -> CodeSets:
    """Draw people with about eight codes each, some of them far more frequent than others."""
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, codes + 1)
    drawn = random.choice(codes, size=records * each, p=weights / weights.sum())
    domain = [f"{code:04d}" for code in range(codes)]
    return CodeSets.from_pairs(np.repeat(np.arange(records), each), drawn, domain, records)


def in_groups(sets: CodeSets) -> PublishedSets:
    """Publish codes in groups of neighbours: a release to measure, not one to publish."""
    codes = range(len(sets.domain))
    groups = [codes[start : start + FAN_OUT] for start in range(0, len(codes), FAN_OUT)]
    return PublishedSets.by_code(sets, Items.of_groups(sets.domain, groups), np.array(codes) // FAN_OUT)


def run() -> list[Result]:
    """Measure after a first run on each collection; a million people in a process of their own."""
    found = []
    if not (SHARED / "data" / "codes").is_dir():
        print("the collections of sets are not there (../shared): not measured", file=sys.stderr)
    else:
        for name, (known, bar) in BASKETS.items():
            sets = baskets(name)
            seconds = cpu_seconds(partial(exposure, sets, k=5, m=known), runs=3)
            found.append(Result(f"exposure, {name}, up to {known} codes", seconds, "s CPU", bar))
        release = in_groups(sets)
        seconds = cpu_seconds(partial(release_exposure, sets, release, k=5, m=2), runs=3)
        found.append(Result("exposure in a release, retail, up to 2 codes", seconds, "s CPU", 5.0))
        seconds = cpu_seconds(partial(CertaintyPenalty().of, sets, release), runs=3)
        found.append(Result("NCP, retail", seconds, "s CPU", 1.0))
        seconds = cpu_seconds(partial(QueryError().of, sets, release), runs=3)
        found.append(Result("1,000 COUNT queries, retail", seconds, "s CPU", 2.0))
    people = many_people()
    exposure(people.take(np.arange(1000)), k=5, m=2)
    wall, cpu, rss = in_child(partial(exposure, people, k=5, m=2))
    found.append(
        Result(
            "exposure, 1 M people × 3,000 codes, up to 2 codes",
            cpu,
            "s CPU",
            30.0,
            note=f"{wall:.1f} s, peak {rss:.2f} GB",
        )
    )
    return found


if __name__ == "__main__":
    print(table("Exposure by codes", run()))
