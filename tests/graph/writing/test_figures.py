"""Groupings and figures read back exactly as they were written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.contract import Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.reading import read_grouped, read_statistics
from sfumato.graph.writing import write_grouped, write_statistics

SLOW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12, deadline=None)
GROUPED = Grouped(np.array([3, 2, 5]), np.array([3, 0, 7]), np.array([[0, 2], [1, 2]]), np.array([4, 1]))


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "parquet"])
@SLOW
@given(figures=st.lists(st.tuples(st.floats(), st.floats()), min_size=1, max_size=8))
def test_figures_read_back_to_the_last_bit(
    tmp_path: Path, suffix: str, figures: list[tuple[float, float]]
) -> None:
    columns = {
        "degree": np.array([one for one, _ in figures]),
        "nodes": np.array([two for _, two in figures]),
    }
    path = tmp_path / f"s.{suffix}"
    assert write_statistics(Statistics(columns, "degrees"), path) == len(figures)
    read = read_statistics(path, "degrees")
    assert (list(read.columns), read.statistic) == (["degree", "nodes"], "degrees")
    for name, column in columns.items():
        assert np.array_equal(read.columns[name], column, equal_nan=True)


def test_figures_that_cannot_be_written_or_read_are_refused(tmp_path: Path) -> None:
    figures = Statistics({"a": np.array([1.0])})
    with pytest.raises(BadInput, match="cannot be written in this kind"):
        write_statistics(figures, tmp_path / "s.txt")
    with pytest.raises(BadInput, match="there are no figures"):
        write_statistics(Statistics({}), tmp_path / "s.csv")
    (tmp_path / "s.csv").write_text("a\n1\nmany\n")
    with pytest.raises(BadInput, match="column 'a', row 2: the figure is not a number"):
        read_statistics(tmp_path / "s.csv")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("linked", [True, False])
def test_a_grouping_reads_back_equal(tmp_path: Path, suffix: str, linked: bool) -> None:
    none = np.zeros((0, 2), np.int64)
    grouped = GROUPED if linked else Grouped(GROUPED.sizes, GROUPED.inside, none, none[:, 0])
    write_grouped(grouped, tmp_path, suffix)
    read = read_grouped(tmp_path)
    for name in ("sizes", "inside", "links", "between"):
        assert np.array_equal(getattr(read, name), getattr(grouped, name))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("groups.csv", "group,size,inside\n1,3,3\n3,2,0\n", "not numbered from 1"),
        ("groups.csv", "group,size,inside\n1,3,3\n1,2,0\n", "not numbered from 1"),
        ("groups.csv", "group,size,inside\n", "not numbered from 1"),
        ("groups.csv", "group,size\n1,3\n", "no column 'inside'"),
        ("groups.csv", "group,size,inside\n1,3,4\n2,2,0\n3,5,7\n", "more inner edges than pairs"),
        (
            "links.csv",
            "one,other,between\n1,2,x\n",
            "column 'between', row 1: the value is not a whole number",
        ),
        ("links.csv", "one,other,between\n1,2,-1\n", "not a whole number"),
        ("links.csv", "one,other,between\n1,4,1\n", "another with a greater number"),
        ("links.csv", "one,other,between\n0,1,1\n", "another with a greater number"),
        ("groups.parquet", "rubbish", "holds 2 files of groups"),
    ],
)
def test_bad_groupings_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    write_grouped(GROUPED, tmp_path)
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=message):
        read_grouped(tmp_path)


def test_a_grouping_has_two_files_of_a_known_kind(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds 0 files of groups"):
        read_grouped(tmp_path)
    with pytest.raises(BadInput, match=r"cannot be written as '\.xls'"):
        write_grouped(GROUPED, tmp_path, ".xls")
