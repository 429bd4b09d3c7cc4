"""``sfumato graph compare``: what a released network has lost against the one that it was made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from sfumato.cli.graph_known import refuse_other_size
from sfumato.cli.graph_read import Reading
from sfumato.cli.graph_target import Target, target_of, who_of
from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput, MissingPart, nearest
from sfumato.core.measure import Measured
from sfumato.core.progress import Progress
from sfumato.graph.network import Network
from sfumato.graph.reading import Read
from sfumato.graph.utility import MEASURES

NODE_BY_NODE = ("edges-changed", "betweenness-ranks", "communities")
"""measures that must know which node is whose"""
MOST_EDGES = 50_000
LONG = ("betweenness-ranks", "communities", "spectral-gap")
"""measures that are taken unasked up to so many edges"""


def compare_networks(
    original: Path,
    released: Path,
    reading: Reading,
    truth: Path | None,
    same_names: bool,
    measures: list[str],
    as_json: bool,
    console: Console,
    errors: Console,
) -> None:
    """Measure what was lost, and print it."""
    for name in measures:
        if name not in MEASURES:
            raise BadInput(f"there is no measure '{name}'", where="--measure", remedy=nearest(name, MEASURES))
    with TerminalProgress(errors) as progress:
        progress.step("reading")
        read = reading.read(original)
        target = target_of(released, reading)
        who = who_of(target, truth, same_names)
        refuse_other_size(target, read, str(original))
        known = who is not None and isinstance(target.published, Network)
        published: Any = target.published
        if who is not None and isinstance(target.published, Network):
            published = _in_order(read, target, who.of(read, str(original)))
        found, left = _measured(read.network, published, measures, known, progress)
    if not found:
        raise BadInput("no measure applies to what is released", where=str(released), remedy="name others")
    if as_json:
        plain = {name: {"value": one.value, "details": dict(one.details)} for name, one in found.items()}
        console.print_json(json.dumps({"measures": plain, "not_measured": left}))
        return
    console.print(_table(found))
    for name, why in left.items():
        console.print(f"- {name}: {why}", highlight=False, markup=False, soft_wrap=True)


def _in_order(read: Read, target: Target, node: np.ndarray[Any, np.dtype[np.int64]]) -> Network:
    """Return the released network with the numbers of the original; other nodes come after."""
    published = target.published
    assert isinstance(published, Network)
    if (node < 0).any():
        raise BadInput(
            f"{int(np.count_nonzero(node < 0)):,} people of the original are not in the release",
            remedy="give the network that it was made from",
        )
    number = np.full(published.nodes, -1, np.int64)
    number[node] = np.arange(read.network.nodes)
    number[number < 0] = np.arange(read.network.nodes, published.nodes)
    return published.renumbered(number)


def _measured(
    original: Network, published: Any, asked: list[str], known: bool, progress: Progress
) -> tuple[dict[str, Measured], dict[str, str]]:
    """Take measures; say of those that were not taken why."""
    found: dict[str, Measured] = {}
    left: dict[str, str] = {}
    for done, name in enumerate(asked or MEASURES):
        progress.step(f"measuring {name}")
        progress.update(done / len(asked or MEASURES))
        if name in NODE_BY_NODE and isinstance(published, Network) and not known:
            left[name] = "it is not known which node is whose (--truth or --same-names)"
        elif not asked and name in LONG and original.edges > MOST_EDGES:
            left[name] = f"the network has more than {MOST_EDGES:,} edges (ask with --measure)"
        else:
            try:
                value = MEASURES[name]().of(original, published)
            except MissingPart as missing:
                left[name] = str(missing)
                continue
            if value is not None:
                found[name] = value
            elif asked:
                left[name] = "it says nothing about what is released"
    return found, left


def _table(found: dict[str, Measured]) -> Table:
    table = Table(box=None, pad_edge=False, title="what was lost: lower is better", title_justify="left")
    for place, head in enumerate(("measure", "value", "made of")):
        table.add_column(head, justify="right" if place == 1 else "left", overflow="fold", no_wrap=place < 2)
    for name, one in found.items():
        details = ", ".join(
            f"{key} {value:,.4g}" if isinstance(value, float) else f"{key} {value}"
            for key, value in one.details.items()
        )
        value = one.value if isinstance(one.value, int | float) else one.value[0]
        table.add_row(name, f"{value:,.4g}", details)
    return table
