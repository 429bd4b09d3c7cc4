"""One file for all engines: whatever runs below, rows are read, counted, recoded and written alike."""

from __future__ import annotations

import datetime as dt
import gzip
import itertools
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine, Layout, Order, Suppressed
from sfumato.engine.recoding import PerAttribute, PerCell, PerRecord
from sfumato.engine.sources import CsvFile, Frame, ParquetFile
from tests.engine.tables import Rows, content, counted, csv, load, mapping
from tests.oracles import engine as oracle


class TestMissing:
    def test_missing_is_a_group_of_its_own(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", None, "x", None, None], "b": [1, 1, None, None, None]})
        assert counted(engine, table, ["a"]) == {("x",): (2, 2), (None,): (3, 3)}
        assert counted(engine, table, ["a", "b"]) == {
            ("x", 1): (1, 1),
            (None, 1): (1, 1),
            ("x", None): (1, 1),
            (None, None): (2, 2),
        }

    def test_a_row_without_a_person_adds_none(self, engine: Engine) -> None:
        table = load(engine, {"who": ["x", None, None, "x", "y"], "q": ["a", "a", "b", "a", "a"]})
        assert counted(engine, table, ["q"], "who") == {("a",): (4, 2), ("b",): (1, 0)}

    def test_a_missing_key_finds_its_label(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", None, "y"], "s": [1, 2, 3]})
        maps = {"a": mapping({"x": "low", "y": "low", None: "unknown"})}
        recoded = engine.recode(table, PerAttribute(("a",), maps), Layout(("a", "s"), ("a",)))
        assert content(engine, recoded) == [("low", 1), ("unknown", 2), ("low", 3)]

    def test_a_label_may_be_missing(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", None], "s": [1, 2]})
        maps = {"a": mapping({"x": "low", None: None})}
        recoded = engine.recode(table, PerAttribute(("a",), maps), Layout(("a", "s"), ("a",)))
        assert content(engine, recoded) == [("low", 1), (None, 2)]

    def test_a_column_without_any_value_is_recoded(self, engine: Engine) -> None:
        table = load(engine, {"a": pa.array([None, None], pa.string()), "s": [1, 2]})
        maps = {"a": mapping({None: "unknown"})}
        recoded = engine.recode(table, PerAttribute(("a",), maps), Layout(("a", "s"), ("a",)))
        assert content(engine, recoded) == [("unknown", 1), ("unknown", 2)]

    def test_a_suppressed_combination_may_hold_missing(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", None, None], "b": [1, None, 2], "s": ["p", "q", "r"]})
        maps = {"a": mapping({"x": "low", None: None})}
        out = pa.table({"a": pa.array([None], pa.string()), "b": pa.array([None], pa.int64())})
        recoded = engine.recode(
            table, PerAttribute(("a", "b"), maps, out), Layout(("a", "b", "s"), ("a", "b"), ("s",))
        )
        assert content(engine, recoded) == [("low", 1, "p"), (None, 2, "r")]

    def test_a_cell_with_missing_values_has_its_box(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", None, "x", None], "b": [1, 1, None, None], "s": [1, 2, 3, 4]})
        cells = pa.table({"a": ["x", None, "x", None], "b": [1, 1, None, None], "__box": [0, 0, 1, None]})
        boxes = pa.table({"__box": [0, 1], "a": ["x|?", None], "b": ["1", "?"]})
        recoded = engine.recode(table, PerCell(("a", "b"), cells, boxes), Layout(("a", "b", "s"), ("a", "b")))
        assert content(engine, recoded) == [("x|?", "1", 1), ("x|?", "1", 2), (None, "?", 3)]

    def test_the_texts_null_and_na_are_not_missing(self, engine: Engine, tmp_path: Path) -> None:
        table = csv(engine, tmp_path, "a,b\nNULL,1\nNA,2\n,3\nnull,4\n")
        assert content(engine, table) == [("NULL", "1"), ("NA", "2"), (None, "3"), ("null", "4")]

    def test_other_texts_can_stand_for_missing(self, engine: Engine, tmp_path: Path) -> None:
        table = csv(engine, tmp_path, "a,b\nNA,1\n?,2\nx,\n", missing=("NA", "?"))
        assert content(engine, table) == [(None, "1"), (None, "2"), ("x", "")]

    def test_no_text_stands_for_missing_when_none_is_named(self, engine: Engine, tmp_path: Path) -> None:
        assert content(engine, csv(engine, tmp_path, "a,b\n,1\n", missing=())) == [("", "1")]

    def test_not_a_number_is_read_as_missing_and_both_zeros_are_one_value(self, engine: Engine) -> None:
        table = load(engine, {"f": [float("nan"), 0.0, -0.0, float("nan"), None], "s": [1, 2, 3, 4, 5]})
        assert {value: rows for (value,), (rows, _) in counted(engine, table, ["f"]).items()} == {
            0.0: 2,
            None: 3,
        }
        maps = {"f": mapping({0.0: "zero", None: "?"}, pa.float64())}
        recoded = engine.recode(table, PerAttribute(("f",), maps), Layout(("f",), ("f",)))
        assert content(engine, recoded) == [("?",), ("zero",), ("zero",), ("?",), ("?",)]


class TestRecoding:
    def test_each_row_has_its_box(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", "x", "y"], "s": [1, 2, 3]}, row_ids=True)
        rows = pa.table({"__row": [1, 2, 3], "__box": [7, None, 8]})
        boxes = pa.table({"__box": [7, 8], "a": ["seven", "eight"]})
        recoded = engine.recode(table, PerRecord(("a",), rows, boxes), Layout(("a", "s"), ("a",)))
        assert recoded.names == ("a", "s")
        assert content(engine, recoded) == [("seven", 1), ("eight", 3)]

    @pytest.mark.parametrize("kind", ["attribute", "cell", "record"])
    def test_suppressed_rows_are_kept_blank_when_asked(self, engine: Engine, kind: str) -> None:
        table = load(engine, {"a": [1, 2, None], "s": ["p", "q", "r"], "n": [10, 20, 30]}, row_ids=True)
        boxes = pa.table({"__box": [0], "a": ["one"]})
        if kind == "attribute":
            out = pa.table({"a": ["two", None]})
            maps = {"a": mapping({1: "one", 2: "two", None: None}, pa.int64())}
            recoding: Any = PerAttribute(("a",), maps, out)
        elif kind == "cell":
            cells = pa.table({"a": pa.array([1, 2, None], pa.int64()), "__box": [0, None, None]})
            recoding = PerCell(("a",), cells, boxes)
        else:
            recoding = PerRecord(("a",), pa.table({"__row": [1], "__box": [0]}), boxes)
        layout = Layout(("n", "a", "s"), ("a",), ("s",), Suppressed.STAR)
        expected = [(10, "one", "p"), (20, "*", None), (30, "*", None)]
        assert content(engine, engine.recode(table, recoding, layout)) == expected
        dropped = Layout(("n", "a", "s"), ("a",), ("s",), Suppressed.DROP)
        assert content(engine, engine.recode(table, recoding, dropped)) == [(10, "one", "p")]

    def test_columns_are_laid_out_as_asked_and_others_left_behind(self, engine: Engine) -> None:
        table = load(engine, {"id": [1], "a": ["x"], "b": [2], "c": [3]})
        recoded = engine.recode(table, PerAttribute(("a",), {}), Layout(("c", "a", "b"), ("a",)))
        assert recoded.names == ("c", "a", "b")
        assert content(engine, recoded) == [(3, "x", 2)]

    def test_a_column_without_a_map_keeps_its_type(self, engine: Engine) -> None:
        table = load(engine, {"a": [1, 2], "b": ["x", "y"]})
        maps = {"b": mapping({"x": "*", "y": "*"})}
        recoded = engine.recode(table, PerAttribute(("a", "b"), maps), Layout(("a", "b"), ("a", "b")))
        assert [column.type for column in recoded.columns] == ["integer", "string"]

    def test_a_recoded_table_can_be_counted(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", "y", "z"], "who": [1, 1, 2]})
        maps = {"a": mapping({"x": "xy", "y": "xy", "z": "z"})}
        recoded = engine.recode(table, PerAttribute(("a",), maps), Layout(("a", "who"), ("a",)))
        assert counted(engine, recoded, ["a"], "who") == {("xy",): (2, 1), ("z",): (1, 1)}


class TestNames:
    NAMES = (
        "rows", "persons", "value", "label", "box", "n", "c0", "c1", "row", "select", "number", "who", "t",
        "with space", 'quo"te', "tick`", "dot.ted", "ünï", "a,b;c", "_metadata", "line\nbreak", "k=v", "'",
    )  # fmt: skip

    def test_any_name_can_be_counted_and_recoded(self, engine: Engine, tmp_path: Path) -> None:
        names = self.NAMES
        data = {name: [str(i), None] for i, name in enumerate(names)}
        table = load(engine, data)
        assert table.names == names
        first, second = tuple(str(i) for i in range(len(names))), (None,) * len(names)
        assert counted(engine, table, list(names), "select") == {first: (1, 1), second: (1, 0)}
        maps = {name: mapping({str(i): f"L{i}", None: "?"}) for i, name in enumerate(names)}
        recoded = engine.recode(table, PerAttribute(names, maps), Layout(names, names))
        assert engine.write(recoded, tmp_path / "out.parquet", order=Order.KEPT) == 2
        written = pq.read_table(tmp_path / "out.parquet")
        assert tuple(written.column_names) == names
        assert [tuple(row.values()) for row in written.to_pylist()] == [
            tuple(f"L{i}" for i in range(len(names))),
            ("?",) * len(names),
        ]

    def test_a_quasi_identifier_may_be_called_box(self, engine: Engine) -> None:
        table = load(engine, {"box": ["x", "y"], "row": ["p", "q"]}, row_ids=True)
        cells = pa.Table.from_arrays(
            [pa.array(["x", "y"]), pa.array(["p", "q"]), pa.array([0, 1])], names=["box", "row", "__box"]
        )
        boxes = pa.Table.from_arrays(
            [pa.array([0, 1]), pa.array(["b0", "b1"]), pa.array(["r0", "r1"])], names=["__box", "box", "row"]
        )
        layout = Layout(("box", "row"), ("box", "row"))
        by_cell = engine.recode(table, PerCell(("box", "row"), cells, boxes), layout)
        assert content(engine, by_cell) == [("b0", "r0"), ("b1", "r1")]
        rows = pa.table({"__row": [1, 2], "__box": [1, 0]})
        by_row = engine.recode(table, PerRecord(("box", "row"), rows, boxes), layout)
        assert content(engine, by_row) == [("b1", "r1"), ("b0", "r0")]

    @pytest.mark.parametrize(
        "names", [["Age", "age"], ["a", "a"], ["a", " "], ["a", "__row"], ["__HIT", "a"]]
    )
    def test_names_that_repeat_are_empty_or_reserved_are_refused(
        self, engine: Engine, names: list[str], tmp_path: Path
    ) -> None:
        data = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=names)
        pq.write_table(data, tmp_path / "in.parquet")
        for source in (Frame(data), ParquetFile(tmp_path / "in.parquet")):
            with pytest.raises(BadInput, match=r"twice|no name|reserved"):
                engine.read(source)


class TestText:
    def test_values_stay_the_text_that_they_are(self, engine: Engine, tmp_path: Path) -> None:
        text = 'zip,note\n02135,"a ""b"", c"\n 7 ,"two\nlines"\n1e5,żółw 🐢\n-0,\'x\'\n#1,a\\b\n'
        assert content(engine, csv(engine, tmp_path, text)) == [
            ("02135", 'a "b", c'),
            (" 7 ", "two\nlines"),
            ("1e5", "żółw 🐢"),
            ("-0", "'x'"),
            ("#1", "a\\b"),
        ]

    @pytest.mark.parametrize("delimiter", [";", "\t", "|"])
    def test_the_delimiter_is_found(self, engine: Engine, tmp_path: Path, delimiter: str) -> None:
        text = "a,b\n1,2\n".replace(",", delimiter)
        assert content(engine, csv(engine, tmp_path, text)) == [("1", "2")]

    def test_csv_written_again_is_the_same_text(self, engine: Engine, tmp_path: Path) -> None:
        text = 'zip,note,x\n02135,"a ""b"", c",\n,"two\nlines",NA\n7,żółw,1.50\n'
        table = csv(engine, tmp_path, text)
        assert engine.write(table, tmp_path / "out.csv", order=Order.KEPT) == 3
        assert (tmp_path / "out.csv").read_bytes() == text.encode()
        assert engine.write(table, tmp_path / "out.csv.gz", order=Order.KEPT) == 3
        assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()) == text.encode()

    def test_an_empty_text_is_not_written_like_a_missing_one(self, engine: Engine, tmp_path: Path) -> None:
        engine.write(load(engine, {"a": ["", None], "b": ["1", "2"]}), tmp_path / "o.csv", order=Order.KEPT)
        assert (tmp_path / "o.csv").read_text() == 'a,b\n"",1\n,2\n'

    @pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-8-sig"])
    def test_other_encodings_are_read(self, engine: Engine, tmp_path: Path, encoding: str) -> None:
        path = tmp_path / "in.csv"
        path.write_bytes("name,é\nZoë,1\n".encode(encoding))
        table = engine.read(CsvFile(path, encoding=encoding))
        assert table.names == ("name", "é")
        assert content(engine, table) == [("Zoë", "1")]

    def test_a_path_is_never_a_pattern(self, engine: Engine, tmp_path: Path) -> None:
        for name, value in (("d[1]", 1), ("d1", 2), ("s*r", 3), ("star", 4), ("_x", 5)):
            pq.write_table(pa.table({"v": [value]}), tmp_path / f"{name}.parquet")
            (tmp_path / f"{name}.csv").write_text(f"v\n{value}\n")
        for name, value in (("d[1]", 1), ("s*r", 3), ("_x", 5)):
            assert content(engine, engine.read(ParquetFile(tmp_path / f"{name}.parquet"))) == [(value,)]
            assert content(engine, engine.read(CsvFile(tmp_path / f"{name}.csv"))) == [(str(value),)]


class TestSizes:
    def test_a_header_alone_is_a_table_without_rows(self, engine: Engine, tmp_path: Path) -> None:
        table = csv(engine, tmp_path, "a,b\n")
        assert engine.rows(table) == 0
        assert counted(engine, table, ["a"]) == {}
        assert content(engine, table) == []
        assert engine.write(table, tmp_path / "out.csv") == 0
        assert (tmp_path / "out.csv").read_text() == "a,b\n"
        assert engine.first_rows(table, ["a"], pa.table({"a": ["x"]})) == []

    def test_a_frame_without_rows_is_recoded(self, engine: Engine) -> None:
        table = load(engine, {"a": pa.array([], pa.string()), "s": pa.array([], pa.int64())})
        maps = {"a": mapping({"x": "y"})}
        recoded = engine.recode(table, PerAttribute(("a",), maps), Layout(("a", "s"), ("a",)))
        assert content(engine, recoded) == []

    def test_one_row(self, engine: Engine, tmp_path: Path) -> None:
        table = csv(engine, tmp_path, "a\nx\n")
        assert engine.rows(table) == 1
        assert counted(engine, table, ["a"]) == {("x",): (1, 1)}


class TestTypes:
    def test_declared_types_are_cast(self, engine: Engine, tmp_path: Path) -> None:
        text = "i,f,b,d,t,s\n-7,2.5,true,2024-02-29,2024-02-29T10:30:00,007\n,,,,,\n"
        types = {"i": "integer", "f": "number", "b": "boolean", "d": "date", "t": "datetime", "s": "string"}
        table = csv(engine, tmp_path, text, types=types)
        assert [column.type for column in table.columns] == list(types.values())
        moment = dt.datetime(2024, 2, 29, 10, 30)
        assert content(engine, table) == [(-7, 2.5, True, dt.date(2024, 2, 29), moment, "007"), (None,) * 6]

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            ("integer", "1.5"),
            ("integer", "12,0"),
            ("number", "nan"),
            ("boolean", "maybe"),
            ("date", "2024-02-30"),
            ("date", "2024-02-29 10:00:00"),
            ("datetime", "2024-02-29 10:00:00+02"),
        ],
    )
    def test_a_value_of_another_type_is_refused_not_changed(
        self, engine: Engine, tmp_path: Path, kind: str, value: str
    ) -> None:
        with pytest.raises(BadInput) as problem:
            csv(engine, tmp_path, f'a,b\n,1\n"{value}",2\n', types={"a": kind})
        assert f"1 value is not of the type {kind} (first in row 2)" in str(problem.value)
        assert value not in str(problem.value)

    def test_frames_and_parquet_keep_their_types(self, engine: Engine, tmp_path: Path) -> None:
        moment = dt.datetime(1066, 10, 14, 9, 0, 0, 123456)
        data = pa.table(
            {
                "i": pa.array([2**40, None], pa.int64()),
                "small": pa.array([1, None], pa.int8()),
                "f": pa.array([-0.5, None]),
                "b": pa.array([True, None]),
                "d": pa.array([dt.date(1066, 10, 14), None]),
                "t": pa.array([moment, None], pa.timestamp("us")),
                "ns": pa.array([dt.datetime(2024, 1, 2), None], pa.timestamp("ns")),
                "m": pa.array([Decimal("12.34"), None], pa.decimal128(10, 2)),
                "s": pa.array(["x", None], pa.large_string()),
                "c": pa.array(["x", None]).dictionary_encode(),
            }
        )
        pq.write_table(data, tmp_path / "in.parquet")
        for source in (Frame(data), ParquetFile(tmp_path / "in.parquet")):
            table = engine.read(source)
            assert [column.type for column in table.columns] == [
                *("integer", "integer", "number", "boolean", "date", "datetime", "datetime", "number"),
                *("string", "string"),
            ]
            row = (2**40, 1, -0.5, True, dt.date(1066, 10, 14), moment, dt.datetime(2024, 1, 2))
            assert content(engine, table) == [(*row, Decimal("12.34"), "x", "x"), (None,) * 10]
            assert counted(engine, table, ["t", "m"]) == {
                (moment, Decimal("12.34")): (1, 1),
                (None, None): (1, 1),
            }

    def test_typed_values_are_written_alike(self, engine: Engine, tmp_path: Path) -> None:
        data = {
            "f": [0.5, 1e20, None],
            "b": [True, False, None],
            "d": [dt.date(2024, 2, 29)] * 3,
            "t": pa.array([dt.datetime(2024, 1, 2, 3, 4, 5)] * 3, pa.timestamp("us")),
            "z": pa.array(
                [dt.datetime(2024, 1, 2, 3, tzinfo=dt.UTC)] * 3, pa.timestamp("us", "Europe/London")
            ),
            "m": [Decimal("1.50")] * 3,
        }
        engine.write(load(engine, data), tmp_path / "out.csv", order=Order.KEPT)
        tail = "2024-02-29,2024-01-02 03:04:05,2024-01-02 03:00:00+00,1.50\n"
        assert (tmp_path / "out.csv").read_text() == (
            f"f,b,d,t,z,m\n0.5,true,{tail}1e+20,false,{tail},,{tail}"
        )


class TestPeople:
    ROWS: ClassVar[Rows] = [
        {"who": 1, "a": "x", "b": None},
        {"who": 1, "a": "x", "b": None},
        {"who": 1, "a": "y", "b": 1},
        {"who": 2, "a": "x", "b": None},
        {"who": 3, "a": None, "b": 1},
        {"who": 3, "a": None, "b": None},
        {"who": None, "a": "x", "b": 1},
        {"who": None, "a": "y", "b": 1},
    ]

    def test_persons_are_counted_once_in_each_cell(self, engine: Engine) -> None:
        table = engine.read(Frame(pa.Table.from_pylist(self.ROWS)))
        assert counted(engine, table, ["a", "b"], "who") == oracle.count(self.ROWS, ["a", "b"], "who")

    def test_persons_in_several_cells_are_listed_with_them(self, engine: Engine) -> None:
        table = engine.read(Frame(pa.Table.from_pylist(self.ROWS)))
        listed: list[tuple[Any, ...]] = []
        for batch in engine.spans(table, ["a", "b"], "who"):
            assert batch.schema.field(0).type == pa.int64()
            listed.extend(zip(*(column.to_pylist() for column in batch.columns), strict=True))
        numbers = [row[0] for row in listed]
        assert numbers == sorted(numbers)
        found = [{tuple(row[1:]) for row in listed if row[0] == number} for number in sorted(set(numbers))]
        expected = oracle.spans(self.ROWS, ["a", "b"], "who")
        assert len(listed) == sum(map(len, expected.values()))
        assert found == [expected[who] for who in sorted(expected)]


class TestOrder:
    N = 1000

    def test_rows_are_shuffled_unless_the_order_is_kept(self, engine: Engine, tmp_path: Path) -> None:
        table = load(engine, {"i": list(range(self.N))})
        engine.write(table, tmp_path / "kept.parquet", order=Order.KEPT)
        engine.write(table, tmp_path / "one.parquet")
        engine.write(table, tmp_path / "two.parquet")
        kept, one, two = (
            pq.read_table(tmp_path / f"{name}.parquet")["i"].to_pylist() for name in ("kept", "one", "two")
        )
        assert kept == list(range(self.N))
        assert sorted(one) == kept
        assert sorted(two) == kept
        assert len({tuple(kept), tuple(one), tuple(two)}) == 3
        in_place = sum(i == value for i, value in enumerate(one))
        assert in_place < 20
        neighbours = sum(abs(a - b) == 1 for a, b in itertools.pairwise(one))
        assert neighbours < 20

    def test_recoding_keeps_the_order_also_when_a_map_is_larger_than_the_table(self, engine: Engine) -> None:
        values = [(7 * i) % self.N for i in range(self.N)]
        table = load(engine, {"a": values, "s": list(range(self.N))})
        maps = {"a": mapping({i: f"{i:05}" for i in range(20 * self.N, -1, -1)})}
        recoded = engine.recode(table, PerAttribute(("a",), maps), Layout(("a", "s"), ("a",)))
        assert content(engine, recoded) == [(f"{value:05}", i) for i, value in enumerate(values)]

    def test_row_numbers_follow_the_source(self, engine: Engine, tmp_path: Path) -> None:
        n = 300_000
        data = pa.table({"i": pa.array(range(n)), "q": pa.array([i % 100_000 for i in range(n)])})
        pq.write_table(data, tmp_path / "in.parquet", row_group_size=50_000)
        table = engine.read(ParquetFile(tmp_path / "in.parquet"))
        assert engine.first_rows(table, ["q"], pa.table({"q": [99_999, 5]}), limit=4) == [
            *(6, 100_000, 100_006, 200_000),
        ]

    def test_row_numbers_of_missing_values_are_found(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", None, "y", None], "b": [1, None, 1, 2]})
        wanted = pa.table({"a": pa.array([None, "y"]), "b": pa.array([None, 1], pa.int64())})
        assert engine.first_rows(table, ["a", "b"], wanted) == [2, 3]


class TestSummary:
    def test_every_column_is_described(self, engine: Engine) -> None:
        table = load(engine, {"a": ["x", None, "x"], "b": [1, 2, 3], "c": pa.array([None] * 3, pa.string())})
        found = [(s.name, s.type, s.rows, s.missing, s.distinct) for s in engine.summarise(table)]
        assert found == [
            ("a", "string", 3, 1, 1),
            ("b", "integer", 3, 0, 3),
            ("c", "string", 3, 3, 0),
        ]
        assert engine.sample(table, "a") == ["x"]
        assert sorted(engine.sample(table, "b")) == [1, 2, 3]
        assert len(engine.sample(table, "b", limit=2)) == 2
