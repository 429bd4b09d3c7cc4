"""Compiled kernels: kept for the next process, never stale, nobody else's setting."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba

from sfumato.core import jit

USE = """
import numba
before = numba.config.CACHE_DIR
from sfumato.core.jit import cache_root, is_compiled
print(is_compiled())
import numpy as np
from sfumato.table.methods.lattice._kernels_bounds import meet
assert numba.config.CACHE_DIR == before
shape = np.array([2, 2], np.int64)
meet(np.array([3], np.int64), 1, np.array([2, 1], np.int64), shape, np.zeros(2, np.int64))
print(is_compiled(), sum(meet.stats.cache_hits.values()), cache_root())
"""


def use(**environment: str) -> list[str]:
    command = [sys.executable, "-c", USE]
    return subprocess.check_output(command, env={**os.environ, **environment}, text=True, timeout=120).split()


def test_kernels_are_compiled_once_and_read_from_the_cache_afterwards(tmp_path: Path) -> None:
    before, after, hits, folder = use(SFUMATO_CACHE=str(tmp_path))
    assert (before, after, hits) == ("False", "True", "0")
    assert folder.startswith(str(tmp_path))
    before, after, hits, _ = use(SFUMATO_CACHE=str(tmp_path))
    assert (before, after, hits) == ("True", "True", "1")


def test_without_a_place_to_keep_them_kernels_work_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    _, after, _, folder = use(SFUMATO_CACHE=str(tmp_path / "file"))
    assert after == "True"
    assert not Path(folder).exists()


def test_a_cache_folder_depends_on_its_source_and_on_the_kernels_that_it_imports(tmp_path: Path) -> None:
    rules = next(source for source in jit.kernel_sources() if source.name == "_kernels_rules.py")
    caller = tmp_path / "_kernels_caller.py"
    caller.write_text("from sfumato.table._kernels_rules import at_least\n")
    assert jit.imported_kernels(caller) == sorted([caller, rules])
    alone = tmp_path / "_kernels_alone.py"
    alone.write_text("x = 1\n")
    assert jit.imported_kernels(alone) == [alone]
    first = jit.cache_folder(alone)
    jit.cache_folder.cache_clear()
    alone.write_text("x = 2\n")
    assert jit.cache_folder(alone) != first
    assert first.parent == jit.cache_root()
    assert str(first) != numba.config.CACHE_DIR


def test_every_import_of_kernels_by_kernels_is_seen() -> None:
    sources = jit.kernel_sources()
    assert len(sources) >= 5
    assert all(source.name.startswith("_kernels") for source in sources)
    for source in sources:
        mentioned = {line.split()[1] for line in source.read_text().splitlines() if "._kernels" in line}
        found = {path.stem for path in jit.imported_kernels(source)} - {source.stem}
        assert {module.rsplit(".", 1)[-1] for module in mentioned} <= found


def test_a_cache_that_refuses_costs_time_and_not_the_run(tmp_path: Path) -> None:
    """A file in the place of a folder, as a sealed folder would be: root is bound by it, too."""
    _, _, _, root = use(SFUMATO_CACHE=str(tmp_path))
    for folder in Path(root).iterdir():
        shutil.rmtree(folder)
        folder.write_text("in the way")
    _, after, hits, _ = use(SFUMATO_CACHE=str(tmp_path))
    assert (after, hits) == ("False", "0")


def test_a_disk_that_becomes_full_while_kernels_are_saved_does_not_break_the_run(tmp_path: Path) -> None:
    limited = (
        "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))\n"
    )
    command = [sys.executable, "-c", limited + USE]
    environment = {**os.environ, "SFUMATO_CACHE": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.rglob("*.nbc"))


def test_damaged_files_of_the_cache_are_compiled_anew(tmp_path: Path) -> None:
    use(SFUMATO_CACHE=str(tmp_path))
    for path in [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]:
        path.write_bytes(path.read_bytes()[:40])
    _, _, hits, _ = use(SFUMATO_CACHE=str(tmp_path))
    assert hits == "0"
