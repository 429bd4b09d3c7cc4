"""Files and settings that cannot be used: one clear sentence each, and no value of the file in it."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Layout
from sfumato.engine.recoding import PerRecord
from sfumato.engine.sources import CsvFile, Frame, ParquetFile, source_of

SECRET = "s3cr3t"
"""stands in every broken file and may stand in no message"""


@contextmanager
def refused(says: str) -> Iterator[None]:
    with pytest.raises(SfumatoError) as problem:
        yield
    message = str(problem.value)
    assert says in message
    assert SECRET not in message
    assert "\n" not in message
    assert problem.value.remedy
    assert problem.value.__cause__ is None
    assert problem.value.__suppress_context__ or problem.value.__context__ is None


def written(folder: Path, content: bytes, name: str = "in.csv") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b"a,b,a\ns3cr3t,2,3\n", "the column 'a' is there twice (columns 1 and 3)"),
        (b"Age,age\ns3cr3t,2\n", "the column 'age' is there twice (columns 1 and 2)"),
        (b"a,,c\ns3cr3t,2,3\n", "column 2 has no name"),
        (b"a,b\n1,2\ns3cr3t\n", "line 3: the line has 1 values, the header has 2"),
        (b"a,b\n1,2\ns3cr3t,2,3\n", "line 3: the line has 3 values, the header has 2"),
        (b'a,b\n1,"two\nlines"\ns3cr3t,2,3\n', "line 4: the line has 3 values, the header has 2"),
        (b"a,b\n1,2\n3,s3cr3t\xff\n", "line 3: the text is not utf-8"),
        (b"a,b\n" + b"1,2\n" * 5000 + b"3,s3cr3t\xff\n", "line 5002: the text is not utf-8"),
        (b"a\xff,b\n1,s3cr3t\n", "line 1: the text is not utf-8"),
        (b'a,b\n1,2\n3,"s3cr3t\n', "a quote is opened and never closed"),
        (b'a,b\n1,2\n3,"s3cr3t"x\n', "a quote is opened and never closed"),
        (b"a,b\n1,2\r\n3,s3cr3t\n4,5\r\n", "the file cannot be read as CSV"),
    ],
)
def test_a_broken_csv_file_is_refused(engine: Engine, tmp_path: Path, content: bytes, says: str) -> None:
    with refused(says):
        engine.read(CsvFile(written(tmp_path, content)))
    with refused(says):
        engine.read(CsvFile(written(tmp_path, gzip.compress(content), "in.csv.gz")))


def test_a_file_that_is_not_gzip_is_refused(engine: Engine, tmp_path: Path) -> None:
    with refused("the packed file is cut short or damaged"):
        engine.read(CsvFile(written(tmp_path, b"a,b\ns3cr3t,2\n", "in.csv.gz")))


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_gzip_file_that_is_cut_short_is_refused(engine: Engine, tmp_path: Path, encoding: str) -> None:
    packed = gzip.compress(b"a,b\n" + b"".join(b"s3cr3t,%d\n" % i for i in range(200_000)))
    with refused("the packed file is cut short or damaged"):
        engine.read(CsvFile(written(tmp_path, packed[: len(packed) // 2], "in.csv.gz"), encoding=encoding))


def test_text_of_another_encoding_is_refused(engine: Engine, tmp_path: Path) -> None:
    path = written(tmp_path, b"a,b\n" + b"1,2\n" * 5000 + b"s3cr3t,\x81\n")
    with refused("line 5002: the text is not cp1252"):
        engine.read(CsvFile(path, encoding="cp1252"))
    with refused("there is no encoding 'sanskrit'"):
        engine.read(CsvFile(path, encoding="sanskrit"))


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet"])
def test_a_file_that_is_not_there_is_refused(engine: Engine, tmp_path: Path, suffix: str) -> None:
    with refused("there is no such file"):
        engine.read(source_of(tmp_path / f"in.{suffix}"))


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet"])
def test_a_folder_is_refused(engine: Engine, tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / f"in.{suffix}"
    folder.mkdir()
    with refused("this is a folder, not a file"):
        engine.read(source_of(folder))


@contextmanager
def nobody() -> Iterator[None]:
    """Give up the rights of root, who may read everything, for a moment."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet"])
def test_a_file_without_permission_is_refused(duck: Engine, tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, b"a\ns3cr3t\n", f"in.{suffix}")
    path.chmod(0)
    with refused("the file may not be read"), nobody():
        duck.read(source_of(path))


@pytest.mark.parametrize("content", [b"", b"s3cr3t", b"PAR1 s3cr3t s3cr3t PAR1"])
def test_a_file_that_is_not_parquet_is_refused(engine: Engine, tmp_path: Path, content: bytes) -> None:
    with refused("the file is not Parquet"):
        engine.read(ParquetFile(written(tmp_path, content, "in.parquet")))


def test_parquet_with_broken_pages_is_refused_when_it_is_counted(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"a": [f"{SECRET}{i}" for i in range(5000)]}), path, compression="none")
    content = bytearray(path.read_bytes())
    content[4:2000] = b"\x00" * 1996
    path.write_bytes(content)
    table = engine.read(ParquetFile(path))
    with refused("could not"):
        list(engine.count(table, ["a"]))


@pytest.mark.parametrize("name", ["in.xlsx", "in.gz", "in", "in.parquet.gz"])
def test_another_kind_of_file_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    with refused("the kind of file is not known"):
        source_of(tmp_path / name)


def test_a_type_for_a_column_that_is_not_there_is_refused(engine: Engine, tmp_path: Path) -> None:
    path = written(tmp_path, b"age,b\ns3cr3t,2\n")
    with refused("a type is declared for 'agee', which is not a column; did you mean 'age'?"):
        engine.read(CsvFile(path, types={"agee": "integer"}))
    with refused("there is no type 'interger'; did you mean 'integer'?"):
        engine.read(CsvFile(path, types={"age": "interger"}))


def test_rows_without_ids_cannot_be_recoded_one_by_one(duck: Engine) -> None:
    table = duck.read(Frame(pa.table({"a": [1]})))
    boxes = pa.table({"__box": [0], "a": ["x"]})
    with refused("the rows of the table have no ids"):
        duck.recode(
            table, PerRecord(("a",), pa.table({"__row": [1], "__box": [0]}), boxes), Layout(("a",), ("a",))
        )


def test_an_engine_that_is_not_there_is_refused() -> None:
    with refused("there is no engine 'sparc'; did you mean 'spark'?"):
        open_engine("sparc")


def test_a_memory_limit_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="such as '2GB'"):
        open_engine("duckdb", memory_limit="plenty")


def test_a_target_that_cannot_be_written_is_refused(engine: Engine, tmp_path: Path) -> None:
    table = engine.read(Frame(pa.table({"a": [SECRET]})))
    with refused("folder.csv: there is no such file or folder"):
        engine.write(table, tmp_path / "no" / "such" / "folder.csv")
