"""All benchmarks in one run: ``python -m benchmarks``, or ``--write`` to put the tables into README.md.

``--quick`` leaves out what takes minutes: the peer, ten million rows and more.
"""

from __future__ import annotations

import os
import platform
import sys

from benchmarks import clustering, engine, large, lattice, local, microaggregation, mondrian, terminal
from benchmarks.result import HERE, Result, table

BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->"


def machine() -> str:
    """Describe what the figures were measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"Measured with {os.cpu_count()} cores, {memory:.0f} GB of memory, Python "
        f"{platform.python_version()} on {platform.system()} {platform.machine()}."
    )


def main(arguments: list[str]) -> None:
    """Run the benchmarks one after the other and print their tables as they come."""
    quick = "--quick" in arguments
    parts = [
        ("OptimalLattice, utility loss", lattice.run),
        ("Local recoding and suppression", local.run),
        ("Terminal", terminal.run),
    ]
    if not quick:
        parts += [
            ("Mondrian", mondrian.run),
            ("Clustering", clustering.run),
            ("Microaggregation", microaggregation.run),
            ("Engine", engine.run),
            ("Large tables", large.run),
        ]
    else:
        parts.append(("Large tables", lambda: large.run(with_huge=False)))
    tables = [machine()]
    results: list[Result] = []
    for title, run in parts:
        found = run()
        results += found
        tables.append(table(title, found))
        print(tables[-1], flush=True)
    missed = [result for result in results if result.met.startswith("no")]
    tables.append(f"{len([r for r in results if r.bar is not None])} bars, {len(missed)} missed.")
    print(tables[-1])
    if "--write" in arguments:
        path = HERE / "README.md"
        text = path.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        path.write_text(
            before + BEGIN + "\n\n".join(tables) + "\n" + END + rest.split(END)[1], encoding="utf-8"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
