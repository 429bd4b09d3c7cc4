"""Errors of the operating system, plain or wrapped by libraries: always the same sentence, never a value."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet, SfumatoError, SystemFault
from sfumato.core.system import could_not, error_number, explained, raise_system_fault, system_errors
from sfumato.core.temporary import temporary_folder
from sfumato.core.whole_file import write_whole

FAULTS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "quota",
    errno.EFBIG: "larger than the system allows",
    errno.EACCES: "may not be read or written",
    errno.EPERM: "may not be read or written",
    errno.EROFS: "read-only",
    errno.EIO: "reports a fault",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.ENOMEM: "the memory is not enough",
}
PATHS = {
    errno.ENAMETOOLONG: "too long",
    errno.ELOOP: "links lead in a circle",
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a part of the path is a file",
    errno.EISDIR: "this is a folder",
}
SECRET = "Lisa del Giocondo"


@pytest.mark.parametrize(("number", "said"), [*FAULTS.items(), *PATHS.items()])
def test_every_error_says_what_where_and_what_to_do(number: int, said: str) -> None:
    clear = explained(OSError(number, SECRET, "/out/.sfumato-0123456789ab/release/data.csv"))
    assert clear is not None
    assert said in clear.what
    assert clear.where == "/out/release/data.csv"
    assert clear.remedy
    assert clear.exit_code == 2
    assert SECRET not in str(clear)
    assert isinstance(clear, SystemFault if number in FAULTS else BadInput)


def words_of_duckdb(number: int) -> list[str]:
    """Two forms in which DuckDB repeats the operating system, as it writes them."""
    return [
        f'IO Error: Cannot open file "/out/a.csv": {os.strerror(number)}',
        "IO Error: Async write failed for range [offset=2, size=9]: "
        '{"exception_type":"IO","exception_message":"Could not write file \\"/out/a.csv\\": '
        f'{os.strerror(number)}","errno":"{number}"}}',
    ]


@pytest.mark.parametrize("number", [*FAULTS, *PATHS])
def test_errors_that_duckdb_wraps_are_recognised(number: int) -> None:
    for words in words_of_duckdb(number):
        clear = explained(duckdb.IOException(words))
        assert clear is not None
        # Two numbers of the system may have one meaning.
        plain = explained(OSError(number, "", "/out/a.csv"))
        assert str(clear) == str(plain)


def test_real_errors_of_libraries_are_recognised(tmp_path: Path) -> None:
    with pytest.raises(duckdb.IOException) as full:
        duckdb.connect().execute(
            "COPY (SELECT repeat('x', 100000) FROM range(100)) TO '/dev/full' (FORMAT csv)"
        )
    assert error_number(full.value) == errno.ENOSPC
    with pytest.raises(OSError, match="space") as arrow, pa.OSFile("/dev/full", "wb") as file:
        pq.write_table(pa.table({"a": [SECRET]}), file)
    assert error_number(arrow.value) == errno.ENOSPC
    with pytest.raises(duckdb.IOException) as nowhere:
        duckdb.connect().execute(f"COPY (SELECT 1) TO '{tmp_path}/no/a.csv'")
    assert error_number(nowhere.value) == errno.ENOENT
    with pytest.raises(duckdb.OutOfMemoryException) as spilled:
        duckdb.connect(config={"memory_limit": "8MB", "temp_directory": ""}).execute(
            "CREATE TABLE b AS SELECT repeat('x', 200) || i AS s FROM range(1000000) r(i)"
        )
    clear = explained(spilled.value)
    assert clear is not None
    assert "TMPDIR" in clear.remedy
    with pytest.raises(sqlite3.OperationalError) as closed:
        sqlite3.connect(tmp_path / "no" / "a.db").execute("SELECT 1")
    assert isinstance(explained(closed.value), SystemFault)


def test_an_error_behind_another_is_found() -> None:
    outer = RuntimeError(SECRET)
    outer.__cause__ = OSError(errno.EIO, "")
    assert error_number(outer) == errno.EIO

    class Wrapped(Exception):
        orig = OSError(errno.ENOSPC, "")

    assert error_number(Wrapped()) == errno.ENOSPC


@given(st.sampled_from(sorted(FAULTS)))
def test_a_value_that_reads_like_an_error_is_none(number: int) -> None:
    quoted = f"Conversion Error: Could not convert string '{os.strerror(number)}' to INT32"
    assert explained(duckdb.ConversionException(quoted)) is None
    assert explained(ValueError(os.strerror(number))) is None
    assert explained(PromiseNotMet(os.strerror(number))) is None


@pytest.mark.parametrize("number", [errno.EBADF, errno.EINVAL, errno.EPIPE, None])
def test_mistakes_of_a_program_are_not_blamed_on_the_system(number: int | None) -> None:
    problem = OSError(number, "x") if number else OSError("not a gzip file")
    assert explained(problem) is None
    with pytest.raises(OSError), system_errors("here"):  # noqa: PT011
        raise problem


def test_errors_that_are_clear_already_pass() -> None:
    said = BadInput("the column is empty")
    said.__cause__ = OSError(errno.ENOSPC, "")
    with pytest.raises(BadInput) as passed, system_errors("here"):
        raise said
    assert passed.value is said
    raise_system_fault(said)
    with pytest.raises(SystemFault):
        raise_system_fault(MemoryError())


@given(st.text(max_size=30))
def test_a_path_cannot_move_the_cursor_of_a_terminal(name: str) -> None:
    clear = explained(OSError(errno.ENOSPC, "", f"a\x1b[2J\n{name}"))
    assert clear is not None
    assert str(clear).isprintable()


def test_what_could_not_be_done_keeps_its_own_words() -> None:
    clear = could_not(UnicodeDecodeError("utf-8", b"x", 0, 1, SECRET), "the vault cannot be read", where="v")
    assert isinstance(clear, SfumatoError)
    assert str(clear) == "v: the vault cannot be read; check the path"


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_whole(path, "first")
    path.chmod(0o640)
    write_whole(path, b"second")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("second", 0o640)
    with pytest.raises(FileExistsError):
        write_whole(path, "third", new=True)
    write_whole(tmp_path / "mine", "x", private=True, new=True)
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o600
    (tmp_path / "link").symlink_to(path)
    write_whole(tmp_path / "link", "through")
    assert (tmp_path / "link").is_symlink()
    assert path.read_text() == "through"
    (tmp_path / "loop").symlink_to("loop")
    write_whole(tmp_path / "loop", "no link any more")
    (tmp_path / "loop").unlink()
    write_whole(Path("/dev/null"), "nobody")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OSError, match="such"):
        write_whole(tmp_path / "no" / "a", "x")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "mine", "report.html"]


def test_a_temporary_file_is_not_named_but_the_folder_that_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is nobody's, and gone before anybody could look."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(SystemFault) as problem, temporary_folder() as folder:
        raise OSError(errno.ENOSPC, "No space left on device", str(folder / "nodes.csv"))
    assert problem.value.where == f"{tmp_path} (temporary files)"
    elsewhere = tmp_path / "out" / "data.csv"
    with pytest.raises(SystemFault) as problem, temporary_folder():
        raise OSError(errno.ENOSPC, "No space left on device", str(elsewhere))
    assert problem.value.where == str(elsewhere)
