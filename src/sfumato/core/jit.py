"""How kernels are compiled: one decorator, cache folders that can never answer with stale code.

Numba's own cache does not notice a change in a jitted function of *another* file. So the cache folder
of a file is named by a hash of its source, of every kernel file that it imports, and of the versions
that compiled it.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import pickle
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

from sfumato.core.caches import cache_base
from sfumato.core.temporary import folder_beside, new_temporary_folder

_F = TypeVar("_F", bound=Callable[..., Any])
_PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^from (sfumato[\w.]*\._kernels\w*) import", re.MULTILINE)


def kernel_sources() -> list[Path]:
    """Return every file that holds kernels, in a fixed order."""
    return sorted(_PACKAGE.rglob("_kernels*.py"))


def imported_kernels(source: Path) -> list[Path]:
    """Return a kernel file and those that it imports, directly or not, in a fixed order."""
    found: set[Path] = set()
    waiting = [source]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        for module in _IMPORT.findall(file.read_text(encoding="utf-8")):
            waiting.append(_PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py"))
    return sorted(found)


@functools.cache
def cache_root() -> Path:
    """Return the folder for what these versions compiled."""
    versions = hashlib.sha256("|".join((sys.version, numba.__version__, np.__version__)).encode())
    base = cache_base()
    if base is None:
        return _passing_folder()
    return _writable(base / "sfumato" / "kernels" / versions.hexdigest()[:16])


def _writable(folder: Path) -> Path:
    """Make a folder and return it; where nothing can be written, return one that goes with the process."""
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        # A folder of somebody else may be there and refuse: only making something in it tells.
        with folder_beside(folder / "kernels", prefix=".probe-"):
            return folder
    except OSError:
        return _passing_folder()


@functools.cache
def _passing_folder() -> Path:
    """Return a folder that goes when this process ends.

    Code is then compiled anew: a folder that others can write to could hold somebody else's.
    """
    folder = new_temporary_folder("sfumato-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def cache_folder(source: Path) -> Path:
    """Return the folder for compiled kernels of exactly this source and those that it imports."""
    digest = hashlib.sha256()
    for file in imported_kernels(source):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return _writable(cache_root() / digest.hexdigest()[:16])


def is_compiled() -> bool:
    """Say whether kernels were compiled before on this machine."""
    return any(cache_root().rglob("*.nbi"))


def kernel(function: _F) -> _F:
    """Compile a plain loop over arrays; the machine code is kept for the next process."""
    # Numba looks at the setting here, once; other users of numba in this process keep theirs.
    theirs = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(Path(function.__code__.co_filename)))
    try:
        compiled: _F = numba.njit(cache=True, nogil=True, boundscheck=False)(function)
        _bear_a_broken_cache(compiled)
    finally:
        numba.config.CACHE_DIR = theirs
    return compiled


def _bear_a_broken_cache(compiled: Any) -> None:
    """Let a full disk, a folder that became read-only or a damaged file cost time, not the run.

    Numba has a place for that and uses it on Windows alone: what it cannot load it compiles, what it cannot
    save it keeps in memory.
    """
    cache = getattr(compiled, "_cache", None)
    if cache is not None:
        broken = (OSError, EOFError, pickle.UnpicklingError)
        cache._guard_against_spurious_io_errors = functools.partial(contextlib.suppress, *broken)
