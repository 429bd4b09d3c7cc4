"""End to end on large tables: ihis (1.19 million rows) from CSV, and 100 million rows in 4 GB.

python -m benchmarks.large
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.result import SHARED, Result, in_child, table
from benchmarks.tables import COLUMNS, adult_like, hierarchies

IHIS = SHARED / "data" / "table" / "ihis_synth"
HUGE_ROWS = 100_000_000


class WithoutPandas:
    """Pandas is a part of the development tools, not of the product."""

    def find_spec(self, name: str, *_: object) -> None:
        """Find everything but pandas elsewhere."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def ihis(out: Path) -> None:
    """Protect ihis from its CSV file, all the way to the checked release.

    As in a core install: there pandas, which takes half a second to import, is not found.
    """
    sys.meta_path.insert(0, WithoutPandas())
    from sfumato.core.schema import Schema
    from sfumato.engine.sources import CsvFile
    from sfumato.hierarchy import HierarchyTable
    from sfumato.recipe.job import Job
    from sfumato.recipe.prepared import released
    from sfumato.table.methods import OptimalLattice
    from sfumato.table.models import KAnonymity
    from sfumato.table.utility import Loss

    found = {
        path.name.split("_")[-1].split(".")[0]: HierarchyTable.read(path)
        for path in (IHIS / "hierarchies").glob("*.csv.gz")
    }
    source = CsvFile(IHIS / "ihis_synth.csv.gz")
    _, names = source.header()
    schema = Schema.of(names, quasi=[name for name in names if name in found])
    job = Job(source, schema, (KAnonymity(5),), OptimalLattice(), Loss(), found, memory="500MB")
    released(job, out)


def huge(out: Path) -> None:
    """Protect 100 million rows with memory limited to what a small machine has."""
    from sfumato.core.schema import Schema
    from sfumato.engine.sources import ParquetFile
    from sfumato.recipe.job import Job
    from sfumato.recipe.prepared import released
    from sfumato.table.methods import OptimalLattice
    from sfumato.table.models import KAnonymity
    from sfumato.table.utility import Loss

    schema = Schema.of([*COLUMNS, "disease"], quasi=list(COLUMNS), sensitive=["disease"])
    job = Job(
        ParquetFile(adult_like(HUGE_ROWS)),
        schema,
        (KAnonymity(5),),
        OptimalLattice(suppress=0.01),
        Loss(),
        hierarchies(),
        memory="2GB",
        format="parquet",
    )
    released(job, out)


def run(*, with_huge: bool = True) -> list[Result]:
    """Measure in processes of their own."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        if IHIS.is_dir():
            in_child(lambda: ihis(Path(folder) / "warm"))
            wall, cpu, rss = in_child(lambda: ihis(Path(folder) / "ihis"))
            found.append(
                Result(
                    "ihis, 1.19 M rows, k=5, 0 %, CSV to checked release",
                    wall,
                    "s",
                    5.0,
                    "ARX (recorded)",
                    22.0,
                    f"{cpu:.1f} s of CPU, peak {rss:.2f} GB (bar 1 GB; DuckDB limited to 0.5 GB)",
                )
            )
        else:
            print("ihis is not there (../shared): not measured", file=sys.stderr)
        if with_huge:
            adult_like(HUGE_ROWS)
            wall, cpu, rss = in_child(lambda: huge(Path(folder) / "huge"))
            note = f"{wall:.0f} s, {cpu:.0f} s of CPU"
            found.append(Result("100 M rows, Parquet to checked release", rss, "GB", 4.0, note=note))
    return found


if __name__ == "__main__":
    print(table("Large tables", run(with_huge="--no-huge" not in sys.argv)))
