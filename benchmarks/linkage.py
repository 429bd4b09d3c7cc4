"""Linkage of a million people with a million records on four attributes, end to end from Parquet.

python -m benchmarks.linkage
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb

from benchmarks.result import DATA, Result, in_child, table

ROWS = 1_000_000
QUASI = ("birth_date", "zip", "sex", "race")
BAR = 30.0


def patients_and_voters(rows: int = ROWS) -> tuple[Path, Path]:
    """Generate (once) patients and as many voters of a town; nine of ten patients are on the list."""
    DATA.mkdir(exist_ok=True)
    patients, voters = (DATA / f"linkage_{what}_{rows}.parquet" for what in ("patients", "voters"))
    if not patients.exists() or not voters.exists():
        person = (
            "id, DATE '1925-01-01' + CAST(floor(28000 * (hash(id) % 1000003) / 1000003) AS INTEGER) AS birth_date, "
            "lpad(CAST(10000 + CAST(floor(800 * pow((hash(id + 7) % 1000003) / 1000003, 2)) AS INTEGER) AS TEXT), "
            "5, '0') AS zip, CASE WHEN hash(id + 11) % 2 = 0 THEN 'f' ELSE 'm' END AS sex, "
            "['white', 'black', 'asian', 'other', 'native'][1 + CAST(floor(5 * "
            "pow((hash(id + 13) % 1000003) / 1000003, 3)) AS INTEGER)] AS race"
        )
        with duckdb.connect() as connection:
            for path, first in ((patients, 0), (voters, rows // 10)):
                connection.execute(
                    f"COPY (SELECT {person} FROM range({first}, {first + rows}) AS t(id) ORDER BY hash(id + 17)) "
                    f"TO '{path}' (FORMAT parquet, COMPRESSION zstd)"
                ).fetchall()
    return patients, voters


def generalised(method: str, rows: int = ROWS) -> Path:
    """Protect the patients (once): ``mondrian`` gives boxes that overlap in no order, ``full`` one level each."""
    import sfumato as sf
    from sfumato.engine.sources import ParquetFile

    path = DATA / f"linkage_{method}_{rows}.parquet"
    if not path.exists():
        hierarchies = {"birth_date": sf.Dates(), "zip": sf.Mask(), "sex": sf.Flat(), "race": sf.Flat()}
        release = sf.protect(
            ParquetFile(patients_and_voters(rows)[0]),
            quasi=list(QUASI),
            identifier="id",
            models=sf.KAnonymity(10),
            method=sf.Mondrian() if method == "mondrian" else sf.OptimalLattice(suppress=0.05),
            hierarchies=hierarchies if method == "full" else None,
        )
        import pyarrow.parquet as pq

        from sfumato.engine.frames import to_arrow

        pq.write_table(to_arrow(release.data), path)
    return path


def link(released: Path, listed: Path, person: str | None = None) -> Callable[[], object]:
    """Return the whole work: open both files, link on four attributes, score."""

    def work() -> object:
        import sfumato as sf
        from sfumato.engine import open_engine
        from sfumato.engine.sources import ParquetFile
        from sfumato.table.attacks.contract import Knowledge, People
        from sfumato.table.attacks.linkage import Linkage
        from sfumato.table.published import PublishedTable

        engine = open_engine("duckdb", threads=2)
        target = PublishedTable(engine.read(ParquetFile(released)), QUASI, person=person)
        people = People(engine.read(ParquetFile(listed)), {name: name for name in QUASI}, person)
        hierarchies = {"birth_date": sf.Dates(), "zip": sf.Mask(), "sex": sf.Flat(), "race": sf.Flat()}
        result = Linkage().run(target, Knowledge(people, hierarchies=hierarchies))
        print(result, flush=True)
        return result

    return work


def run() -> list[Result]:
    """Measure in processes of their own."""
    patients, voters = patients_and_voters()
    cases = {
        "exact data": (patients, None),
        "exact data, compared with the truth": (patients, "id"),
        "full-domain recoding, k = 10": (generalised("full"), None),
        "Mondrian, k = 10": (generalised("mondrian"), None),
    }
    found = []
    for what, (released, person) in cases.items():
        wall, cpu, memory = in_child(link(released, voters, person))
        note = f"CPU {cpu:.1f} s, {memory:.1f} GB"
        found.append(Result(f"linkage, 1 M × 1 M, {what}", wall, "s", BAR, note=note))
    return found


if __name__ == "__main__":
    print(table("Linkage", run()))
