"""Any frame comes in, the same type goes out."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.frames import like, to_arrow
from sfumato.engine.sources import Frame

DATA = {"zip": ["02135", None, "x"], "age": [30, 41, 5]}


def frames() -> list[Any]:
    return [
        pd.DataFrame(DATA, index=[7, 8, 9]),
        pl.DataFrame(DATA),
        pl.LazyFrame(DATA),
        pa.table(DATA),
        pa.RecordBatch.from_pydict(DATA),
    ]


@pytest.mark.parametrize(
    "frame", frames(), ids=lambda frame: f"{type(frame).__module__}.{type(frame).__name__}"
)
def test_every_frame_is_read_alike(duck: Engine, frame: Any) -> None:
    table = duck.read(Frame(frame))
    assert [(column.name, column.type) for column in table.columns] == [("zip", "string"), ("age", "integer")]
    assert duck.arrow(table).to_pydict() == DATA


@pytest.mark.parametrize(
    ("frame", "out"),
    list(zip(frames(), (pd.DataFrame, pl.DataFrame, pl.DataFrame, pa.Table, pa.Table), strict=True)),
)
def test_the_same_type_of_frame_goes_out(frame: Any, out: type) -> None:
    released = pa.table({"zip": ["0213*", None], "age": ["[0, 50[", "*"]})
    given_back = like(frame, released)
    assert type(given_back) is out
    assert to_arrow(given_back).to_pydict() == released.to_pydict()


def test_the_index_of_a_pandas_frame_is_left_behind() -> None:
    frame = pd.DataFrame({"a": [1, 2]}, index=pd.Index(["Ann", "Bob"], name="name"))
    assert to_arrow(frame).column_names == ["a"]
    assert to_arrow(frame).schema.metadata is None


def test_what_pandas_calls_missing_is_missing(duck: Engine) -> None:
    frame = pd.DataFrame(
        {
            "s": ["x", None, float("nan")],
            "f": [1.5, None, float("nan")],
            "i": pd.array([1, None, 2], dtype="Int64"),
            "d": pd.to_datetime(["2024-02-29", None, "2024-03-01"]),
            "o": pd.Series(["x", pd.NA, None], dtype="object"),
            "c": pd.Categorical(["u", None, "v"]),
        }
    )
    missing = {summary.name: summary.missing for summary in duck.summarise(duck.read(Frame(frame)))}
    assert missing == {"s": 2, "f": 2, "i": 1, "d": 1, "o": 2, "c": 1}


def test_columns_of_a_frame_keep_their_types(duck: Engine) -> None:
    frame = pl.DataFrame({"b": [True], "f": [1.5], "d": ["2024-02-29"], "c": ["x"]}).with_columns(
        pl.col("d").str.to_date(), pl.col("c").cast(pl.Categorical)
    )
    table = duck.read(Frame(frame))
    assert [column.type for column in table.columns] == ["boolean", "number", "date", "string"]


@pytest.mark.parametrize("thing", [3, "patients", [1, 2], {"a": [1]}, None])
def test_what_is_no_frame_is_refused(thing: Any) -> None:
    with pytest.raises(BadInput, match="is not a frame"):
        to_arrow(thing)


def test_a_frame_with_repeated_names_is_refused() -> None:
    with pytest.raises(BadInput, match="there twice"):
        to_arrow(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_column_of_a_pandas_frame_that_mixes_types_is_refused() -> None:
    with pytest.raises(BadInput) as problem:
        to_arrow(pd.DataFrame({"a": pd.Series([1, "s3cr3t"], dtype="object")}))
    assert "s3cr3t" not in str(problem.value)
    assert "'a'" in str(problem.value)


@pytest.mark.parametrize("value", [1j, 10**30], ids=["complex", "beyond 64 bits"])
def test_numbers_that_no_engine_knows_are_refused_in_words(value: Any) -> None:
    with pytest.raises(BadInput, match="turn them into text"):
        to_arrow(pd.DataFrame({"age": [30, 31], "x": [value, value]}))


def test_columns_that_are_called_by_numbers_come_back() -> None:
    frame = pd.DataFrame({"age": [30, 31], 5: [1, 2]})
    assert list(like(frame, to_arrow(frame)).columns) == ["age", "5"]
