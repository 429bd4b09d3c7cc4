"""Read the network that a job is about, as its recipe allows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput
from sfumato.core.fingerprint import chunks_of
from sfumato.core.schema import is_nearly_unique
from sfumato.engine.files_read import file_of_source
from sfumato.graph.reading import Read, open_network, with_labels
from sfumato.graph.reading.policy import ERROR
from sfumato.graph.statistics import components
from sfumato.recipe.model import GraphPart

if TYPE_CHECKING:
    from sfumato.recipe.graph.people_job import PeopleJob

NetworkData = Path | Read
"""a file, or a network in memory"""

_PARAMETER = re.compile(r"\b(loops|repeated|directed|weights|header|name)='?(\w+)'?")
_ELSEWHERE = re.compile(r", or (name the columns to leave out in 'without'|say edgeless='keep')")

NAMES = "names of nodes"
BESIDE_EDGES = "columns or attributes beside the ends of edges"
OF_NODES = "attributes of nodes"
DIRECTIONS = "directions of edges"
STRIPPED = (NAMES, BESIDE_EDGES, OF_NODES, DIRECTIONS)
"""what may be told to have been left out, in this order; the first always is"""


def read_for(
    data: NetworkData,
    options: GraphPart,
    delimiter: str | None = None,
    *,
    label: str | None = None,
    edgeless: str = ERROR,
) -> Read:
    """Read a network; ``label`` is an attribute of its nodes that is published beside their edges, and
    ``edgeless`` what becomes of a network without edges."""
    if isinstance(data, Read):
        return data if label is None else with_labels(data, label)
    ends = [options.source, options.target]
    if (options.source is None) != (options.target is None):
        raise BadInput(
            "only one end of an edge is named", where="graph", remedy="name both 'source' and 'target'"
        )
    try:
        return open_network(
            data,
            columns=None if options.source is None else [str(end) for end in ends],
            header=options.header,
            delimiter=delimiter,
            name=options.name,
            labels=label,
            loops=options.loops,
            repeated=options.repeated,
            directed=options.directed,
            weights=options.weights,
            edgeless=edgeless,
        )
    except BadInput as problem:
        raise BadInput(problem.what, where=problem.where, remedy=as_recipes_say(problem.remedy)) from None


def as_recipes_say(remedy: str) -> str:
    """Spell parameters of a reader as the keys of a recipe; what recipes do not have is left out.

    >>> as_recipes_say("say weights='drop', or name the columns to leave out in 'without'")
    "say 'graph: {weights: drop}'"
    >>> as_recipes_say("say header=False if it is an edge, or header=True")
    "say 'graph: {header: false}' if it is an edge, or 'graph: {header: true}'"
    """
    kept = _ELSEWHERE.sub("", remedy)
    return _PARAMETER.sub(lambda found: f"'graph: {{{found[1]}: {found[2].lower()}}}'", kept)


def names_people(different: int, nodes: int) -> bool:
    """Say whether nearly every node has a value of an attribute for itself: then it is a name, and no label.

    >>> names_people(3, 3), names_people(2, 3), names_people(95, 100)
    (True, False, True)
    """
    return different == nodes > 1 or is_nearly_unique(different, nodes)


def stripped_of(read: Read, label: str | None = None, *, table: bool = False) -> list[str]:
    """Say what of the input is not released; attributes that come from a ``table`` are told of there."""
    others = []
    if read.attributes is not None and not table:
        others = [name for name in read.attributes.column_names if name != label]
    found = {
        NAMES: True,
        BESIDE_EDGES: bool(read.told["columns"]),
        OF_NODES: bool(others),
        DIRECTIONS: bool(read.told["one_way"]),
    }
    return [what for what in STRIPPED if found[what]]


def left_out_of(read: Read) -> dict[str, int]:
    """Return what was dropped or merged in reading, counted."""
    told: dict[str, Any] = {
        "loops": read.told["loops"],
        "repeated edges": read.told["repeated"],
        "directions": read.told["one_way"],
        "columns beside the ends of edges": read.told["columns"],
        "rows of people without a node": read.told["rows_dropped"],
    }
    return {what: number for what, number in told.items() if number}


def component_count(read: Read) -> int:
    """Return the number of connected parts."""
    return int(components(read.network).max(initial=-1)) + 1


def input_bytes(data: NetworkData) -> Iterator[bytes]:
    """Return what the fingerprint of the input is made of."""
    if isinstance(data, Path):
        yield from chunks_of(data)
    else:
        yield data.network.offsets.tobytes()
        yield data.network.neighbours.tobytes()


def network_files(data: NetworkData, people: PeopleJob | None) -> list[Path]:
    """List the files that a job over a network reads."""
    found = [data] if isinstance(data, Path) else []
    return found if people is None else [*found, *file_of_source(people.source)]
