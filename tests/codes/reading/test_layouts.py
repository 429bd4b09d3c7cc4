"""Every layout comes down to one set for each person."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.reading import Baskets, Cells, Lists, Long, read_codes
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from tests.oracles import code_files as oracle

CODES = st.one_of(st.none(), st.sampled_from(["", " ", "401.1", " 401.1", "295", "ä;b", "(x,y)", "  z  "]))
PEOPLE = st.sampled_from(["1", "2", "10", "a", "Ä", " a"])
VISITS = st.one_of(st.none(), st.sampled_from(["", "v1", "v2", "v10"]))


def _columns(rows: list[tuple[str | None, ...]], *names: str) -> pa.Table:
    return pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)})


class TestLongTables:
    @settings(max_examples=60, deadline=None)
    @given(rows=st.lists(st.tuples(PEOPLE, CODES), min_size=1, max_size=30))
    def test_a_record_is_the_union_over_the_rows_of_a_person(
        self, duck: Engine, rows: list[tuple[str, str | None]]
    ) -> None:
        found = read_codes(duck.read(Frame(_columns(rows, "who", "code"))), Long("who", "code"))
        expected = oracle.by_person(rows)
        assert [set(record) for record in found.sets] == [codes for _, codes in expected]
        assert found.people is not None
        assert found.people.to_pylist() == [person for person, _ in expected]
        dropped = sum(code is None or not code.strip() for _, code in rows)
        kept = sum(len(codes) for _, codes in expected)
        counts = found.counts
        assert (counts.rows, counts.records, counts.occurrences) == (len(rows), len(expected), kept)
        assert (counts.missing, counts.repeated) == (dropped, len(rows) - dropped - kept)
        assert counts.empty == sum(not codes for _, codes in expected)
        assert found.sets.domain == tuple(sorted({code for _, codes in expected for code in codes}))

    @settings(max_examples=60, deadline=None)
    @given(rows=st.lists(st.tuples(PEOPLE, VISITS, CODES), min_size=1, max_size=30))
    def test_visits_are_sets_of_their_own(
        self, duck: Engine, rows: list[tuple[str, str | None, str | None]]
    ) -> None:
        found = read_codes(
            duck.read(Frame(_columns(rows, "who", "visit", "code"))), Long("who", "code", "visit")
        )
        assert found.visits is not None
        assert found.people is not None
        owners = [found.people[int(owner)].as_py() for owner in found.visits.owner]
        shown = [(who, set(visit)) for who, visit in zip(owners, found.visits.sets, strict=True)]
        assert shown == oracle.by_visit(rows)
        assert found.visits.sets.domain == found.sets.domain
        unnamed = sum(not (visit or "").strip() for _, visit, _ in rows)
        assert any("no visit" in note for note in found.notes) == bool(unnamed)

    def test_numbers_are_read_as_texts(self) -> None:
        data = pa.table({"who": [2, 10, 2], "code": [401, 295, 401]})
        assert list(read_codes(data, Long("who", "code")).sets) == [("295",), ("401",)]

    @pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
    def test_any_frame_will_do(self, frame: type) -> None:
        data = frame({"who": ["b", "a"], "code": ["401.1", None]})
        assert list(read_codes(data, Long("who", "code")).sets) == [(), ("401.1",)]

    def test_dictionary_columns_will_do(self) -> None:
        data = pa.table({"who": pa.array(["b", "a"]).dictionary_encode(), "code": ["x", "y"]})
        assert list(read_codes(data, Long("who", "code")).sets) == [("y",), ("x",)]

    def test_without_a_person_every_row_is_one_and_the_notes_say_so(self) -> None:
        found = read_codes(pa.table({"code": ["b", None, "a"]}), Long(None, "code"))
        assert list(found.sets) == [("b",), (), ("a",)]
        assert any("every row was taken as one" in note for note in found.notes)

    def test_rows_without_a_person_are_counted_and_refused(self) -> None:
        data = pa.table({"who": ["a", None, " "], "code": ["x", "secret", "y"]})
        with pytest.raises(BadInput, match="2 rows have no person") as refused:
            read_codes(data, Long("who", "code"))
        assert "secret" not in str(refused.value)

    def test_a_column_that_is_not_there_is_named(self) -> None:
        with pytest.raises(BadInput, match=r"there is no column 'cod'.*did you mean 'code'"):
            read_codes(pa.table({"who": ["a"], "code": ["x"]}), Long("who", "cod"))

    def test_visits_need_people(self) -> None:
        with pytest.raises(BadInput, match="needs the column of the person"):
            Long(None, "code", "visit")

    def test_a_file_without_rows_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "visits.csv"
        path.write_text("who,code\n", encoding="utf-8")
        with pytest.raises(BadInput, match=r"visits\.csv: there is no record"):
            read_codes(path, Long("who", "code"))

    def test_codes_that_are_lists_are_refused(self) -> None:
        with pytest.raises(BadInput, match="cannot be read as text"):
            read_codes(pa.table({"who": ["a"], "code": [["x"]]}), Long("who", "code"))

    def test_the_order_of_rows_does_not_matter(self) -> None:
        rng = np.random.default_rng(3)
        who, code = rng.integers(0, 40, 500).astype(str), rng.integers(0, 30, 500).astype(str)
        order = rng.permutation(500)
        first = read_codes(pa.table({"who": who, "code": code}), Long("who", "code"))
        again = read_codes(pa.table({"who": who[order], "code": code[order]}), Long("who", "code"))
        assert list(first.sets) == list(again.sets)

    def test_what_is_printed_holds_no_code_and_no_person(self) -> None:
        found = read_codes(pa.table({"who": ["mary"], "code": ["042"]}), Long("who", "code"))
        assert "042" not in repr(found)
        assert "mary" not in repr(found)


class TestCells:
    @settings(max_examples=60, deadline=None)
    @given(
        cells=st.lists(st.one_of(st.none(), st.text("ab ;|,.()", max_size=12)), min_size=1, max_size=12),
        separator=st.sampled_from([";", "|", ",", " "]),
    )
    def test_cells_are_cut_at_the_separator(
        self, duck: Engine, cells: list[str | None], separator: str
    ) -> None:
        table = duck.read(Frame(pa.table({"codes": pa.array(cells, pa.string())})))
        found = read_codes(table, Cells("codes", separator))
        assert [set(record) for record in found.sets] == oracle.cut_cells(cells, separator)

    @pytest.mark.parametrize(
        ("cells", "separator"),
        [
            (["a b;c", "d,e"], ";"),
            (["a b|c", "d,e"], "|"),
            (["a b, c", "d"], ","),
            (["a b", "c"], " "),
            (["a"], " "),
        ],
    )
    def test_the_separator_is_found_and_named(self, cells: list[str], separator: str) -> None:
        found = read_codes(pa.table({"codes": cells}), Cells("codes"))
        assert [set(record) for record in found.sets] == oracle.cut_cells(cells, separator)
        named = "a blank" if separator == " " else f"'{separator}'"
        assert f"{named} was taken as what separates the codes of a cell" in found.notes

    def test_an_empty_cell_is_an_empty_record_and_no_missing_code(self) -> None:
        found = read_codes(pa.table({"codes": ["a;b", "", None, " "]}), Cells("codes"))
        assert (found.counts.empty, found.counts.missing) == (3, 0)

    def test_people_may_have_several_cells(self) -> None:
        data = pa.table({"who": ["x", "y", "x"], "codes": ["a;b", "c", "b;d"]})
        assert list(read_codes(data, Cells("codes", person="who")).sets) == [("a", "b", "d"), ("c",)]

    def test_lists_are_not_cells(self) -> None:
        with pytest.raises(BadInput, match="the column holds lists"):
            read_codes(pa.table({"codes": [["a"]]}), Cells("codes"))

    def test_an_empty_separator_is_refused(self) -> None:
        with pytest.raises(BadInput, match="the separator is empty"):
            Cells("codes", "")


class TestLists:
    def test_lists_of_frames_parquet_and_json_are_read_alike(self, tmp_path: Path) -> None:
        data = pa.table({"codes": [["b", "a", "b"], [], None, [None, " c"]], "who": ["4", "3", "2", "1"]})
        pq.write_table(data, tmp_path / "sets.parquet")
        lines = ['{"who": "4", "codes": ["b", "a", "b"]}', '{"who": 3, "codes": []}', '{"who": "2"}']
        lines.append('{"who": "1", "codes": [null, " c"]}')
        (tmp_path / "sets.jsonl").write_text("\n".join(lines), encoding="utf-8")
        for source in (data, tmp_path / "sets.parquet", tmp_path / "sets.jsonl"):
            found = read_codes(source, Lists("codes"))
            assert list(found.sets) == [("a", "b"), (), (), ("c",)]
            assert (found.counts.missing, found.counts.repeated, found.counts.empty) == (1, 1, 2)
            by_person = read_codes(source, Lists("codes", "who"))
            assert list(by_person.sets) == [("c",), (), (), ("a", "b")]

    def test_lines_that_are_arrays_are_records(self, tmp_path: Path) -> None:
        (tmp_path / "sets.ndjson").write_text('["02135", "x"]\n[]\n["q"]\n', encoding="utf-8")
        assert list(read_codes(tmp_path / "sets.ndjson", Lists()).sets) == [("02135", "x"), (), ("q",)]

    def test_lists_of_numbers_and_large_lists_will_do(self) -> None:
        data = pa.table({"codes": pa.array([[401, 295], []], pa.large_list(pa.int64()))})
        assert list(read_codes(data, Lists()).sets) == [("295", "401"), ()]

    def test_cells_are_not_lists(self) -> None:
        with pytest.raises(BadInput, match="does not hold lists"):
            read_codes(pa.table({"codes": ["a;b"]}), Lists())


class TestBaskets:
    def test_a_line_is_a_record_and_an_empty_line_an_empty_one(self, tmp_path: Path) -> None:
        text = "1 2 3\n\n2  2 10 \r\n7"
        (tmp_path / "plain.dat").write_text(text, encoding="utf-8", newline="")
        (tmp_path / "packed.dat.gz").write_bytes(gzip.compress(text.encode()))
        for name in ("plain.dat", "packed.dat.gz"):
            found = read_codes(tmp_path / name, Baskets())
            assert list(found.sets) == [("1", "2", "3"), (), ("10", "2"), ("7",)]
            assert (found.counts.rows, found.counts.repeated, found.counts.missing) == (4, 1, 0)

    def test_another_file_is_refused(self) -> None:
        with pytest.raises(BadInput, match="not a file of baskets"):
            read_codes(pa.table({"codes": ["a"]}), Baskets())

    @pytest.mark.golden
    @pytest.mark.parametrize(
        ("name", "records", "items", "occurrences"),
        [("BMS-WebView-1", 59_602, 497, 149_639), ("BMS-WebView-2", 77_512, 3_340, 358_278)],
    )
    def test_the_benchmarks_have_their_known_sizes(
        self, shared: Path, name: str, records: int, items: int, occurrences: int
    ) -> None:
        counts = read_codes(shared / "data" / "codes" / "bench" / f"{name}.dat.gz", Baskets()).counts
        assert (counts.records, counts.distinct, counts.occurrences) == (records, items, occurrences)


class TestEngines:
    def test_every_engine_reads_the_same_sets(self, engine: Engine, tmp_path: Path) -> None:
        rows = pa.table(
            {"who": ["b", "a", "b"], "codes": [["y", "x"], [], ["z"]], "cell": ["1;2", None, "3"]}
        )
        table = engine.read(Frame(rows))
        assert list(read_codes(table, Lists("codes", "who")).sets) == [(), ("x", "y", "z")]
        assert list(read_codes(table, Cells("cell")).sets) == [("1", "2"), (), ("3",)]
        assert list(read_codes(table, Long("who", "cell")).sets) == [(), ("1;2", "3")]
