"""``sfumato graph risk``: how exposed people are by their place in a network."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sfumato.cli.attack_shown import check_bound
from sfumato.cli.graph_read import Reading
from sfumato.cli.progress import TerminalProgress
from sfumato.core.attack import in_per_cent
from sfumato.graph.reading import Read
from sfumato.graph.risk import Exposure, exposure

_KNOWN = {
    "degree": "somebody's degree (H1)",
    "H2": "degrees of the neighbours (H2)",
    "H3": "and of their neighbours (H3)",
    "H*": "and so on, however far (H*)",
    "neighbourhood": "edges among the neighbours",
    "degree and label": "degree and label",
    "H2 and labels": "the same of neighbours (H2)",
    "neighbourhood and labels": "edges among them, and labels",
}
_HEADS = ("known is", "unique", "< 5", "< 10", "smallest", "guessed")


def show_graph_risk(
    data: Path,
    reading: Reading,
    neighbourhood: bool | None,
    at_most: float | None,
    as_json: bool,
    console: Console,
    errors: Console,
) -> bool:
    """Read a network, measure, print, and say whether no more people are unique than allowed."""
    check_bound(at_most)
    with TerminalProgress(errors) as progress:
        progress.step("reading")
        read = reading.read(data)
        found = exposure(read.network, neighbourhood=neighbourhood, progress=progress)
    worst = max(Fraction(one.unique, one.nodes) for one in found.by)
    broken = at_most is not None and worst > Fraction(str(at_most))
    if as_json:
        told = {**found.to_dict(), "said": list(found.said), "reading": read.told.sentences()}
        console.print_json(json.dumps({**told, "exceeded": broken}))
        return not broken
    _print(data.name, read, found, console)
    if broken:
        assert at_most is not None
        console.print(
            f"more people are unique than the {100 * at_most:g} % that are allowed", style="bold red"
        )
    return not broken


def _print(name: str, read: Read, found: Exposure, console: Console) -> None:
    def say(line: str) -> None:
        console.print(line, highlight=False, markup=False, soft_wrap=True)

    console.print(f"Risk of {name}", style="italic", highlight=False, markup=False)
    alone = f", {found.isolated:,} without neighbours" if found.isolated else ""
    say(f"{found.nodes:,} people, {found.edges:,} edges{alone}")
    for sentence in read.told.sentences():
        say(f"- {sentence}")
    table = Table(box=None, pad_edge=False)
    for place, head in enumerate(_HEADS):
        table.add_column(head, justify="right" if place else "left", no_wrap=True)
    for one in found.by:
        few = [in_per_cent(one.below[k] / one.nodes) for k in (5, 10)]
        table.add_row(
            _KNOWN.get(one.knowledge, one.knowledge),
            in_per_cent(one.unique / one.nodes),
            *few,
            f"{one.smallest:,}",
            in_per_cent(one.expected),
        )
    console.print(table)
    say(str(found.hubs))
    for sentence in found.said:
        say(f"- {sentence}")
    say(
        "Candidates are the people who look the same to somebody who knows that: who is unique has one, "
        "fewer than 5 and 10 are few, smallest is the fewest of anybody, and guessed how many a guess finds."
    )
    say("Each node was taken as another person; whoever is wrong about an edge finds fewer.")
