"""A table and codes about the same people, protected together: the three boundings.

    python -m benchmarks.records

(5, 5^2)-anonymity; clusters by bottom-up, codes by apriori inside every cluster, merged while the
quasi-identifiers stay within a bound, or until the codes do. Figures are CPU seconds from the joined records
to the published ones, after a first run. R is the mean certainty penalty of the quasi-identifiers, T that of
the codes. What is published is checked by the model, which shares no code with the method, outside of the
measured time.

Synthea: 1,171 made-up patients with their conditions, from the neighbour folder ``shared``. Drawn: 20,000
people with five quasi-identifiers and up to five of 300 codes, which lean on their age. A balanced hierarchy
of fan-out 5 over the codes.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import polars as pl
import pyarrow as pa

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.codes.reading import Long, read_codes
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.engine import open_engine
from sfumato.engine.sources import Frame
from sfumato.hierarchy import Balanced
from sfumato.record.relational_codes import KKmAnonymity, RelationalCodes
from sfumato.record.relational_codes.contract import RecordsProblem
from sfumato.record.relational_codes.joined import cells_of, join, ladders_of

CLINICAL = SHARED / "data" / "codes" / "clinical"
QUASI = ["year", "GENDER", "RACE", "MARITAL", "COUNTY"]
BOUNDINGS = ("rmerge", "tmerge", "rtmerge")
MODEL = KKmAnonymity(5, 2)


def problem_of(quasi: pa.Table, sets: CodeSets) -> RecordsProblem:
    """Lay a table and sets out for the method."""
    cells, cell_of = cells_of(quasi)
    ladders = ladders_of(cells, {}, infer_missing=False)
    return RecordsProblem(cells, cell_of, ladders, sets, MODEL, CodeTree.of(Balanced(5), sets.domain))


def synthea() -> RecordsProblem:
    """Patients and their conditions."""
    people = pl.read_csv(CLINICAL / "synthea_1k_patients.csv.gz", infer_schema=False)
    people = people.with_columns(year=pl.col("BIRTHDATE").str.slice(0, 4).cast(pl.Int64))
    conditions = pl.read_csv(CLINICAL / "synthea_1k_conditions.csv.gz", infer_schema=False)
    conditions = conditions.drop_nulls("PATIENT")  # a blank line at the end
    engine = open_engine()
    try:
        read = read_codes(engine.read(Frame(conditions)), Long("PATIENT", "DESCRIPTION"))
        joined = join(engine.read(Frame(people)), QUASI, "Id", read, "drop")
    finally:
        engine.close()
    return problem_of(joined.quasi, joined.sets)


def drawn(people: int = 20_000) -> RecordsProblem:
    """People who were made up."""
    generator = np.random.default_rng(1)
    age = generator.integers(18, 90, people)
    quasi = pa.table(
        {
            "age": age,
            "sex": generator.choice(["f", "m"], people),
            "area": generator.integers(1000, 1100, people),
            "work": generator.choice([f"w{number}" for number in range(12)], people),
            "children": generator.integers(0, 5, people),
        }
    )
    often = 1.0 / np.arange(1, 301)
    codes = generator.choice(300, (people, 5), p=often / often.sum())
    codes = (codes + (age[:, None] // 30) * 20) % 300
    sets = CodeSets.of([[f"c{code:03d}" for code in row] for row in codes.tolist()])
    return problem_of(quasi, sets)


def run() -> list[Result]:
    """CPU seconds and both losses, for each data set, bound and bounding."""
    found = []
    work = [("20,000 people", drawn(), "relational", (0.4, 0.6), 1)]
    if CLINICAL.is_dir():
        patients = synthea()
        work.insert(0, ("Synthea", patients, "relational", (0.15, 0.3), 3))
        work.insert(1, ("Synthea", patients, "codes", (0.2,), 1))
    else:
        print("the patients are not there (../shared): Synthea was not measured", file=sys.stderr)
    for name, problem, bounded, deltas, runs in work:
        for delta, bounding in product(deltas, BOUNDINGS):
            method = RelationalCodes(bounding, delta, bounded)
            solution = method.protect(problem)
            verdict = MODEL.check(solution.published)
            if not verdict.holds:
                raise RuntimeError(str(verdict))
            told = solution.details
            note = (
                f"R {told['R']:.4f}, T {told['T']:.4f}, "
                f"{told['clusters']:,} of {told['clusters found']:,} clusters left"
            )
            seconds = cpu_seconds(lambda m=method, p=problem: m.protect(p), runs, 0)
            bound = f"{'R' if bounded == 'relational' else 'T'} ≤ {delta:g}"
            found.append(Result(f"{bounding}, {name}, {bound}", seconds, "s CPU", note=note))
    return found


if __name__ == "__main__":
    print(table("Table and codes together", run()))
