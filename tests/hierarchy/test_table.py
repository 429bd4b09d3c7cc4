import csv
import gzip
import tempfile
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy import HierarchyTable, UncoveredValues
from tests.oracles.hierarchy import assert_sound, counts_of_paths, leaf_counts, published

DISEASES = [
    ("HIV", "infectious", "any", "*"),
    ("flu", "infectious", "any", "*"),
    ("asthma", "lung", "any", "*"),
    ("none", "none", "none", "*"),
]


def write(folder: Path, text: str, name: str = "diseases.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def complaint(path: Path, **options: str) -> str:
    with pytest.raises(BadInput) as caught:
        HierarchyTable.read(path, **options)
    return str(caught.value)


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_file_is_read_whatever_cuts_its_lines(tmp_path: Path, delimiter: str, line_end: str) -> None:
    text = line_end.join(delimiter.join(row) for row in DISEASES)
    table = HierarchyTable.read(write(tmp_path, text))
    assert table.rows() == DISEASES
    assert table.delimiter == delimiter
    assert table == HierarchyTable.of(DISEASES)


def test_gzip_byte_order_mark_quotes_and_blank_lines_do_not_matter(tmp_path: Path) -> None:
    text = '\ufeff"a;b";"says ""x""";*\n\nc;"two\nlines";*\n\n'
    path = tmp_path / "h.csv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert HierarchyTable.read(path).rows() == [("a;b", 'says "x"', "*"), ("c", "two\nlines", "*")]


def test_commas_inside_labels_do_not_win_over_semicolons(tmp_path: Path) -> None:
    table = HierarchyTable.read(write(tmp_path, "a,b,c;[0, 5);*\nd,e,f;[0, 5);*\n"))
    assert table.leaves == ("a,b,c", "d,e,f")


def test_a_given_delimiter_is_used(tmp_path: Path) -> None:
    table = HierarchyTable.read(write(tmp_path, "a;1|*\nb;2|*\n"), delimiter="|")
    assert table.leaves == ("a;1", "b;2")


def test_leaves_are_counted_over_the_whole_table_not_over_the_data() -> None:
    ladder = HierarchyTable.of(DISEASES).ladder(Domain.of("disease", ["flu", "asthma"]))
    assert ladder.size == 4
    assert leaf_counts(ladder) == [
        {"flu": 1, "asthma": 1},
        {"infectious": 2, "lung": 1},
        {"any": 3},
        {"*": 4},
    ]


def test_a_value_that_reaches_its_group_early_is_fine() -> None:
    domain = Domain.of("disease", ["none", "flu"])
    assert published(HierarchyTable.of(DISEASES).ladder(domain), domain)["none"] == ("none",) * 3 + ("*",)


def test_numbers_of_the_data_are_found_as_they_are_written() -> None:
    domain = Domain.of("age", [30, 9.0, 2.5])
    table = HierarchyTable.of([("9", "low", "*"), ("30", "high", "*"), ("2.5", "low", "*")])
    assert table.ladder(domain).labels == (("2.5", "9", "30"), ("low", "high"), ("*",))


def test_values_outside_are_named_by_their_codes_and_not_shown() -> None:
    with pytest.raises(UncoveredValues) as caught:
        HierarchyTable.of(DISEASES).ladder(Domain.of("disease", ["flu", "gout", "zoster"]))
    assert caught.value.codes == (1, 2)
    assert "2 values are not in the hierarchy" in str(caught.value)
    assert "gout" not in str(caught.value)


def test_missing_is_apart_up_to_the_root_and_adds_a_leaf() -> None:
    domain = Domain.of("disease", ["flu", None])
    ladder = HierarchyTable.of(DISEASES).ladder(domain)
    assert published(ladder, domain)[None] == (None, None, None, "*")
    assert ladder.size == 5
    assert leaf_counts(ladder)[3] == {"*": 5}


def test_missing_joins_as_soon_as_only_a_star_is_left() -> None:
    domain = Domain.of("sex", ["f", None])
    table = HierarchyTable.of([("f", "*", "*"), ("m", "*", "*")])
    assert published(table.ladder(domain), domain)[None] == (None, "*", "*")


def test_missing_stays_apart_where_the_data_reach_one_group_of_several() -> None:
    domain = Domain.of("country", ["France", None])
    table = HierarchyTable.of([("France", "Europe"), ("Peru", "America")])
    assert published(table.ladder(domain), domain)[None] == (None, None)


def test_missing_takes_its_path_when_the_table_has_one() -> None:
    domain = Domain.of("disease", ["flu", None])
    table = HierarchyTable.of([("flu", "infectious", "*"), ("", "unknown", "*")])
    ladder = table.ladder(domain)
    assert published(ladder, domain)[None] == (None, "unknown", "*")
    assert ladder.size == 2


def test_an_empty_text_and_a_missing_value_share_the_empty_path() -> None:
    domain = Domain.of("disease", ["", None])
    ladder = HierarchyTable.of([("flu", "infectious", "*"), ("", "unknown", "*")]).ladder(domain)
    assert published(ladder, domain) == {"": ("", "unknown", "*"), None: (None, "unknown", "*")}
    assert ladder.size == 3
    assert_sound(ladder)


def test_the_same_path_twice_counts_once() -> None:
    assert HierarchyTable.of([*DISEASES, DISEASES[1]]) == HierarchyTable.of(DISEASES)


def test_a_ragged_path_is_refused_with_its_line(tmp_path: Path) -> None:
    said = complaint(write(tmp_path, "a;b;*\nc;*\n"))
    assert "diseases.csv, line 2: the path has 2 labels where the first one has 3" in said
    assert "make every path equally long" in said


def test_the_line_of_a_ragged_path_counts_blank_and_quoted_lines(tmp_path: Path) -> None:
    assert "line 5" in complaint(write(tmp_path, '"a\nx";b;*\n\nc;d;*\ne;*\n'))


def test_two_paths_for_one_value_are_refused(tmp_path: Path) -> None:
    said = complaint(write(tmp_path, "a;b;*\nc;b;*\na;d;*\n"))
    assert "lines 1 and 3: the same value has two different paths" in said


def test_groups_that_part_again_are_refused(tmp_path: Path) -> None:
    said = complaint(write(tmp_path, "a;x;u;*\nb;y;u;*\nc;x;v;*\n"))
    assert "lines 1 and 3: two values share their group at level 1 and part again at level 2" in said


@pytest.mark.parametrize(
    "text",
    ["x;A;B;A\n", "A;B;A;*\n", "x;A;B;*\ny;B;A;*\n"],
    ids=["above itself", "a value above itself", "in two paths together"],
)
def test_a_cycle_is_refused(tmp_path: Path, text: str) -> None:
    assert "the hierarchy has a cycle: a label lies above itself" in complaint(write(tmp_path, text))


def test_a_gap_is_refused(tmp_path: Path) -> None:
    assert "line 2: a label of the path is empty" in complaint(write(tmp_path, "a;b;*\nc;;*\n"))


@pytest.mark.parametrize("text", ["", "\n\n", "\r\n"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    assert "the hierarchy is empty" in complaint(write(tmp_path, text))


def test_a_file_without_groups_is_refused(tmp_path: Path) -> None:
    assert "line 1: the paths have one label only" in complaint(write(tmp_path, "a\nb\n"))


def test_text_that_is_not_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes("a;*\nü;*\n".encode("latin-1"))
    assert "h.csv, line 2: the hierarchy is not UTF-8 text; save it as UTF-8" in complaint(path)


def test_an_open_quote_is_refused_with_its_line(tmp_path: Path) -> None:
    assert "line 2" in complaint(write(tmp_path, 'a;*\n"b;*\n'))


def test_a_damaged_gzip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "h.csv.gz"
    path.write_bytes(gzip.compress(b"a;*\n" * 100)[:-12])
    assert "the packed file is cut short or damaged" in complaint(path)


def test_a_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    write(tmp_path, "a;*", "disease.csv")
    said = complaint(tmp_path / "diseases.csv")
    assert "does not exist; did you mean 'disease.csv'?" in said


def test_a_folder_is_no_hierarchy(tmp_path: Path) -> None:
    assert "this is a folder, not a file" in complaint(tmp_path)


def test_rows_in_memory_are_refused_by_their_number() -> None:
    with pytest.raises(BadInput, match="row 2 of the hierarchy: the path has 1 label where"):
        HierarchyTable.of([("a", "*"), ("b",)])
    with pytest.raises(BadInput, match="rows 1 and 2 of the hierarchy: the same value"):
        HierarchyTable.of([("a", "b"), ("a", "c")])
    with pytest.raises(BadInput, match="the hierarchy is empty"):
        HierarchyTable.of([])


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[str, ...]]:
    """Monotone tables: each level sends the groups of the level below to fewer groups."""
    leaves = draw(
        st.lists(st.text("ab c;,\"'é", min_size=1, max_size=4), min_size=1, max_size=12, unique=True)
    )
    paths = [[f"0{leaf}"] for leaf in leaves]
    for level in range(1, draw(st.integers(2, 4))):
        below = list(dict.fromkeys(path[-1] for path in paths))
        parent = {label: f"{level}{draw(st.integers(0, 3))}" for label in below}
        for path in paths:
            path.append(parent[path[-1]])
    if draw(st.booleans()):
        paths = [[*path, "*"] for path in paths]
    return [tuple(path) for path in paths]


@given(tables(), st.data())
def test_a_ladder_says_what_a_walk_through_the_paths_says(
    rows: list[tuple[str, ...]], data: st.DataObject
) -> None:
    values = data.draw(st.lists(st.sampled_from([row[0] for row in rows]), min_size=1))
    domain = Domain.of("x", values)
    ladder = HierarchyTable.of(rows).ladder(domain)
    walk = {row[0]: row for row in rows}
    assert published(ladder, domain) == {value: walk[value] for value in domain.values}
    assert leaf_counts(ladder) == counts_of_paths(rows, published(ladder, domain))
    assert ladder.size == len(rows)
    assert_sound(ladder)


@given(tables().filter(lambda rows: len(rows[0]) > 2))
def test_one_path_that_leaves_its_group_higher_up_is_noticed(rows: list[tuple[str, ...]]) -> None:
    stray = ("new", *rows[0][1:-1], "elsewhere")
    with pytest.raises(BadInput, match="part again"):
        HierarchyTable.of([*rows, stray])


@given(tables(), st.sampled_from([";", ",", "\t"]))
def test_what_is_written_as_csv_is_read_again(rows: list[tuple[str, ...]], delimiter: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "h.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
        assert HierarchyTable.read(path).rows() == rows


@given(st.lists(st.integers(-400, 400), min_size=1, max_size=12, unique=True), st.integers(0, 2), st.data())
def test_numbers_are_found_however_they_are_written(
    quarters: list[int], zeros: int, data: st.DataObject
) -> None:
    # Quarters are exact in floats and in decimals alike.
    written = [f"{quarter / 4:.{2 + zeros}f}" for quarter in quarters]
    table = HierarchyTable.of([(text, f"group {i}", "*") for i, text in enumerate(written)])
    some = data.draw(st.lists(st.sampled_from(range(len(quarters))), min_size=1, unique=True))
    for read in (float, Decimal):
        domain = Domain.of("x", [read(quarters[i]) / 4 for i in some])
        ladder = table.ladder(domain)
        groups = [ladder.labels[1][group] for group in ladder.rungs[1]]
        places = [f"group {quarters.index(round(float(value) * 4))}" for value in domain.values]
        assert groups == places


def test_texts_are_found_letter_by_letter() -> None:
    table = HierarchyTable.of([("007", "agent", "*"), ("0.0", "none", "*")])
    for text in ("7", "0"):
        with pytest.raises(UncoveredValues):
            table.ladder(Domain.of("x", [text]))


def test_a_number_with_two_paths_is_found_as_it_is_written_alone() -> None:
    table = HierarchyTable.of(
        [("0", "one", "*"), ("0.0", "other", "*"), ("1.0", "a", "*"), ("1.00", "b", "*")]
    )
    ladder = table.ladder(Domain.of("x", [0.0]))
    assert ladder.labels[1] == ("one",)
    with pytest.raises(UncoveredValues):
        table.ladder(Domain.of("x", [1.0]))
