"""What is special about Spark: it starts and stops a Java of its own, and stays on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput, MissingPart
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine
from sfumato.engine.java import find_java
from sfumato.engine.sources import Frame


def fake_java(folder: Path, says: str) -> None:
    (folder / "bin").mkdir()
    java = folder / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho 'Picked up JAVA_TOOL_OPTIONS: -Dx' >&2\necho '{says}' >&2\n")
    java.chmod(0o755)


@pytest.mark.parametrize("version", ["17.0.15", "21", "25.0.1"])
def test_java_17_and_newer_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    fake_java(tmp_path, f'openjdk version "{version}" 2025-04-15')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert find_java() == tmp_path / "bin" / "java"


@pytest.mark.parametrize("version", ["1.8.0_402", "11.0.2", "16"])
def test_an_older_java_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    fake_java(tmp_path, f'openjdk version "{version}"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingPart, match="needs Java 17 or newer; install Java 17"):
        find_java()


def test_without_java_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart, match="none was found; install Java 17"):
        find_java()


def test_the_engine_needs_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spark = pytest.importorskip("sfumato.engine.spark", reason="PySpark is not installed")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setattr(spark.SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setattr(spark, "new_temporary_folder", lambda: tmp_path / "private")
    (tmp_path / "private").mkdir()
    with pytest.raises(MissingPart, match="install Java 17"):
        spark.SparkEngine()
    assert not (tmp_path / "private").exists()


def test_a_memory_limit_that_is_none_is_refused() -> None:
    spark = pytest.importorskip("sfumato.engine.spark", reason="PySpark is not installed")
    with pytest.raises(BadInput, match="such as '2GB'"):
        spark.SparkEngine("plenty")


@pytest.mark.java
@pytest.mark.xdist_group("spark")
class TestRunning:
    def test_nothing_listens_beyond_this_machine(self, spark: Engine) -> None:
        psutil = pytest.importorskip("psutil", reason="psutil (a part of pgserver) is not installed")
        java = psutil.Process(spark._gateway.proc.pid)  # type: ignore[attr-defined]
        processes = [java, *java.children(recursive=True)]
        listening = {
            connection.laddr.ip.removeprefix("::ffff:")
            for process in processes
            for connection in process.net_connections()
            if connection.status == psutil.CONN_LISTEN
        }
        assert listening == {"127.0.0.1"}

    def test_what_was_computed_is_not_left_on_disk(self, spark: Engine) -> None:
        folder = spark._folder  # type: ignore[attr-defined]
        before = set(folder.glob("parts_*"))
        table = spark.read(Frame(pa.table({"a": [1, 2]})))
        list(spark.count(table, ["a"]))
        spark.arrow(table)
        assert set(folder.glob("parts_*")) <= before
        assert os.stat(folder).st_mode & 0o077 == 0

    def test_a_second_engine_shares_spark_and_leaves_it_running(self, spark: Engine) -> None:
        first = spark.read(Frame(pa.table({"a": [1, 2]})))
        second = open_engine("spark")
        assert second.rows(second.read(Frame(pa.table({"a": [1, 2, 3]})))) == 3
        second.close()
        assert spark.rows(first) == 2
