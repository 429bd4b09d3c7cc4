"""Reading networks for the terminal: what options say of a file, and remedies in the words of options."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sfumato.core.errors import BadInput
from sfumato.core.files import Unreadable, open_unpacked
from sfumato.graph.reading import Read, open_network, with_nodes
from sfumato.graph.reading.columns import PARQUET, QUOTED, kind_of
from sfumato.graph.reading.open import GML
from sfumato.graph.reading.policy import ERROR

MARKED = (*GML, ".graphml", ".edges", ".edgelist", ".el")
"""files that hold networks whatever is in them"""
_SAID = re.compile(r"(\w+)='(\w+)'")


@dataclass(frozen=True)
class Reading:
    """What options say of a file; None where they say nothing. What a network cannot hold is refused unless
    they allow it."""

    source: str | None = None
    target: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    name: str | None = None
    label: str | None = None
    loops: str = ERROR
    repeated: str = ERROR
    directed: str = ERROR
    weights: str = ERROR
    edgeless: str = ERROR
    people: Path | None = None
    person: str | None = None

    def read(self, path: Path) -> Read:
        """Read a file, and what a table says of its nodes."""
        if (self.source is None) != (self.target is None):
            missing = "--target" if self.target is None else "--source"
            raise BadInput("only one end of an edge is named", where=missing, remedy="name both, or none")
        if (self.people is None) != (self.person is None):
            missing = "--person" if self.person is None else "--people"
            raise BadInput(
                "a table about nodes has a column with their names",
                where=missing,
                remedy="give both --people and --person",
            )
        ends = None if self.source is None or self.target is None else (self.source, self.target)
        try:
            read = open_network(
                path,
                columns=ends,
                header=self.header,
                delimiter=self.delimiter,
                name=self.name,
                labels=self.label if self.people is None else None,
                loops=self.loops,
                repeated=self.repeated,
                directed=self.directed,
                weights=self.weights,
                edgeless=self.edgeless,
            )
            if self.people is None or self.person is None:
                return read
            # Rows without an edge are people, too: that is what such a table is for.
            return with_nodes(
                read, self.people, name=self.person, labels=self.label, isolated="add", without_row="keep"
            )
        except BadInput as problem:
            problem.remedy = _in_options(problem.remedy)
            raise

    def tidied(self) -> Reading:
        """Return how an adversary's own file is read, who takes from it what is of use."""
        return Reading(
            delimiter=self.delimiter,
            loops="drop",
            repeated="merge",
            directed="ignore",
            weights="drop",
            edgeless="keep",
        )


def _in_options(remedy: str) -> str:
    """Turn what to say in Python into what to type.

    >>> _in_options("say loops='drop' if they mean nothing")
    'give --loops drop if they mean nothing'
    """
    told = remedy.replace(", or name the columns to leave out in 'without'", "")
    told = told.replace("header=True", "--header").replace("header=False", "--no-header")
    told = _SAID.sub(r"--\1 \2", told)
    return re.sub(r"\bsay (?=--)", "give ", told)


def is_network_file(path: Path) -> bool:
    """Say whether a file is called as networks are, or is a list of edges by what its two columns hold.

    Only the first line of a table is read unless it has two columns.
    """
    kind = kind_of(path)
    if kind in MARKED:
        return True
    if not path.is_file() or kind not in (*QUOTED, *PARQUET) or not _has_two_columns(path, kind):
        return False
    from sfumato.recipe.graph.init import looks_like_edges

    return looks_like_edges(path)


def _has_two_columns(path: Path, kind: str) -> bool:
    try:
        if kind in PARQUET:
            return len(pq.read_schema(path)) == 2
        with open_unpacked(path, packed=path.suffix.lower() == ".gz") as file:
            line = file.readline(1 << 16)
    except (Unreadable, OSError, EOFError, zlib.error, pa.ArrowException):
        return False
    return any(line.count(mark) == 1 for mark in (b",", b"\t", b";"))


def places_of(names: pa.StringArray, among: pa.StringArray) -> pa.Array:
    """Return where each name stands among others, missing where it does not."""
    return pc.index_in(names, value_set=among)
