"""Mondrian beside anonypy on Adult, and alone on ten million rows.

    python -m benchmarks.mondrian

One metric for both, computed from the partition of the rows, not from what a tool says of itself:

    GCP = mean over rows and columns of   (max − min) / (range of the column)    for age,
                                          0 if one value, else values / size     for the others,

over the values that lie in the row's class; size is the number of leaves of the column's hierarchy.

Reads Adult from the neighbour folder ``shared``; without it only the compilation is measured. anonypy
gets its own environment under ``benchmarks/peers``; where it cannot be installed the recorded figures
are quoted.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import DATA, HERE, SHARED, Result, cpu_seconds
from benchmarks.result import table as table_of
from sfumato.core.domain import Domain
from sfumato.table.cells import Cells
from sfumato.table.methods.mondrian import Choice, Mondrian
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem

ADULT = SHARED / "data" / "table" / "adult"
PEER = HERE / "peers" / "anonypy"
CHOICES: tuple[Choice, ...] = get_args(Choice)
BARS = {5: (0.1, 0.046), 10: (0.1, 0.081), 50: (0.1, 0.190)}
"""for each k the most CPU seconds and the highest GCP"""
RECORDED = {5: (96.2, 0.046), 10: (50.7, 0.081), 50: (8.8, 0.197)}
"""CPU seconds and GCP of anonypy 0.2.1 on another machine"""
LARGE = {"adult-like": 2.0, "mostly distinct": 10.0}
"""bars in CPU seconds"""
LARGE_ROWS = 10_000_000
MEMORY_BAR = 1.5
COMPILE_BAR = 10.0


@dataclass(frozen=True)
class Table:
    """Rows as codes, with what the metric needs to know of the columns."""

    domains: tuple[Domain, ...]
    codes: NDArray[np.int32]
    sizes: tuple[int, ...]

    @classmethod
    def adult(cls) -> Table:
        """Adult without its salary class: eight quasi-identifiers, age is a number."""
        with gzip.open(ADULT / "adult.csv.gz", "rt", encoding="utf-8", newline="") as file:
            head, *rows = list(csv.reader(file, delimiter=";"))
        kept = [j for j, name in enumerate(head) if name != "salary-class"]
        domains = tuple(Domain.of(head[j], {row[j] for row in rows}) for j in kept)
        places = [{value: code for code, value in enumerate(domain.values)} for domain in domains]
        codes = [[place[row[j]] for row in rows] for j, place in zip(kept, places, strict=True)]
        return cls(domains, np.array(codes, np.int32), tuple(_leaves(domain.name) for domain in domains))

    def gcp(self, classes: NDArray[np.int64]) -> float:
        """The global certainty penalty of a partition of the rows."""
        rows = np.bincount(classes)
        total = 0.0
        for domain, codes, size in zip(self.domains, self.codes, self.sizes, strict=True):
            if domain.positions is None:
                pairs = np.unique(classes * np.int64(len(domain)) + codes)
                values = np.bincount(pairs // len(domain), minlength=len(rows))
                penalty = np.where(values > 1, values / size, 0.0)
            else:
                at = domain.positions[codes]
                low, high = np.full(len(rows), np.inf), np.full(len(rows), -np.inf)
                np.minimum.at(low, classes, at)
                np.maximum.at(high, classes, at)
                penalty = (high - low) / np.ptp(domain.positions)
            total += float((penalty * rows).sum())
        return total / len(classes) / len(self.domains)

    def problem(self, k: int) -> tuple[Problem, NDArray[np.int64]]:
        """The table as cells, and the cell of each row."""
        codes, cell, rows = np.unique(self.codes, axis=1, return_inverse=True, return_counts=True)
        return problem_of(self.domains, np.ascontiguousarray(codes), rows, k), cell.ravel()


def _leaves(name: str) -> int:
    with gzip.open(ADULT / "hierarchies" / f"adult_hierarchy_{name}.csv.gz", "rt", encoding="utf-8") as file:
        return sum(1 for line in file if line.strip())


def problem_of(
    domains: tuple[Domain, ...], codes: NDArray[np.int32], rows: NDArray[np.int64], k: int
) -> Problem:
    """k-anonymity without hierarchies."""
    cells = Cells(domains, codes, rows, rows)
    return Problem(cells, (None,) * len(domains), (Rule(RuleKind.MIN_PERSONS, (k,), True),))


def measure(table: Table, k: int, choose: Choice) -> tuple[float, float, int]:
    """Median CPU seconds of the search after a first run, GCP, classes."""
    problem, cell = table.problem(k)
    method = Mondrian(choose=choose)
    seconds = cpu_seconds(lambda: method.search(problem))
    solution = method.search(problem)
    classes = solution.classes[cell].astype(np.int64)
    assert np.bincount(classes).min() >= k
    return seconds, table.gcp(classes), solution.boxes.shape[1]


def peer_python() -> Path | None:
    """Anonypy's own environment, made when it is not there; None when that fails."""
    python = PEER / ".venv" / "bin" / "python"
    works = [str(python), "-c", "import anonypy, pandas"]
    if python.exists() and subprocess.run(works, capture_output=True, check=False).returncode == 0:
        return python
    steps = (
        [sys.executable, "-m", "venv", str(PEER / ".venv")],
        [str(python), "-m", "pip", "install", "--quiet", "-r", str(PEER / "requirements.txt")],
    )
    for step in steps:
        if subprocess.run(step, capture_output=True, check=False).returncode != 0:
            return None
    return python


def measure_peer(python: Path, table: Table, k: int) -> tuple[float, float]:
    """CPU seconds and GCP of anonypy."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        arguments = [str(ADULT / "adult.csv.gz"), "salary-class", "age", str(k), str(out)]
        subprocess.run([str(python), str(PEER / "run.py"), *arguments], check=True)
        found = json.loads(out.read_text(encoding="utf-8"))
    return found["seconds"], table.gcp(np.array(found["classes"], np.int64))


def make_large(name: str) -> None:
    """Draw ten million rows from Adult and keep their cells on disk.

    *adult-like*: each value is replaced with probability 0.07 by one from its column. *mostly
    distinct*: age becomes a birth day, race one of 2,000 districts.
    """
    table = Table.adult()
    random = np.random.default_rng(1)
    drawn = random.integers(0, table.codes.shape[1], LARGE_ROWS)
    key = np.zeros(LARGE_ROWS, np.int64)
    radices = []
    for domain, codes in zip(table.domains, table.codes, strict=True):
        column = codes[drawn]
        radix = len(domain)
        if name == "adult-like":
            other = random.random(LARGE_ROWS) < 0.07
            column[other] = codes[random.integers(0, len(codes), int(other.sum()))]
        elif domain.name == "age":
            column, radix = column * 365 + random.integers(0, 365, LARGE_ROWS), radix * 365
        elif domain.name == "race":
            column, radix = np.minimum(random.zipf(1.3, LARGE_ROWS) - 1, 1999), 2000
        key = key * radix + column
        radices.append(radix)
    keys, rows = np.unique(key, return_counts=True)
    shuffled = random.permutation(len(keys))
    keys, rows = keys[shuffled], rows[shuffled]
    cells = np.empty((len(radices), len(keys)), np.int32)
    for j in range(len(radices) - 1, -1, -1):
        cells[j] = keys % radices[j]
        keys //= radices[j]
    DATA.mkdir(exist_ok=True)
    np.save(DATA / f"mondrian {name} rows.npy", rows.astype(np.int64))
    np.save(DATA / f"mondrian {name} radices.npy", np.array(radices))
    np.save(DATA / f"mondrian {name} codes.npy", cells)


def search_large(name: str, choose: Choice) -> dict[str, Any]:
    """Search once, after the kernels are warm; CPU seconds and the peak memory of this process."""
    codes = np.load(DATA / f"mondrian {name} codes.npy")
    rows = np.load(DATA / f"mondrian {name} rows.npy")
    radices = np.load(DATA / f"mondrian {name} radices.npy").tolist()
    domains = tuple(
        Domain.of(str(j), list(range(radix)) if j == 1 else [f"value {code:04d}" for code in range(radix)])
        for j, radix in enumerate(radices)
    )
    method = Mondrian(choose=choose)
    method.search(problem_of(domains, np.ascontiguousarray(codes[:, :5000]), rows[:5000].copy(), 10))
    problem = problem_of(domains, codes, rows, 10)
    start = time.process_time()
    solution = method.search(problem)
    seconds = time.process_time() - start
    assert np.bincount(solution.classes, rows).min() >= 10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    boxes = solution.boxes.shape[1]
    return {"seconds": seconds, "peak": peak, "cells": codes.shape[1], "boxes": boxes}


def compile_cold() -> dict[str, Any]:
    """CPU seconds of the first search with an empty cache, less those of a second one."""
    problem = problem_of((Domain.of("a", ["x", "y"]),), np.array([[0, 1]], np.int32), np.array([2, 2]), 2)
    seconds = []
    for _ in range(2):
        start = time.process_time()
        for output in ("tight", "region"):
            Mondrian(output=output).search(problem)
        seconds.append(time.process_time() - start)
    return {"seconds": seconds[0] - seconds[1]}


def apart(*arguments: str, **environment: str) -> dict[str, Any]:
    """Run a part of this module in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.mondrian", *arguments]
    done = subprocess.run(
        command, env={**os.environ, **environment}, cwd=HERE.parent, stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout) if done.stdout else {}


def adult() -> list[Result]:
    """Ours and anonypy on Adult: CPU seconds and GCP."""
    table = Table.adult()
    peer = peer_python()
    name = "anonypy 0.2.1" if peer else "anonypy 0.2.1 (recorded on another machine)"
    found = []
    for k, (seconds_bar, gcp_bar) in BARS.items():
        peer_seconds, peer_gcp = measure_peer(peer, table, k) if peer else RECORDED[k]
        for choose in CHOICES:
            seconds, gcp, boxes = measure(table, k, choose)
            work = f"Adult, 8 columns, k={k}, {choose}"
            found += [
                Result(work, seconds, "s CPU", seconds_bar, name, peer_seconds, f"{boxes:,} classes"),
                Result(work, gcp, "GCP", gcp_bar, name, peer_gcp),
            ]
    return found


def large() -> list[Result]:
    """Ten million rows: CPU seconds of the search and the peak of the whole process."""
    found = []
    for name, bar in LARGE.items():
        if not (DATA / f"mondrian {name} codes.npy").exists():
            apart("make", name)
        for choose in CHOICES:
            figures = apart("large", name, choose)
            work = f"{LARGE_ROWS:,} rows, {name}, 8 columns, k=10, {choose}"
            note = f"{figures['cells']:,} cells, {figures['boxes']:,} boxes"
            found += [
                Result(work, figures["seconds"], "s CPU", bar, note=note),
                Result(work, figures["peak"] / 1e9, "GB", MEMORY_BAR),
            ]
    return found


def run() -> list[Result]:
    """Measure everything; only the compilation when the real tables are not there."""
    with tempfile.TemporaryDirectory() as folder:
        cold = apart("compile", SFUMATO_CACHE=folder)["seconds"]
    found = [Result("cold compile of the kernels", cold, "s CPU", COMPILE_BAR)]
    return found + adult() + large() if ADULT.is_dir() else found


def main(arguments: list[str]) -> None:
    """Run all, or one of the parts that need a process of their own."""
    match arguments:
        case []:
            print(table_of("Mondrian", run()))
        case ["compile"]:
            print(json.dumps(compile_cold()))
        case ["make", name]:
            make_large(name)
        case ["large", name, choose]:
            print(json.dumps(search_large(name, choose)))  # type: ignore[arg-type]  # Mondrian checks it
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
