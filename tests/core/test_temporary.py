"""Temporary files lie where the environment says, or nowhere."""

from __future__ import annotations

import ast
import os
import stat
import tempfile
from pathlib import Path

import pytest

import sfumato
from sfumato.core.caches import cache_base
from sfumato.core.errors import SystemFault
from sfumato.core.temporary import (
    VARIABLES,
    folder_beside,
    new_temporary_folder,
    temporary_folder,
    temporary_root,
)

SOURCES = Path(sfumato.__file__).parent


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", None)


@pytest.mark.parametrize("name", VARIABLES)
def test_the_folder_that_is_named_is_taken(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, str(tmp_path))
    assert temporary_root() == tmp_path
    made = new_temporary_folder()
    assert made.parent == tmp_path
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    with temporary_folder() as folder:
        assert folder.parent == tmp_path
    assert os.listdir(tmp_path) == [made.name]


@pytest.mark.parametrize("name", VARIABLES)
@pytest.mark.parametrize("bad", ["missing", "file", "file/below", "x" * 300, "loop", "nul\0"])
def test_a_folder_that_cannot_be_used_is_refused_and_no_other_is_taken(
    name: str, bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    if "\0" in bad:
        monkeypatch.setattr(os, "environ", {name: str(tmp_path / bad)})
    else:
        monkeypatch.setenv(name, str(tmp_path / bad))
    with pytest.raises(SystemFault, match="the folder for temporary files") as refused:
        new_temporary_folder()
    assert name in refused.value.where
    assert name in refused.value.remedy
    with pytest.raises(SystemFault), temporary_folder():
        pass


def test_the_first_variable_counts_and_an_empty_one_is_not_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    monkeypatch.setenv("TEMP", str(tmp_path))
    with pytest.raises(SystemFault, match="is not there"):
        temporary_root()
    monkeypatch.setenv("TMPDIR", "")
    assert temporary_root() == tmp_path


def test_without_a_name_the_ordinary_folder_is_taken_but_never_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert temporary_root() == Path(tempfile.gettempdir())
    monkeypatch.chdir(tempfile.gettempdir())
    assert temporary_root() == Path.cwd()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(SystemFault, match="there is no folder for temporary files"):
        temporary_root()


def test_a_folder_beside_a_target_lies_on_its_disk(tmp_path: Path) -> None:
    with folder_beside(tmp_path / "out") as folder:
        assert folder.parent == tmp_path
    assert not list(tmp_path.iterdir())


def test_without_a_home_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SFUMATO_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    assert cache_base() is None


def imports_of(source: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_no_other_module_makes_temporary_files_by_itself() -> None:
    users = {
        str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py") if "tempfile" in imports_of(path)
    }
    assert users == {"core/temporary.py"}


def test_duckdb_is_told_where_to_spill_wherever_rows_go_into_it() -> None:
    """By itself it would spill into the current folder. Two places hold no rows of anybody: one describes a
    file, one measures the machine on made-up rows."""
    silent = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if "duckdb.connect(" in (text := path.read_text(encoding="utf-8")) and "temp_directory" not in text
    }
    assert silent == {"query/cost.py", "query/spelling.py"}
