"""All benchmarks in one run: ``python -m benchmarks``, or ``--write`` to put the tables into README.md.

``--quick`` leaves out what takes minutes: the peer, ten million rows and more. Names of parts, such as
``lattice local``, run these alone; with ``--write`` the tables of the others stay as they are.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Iterable

from benchmarks import (
    clustering,
    codes_apriori,
    codes_check,
    codes_disassociation,
    codes_input,
    codes_partition,
    codes_policies,
    codes_risk,
    dna_attacks,
    dna_methods,
    dna_private,
    dna_release,
    dna_statistics,
    dnala,
    dp_accounting,
    dp_noise,
    dp_selection,
    engine,
    graph_active,
    graph_attacks,
    graph_canonical,
    graph_degree,
    graph_grouping,
    graph_input,
    graph_neighbourhood,
    graph_private,
    graph_propagate,
    large,
    lattice,
    ledger,
    linkage,
    local,
    microaggregation,
    mondrian,
    plink,
    query_error,
    query_latency,
    query_ranges,
    query_server,
    query_synthetic,
    query_time,
    records,
    risk,
    sparse,
    terminal,
    text_attacks,
    text_plausibility,
    text_quality,
    text_spanish,
    text_speed,
    text_stream,
)
from benchmarks.result import HERE, Result, table

BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->"

PARTS: dict[str, tuple[str, Callable[[], list[Result]]]] = {
    "lattice": ("OptimalLattice, utility loss", lattice.run),
    "local": ("Local recoding and suppression", local.run),
    "terminal": ("Terminal", terminal.run),
    "mondrian": ("Mondrian", mondrian.run),
    "clustering": ("Clustering", clustering.run),
    "microaggregation": ("Microaggregation", microaggregation.run),
    "risk": ("Which attributes identify", risk.run),
    "engine": ("Engine", engine.run),
    "large": ("Large tables", large.run),
    "linkage": ("Linkage", linkage.run),
    "sparse": ("Sparse matching", sparse.run),
    "codes_apriori": ("Sets: k^m-anonymity", codes_apriori.run),
    "codes_partition": ("Sets: partition and suppression", codes_partition.run),
    "codes_policies": ("Sets: policies", codes_policies.run),
    "codes_disassociation": ("Sets: disassociation", codes_disassociation.run),
    "codes_check": ("Sets: checking", codes_check.run),
    "codes_risk": ("Sets: exposure and loss", codes_risk.run),
    "codes_input": ("Sets: in and out", codes_input.run),
    "dp_noise": ("Noise on whole numbers", dp_noise.run),
    "dp_selection": ("Choosing privately", dp_selection.run),
    "dp_accounting": ("Composition of differential privacy", dp_accounting.run),
    "query_latency": ("Questions to a million rows", query_latency.run),
    "query_error": ("Error of answers on Adult", query_error.run),
    "ledger": ("The ledger", ledger.run),
    "query_server": ("The query service", query_server.run),
    "query_time": ("What the time of the query service tells", query_time.run),
    "query_synthetic": ("Synthetic people", query_synthetic.run),
    "query_ranges": ("Range queries", query_ranges.run),
    "records": ("Table and codes together", records.run),
    "text": ("Finding identifiers in notes", text_quality.run),
    "text_spanish": ("Notes in Spanish", text_spanish.run),
    "text_speed": ("Searching notes: speed", text_speed.run),
    "text_stream": ("Many notes", text_stream.run),
    "text_plausibility": ("Sensitive terms in notes", text_plausibility.run),
    "text_attacks": ("Attacks on notes", text_attacks.run),
    "dnala": ("DNA: DNALA", dnala.run),
    "plink": ("DNA: counting packed genotypes", plink.run),
    "dna_methods": ("DNA: ways to protect rows", dna_methods.run),
    "dna_release": ("DNA: whole releases", dna_release.run),
    "dna_statistics": ("DNA: statistics of sites", dna_statistics.run),
    "dna_private": ("DNA: choosing and counting privately", dna_private.run),
    "dna_attacks": ("DNA: attacks", dna_attacks.run),
    "graph_input": ("Networks: input", graph_input.run),
    "graph_canonical": ("Networks: who looks like whom", graph_canonical.run),
    "graph_degree": ("Networks: k-degree anonymity", graph_degree.run),
    "graph_neighbourhood": ("Networks: k-neighbourhood anonymity", graph_neighbourhood.run),
    "graph_grouping": ("Networks: k-sized grouping and possible worlds", graph_grouping.run),
    "graph_private": ("Networks: statistics with noise", graph_private.run),
    "graph_attacks": ("Networks: passive attacks and utility", graph_attacks.run),
    "graph_active": ("Networks: the active attack", graph_active.run),
    "graph_propagate": ("Networks: seed-and-propagate", graph_propagate.run),
}
QUICK = ("lattice", "local", "terminal")


def machine() -> str:
    """Describe what the figures were measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"Measured with {os.cpu_count()} cores, {memory:.0f} GB of memory, Python "
        f"{platform.python_version()} on {platform.system()} {platform.machine()}."
    )


def main(arguments: list[str]) -> None:
    """Run the benchmarks one after the other and print their tables as they come."""
    chosen = [name for name in PARTS if name in arguments] or list(PARTS)
    parts = {PARTS[name][0]: PARTS[name][1] for name in chosen}
    if "--quick" in arguments:
        parts = {PARTS[name][0]: PARTS[name][1] for name in QUICK}
        parts["Large tables"] = lambda: large.run(with_huge=False)
    tables = {}
    for title, run in parts.items():
        tables[title] = table(title, run())
        print(tables[title], flush=True)
        if "--write" in arguments:
            write({title: tables[title]})
    print(counted(tables.values()))


def counted(tables: Iterable[str]) -> str:
    """Count the bars of some tables, and those that are missed."""
    text = "\n".join(tables)
    met = re.findall(r"^\|[^|]+\|[^|]+\|[^|]+\| (yes|no[^|]*) \|", text, re.MULTILINE)
    return f"{len(met)} bars, {sum(word.startswith('no') for word in met)} missed."


def write(fresh: dict[str, str]) -> None:
    """Put tables into the README, in the place of older ones with the same titles."""
    path = HERE / "README.md"
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    old, after = rest.split(END)
    known = {part.partition("\n")[0].strip(): "### " + part.strip() for part in old.split("### ")[1:]}
    known = {title: re.sub(r"\n\n\d+ bars, .*", "", text, flags=re.DOTALL) for title, text in known.items()}
    known |= fresh
    tables = [known[title] for title, _ in PARTS.values() if title in known]
    text = "\n\n".join([machine(), *tables, counted(tables)])
    path.write_text(before + BEGIN + text + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
