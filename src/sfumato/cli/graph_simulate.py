"""``sfumato graph simulate``: networks of people who never were, to try things on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from rich.console import Console

from sfumato.cli.options import say
from sfumato.cli.places import check_new_file
from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput, nearest
from sfumato.graph import simulate
from sfumato.graph.network import Network
from sfumato.graph.writing import edges_table, write_network
from sfumato.graph.writing.files import write_table
from sfumato.report.words import count

LISTS = (".csv", ".tsv", ".txt", ".edges", ".parquet")
"""files that list edges, and have no place for nodes without any"""
FILES = (*LISTS, ".csv.gz", ".gml", ".graphml")
MODELS = ("barabasi-albert", "erdos-renyi", "watts-strogatz", "communities")
_REWIRED = 0.1


@dataclass(frozen=True)
class Simulation:
    """The network to make up."""

    nodes: int
    edges: int
    model: str
    seed: int

    def network(self) -> Network:
        """Draw it; where a model cannot have just so many edges, with about as many."""
        each = max(round(self.edges / self.nodes), 1)
        match self.model:
            case "erdos-renyi":
                return simulate.erdos_renyi(self.nodes, self.edges, self.seed)
            case "watts-strogatz":
                return simulate.watts_strogatz(self.nodes, 2 * each, _REWIRED, self.seed)
            case "communities":
                mean = 2 * self.edges / self.nodes
                many = max(round(self.nodes**0.5 / 4), 2)
                made = simulate.planted_communities(
                    self.nodes, many, inside=0.8 * mean, between=0.2 * mean, seed=self.seed
                )
                return made.network
            case "barabasi-albert":
                return simulate.barabasi_albert(self.nodes, each, self.seed)
        raise BadInput(
            f"there is no model '{self.model}'", where="--model", remedy=nearest(self.model, MODELS)
        )


def simulate_network(
    asked: Simulation, out: Path, copies: float | None, replace: bool, console: Console, errors: Console
) -> None:
    """Make a network up and write it, or two copies of it that overlap."""
    files = [out]
    if copies is not None:
        files = [
            out.with_name(f"{out.name.partition('.')[0]}-{part}{_suffix(out)}") for part in ("one", "other")
        ]
    for path in files:
        check_new_file(path, FILES if copies is None else LISTS, replace, "a made-up network")
    with TerminalProgress(errors) as progress:
        progress.step("drawing")
        made = asked.network()
        progress.step("writing")
        if copies is None:
            _write(made, out)
            parts = [made]
        else:
            both = simulate.two_copies(made, copies, asked.seed)
            parts = [both.one, both.other]
            people = [both.people_of_one, both.people_of_other]
            for path, part, numbers in zip(files, parts, people, strict=True):
                ends = numbers[part.pairs()] + 1
                write_table(pa.table({"source": ends[:, 0].copy(), "target": ends[:, 1].copy()}), path)
    for path, part in zip(files, parts, strict=True):
        alone = int(np.count_nonzero(part.degrees() == 0))
        left = (
            f" ({count(alone, 'node')} without an edge cannot stand in a list)"
            if alone and _is_list(path)
            else ""
        )
        say(console, f"{path}: {count(part.nodes, 'node')} and {count(part.edges, 'edge')}, of nobody{left}")
    if copies is not None:
        say(console, "people have the same names in both: attack one --with the other and --same-names")


def _suffix(path: Path) -> str:
    return path.name[len(path.name.partition(".")[0]) :]


def _is_list(path: Path) -> bool:
    return path.name.lower().endswith((*LISTS, ".csv.gz"))


def _write(network: Network, path: Path) -> None:
    if _is_list(path):
        write_table(edges_table(network), path)
    else:
        write_network(network, path)
