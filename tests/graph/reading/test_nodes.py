"""Tables about nodes: joined by name, with what does not fit refused or counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput
from sfumato.graph.reading import of_pairs, with_labels, with_nodes
from tests.graph.reading.made import said, write

FRIENDS = of_pairs(pa.table({"a": ["Bob", "Ed"], "b": ["Ed", "Cy"]}))


def people(**columns: list[Any]) -> pa.Table:
    return pa.table(columns)


def test_rows_are_joined_by_name_in_any_order() -> None:
    read = with_nodes(FRIENDS, people(who=["Ed", "Cy", "Bob"], age=[3, 2, 1]), name="who", labels="age")
    assert read.names.to_pylist() == ["Bob", "Cy", "Ed"]
    assert read.attributes is not None
    assert read.attributes.column("age").to_pylist() == [1, 2, 3]
    assert said(read.network) == ["1", "2", "3"]


def test_rows_without_a_node_are_people_without_edges_only_when_said() -> None:
    table = people(who=["Ed", "Amy", "Cy", "Bob"], job=["x", "y", None, "x"])
    with pytest.raises(
        BadInput, match=r"1 of 4 rows belong to no node, and 0 of 3 nodes have no row"
    ) as problem:
        with_nodes(FRIENDS, table, name="who")
    assert "Amy" not in str(problem.value)
    added = with_nodes(FRIENDS, table, name="who", labels="job", isolated="add")
    assert added.names.to_pylist() == ["Amy", "Bob", "Cy", "Ed"]
    assert added.network.pairs().tolist() == [[1, 3], [2, 3]]
    assert said(added.network) == ["y", "x", "", "x"]
    assert (added.told["rows_added"], added.told["isolated"], added.told["unlabelled"]) == (1, 1, 1)
    dropped = with_nodes(FRIENDS, table, name="who", isolated="drop")
    assert (dropped.network.nodes, dropped.told["rows_dropped"]) == (3, 1)


def test_nodes_without_a_row_are_kept_only_when_said() -> None:
    table = people(who=["Ed", "Bob"], job=["x", "y"])
    with pytest.raises(BadInput, match="1 of 3 nodes have no row"):
        with_nodes(FRIENDS, table, name="who")
    read = with_nodes(FRIENDS, table, name="who", without_row="keep")
    assert read.attributes is not None
    assert read.attributes.column("job").to_pylist() == ["y", None, "x"]
    assert read.told["nodes_without_row"] == 1


@pytest.mark.parametrize("suffix", ["csv", "csv.gz"])
def test_a_file_of_names_alone_adds_people(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path, f"n.{suffix}", "who\nEd\nBob\nCy\nZoë\n")
    read = with_nodes(FRIENDS, path, name="who", isolated="add")
    assert (read.network.nodes, read.attributes) == (4, None)


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (people(who=["Ed", "Ed", "Bob", "Cy"]), {}, "1 of 4 rows are not the first of their name"),
        (people(who=["Ed", None, "Bob"]), {}, r"1 of 3 names are missing \(first in row 2\)"),
        (people(name=["Ed"]), {}, "no column 'who'"),
        (people(who=[1.5]), {}, "type double"),
        (people(who=["Ed", "Bob", "Cy"]), {"labels": "job"}, "no attribute 'job'"),
        (people(who=["Ed", "Bob", "Cy"], j=[[1], [2], [3]]), {"labels": "j"}, "no plain values"),
        (people(who=["Ed"]), {"isolated": "maybe"}, "isolated cannot be 'maybe'"),
        (people(who=["Ed"]), {"without_row": "maybe"}, "without_row cannot be 'maybe'"),
    ],
)
def test_bad_tables_are_refused(table: pa.Table, options: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message) as problem:
        with_nodes(FRIENDS, table, name="who", **options)
    assert "Bob" not in str(problem.value)


def test_numbers_of_a_table_match_numbers_of_an_array() -> None:
    read = with_nodes(of_pairs(np.array([[3, 20]])), people(who=[20, 3, 1]), name="who", isolated="add")
    assert (read.names.to_pylist(), read.network.pairs().tolist()) == (["1", "3", "20"], [[1, 2]])


def test_labels_of_a_network_without_attributes_are_refused() -> None:
    with pytest.raises(BadInput, match="no attribute 'job'; there are none"):
        with_labels(FRIENDS, "job")
