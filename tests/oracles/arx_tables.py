"""The tables of the golden runs, read with nothing of Sfumato but its contracts."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from sfumato.core.domain import Domain, Scale
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells


@cache
def read_case(
    shared: Path, dataset: str, hierarchies: tuple[tuple[str, str], ...]
) -> tuple[Cells, tuple[Ladder, ...]]:
    """Read a data set with one hierarchy file for each quasi-identifier, in the order given."""
    names = [name for name, _ in hierarchies]
    with gzip.open(shared / dataset) as file:
        table = pa_csv.read_csv(
            file,
            parse_options=pa_csv.ParseOptions(delimiter=";"),
            convert_options=pa_csv.ConvertOptions(
                include_columns=names,
                column_types={name: pa.string() for name in names},
                strings_can_be_null=False,
            ),
        )
    codes, ladders, domains = [], [], []
    for name, path in hierarchies:
        column = pc.dictionary_encode(table[name].combine_chunks())
        values = column.dictionary.to_pylist()
        order = np.argsort(np.array(values, dtype=object), kind="stable")
        rank = np.empty(len(values), np.int64)
        rank[order] = np.arange(len(values))
        codes.append(rank[column.indices.to_numpy()])
        values = [values[i] for i in order]
        domains.append(Domain(name, tuple(values), Scale.CATEGORY))
        ladders.append(ladder_of(name, values, read_hierarchy(shared / path)))
    return cells_of(domains, np.array(codes)), tuple(ladders)


def case_of(shared: Path, case: dict[str, Any]) -> tuple[Cells, tuple[Ladder, ...]]:
    """Read the table of one golden case."""
    hierarchies = tuple((name, case["hierarchies"][name]) for name in case["quasi_identifiers"])
    return read_case(shared, case["dataset"], hierarchies)


def read_hierarchy(path: Path) -> list[list[str]]:
    """Read one line for each leaf: the value, then what it becomes level by level."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return [line for line in csv.reader(file, delimiter=";") if line]


def ladder_of(name: str, values: list[str], lines: list[list[str]]) -> Ladder:
    """Lay the lines of a hierarchy over some values."""
    line_of = {line[0]: line for line in lines}
    rungs, labels, leaves = [], [], []
    for level in range(len(lines[0])):
        count = Counter(line[level] for line in lines)
        groups: dict[str, int] = {}
        rungs.append([groups.setdefault(line_of[value][level], len(groups)) for value in values])
        labels.append(tuple(groups))
        leaves.append(np.array([count[label] for label in groups], np.float64))
    return Ladder(name, np.array(rungs, np.int32), tuple(labels), tuple(leaves), len(lines))


def cells_of(domains: list[Domain], codes: np.ndarray) -> Cells:
    """Count the rows of every distinct combination of codes."""
    key = np.zeros(codes.shape[1], np.int64)
    for domain, column in zip(domains, codes, strict=True):
        key = key * len(domain) + column
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    rows = count.astype(np.int64)
    return Cells(tuple(domains), codes[:, first].astype(np.int32), rows, rows)


def sizes_at(cells: Cells, ladders: tuple[Ladder, ...], levels: tuple[int, ...]) -> np.ndarray:
    """Return the size of the class of every cell at a node, by sorting whole tuples."""
    shown = np.array(
        [
            ladder.rungs[level][cells.codes[j]]
            for j, (ladder, level) in enumerate(zip(ladders, levels, strict=True))
        ]
    )
    _, owner = np.unique(shown, axis=1, return_inverse=True)
    owner = owner.reshape(-1)
    return np.bincount(owner, weights=cells.rows)[owner].astype(np.int64)


def output_at(cells: Cells, ladders: tuple[Ladder, ...], levels: tuple[int, ...], k: int) -> dict[str, int]:
    """Return suppressed rows, classes, smallest and largest class at a node."""
    shown = np.array(
        [
            ladder.rungs[level][cells.codes[j]]
            for j, (ladder, level) in enumerate(zip(ladders, levels, strict=True))
        ]
    )
    _, owner = np.unique(shown, axis=1, return_inverse=True)
    size = np.bincount(owner.reshape(-1), weights=cells.rows).astype(np.int64)
    kept = size[size >= k]
    return {
        "suppressed": int(size[size < k].sum()),
        "classes": len(kept),
        "min": int(kept.min(initial=cells.total_rows)),
        "max": int(kept.max(initial=0)),
    }


def row_weighted_kl(cells: Cells, ladders: tuple[Ladder, ...], levels: tuple[int, ...], k: int) -> float:
    """Return Σ_rows p·log2(p/q): every tuple t counted once for each of its rows, not once."""
    size, rows = sizes_at(cells, ladders, levels), cells.total_rows
    area = np.prod(
        [
            ladder.leaves[level][ladder.rungs[level][cells.codes[j]]]
            for j, (ladder, level) in enumerate(zip(ladders, levels, strict=True))
        ],
        axis=0,
    )
    kept = size >= k
    whole = np.prod([float(ladder.size) for ladder in ladders])
    lost = int(cells.rows[~kept].sum())
    p, q = cells.rows / rows, np.where(kept, size / rows / area, lost / rows / whole)
    return float((cells.rows * p * np.log2(p / q)).sum())
