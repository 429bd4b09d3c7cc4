"""Disassociation: CPU seconds, memory, and how many codes keep their counts, beside a program in C++.

    python -m benchmarks.codes_disassociation

Reads the data from the neighbour folder ``shared`` and says so when it is not there. The peer (ikotsov's
Disassociation-Algorithm) was run once: 68.5 s and 2.9 GB for the 58,302 records, of whose 298,047 occurrences
36,894 stayed in record chunks; it makes no shared chunks.
"""

from __future__ import annotations

import gzip
import sys

from benchmarks.result import SHARED, Result, cpu_seconds, in_child, table
from sfumato.codes.contract import Problem
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.models.disassociated_anonymity import DisassociatedAnonymity
from sfumato.codes.possible_worlds import possible_original
from sfumato.codes.sets import CodeSets

CLINICAL = "58,302 random ICD-9 records"
PEER = "Disassociation-Algorithm, C++ (recorded)"
WORK = [
    # name, file, separator, (k, m), bar in seconds, the peer's seconds, its share outside record chunks
    (CLINICAL, "clinical/synthetic_icd9_58302.csv.gz", ",", (5, 2), 6.8, 68.5, 1 - 36_894 / 298_047),
    ("BMS-WebView-1", "bench/BMS-WebView-1.dat.gz", None, (5, 2), None, None, None),
    ("BMS-WebView-1", "bench/BMS-WebView-1.dat.gz", None, (5, 3), None, None, None),
    ("BMS-WebView-2", "bench/BMS-WebView-2.dat.gz", None, (5, 2), None, None, None),
]


def read(file: str, separator: str | None) -> CodeSets:
    """Read one record a line."""
    with gzip.open(SHARED / "data" / "codes" / file, "rt", encoding="utf-8") as lines:
        return CodeSets.of([code for code in line.strip().split(separator) if code] for line in lines)


def run() -> list[Result]:
    """Measure every file; the list is empty when they are not there."""
    if not (SHARED / "data" / "codes" / "bench").is_dir():
        print("the codes are not there (../shared): disassociation was not measured", file=sys.stderr)
        return []
    found = []
    for name, file, separator, (k, m), bar, seconds, outside in WORK:
        sets = read(file, separator)
        model = DisassociatedAnonymity(k, m, safe=True)
        problem = Problem(sets, (model,))
        work, peer = f"{name}, {k}^{m}", PEER if seconds else ""
        solution = Disassociation().protect(problem)
        published, told = solution.published, solution.details
        assert isinstance(published, Disassociated)
        own, shared = int(told["occurrences_in_record_chunks"]), int(told["occurrences_in_shared_chunks"])
        ours = cpu_seconds(lambda problem=problem: Disassociation().protect(problem), 3, 0)
        note = f"{told['clusters']:,} clusters, {own + shared:,} of {sets.occurrences:,} occurrences counted"
        found.append(Result(work, ours, "s CPU", bar, peer, seconds, note))
        found.append(
            Result(
                f"{work}: occurrences outside record chunks",
                1 - own / sets.occurrences,
                "of all",
                outside,
                peer,
                outside,
                f"in no chunk at all {1 - (own + shared) / sets.occurrences:.4f}",
            )
        )
        check = cpu_seconds(lambda model=model, published=published: model.check(published), 3, 0)
        found.append(Result(f"{work}: check", check, "s CPU", note=model.check(published).achieved))
        if name == CLINICAL:
            memory = in_child(lambda problem=problem: Disassociation().protect(problem))[2]
            found.append(Result(f"{work}: memory", memory, "GB", 0.5, peer, 2.9))
            drawn = cpu_seconds(lambda published=published: possible_original(published), 3, 0)
            found.append(Result(f"{work}: a possible original", drawn, "s CPU"))
    return found


if __name__ == "__main__":
    print(table("Disassociation", run()))
