"""``sfumato graph worlds``: possible worlds of a grouping. They hold nothing that is not released."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.table import Table

from sfumato.cli.graph_simulate import LISTS
from sfumato.cli.graph_target import grouping_of
from sfumato.cli.options import say
from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput, nearest
from sfumato.core.temporary import folder_beside
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.statistics import (
    average_clustering,
    components,
    distance_histogram,
    sampled_sources,
    transitivity,
    triangle_count,
)
from sfumato.graph.worlds import Estimate, estimate, group_of_world, worlds
from sfumato.graph.writing import edges_table
from sfumato.graph.writing.files import write_table
from sfumato.report.words import count

NODES = "nodes.csv"


def _highest(world: Network) -> float:
    return float(world.degrees().max(initial=0))


def _parts(world: Network) -> float:
    return float(components(world).max(initial=-1) + 1)


def _mean_distance(world: Network) -> float:
    """Return the mean distance of connected pairs, from some nodes to all others; 0 where none are."""
    found = distance_histogram(world, sampled_sources(world, 50, 1))
    pairs = int(found[1:].sum())
    return float((np.arange(len(found)) * found).sum() / pairs) if pairs else 0.0


STATISTICS: dict[str, Callable[[Network], float]] = {
    "clustering": lambda world: average_clustering(world) or 0.0,
    "transitivity": lambda world: transitivity(world) or 0.0,
    "triangles": lambda world: float(triangle_count(world)),
    "components": _parts,
    "highest-degree": _highest,
    "mean-distance": _mean_distance,
}
"""what is estimated over possible worlds, by its name"""


def draw_worlds(
    release: Path,
    number: int,
    out: Path | None,
    estimated: Sequence[str],
    format_: str,
    seed: int,
    replace: bool,
    as_json: bool,
    console: Console,
    errors: Console,
) -> None:
    """Draw possible worlds of a grouping; write them, estimate statistics over them, or both."""
    if out is None and not estimated:
        raise BadInput(
            "nothing would be done with the worlds",
            remedy="write them with --out, or estimate a statistic with --estimate",
        )
    for name in estimated:
        if name not in STATISTICS:
            raise BadInput(
                f"there is no statistic '{name}'", where="--estimate", remedy=nearest(name, STATISTICS)
            )
    if f".{format_}" not in LISTS:
        known = [suffix.removeprefix(".") for suffix in LISTS]
        raise BadInput(
            f"worlds are not written as '{format_}'", where="--format", remedy=nearest(format_, known)
        )
    if out is not None:
        _check_folder(out, format_, replace)
    found: dict[str, Estimate] = {}
    with TerminalProgress(errors) as progress:
        progress.step("reading")
        grouped = grouping_of(release)
        for name in estimated:
            found[name] = estimate(grouped, STATISTICS[name], number, seed, progress=progress)
        if out is not None:
            progress.step("writing")
            _write_worlds(grouped, number, seed, out, format_)
    if as_json:
        console.print_json(json.dumps({name: _plain(one) for name, one in found.items()}))
    elif found:
        console.print(_table(found))
        say(
            console,
            "The spread is what the groups leave open. The network itself need not be a typical world.",
        )
    if out is not None and not as_json:
        say(
            console,
            f"Worlds: {out} ({count(number, 'network')} of {count(grouped.nodes, 'node')} and "
            f"{count(grouped.edges, 'edge')}; {NODES} says in which group each node is). They are drawn by "
            "chance: what is the same in all of them is known, no single edge is.",
        )


def _plain(one: Estimate) -> dict[str, float | int]:
    return {
        "mean": float(one.mean),
        "spread": float(one.spread),
        "lowest": float(one.lowest),
        "highest": float(one.highest),
        "error": float(one.error),
        "worlds": one.count,
    }


def _table(found: dict[str, Estimate]) -> Table:
    table = Table(box=None, pad_edge=False)
    for place, head in enumerate(("statistic", "mean", "spread", "lowest", "highest", "worlds")):
        table.add_column(head, justify="right" if place else "left")
    for name, one in found.items():
        figures = (one.mean, one.spread, one.lowest, one.highest)
        table.add_row(name, *(f"{float(figure):,.4g}" for figure in figures), f"{one.count:,}")
    return table


def _check_folder(out: Path, format_: str, replace: bool) -> None:
    """Refuse a folder that holds anything but worlds that were drawn before."""
    if not out.resolve().parent.is_dir() or (out.exists() and not out.is_dir()):
        raise BadInput("nothing can be written there", where=str(out), remedy="check the folder")
    if not out.exists():
        return
    ours = {NODES, *(path.name for path in out.glob("world-*.*"))}
    if {path.name for path in out.iterdir()} - ours:
        raise BadInput(
            "the folder holds something else than worlds", where=str(out), remedy="choose another --out"
        )
    if not replace:
        raise BadInput(
            "there is already a folder", where=str(out), remedy="choose another --out, or give --replace"
        )


def _write_worlds(grouped: Grouped, number: int, seed: int, out: Path, format_: str) -> None:
    """Write all worlds beside the target, then put the folder in place."""
    with folder_beside(out.resolve()) as beside:
        made = beside / out.name
        made.mkdir(0o755)
        digits = len(str(number))
        for at, world in enumerate(worlds(grouped, number, seed), 1):
            write_table(edges_table(world), made / f"world-{at:0{digits}d}.{format_}")
        numbers = np.arange(1, grouped.nodes + 1)
        write_table(pa.table({"node": numbers, "group": group_of_world(grouped) + 1}), made / NODES)
        if out.exists():
            shutil.rmtree(out)
        made.rename(out.resolve())
