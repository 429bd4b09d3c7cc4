"""A table about the nodes of a network, joined by their names; and what is published about them, the labels.

An edge list cannot say who has no edges: a row of this table can. A row whose node is in no edge is such a
person, or somebody of another study; a node without a row is a gap in the table. Both are refused unless the
caller says which. A node with two rows is always refused: nobody knows which of them is true.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.core.errors import BadInput, nearest
from sfumato.graph.network import Network
from sfumato.graph.reading.naming import as_names, check_distinct, look_alikes, ranks
from sfumato.graph.reading.read import Read
from sfumato.graph.reading.tables import place_of, table_of

_ISOLATED = ("error", "add", "drop")
_WITHOUT_ROW = ("error", "keep")


def with_nodes(
    read: Read,
    data: Any,
    *,
    name: str,
    labels: str | None = None,
    isolated: str = "error",
    without_row: str = "error",
) -> Read:
    """Join a CSV or Parquet file or a frame with the nodes of a network.

    ``name`` is the column that holds their names, spelt as in the network. ``isolated`` says what rows are
    that belong to no node: an ``error``, nodes without edges to ``add``, or rows to ``drop``. ``without_row``
    says whether a node without a row is an ``error`` or is kept (``keep``), its values missing.

    >>> from sfumato.graph.reading import of_pairs
    >>> friends = of_pairs(np.array([[1, 2], [2, 3]]))
    >>> people = pa.table({"who": [3, 2, 1, 4], "job": ["cook", "smith", "smith", "cook"]})
    >>> read = with_nodes(friends, people, name="who", labels="job", isolated="add")
    >>> read.network.nodes, read.network.labels.tolist(), read.network.words
    (4, [1, 1, 0, 0], ('cook', 'smith'))
    """
    _check_choice("isolated", isolated, _ISOLATED)
    _check_choice("without_row", without_row, _WITHOUT_ROW)
    where = place_of(data)
    table = table_of(data)
    if name not in table.column_names:
        raise BadInput(f"there is no column '{name}'", where=where, remedy=nearest(name, table.column_names))
    place = f"{where}, column '{name}'"
    names = as_names(table.column(name), name, where).cast(pa.string()).combine_chunks()
    check_distinct(names, "rows", place, "give one row for each node")
    rest = table.drop_columns([name])
    known = pc.is_in(names, value_set=read.names)
    extra = len(names) - int(pc.sum(known).as_py() or 0)
    lacking = read.network.nodes - (len(names) - extra)
    if extra and isolated == "error":
        raise BadInput(
            f"{extra:,} of {len(names):,} rows belong to no node, and {lacking:,} of "
            f"{read.network.nodes:,} nodes have no row",
            where=place,
            remedy="say isolated='add' if they are people without edges, or isolated='drop'",
        )
    if lacking and without_row == "error":
        raise BadInput(
            f"{lacking:,} of {read.network.nodes:,} nodes have no row",
            where=place,
            remedy="give a row for each node, spelt as in the network, or say without_row='keep'",
        )
    if isolated == "add" and extra:
        read = _enlarged(read, names.filter(pc.invert(known)))
    found = pc.index_in(read.names, value_set=names)
    counts = {
        "isolated": int(np.count_nonzero(read.network.degrees() == 0)),
        "alike": look_alikes(read.names),
        "rows_added": extra if isolated == "add" else 0,
        "rows_dropped": extra if isolated == "drop" else 0,
        "nodes_without_row": lacking,
    }
    if read.network.labels is not None and "" in read.network.words:
        unlabelled = read.network.labels == read.network.words.index("")
        counts["unlabelled"] = int(np.count_nonzero(unlabelled))
    attributes = rest.take(found) if rest.num_columns else None
    listed = read.listed or (isolated == "add" and without_row == "error")
    joined = replace(read, attributes=attributes, told=read.told.and_also(counts), listed=listed)
    return joined if labels is None else with_labels(joined, labels)


def _enlarged(read: Read, more: pa.StringArray) -> Read:
    """Return a network with nodes without edges, all numbered anew by the order of their names."""
    names = pa.concat_arrays([read.names, more])
    place = ranks(names)
    old = place[: len(read.names)]
    labels, words = read.network.labels, read.network.words
    if labels is not None:
        # What is not said of somebody is a label like others.
        words = words if "" in words else (*words, "")
        of_all = np.full(len(names), words.index(""), np.int32)
        of_all[old] = labels
        labels = of_all
    network = Network.of_edges(len(names), old[read.network.pairs()], labels, words)
    return Read(network, names.take(pa.array(np.argsort(place))), read.told, listed=read.listed)


def with_labels(read: Read, column: str) -> Read:
    """Take an attribute of the nodes as what is published beside their edges.

    A node without a value has the label '', which is a label like others.
    """
    known = [] if read.attributes is None else read.attributes.column_names
    if read.attributes is None or column not in known:
        raise BadInput(f"the nodes have no attribute '{column}'", remedy=nearest(column, known))
    values = read.attributes.column(column)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if pa.types.is_nested(values.type) or pa.types.is_binary(values.type):
        raise BadInput(
            "the attribute holds no plain values", where=f"column '{column}'", remedy="name another"
        )
    texts = pc.fill_null(values.cast(pa.string()), "").combine_chunks()
    words = pc.unique(texts)
    words = words.take(pc.sort_indices(words))
    labels = pc.index_in(texts, value_set=words).to_numpy(zero_copy_only=False).astype(np.int32)
    old = read.network
    network = Network(old.offsets, old.neighbours, labels, tuple(words.to_pylist()))
    without = int(pc.sum(pc.equal(texts, "")).as_py() or 0)
    return replace(read, network=network, told=read.told.and_also({"unlabelled": without}))


def _check_choice(name: str, chosen: str, known: tuple[str, ...]) -> None:
    if chosen not in known:
        raise BadInput(f"{name} cannot be '{chosen}'", remedy=nearest(str(chosen), known))
