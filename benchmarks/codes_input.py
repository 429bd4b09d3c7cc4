"""Read a million records of eight codes and write them again, by layout and kind of file.

python -m benchmarks.codes_input
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from benchmarks.result import Result, in_child, table
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading import Baskets, Long, SetLayout, read_codes, read_published
from sfumato.codes.writing import write_published

RECORDS, EACH, CODES = 1_000_000, 8, 3_000
RUNS = 3
SECONDS, GIGABYTES = 10.0, 2.0
"""the bar for each file"""


def long_table() -> pa.Table:
    """Draw rows (person, code) in any order; few codes are frequent."""
    rng = np.random.default_rng(1)
    who = rng.permutation(np.repeat(np.arange(RECORDS) + 10**7, EACH))
    drawn = np.minimum(rng.zipf(1.3, len(who)) - 1, CODES - 1)
    names = pa.array([f"{code // 10:03d}.{code % 10}" for code in range(CODES)])
    return pa.table({"who": who, "code": names.take(pa.array(drawn))})


def _read(path: Path, layout: SetLayout) -> PublishedSets:
    return PublishedSets.as_it_is(read_codes(path, layout).sets)


def _again(path: Path, out: Path) -> None:
    published = _read(path, Long("who", "code"))
    write_published(published, out)
    read_published(out, items=published.items)


def _measured(work: str, do: Callable[[], object], less: float = 0.0) -> Result:
    figures = [in_child(do) for _ in range(RUNS)]
    cpu = sorted(figure[1] for figure in figures)[RUNS // 2] - less
    peak = max(figure[2] for figure in figures)
    fits = "" if peak <= GIGABYTES else f", above {GIGABYTES:g} GB"
    return Result(work, cpu, "s CPU", SECONDS, note=f"peak {peak:.2f} GB{fits}")


def run() -> list[Result]:
    """Measure each file in processes of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = long_table()
        pq.write_table(data, folder / "long.parquet")
        pa.csv.write_csv(data, folder / "long.csv")
        del data
        write_published(_read(folder / "long.parquet", Long("who", "code")), folder / "sets.dat")
        size = f"{RECORDS:,} records × {EACH} codes"
        long = Long("who", "code")
        found = [
            _measured(f"read {size}, long CSV", lambda: _read(folder / "long.csv", long)),
            _measured(f"read {size}, long Parquet", lambda: _read(folder / "long.parquet", long)),
            _measured(f"read {size}, baskets", lambda: _read(folder / "sets.dat", Baskets())),
        ]
        for suffix in (".csv", ".parquet", ".jsonl"):
            out = folder / f"out{suffix}"
            work = f"write and read again {size}, {suffix}"
            again = partial(_again, folder / "long.parquet", out)
            found.append(_measured(work, again, found[1].ours))
    return found


if __name__ == "__main__":
    print(table("Sets of codes in and out", run()))
    sys.exit(0)
