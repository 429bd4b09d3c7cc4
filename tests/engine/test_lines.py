"""JSON lines, baskets and list columns: whatever engine runs, they are read alike."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import BasketFile, Frame, JsonLines, ParquetFile, source_of
from tests.engine.tables import content


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


class TestJsonLines:
    def test_values_stay_texts_and_arrays_become_lists(self, engine: Engine, tmp_path: Path) -> None:
        lines = [
            '{"who": 1, "codes": ["02135", 401.5, null], "day": "2020-01-01"}',
            '{"who": "x", "codes": []}',
            '{"codes": null, "more": {"a": true}}',
        ]
        table = engine.read(JsonLines(_written(tmp_path / "a.jsonl", "\n".join(lines))))
        assert table.names == ("who", "codes", "day", "more")
        assert content(engine, table) == [
            ("1", ["02135", "401.5", None], "2020-01-01", None),
            ("x", [], None, None),
            (None, None, None, '{"a":true}'),
        ]

    def test_lines_may_be_arrays_and_files_packed(self, engine: Engine, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl.gz"
        path.write_bytes(gzip.compress(b'["b", "a"]\n\n[]\n'))
        assert content(engine, engine.read(source_of(path))) == [(["b", "a"],), ([],)]

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ('{"a": 1}\n{"a":\n', "line 2: the line is not JSON"),
            ('{"a": "secret"}\n["secret"]\n', "not all of one form"),
            ('{"a": "secret"}\n{"a": ["secret"]}\n', "column 'a': some values are lists and others are not"),
            ("\n \n", "the file is empty"),
            ('{"a": 1, "A": 2}\n', r"the column 'A' is there twice"),
        ],
    )
    def test_bad_lines_are_placed_and_never_quoted(
        self, duck: Engine, tmp_path: Path, text: str, complaint: str
    ) -> None:
        path = _written(tmp_path / "a.jsonl", text)
        with pytest.raises(BadInput, match=complaint) as refused:
            duck.read(JsonLines(path))
        assert str(path) in str(refused.value)
        assert "secret" not in str(refused.value)

    def test_keys_may_hold_any_letters(self, duck: Engine, tmp_path: Path) -> None:
        path = _written(tmp_path / "a.jsonl", '{"a/b~c": "1", "d.e \'f\' [0]": ["2"], "$": 3}')
        assert content(duck, duck.read(JsonLines(path))) == [("1", ["2"], "3")]

    def test_a_path_is_no_pattern(self, duck: Engine, tmp_path: Path) -> None:
        _written(tmp_path / "a1.jsonl", '{"a": "no"}')
        table = duck.read(JsonLines(_written(tmp_path / "a[1].jsonl", '{"a": "yes"}')))
        assert content(duck, table) == [("yes",)]


class TestBaskets:
    def test_each_line_is_a_row(self, engine: Engine, tmp_path: Path) -> None:
        table = engine.read(BasketFile(_written(tmp_path / "a.dat", "1 2\n\n3\r\n")))
        assert content(engine, table) == [("1 2",), ("",), ("3",)]

    def test_text_in_another_encoding_is_placed(self, duck: Engine, tmp_path: Path) -> None:
        path = tmp_path / "a.dat"
        path.write_bytes(b"1 2\n\xff\n")
        with pytest.raises(BadInput, match=r"a\.dat, line 2: the text is not utf-8"):
            duck.read(BasketFile(path))

    def test_a_packed_file_that_is_cut_short_is_refused(self, duck: Engine, tmp_path: Path) -> None:
        path = tmp_path / "a.dat.gz"
        path.write_bytes(gzip.compress(b"1 2\n" * 1000)[:-20])
        with pytest.raises(BadInput, match="cut short"):
            duck.read(BasketFile(path))


class TestListColumns:
    def test_lists_of_frames_and_files_stay_lists(self, engine: Engine, tmp_path: Path) -> None:
        data = pa.table({"who": [1, 2, 3], "codes": [["b", "a"], [], None]})
        pq.write_table(data, tmp_path / "a.parquet")
        for source in (Frame(data), ParquetFile(tmp_path / "a.parquet")):
            assert content(engine, engine.read(source)) == [(1, ["b", "a"]), (2, []), (3, None)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.jsonl", JsonLines),
        ("a.ndjson", JsonLines),
        ("a.ndjson.gz", JsonLines),
        ("a.dat", BasketFile),
        ("a.DAT.gz", BasketFile),
    ],
)
def test_the_suffix_chooses_the_source(name: str, kind: type) -> None:
    assert source_of(name) == kind(Path(name))
