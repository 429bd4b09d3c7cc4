"""Frames in and out: any frame that Narwhals knows comes in, the same type goes out."""

from __future__ import annotations

import re
from typing import Any

import narwhals as nw
import pyarrow as pa
from narwhals.exceptions import DuplicateError

from sfumato.core.errors import BadInput
from sfumato.engine.sources import check_names


def to_arrow(frame: Any) -> pa.Table:
    """Turn a frame into an Arrow table; the index of a pandas frame is left behind.

    A column without any value has no type of its own, and is taken as text.
    """
    table = _arrow(frame)
    for place, field in enumerate(table.schema):
        if pa.types.is_null(field.type):
            table = table.set_column(place, field.name, table.column(place).cast(pa.string()))
    return table


def _arrow(frame: Any) -> pa.Table:
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame])
    if isinstance(frame, pa.Table):
        return frame
    try:
        wrapped = nw.from_native(frame)
    except DuplicateError:
        check_names([str(name) for name in frame.columns], "the frame")
        raise
    except TypeError:
        raise BadInput(
            f"a {type(frame).__name__} is not a frame",
            remedy="give a pandas, Polars or Arrow frame, or the path of a CSV or Parquet file",
        ) from None
    if isinstance(wrapped, nw.LazyFrame):
        wrapped = wrapped.collect()
    native = wrapped.to_native()
    if type(native).__module__.startswith("pandas"):
        return _from_pandas(native)
    return wrapped.to_arrow()


def _from_pandas(frame: Any) -> pa.Table:
    check_names([str(name) for name in frame.columns], "the frame")
    try:
        return pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
    except (OverflowError, pa.ArrowNotImplementedError):
        raise BadInput(
            "a column holds whole numbers beyond 64 bits, or values that are no texts, numbers or dates",
            where="the frame",
            remedy="turn them into text",
        ) from None
    except (pa.ArrowInvalid, pa.ArrowTypeError) as problem:
        # Arrow's first sentence quotes the value; its last one names the column.
        column = re.search(r"column (.*) with type", str(problem.args[-1]), re.DOTALL)
        raise BadInput(
            "the column mixes values of several types",
            where=f"column '{column[1]}'" if column else "the frame",
            remedy="give all its values one type",
        ) from None


def like(frame: Any, data: pa.Table) -> Any:
    """Turn an Arrow table into the type of frame that came in."""
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return data
    wrapped = nw.from_native(frame)
    if isinstance(wrapped, nw.LazyFrame):
        wrapped = wrapped.collect()
    native = wrapped.to_native()
    returned = nw.from_arrow(data, backend=nw.get_native_namespace(wrapped)).to_native()
    if not type(native).__module__.startswith("pandas"):
        return returned
    # Arrow has one integer type, pandas several: columns that still fit get their own type back.
    before = to_arrow(frame).schema
    same = [name for name in data.column_names if name in before.names]
    kept = [name for name in same if before.field(name).type == data.schema.field(name).type]
    # Whole numbers and truth values of NumPy cannot be missing, as they are in blanked records.
    types = {str(name): kind for name, kind in native.dtypes.items()}
    emptied = [name for name in kept if types[name].kind in "iub" and data.column(name).null_count]
    returned = returned.astype({name: types[name] for name in kept if name not in emptied})
    pandas = nw.get_native_namespace(wrapped)
    return returned.assign(**{name: pandas.array(data.column(name).to_pylist()) for name in emptied})
