"""What GML and GraphML share: nodes, edges and attributes as they come, and the names of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from sfumato.core.errors import BadInput, nearest
from sfumato.graph.reading.naming import check_distinct
from sfumato.graph.reading.settle import Listing

ID = "id"
"""the name of what is a node's key in the file, where an attribute is asked for"""


@dataclass
class Marked:
    """Nodes by their keys, edges between keys, attributes of both. Filled while a file is read."""

    where: str
    directed: bool | None = None
    skipped: int = 0
    place: dict[str, int] = field(default_factory=dict, repr=False)
    values: list[Mapping[str, str]] = field(default_factory=list, repr=False)
    sources: list[str] = field(default_factory=list, repr=False)
    targets: list[str] = field(default_factory=list, repr=False)
    lines: list[int] = field(default_factory=list, repr=False)
    beside: dict[str, None] = field(default_factory=dict)

    def node(self, key: str, values: Mapping[str, str], line: int) -> None:
        """Add a node; its key must be new."""
        if key in self.place:
            raise BadInput(
                "a node has the id of an earlier node",
                where=f"{self.where}, line {line:,}",
                remedy="give every node an id of its own",
            )
        self.place[key] = len(self.place)
        self.values.append(values)

    def edge(self, source: str, target: str, values: Mapping[str, str], line: int) -> None:
        """Add an edge; its nodes may come later."""
        self.sources.append(source)
        self.targets.append(target)
        self.lines.append(line)
        self.beside.update(dict.fromkeys(values))

    def listing(self, name: str | None, default: str) -> Listing:
        """Return what was collected. Nodes are called by the attribute ``name`` (``id``: by their keys);
        without it by ``default`` where every node has one, else by their keys."""
        ends = [
            np.array([self.place.get(key, -1) for key in keys], np.int64)
            for keys in (self.sources, self.targets)
        ]
        nowhere = (ends[0] < 0) | (ends[1] < 0)
        if nowhere.any():
            raise BadInput(
                f"{int(np.count_nonzero(nowhere)):,} of {len(nowhere):,} edges lead to no node",
                where=f"{self.where}, line {self.lines[int(np.argmax(nowhere))]:,}",
                remedy="list every node",
            )
        attributes = self._attributes()
        names = self._names(name, default, attributes)
        return Listing(
            names,
            ends[0],
            ends[1],
            self.where,
            self.directed,
            tuple(self.beside),
            {"skipped": self.skipped},
            attributes if attributes.num_columns else None,
            listed=True,
        )

    def _attributes(self) -> pa.Table:
        keys = dict.fromkeys(key for values in self.values for key in values)
        return pa.table(
            {key: pa.array([values.get(key) for values in self.values], pa.string()) for key in keys}
        )

    def _names(self, name: str | None, default: str, attributes: pa.Table) -> pa.StringArray:
        known = attributes.column_names
        chosen = name or (default if default in known and not attributes.column(default).null_count else ID)
        if chosen == ID:
            return pa.array(list(self.place), pa.string())
        if chosen not in known:
            raise BadInput(
                f"no node has a '{chosen}'", where=self.where, remedy=nearest(chosen, [*known, ID])
            )
        names = attributes.column(chosen).combine_chunks()
        if names.null_count:
            raise BadInput(
                f"{names.null_count:,} nodes have no '{chosen}'", where=self.where, remedy="say name='id'"
            )
        check_distinct(names, "nodes", self.where, "say name='id' to tell nodes apart by their ids")
        return names
