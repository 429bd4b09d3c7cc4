"""Spark: the engine for data that are too much for one process.

Counting and recoding run in Spark, as the same statements as everywhere, transpiled. Files go through
one strict door for both engines: Spark's own CSV reader pads short lines, cuts long ones, replaces
letters that it cannot decode and swallows quotes that are never closed, so DuckDB (part of every
installation) parses CSV, frames and database tables into one private Parquet file, which Spark then
reads in parallel. On the way out Spark writes its parts in order and DuckDB streams them into one
file. What is read, what is refused and how it is written are thus the same to the letter.

Because every table begins as one Parquet file, Spark knows the number of each row for nothing (it is
computed only when asked for): source order is exact, however rows travel through joins.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import sqlglot
from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # Py4J ships no types
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 (the name that every Spark user knows)

from sfumato.core.errors import BadInput, MissingPart, SfumatoError
from sfumato.core.memory import half_of_memory, in_bytes
from sfumato.core.system import explained
from sfumato.core.temporary import new_temporary_folder
from sfumato.engine import sql
from sfumato.engine.base import SqlEngine
from sfumato.engine.contract import Column, Order, Table
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.java import find_java
from sfumato.engine.names import ROW_ID
from sfumato.engine.sources import ParquetFile, Source

# PySpark warns of pandas 3 when it is installed; rows are handed over as Parquet files, never as pandas.
warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)

_BATCH_ROWS = 100_000
_TYPES = {
    "boolean": "boolean",
    "date": "date",
    "float": "number",
    "double": "number",
    "tinyint": "integer",
    "smallint": "integer",
    "int": "integer",
    "bigint": "integer",
    "string": "string",
    "timestamp": "datetime",
    "timestamp_ntz": "datetime",
    # a column of a frame without any value
    "void": "string",
}
_SESSION = {
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    # A map of a million values still travels to the rows, not the rows to the map.
    "spark.sql.autoBroadcastJoinThreshold": str(32 << 20),
}
_ELSEWHERE = ("SPARK_LOCAL_DIRS", "SPARK_EXECUTOR_DIRS", "LOCAL_DIRS")
"""variables by which Spark would keep raw data somewhere else than in the private folder"""
_SMALLEST_HEAP = 512
"""mebibytes below which Spark does not start"""
_TO_END = 10.0
"""seconds that Java may take to end before it is ended"""


class SparkEngine(SqlEngine):
    """Rows in Spark on this machine, over loopback only. ``memory_limit`` such as ``2GB`` is Java's heap.

    A Spark session that already runs in this process on this machine is used and left running.
    """

    name = "spark"

    def __init__(self, memory_limit: str | None = None, threads: int | None = None) -> None:
        super().__init__()
        limit = in_bytes(memory_limit) if memory_limit else half_of_memory()
        self._heap = max(_SMALLEST_HEAP, limit >> 20)
        self._limits = (memory_limit, threads)
        self._folder = new_temporary_folder()
        self._gateway: Any = None
        try:
            self._session = self._open(threads)
        except BaseException:
            self.close()
            raise

    def _open(self, threads: int | None) -> SparkSession:
        running = SparkSession.getActiveSession()
        if running is None:
            find_java()
            running = self._start(threads)
        elif not running.sparkContext.master.startswith("local"):
            raise BadInput(
                "a Spark session on other machines is open, and they cannot see the files of this one",
                remedy="stop it before Sfumato starts its own",
            )
        session = running.newSession()
        for key, value in _SESSION.items():
            session.conf.set(key, value)
        session.conf.set("spark.sql.shuffle.partitions", max(8, 4 * session.sparkContext.defaultParallelism))
        return session

    def _start(self, threads: int | None) -> SparkSession:
        """Start Java and Spark quietly; everything they write to disk lies in the private folder."""
        settings = {
            "spark.app.name": "sfumato",
            "spark.master": f"local[{threads or '*'}]",
            "spark.driver.memory": f"{self._heap}m",
            "spark.driver.maxResultSize": "0",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={self._folder} -XX:-UsePerfData",
            "spark.local.dir": str(self._folder),
            "spark.sql.warehouse.dir": str(self._folder / "warehouse"),
            "spark.sql.catalogImplementation": "in-memory",
            "spark.log.level": "OFF",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }
        conf = SparkConf(loadDefaults=False)
        conf.setAll(list(settings.items()))
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            with _unset(_ELSEWHERE):
                self._gateway = launch_gateway(conf, popen_kwargs=silent)
            return SparkSession(SparkContext(conf=conf, gateway=self._gateway))
        except (PySparkException, Py4JError):
            raise MissingPart(
                "Spark does not start", remedy="check Java 17 and that the memory limit fits this machine"
            ) from None

    def close(self) -> None:
        """Stop Spark and its Java process if this engine started them; delete the temporary folder."""
        if self._gateway is not None:
            context = SparkContext._active_spark_context
            if context is not None:
                context.stop()
                SparkSession._instantiatedSession = None
            self._gateway.shutdown()
            self._gateway.proc.stdin.close()
            try:
                self._gateway.proc.wait(_TO_END)
            except subprocess.TimeoutExpired:
                self._gateway.proc.kill()
                self._gateway.proc.wait()
            # Otherwise the next engine of this process would call a Java that is gone.
            SparkContext._gateway = None
            SparkContext._jvm = None
            self._gateway = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> SparkEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, source: Source, *, row_ids: bool = False) -> Table:
        """Open a source; its rows are always numbered, at no cost while nobody asks."""
        name = self._fresh("t")
        path = self._folder / f"{name}.parquet"
        with DuckEngine(*self._limits) as files:
            table = files.read(source)
            plain = files.plain(table)
            if isinstance(source, ParquetFile) and plain is table:
                # The link has a name without letters that Spark would take for a pattern.
                path.symlink_to(source.path.resolve())
            else:
                files.write(plain, path, order=Order.KEPT)
        frame = self._session.read.parquet(str(path))
        number = frame.metadataColumn("_metadata")["row_index"] + 1
        frame.select("*", number.alias(ROW_ID)).createOrReplaceTempView(name)
        table = Table(self, name, tuple(_columns(frame)))
        numbers = [column.name for column in table.columns if column.type == "number"]
        if not numbers:
            return table
        return self._table(sql.plain_numbers(name, (*table.names, ROW_ID), numbers))

    def _query(self, statement: str) -> DataFrame:
        return self._session.sql(sqlglot.transpile(statement, read="duckdb", write="spark")[0])

    def _view(self, name: str, statement: str) -> tuple[Column, ...]:
        frame = self._query(statement)
        frame.createOrReplaceTempView(name)
        return tuple(_columns(frame))

    def _share(self, name: str, data: pa.Table) -> None:
        # Spark knows the size of a file, and so which table to send to which; of frames it does not.
        path = self._folder / f"{name}.parquet"
        typed = pa.schema(
            [pa.field(f.name, pa.string() if pa.types.is_null(f.type) else f.type) for f in data.schema]
        )
        pq.write_table(data.cast(typed), path, coerce_timestamps="us", allow_truncated_timestamps=True)
        self._session.read.parquet(str(path)).createOrReplaceTempView(name)

    def _parts(self, frame: DataFrame) -> list[Path]:
        """Run a query and return the Parquet files that Spark writes, in the order of their rows."""
        folder = self._folder / self._fresh("parts")
        try:
            frame.write.parquet(str(folder))
        except (PySparkException, Py4JError) as problem:
            raise _failed(problem) from None
        return sorted(folder.glob("part-*.parquet"))

    def _batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        parts = self._parts(self._query(statement))
        try:
            for part in parts:
                yield from pq.ParquetFile(part).iter_batches(_BATCH_ROWS)
        finally:
            shutil.rmtree(parts[0].parent)

    def _all(self, statement: str) -> pa.Table:
        return self._collected(self._query(statement))

    def _collected(self, frame: DataFrame) -> pa.Table:
        parts = self._parts(frame)
        found = pa.concat_tables([pq.ParquetFile(part).read() for part in parts])
        shutil.rmtree(parts[0].parent)
        return found

    def _number_rows(self, table: Table) -> str:
        return f"SELECT * FROM {table.name}"

    def _has_row_ids(self, table: Table) -> bool:
        return True

    def _ordered(self, table: Table, order: Order) -> DataFrame:
        """Select the columns under plain names (not every name may stand in a Parquet file), in order."""
        picked = ", ".join(f"{sql.quote(name)} AS c{i}" for i, name in enumerate(table.names))
        statement = f"SELECT {picked} FROM {table.name}"
        if order is Order.KEPT:
            return self._query(f"{statement} ORDER BY {sql.quote(ROW_ID)}")
        return self._query(statement).orderBy(F.rand(secrets.randbits(63)))

    def write(self, table: Table, path: Path, *, order: Order = Order.SHUFFLED) -> int:
        """Stream a table to one CSV (also .gz) or Parquet file."""
        parts = self._parts(self._ordered(table, order))
        with DuckEngine(*self._limits) as files:
            written = files.write(files.gather(parts, table.names), path, order=Order.KEPT)
        shutil.rmtree(parts[0].parent)
        return written

    def arrow(self, table: Table, *, order: Order = Order.KEPT) -> pa.Table:
        """Bring a table into memory."""
        return self._collected(self._ordered(table, order)).rename_columns(list(table.names))


@contextlib.contextmanager
def _unset(names: Sequence[str]) -> Iterator[None]:
    """Take variables out of the environment that a process inherits."""
    kept = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


def _columns(frame: DataFrame) -> Iterator[Column]:
    for field in frame.schema.fields:
        kind = field.dataType.simpleString()
        yield Column(field.name, "number" if kind.startswith("decimal") else _TYPES.get(kind, "other"))


def _failed(problem: Exception) -> SfumatoError:
    """Say that Spark failed without repeating its message, which may quote values."""
    clear = explained(problem, where="temporary files of Spark")
    if clear is not None:
        return clear
    kind = problem.getCondition() if isinstance(problem, PySparkException) else type(problem).__name__
    return SfumatoError(
        f"Spark could not finish the work ({kind})", remedy="check the free memory and disk space"
    )
