"""``sfumato init`` for networks: see that a file lists edges, and write a recipe that runs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.findings import many
from sfumato.core.schema import Schema
from sfumato.graph.reading import Read, open_network
from sfumato.graph.reading.columns import BLANKS, PARQUET, QUOTED, columns_of, kind_of
from sfumato.graph.reading.open import GML, GRAPHML
from sfumato.recipe.graph.network_reading import names_people
from sfumato.recipe.spelling import quoted

if TYPE_CHECKING:
    from rich.table import Table as Shown

_ENDS = (
    {"source", "from", "src", "node1", "u", "person1", "caller", "sender", "follower", "id1"},
    {"target", "to", "dst", "node2", "v", "person2", "callee", "receiver", "followed", "id2"},
)
"""words that head the two ends of an edge"""
_SHARED = 0.5
"""of the names in one column, those that are also in the other, from which on both list nodes"""
_ONCE = 0.9
"""of the rows, those that are another pair, from which on they may be edges"""
_FEWEST = 3
"""nodes below which two columns with the same values are no network"""
_CHOICES = (
    ("loops", "loops", "drop"),
    ("repeated", "repeated", "merge"),
    ("one_way", "directed", "ignore"),
    ("columns", "weights", "drop"),
)
"""what a reader counts, the option of a recipe that allows it, and how"""
_MEANING = {
    "loops": "edges from a node to itself are left out",
    "repeated": "edges that are listed more than once are one",
    "directed": "edges that lead one way lose their direction",
    "weights": "columns beside the ends of edges are left out",
}


@dataclass(frozen=True)
class GraphProposal:
    """What was found in the file of a network."""

    path: Path
    nodes: int
    edges: int
    told: tuple[str, ...] = ()
    """what had to be decided in reading, in sentences"""
    options: dict[str, str] = field(default_factory=dict)
    """what the recipe must allow for the file to be read"""
    attributes: tuple[str, ...] = ()
    delimiter: str | None = None

    @property
    def rows(self) -> int:
        """How many edges there are."""
        return self.edges

    @property
    def schema(self) -> Schema:
        """A network has no columns with roles."""
        return Schema(())

    @property
    def holds(self) -> str:
        """Say in words what the file holds."""
        return f"{many(self.nodes, 'node')} and {many(self.edges, 'edge')}"

    def table(self) -> Shown:
        """Lay the findings out for the terminal."""
        from rich.table import Table as Shown

        title = f"{self.path.name}: a network of {self.holds}"
        table = Shown("what", "becomes", title=title, title_justify="left", box=None)
        table.add_row("names of nodes", "new numbers at random")
        table.add_row("edges", "some are added, until people have as many neighbours as others")
        if self.attributes:
            table.add_row("attributes of nodes", "left out")
        for sentence in self.told:
            table.add_row("in reading", sentence)
        return table


def propose_graph(path: Path, *, asked: bool, delimiter: str | None = None) -> GraphProposal | None:
    """Look whether a file lists edges; with ``asked`` it is refused where it does not."""
    if path.is_dir() or not (asked or looks_like_edges(path, delimiter)):
        if asked:
            raise BadInput("this is a folder", where=str(path), remedy="give the file of a network")
        return None
    read = open_network(
        path,
        delimiter=delimiter,
        loops="drop",
        repeated="merge",
        directed="ignore",
        weights="drop",
        edgeless="keep",
    )
    return _proposal(path, read, delimiter)


def _proposal(path: Path, read: Read, delimiter: str | None) -> GraphProposal:
    options = {option: choice for counted, option, choice in _CHOICES if read.told[counted]}
    names: tuple[str, ...] = ()
    if read.attributes is not None:
        named = read.attributes
        # What nearly every node has for itself is its name, and no label.
        names = tuple(
            name
            for name in named.column_names
            if not names_people(len(pc.unique(named.column(name))), named.num_rows)
        )
    network, told = read.network, tuple(read.told.sentences())
    return GraphProposal(path, network.nodes, network.edges, told, options, names, delimiter)


def looks_like_edges(path: Path, delimiter: str | None = None) -> bool:
    """Say whether a file is called as networks are, or has two columns that draw from one set of names."""
    kind = kind_of(path)
    if kind in (*GML, ".graphml", ".edges", ".edgelist", ".el"):
        return True
    if kind in GRAPHML or kind not in (*QUOTED, *BLANKS, *PARQUET):
        return False
    try:
        columns = columns_of(path, delimiter=delimiter)
        if len(columns.titles) != 2:
            return False
        one, other = (columns.names(at).combine_chunks() for at in (0, 1))
    except SfumatoError:
        return False
    titles = [title.strip().lower().replace("_", "").replace(" ", "") for title in columns.titles]
    if titles[0] in _ENDS[0] and titles[1] in _ENDS[1]:
        return True
    # Two numbers of a table often overlap; two names hardly ever do unless both name people.
    numbers = all(pc.all(pc.match_substring_regex(ends, "^[0-9]+$")).as_py() for ends in (one, other))
    return (kind in BLANKS or not numbers) and _draw_from_one_set(one, other)


def _draw_from_one_set(one: pa.Array, other: pa.Array) -> bool:
    """Say whether two columns list nodes, most pairs once and few with themselves."""
    pairs = pa.table({"one": one, "other": other}).group_by(["one", "other"]).aggregate([])
    loops = int(pc.sum(pc.equal(one, other)).as_py() or 0)
    first, second = pc.unique(one), pc.unique(other)
    shared = int(pc.sum(pc.is_in(first, value_set=second)).as_py() or 0)
    nodes = len(first) + len(second) - shared
    once = pairs.num_rows >= _ONCE * len(one) and loops <= (1 - _ONCE) * len(one)
    return once and nodes >= _FEWEST and shared >= _SHARED * min(len(first), len(second))


def graph_recipe_text(proposal: GraphProposal, folder: Path, k: int) -> str:
    """Spell a proposal as a recipe with comments; the path is seen from the recipe's folder."""
    path = Path(os.path.relpath(proposal.path, folder)).as_posix()
    lines = [
        "# A recipe for sfumato, about a network. Read every line before you use it.",
        "sfumato: 1",
        'title: "A network of people"  # stands above the report, for everybody to read',
        "resources:",
        "  - name: network",
        "    kind: graph",
        f"    path: {quoted(path)}  # {proposal.holds}",
    ]
    if proposal.delimiter is not None:
        lines.append(f"    delimiter: {quoted(proposal.delimiter)}")
    lines += _options(proposal)
    lines += [
        "  # A table about the same people may stand beside it, with roles as everywhere:",
        "  # - name: people",
        "  #   path: people.csv",
        "  #   schema: {fields: [{name: id, role: person}, {name: age, role: quasi-identifier}]}",
        f"# What to promise: everybody has as many neighbours as {k - 1} others or more. Who knows more than",
        "# this number may still find people. Stronger, with more edges added, or with groups in place of",
        "# nodes:",
        f"#   - k-neighbourhood: {{k: {k}}}   # neighbours are connected as those of others are",
        f"#   - k-grouping: {{k: {k}}}        # only groups, and how many edges are in and between them",
        "# Or statistics in place of the network; beside a list of edges they need a table of all people:",
        "#   models: [differential-privacy: {epsilon: 1}]    method: dp-degree-sequence",
        "models:",
        f"  - k-degree: {{k: {k}}}",
        "# How: edges are added and none is lost. 'realise: swap' changes far fewer, and deletes some.",
        "method: k-degree",
        "output:",
        "  folder: .          # holds release/ (to share) and steward/ (to keep) afterwards",
    ]
    return "\n".join(lines) + "\n"


def _options(proposal: GraphProposal) -> list[str]:
    """Say what the file needs to be read, and what may be said besides."""
    lines = ["    graph:"] if proposal.options else []
    lines += [f"      {key}: {value}  # {_MEANING[key]}" for key, value in proposal.options.items()]
    if proposal.attributes:
        names = ", ".join(quoted(name) for name in proposal.attributes)
        more = f"label: {quoted(proposal.attributes[0])}  # publish an attribute of nodes ({names})"
        lines += [f"      # {more}"] if proposal.options else ["    # graph:", f"    #   {more}"]
    return lines
