"""k^m-anonymity by global and local recoding: on click streams and baskets, and on a million records.

    python -m benchmarks.codes_apriori

A balanced hierarchy over the items in the order of their numbers, k=5 and fan-out 5 unless said. Figures
are CPU seconds from the sets and the tree to the published sets, all processing orders included, after a
first run. NCP is taken over original occurrences. What is published is checked by the model, which shares
no code with the methods, outside of the measured time. A code that is left out counts 1 in NCP.

Reads the streams from the neighbour folder ``shared``; without it only the million records, which are made
up, are measured. Figures of ARX (its branch *transactions*) and Amnesia are quoted as they were recorded.
"""

from __future__ import annotations

import csv
import gzip
import json
import resource
import subprocess
import sys
import time
from functools import cache
from typing import Any

import numpy as np

from benchmarks.result import HERE, SHARED, Result, cpu_seconds
from benchmarks.result import table as table_of
from sfumato.codes.contract import Problem, SetMethod
from sfumato.codes.icd import recognise
from sfumato.codes.methods.apriori import AprioriAnonymisation, DirectAnonymisation
from sfumato.codes.methods.apriori_local import LocalApriori
from sfumato.codes.methods.apriori_vertical import VerticalApriori
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.hierarchy import Balanced
from sfumato.hierarchy.icd import Icd

STREAMS = SHARED / "data" / "codes" / "bench"
CLINICAL = SHARED / "data" / "codes" / "clinical"
BARS: dict[tuple[str, int], tuple[float, float | None]] = {
    ("BMS-WebView-1", 2): (1.0, 0.027),
    ("BMS-WebView-1", 3): (1.5, 0.1085),
    ("BMS-WebView-2", 2): (3.0, 0.0201),
    ("BMS-WebView-2", 3): (4.0, 0.038),
    ("retail", 2): (10.0, None),
}
"""for each stream and m the most CPU seconds and the highest NCP"""
RECORDED: dict[tuple[str, int], list[tuple[str, float | None, float | None]]] = {
    ("BMS-WebView-1", 2): [("ARX (recorded)", 18.9, 0.0504), ("Amnesia (recorded)", 43.1, 0.0400)],
    ("BMS-WebView-1", 3): [("ARX (recorded)", 32.2, 0.1081)],
    ("BMS-WebView-2", 2): [("ARX (recorded)", 142.5, 0.0200)],
}
"""seconds and NCP of peers, each measured once on another day"""
TENTH = {("BMS-WebView-1", 2): 1.89, ("BMS-WebView-1", 3): 3.22, ("BMS-WebView-2", 2): 14.25}
"""a tenth of the seconds of ARX"""
ALSO: list[tuple[str, SetMethod]] = [
    ("direct", DirectAnonymisation()),
    ("vertical", VerticalApriori()),
    ("local", LocalApriori()),
]
CLINICS, SHARES = ((2, 1), (2, 2), (5, 1), (5, 2)), (0.0, 0.01, 0.05, 0.3)
"""k and m, and the most that may be left out"""
LARGE_RECORDS, LARGE_CODES, LARGE_BARS = 1_000_000, 3_000, (60.0, 4.0)
"""bars in CPU seconds and in GB of the whole process"""


@cache
def stream(name: str) -> CodeSets:
    """Read records of item numbers, one to a line."""
    owner: list[int] = []
    items: list[str] = []
    records = 0
    with gzip.open(STREAMS / f"{name}.dat.gz", "rt", encoding="ascii") as file:
        for line in file:
            found = line.split()
            owner += [records] * len(found)
            items += found
            records += bool(found)
    domain, codes = np.unique(np.array(items), return_inverse=True)
    return CodeSets.from_pairs(np.array(owner), codes, [str(item) for item in domain], records)


@cache
def clinical(file: str, person: str, code: str) -> CodeSets:
    """Read the codes of each person from a long table."""
    held: dict[str, set[str]] = {}
    with gzip.open(CLINICAL / file, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row[code]:
                held.setdefault(row[person], set()).add(row[code])
    return CodeSets.of(held.values())


def diagnoses() -> CodeSets:
    """The diagnoses of 100 intensive-care patients, written as ICD-9-CM writes them."""
    sets = clinical("MIMIC3demo_DIAGNOSES_ICD.csv.gz", "SUBJECT_ID", "ICD9_CODE")
    written = dict(zip(sets.domain, recognise(sets.domain, "icd9cm").codes, strict=True))
    return CodeSets.of([[written[code] for code in record] for record in sets])


def made_up() -> CodeSets:
    """Draw a million records of about eight codes; the code of rank r is drawn with weight 1/r."""
    random = np.random.default_rng(1)
    lengths = random.poisson(7, LARGE_RECORDS) + 1
    weight = 1 / np.arange(1, LARGE_CODES + 1)
    drawn = random.choice(LARGE_CODES, lengths.sum(), p=weight / weight.sum())
    codes = random.permutation(LARGE_CODES)[drawn]
    domain = [f"{code:04d}" for code in range(LARGE_CODES)]
    return CodeSets.from_pairs(np.repeat(np.arange(LARGE_RECORDS), lengths), codes, domain, LARGE_RECORDS)


def problem(sets: CodeSets, k: int, m: int, fan_out: int = 5) -> Problem:
    """k^m-anonymity over a balanced hierarchy."""
    return Problem(sets, (KmAnonymity(k, m),), CodeTree.of(Balanced(fan_out), sets.domain))


def measure(method: SetMethod, asked: Problem, runs: int = 3) -> tuple[float, float, int]:
    """Median CPU seconds, NCP, items shown."""
    solution = method.protect(asked)
    for model in asked.models:
        assert model.check(solution.published).holds
    seconds = cpu_seconds(lambda: method.protect(asked), runs=runs, warm=0)
    return seconds, float(solution.details["NCP"]), int(solution.details["items shown"])


def streams() -> list[Result]:
    """The bars."""
    found = []
    for (name, m), (seconds_bar, ncp_bar) in BARS.items():
        seconds, ncp, items = measure(AprioriAnonymisation(), problem(stream(name), 5, m))
        work = f"apriori, {name}, m={m}"
        for peer, theirs, their_ncp in RECORDED.get((name, m), [("", None, None)]):
            found += [
                Result(work, seconds, "s CPU", seconds_bar, peer, theirs, f"{items} items shown"),
                Result(work, ncp, "NCP", ncp_bar, peer, their_ncp),
            ]
    return found


def others() -> list[Result]:
    """The other methods on the same data."""
    found = []
    for title, method in ALSO:
        for name, m in [*TENTH, ("BMS-WebView-2", 3)]:
            seconds, ncp, _ = measure(method, problem(stream(name), 5, m), runs=1)
            found.append(Result(f"{title}, {name}, m={m}", seconds, "s CPU", note=f"NCP {ncp:.4f}"))
    return found


def grid() -> list[Result]:
    """Over k and fan-outs: the bar is a tenth of what ARX took for k=5 and fan-out 5."""
    found = []
    for name, m in TENTH:
        for fan_out in (3, 5, 10):
            for k in (2, 5, 10, 50):
                seconds, ncp, _ = measure(
                    AprioriAnonymisation(), problem(stream(name), k, m, fan_out), runs=1
                )
                work = f"apriori, {name}, m={m}, k={k}, fan-out {fan_out}"
                found.append(Result(work, seconds, "s CPU", TENTH[name, m], note=f"NCP {ncp:.4f}"))
    return found


def suppressing() -> list[Result]:
    """How much a few codes that are left out can save; ``suppress`` is the most that may be."""
    patients = diagnoses()
    tree = CodeTree.of(Icd("icd9cm"), patients.domain, unknown="root")
    visits = clinical("synthea_1k_conditions.csv.gz", "PATIENT", "CODE")
    asked = [
        *((f"MIMIC demo, k={k}, m={m}", Problem(patients, (KmAnonymity(k, m),), tree)) for k, m in CLINICS),
        *((f"Synthea, k={k}, m={m}", problem(visits, k, m)) for k, m in CLINICS),
        ("BMS-WebView-1, k=5, m=3", problem(stream("BMS-WebView-1"), 5, 3)),
    ]
    found = []
    for work, one in asked:
        for share in SHARES:
            method = AprioriAnonymisation(suppress=share)
            seconds, ncp, items = measure(method, one, runs=1)
            out = int(method.protect(one).details.get("occurrences suppressed", 0)) / one.sets.occurrences
            note = f"{seconds:.2f} s CPU, {items} items shown, {out:.2%} of codes left out"
            found.append(Result(f"apriori, {work}, suppress {share}", ncp, "NCP", note=note))
    return found


def search_large() -> dict[str, Any]:
    """Protect the million records once, after the kernels are warm, in a process of its own."""
    small = CodeSets.of([["1", "2"], ["1"], ["2", "3"], ["3"]] * 2)
    AprioriAnonymisation().protect(problem(small, 3, 2))
    asked = problem(made_up(), 5, 2)
    before = time.process_time()
    solution = AprioriAnonymisation().protect(asked)
    seconds = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    assert asked.models[0].check(solution.published).holds
    return {"seconds": seconds, "peak": peak, **solution.details}


def large() -> list[Result]:
    """A million records: CPU seconds and the peak of the whole process."""
    call = [sys.executable, "-m", "benchmarks.codes_apriori", "large"]
    done = subprocess.run(call, cwd=HERE.parent, capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    work = f"apriori, {LARGE_RECORDS:,} records, {LARGE_CODES:,} codes, m=2"
    return [
        Result(work, figures["seconds"], "s CPU", LARGE_BARS[0], note=f"NCP {figures['NCP']:.4f}"),
        Result(work, figures["peak"], "GB", LARGE_BARS[1]),
    ]


def run() -> list[Result]:
    """Measure everything; only the million records when the streams are not there."""
    if not STREAMS.is_dir():
        return large()
    return [*streams(), *others(), *suppressing(), *grid(), *large()]


def main(arguments: list[str]) -> None:
    """Run all, or the part that needs a process of its own."""
    match arguments:
        case []:
            print(table_of("Sets: k^m-anonymity", run()))
        case ["large"]:
            print(json.dumps(search_large()))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
