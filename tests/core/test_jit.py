"""Compiled kernels: kept for the next process, never stale, nobody else's setting."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba

from sfumato.core import jit

USE = """
import numba
before = numba.config.CACHE_DIR
from sfumato.core.jit import cache_folder, is_compiled
print(is_compiled())
import numpy as np
from sfumato.table.methods.lattice._kernels_bounds import meet
assert numba.config.CACHE_DIR == before
shape = np.array([2, 2], np.int64)
meet(np.array([3], np.int64), 1, np.array([2, 1], np.int64), shape, np.zeros(2, np.int64))
print(is_compiled(), sum(meet.stats.cache_hits.values()), cache_folder())
"""


def use(**environment: str) -> list[str]:
    command = [sys.executable, "-c", USE]
    return subprocess.check_output(command, env={**os.environ, **environment}, text=True).split()


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


def test_the_cache_folder_depends_on_every_kernel_source() -> None:
    sources = jit.kernel_sources()
    assert len(sources) >= 5
    assert all(source.name.startswith("_kernels") for source in sources)
    assert jit.cache_folder().parent.name == "kernels"
    assert str(jit.cache_folder()) != numba.config.CACHE_DIR
