"""Edge lists as text and Parquet: what they give, and what they are refused for."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.reading import open_network
from tests.graph.reading.made import write
from tests.oracles.graph_files import by_name, listed

ANY_NAME = st.text(
    st.characters(blacklist_characters="\0\r", blacklist_categories=["Cs"]), min_size=1, max_size=6
)
NO_BLANKS = st.text(st.sampled_from("ab01-.,;|'\"ü#%"), min_size=1, max_size=4).filter(
    lambda t: t[0] not in "#%"
)
SLOW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
ALLOWED = {"loops": "drop", "repeated": "merge", "directed": "ignore", "edgeless": "keep"}


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@SLOW
@given(pairs=st.lists(st.tuples(ANY_NAME, ANY_NAME), min_size=1, max_size=8))
def test_csv_keeps_any_name_as_it_is(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    text = "".join(f"{quoted(one)},{quoted(other)}\n" for one, other in pairs)
    read = open_network(write(tmp_path, "e.csv", "from,to\n" + text), header=True, **ALLOWED)
    right = listed(pairs)
    assert by_name(read) == (right.names, right.edges)


@SLOW
@given(
    pairs=st.lists(st.tuples(NO_BLANKS, NO_BLANKS), min_size=1, max_size=8),
    mark=st.sampled_from([" ", "\t", "   "]),
    end=st.sampled_from(["\n", "\r\n", " \n", "\n\n"]),
    before=st.sampled_from(["", "# a comment\n", "% one\n# two\n", "\n"]),
)
def test_lists_between_blanks_keep_names(
    tmp_path: Path, pairs: list[tuple[str, str]], mark: str, end: str, before: str
) -> None:
    text = before + "".join(f"{one}{mark}{other}{end}" for one, other in pairs)
    read = open_network(write(tmp_path, "e.txt.gz", text), header=False, **ALLOWED)
    right = listed(pairs)
    assert by_name(read) == (right.names, right.edges)


def test_blanks_before_tabs_and_lines_are_no_part_of_names(tmp_path: Path) -> None:
    read = open_network(write(tmp_path, "e.txt", "Ann Lee \tBob\n  Bob\t Cy \r\n"))
    assert read.names.to_pylist() == ["Ann Lee", "Bob", "Cy"]


def test_comments_in_between_and_a_last_line_without_end(tmp_path: Path) -> None:
    read = open_network(write(tmp_path, "e.edges", "1 2\n# half\n2 3\n% more\n3 4"))
    assert (read.network.edges, read.told["comments"]) == (3, 2)


def test_a_first_line_with_a_number_is_a_count_and_told(tmp_path: Path) -> None:
    read = open_network(write(tmp_path, "e.txt", "9\r\n0\t1\r\n1\t2\r\n"))
    assert (read.network.nodes, read.told["counted"]) == (3, 9)
    assert str(read.told) == "the first line was taken as a number of nodes: 9."


@pytest.mark.parametrize(
    ("name", "text", "edges", "header"),
    [
        ("e.csv", "a,b\n1,2\n", 1, 1),
        ("e.csv", "0,1\n1,2\n", 2, 0),
        ("e.csv", "\ufefffrom;to\nx;y\n", 1, 1),
        ("e.tsv", "Ann Lee\tBob\nCy\tDan, junior\n", 1, 1),
        ("e.txt", "FromNodeId ToNodeId\nx y\n", 1, 1),
        ("e.txt", "one other\n1 2\n", 1, 1),
        ("e.txt", "ann bob\nbob cy\n", 2, 0),
    ],
)
def test_a_header_is_guessed_and_told(tmp_path: Path, name: str, text: str, edges: int, header: int) -> None:
    read = open_network(write(tmp_path, name, text))
    assert (read.network.edges, read.told["header"]) == (edges, header)


def test_a_header_whose_words_are_nodes_is_not_guessed(tmp_path: Path) -> None:
    path = write(tmp_path, "e.csv", "alice,bob\nbob,cathy\n")
    with pytest.raises(BadInput, match="a header or an edge") as problem:
        open_network(path)
    assert "alice" not in str(problem.value)
    assert open_network(path, header=False).network.edges == 2
    assert open_network(path, header=True).network.edges == 1


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, "e.csv", "since,one,other\n2001,a,b\n2002,b,c\n")
    read = open_network(path, columns=("one", "other"), header=True, without="since")
    assert read.names.to_pylist() == ["a", "b", "c"]
    with pytest.raises(BadInput, match="no column 'oen'; did you mean 'one'"):
        open_network(path, columns=("oen", "other"), header=True, without="since")
    with pytest.raises(BadInput, match="an edge has two ends"):
        open_network(path, columns=("one", "one"), header=True)


def test_words_of_a_guessed_header_are_in_no_message(tmp_path: Path) -> None:
    path = write(tmp_path, "e.csv", "alice,bob,friends\ncathy,dan,friends\n,ed,friends\n")
    for options in ({}, {"weights": "drop"}, {"columns": ("x", "y")}):
        with pytest.raises(BadInput) as problem:
            open_network(path, **options)
        assert not {"alice", "bob", "friends"} & set(str(problem.value).replace("'", " ").split())


def test_third_columns_are_weights(tmp_path: Path) -> None:
    path = write(tmp_path, "e.txt", "1 2 0.5\n2 3 1\n")
    with pytest.raises(BadInput, match=r"1 column stands beside.*weights='drop'"):
        open_network(path)
    assert open_network(path, weights="drop").told["columns"] == 1
    assert open_network(path, without=["3"]).network.edges == 2


@pytest.mark.parametrize("kind", [pa.int64(), pa.int32(), pa.uint64(), pa.string(), pa.large_string()])
def test_parquet_of_numbers_and_text_is_the_same(tmp_path: Path, kind: pa.DataType) -> None:
    table = pa.table({"a": ["10", "9"], "b": ["9", "2"]})
    pq.write_table(table.cast(pa.schema([("a", kind), ("b", kind)])), tmp_path / "e.parquet")
    read = open_network(tmp_path / "e.parquet")
    assert read.names.to_pylist() == ["2", "9", "10"]
    assert read.network.pairs().tolist() == [[0, 1], [1, 2]]


def test_parquet_of_fractions_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1.0], "b": [2.0]}), tmp_path / "e.parquet")
    with pytest.raises(BadInput, match="type double, which are no names"):
        open_network(tmp_path / "e.parquet")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("e.txt", b"", "the file is empty"),
        ("e.csv", b" \n\n", "the file is empty"),
        ("e.txt", b"# only\n# comments\n", "no edges"),
        ("e.txt", b"1\n2\n3\n", "one column"),
        ("e.csv", b"node\n1\n", "one column"),
        ("e.txt", b"1 2\n2 \x003\n", "line 2: the file holds a NUL"),
        ("e.csv", b"a,b\n1,2\n\xff,3\n", "line 3: the text is not UTF-8"),
        ("e.txt", b"1 2\n# note\n3\n4 5\n", "line 3: the line has another number of columns"),
        ("e.csv", b"a,b\n1,2\n1,2,3\n", "line 3: the line has another number of columns"),
        ("e.tsv", b"a\tb\n1\t2\n\t3\n", r"1 of 2 names are missing \(first in row 2\)"),
        ("e.csv", b"a,b\n1,2\n3,\n", r"1 of 2 names are missing \(first in row 2\)"),
        ("e.csv", b"a,b\n", "no nodes"),
        ("e.parquet", b"PAR1 rubbish", "not Parquet"),
        ("e.parquet", b"rubbish", "not Parquet"),
        ("e.txt", b"%%MatrixMarket matrix\n3 3 1\n1 2\n", "Matrix Market"),
        ("e.zip", b"PK\x03\x04", "kind of file is not known"),
        ("e.txt", b"\x89PNG\r\n\x1a\n\xff\xfe", "not UTF-8"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        open_network(write(tmp_path, name, content))


def test_missing_files_folders_and_torn_packages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        open_network(tmp_path / "none.csv")
    with pytest.raises(BadInput, match="this is a folder"):
        open_network(tmp_path)
    whole = gzip.compress(b"1 2\n" * 1000)
    for cut in (whole[:-4], whole[:-9], whole[:12], whole[:-8] + b"damaged!"):
        with pytest.raises(BadInput, match="cut short or damaged"):
            open_network(write(tmp_path, "torn.txt", cut))


def test_a_delimiter_is_one_sign(tmp_path: Path) -> None:
    path = write(tmp_path, "e.csv", "1:2\n2:3\n")
    assert open_network(path, delimiter=":").network.edges == 2
    for wrong in ("", "::", '"', "ü"):
        with pytest.raises(BadInput, match="a delimiter is one sign"):
            open_network(path, delimiter=wrong)
    assert open_network(write(tmp_path, "e.txt", "1:2\n2 : 3 \n"), delimiter=":").network.nodes == 3
