"""How kernels are compiled: one decorator, one cache folder that can never answer with stale code.

Numba's own cache does not notice a change in a jitted function of *another* file. So the cache
folder is named by a hash of every kernel source and of the versions that compiled it, and a kernel
calls only kernels of its own file.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

_F = TypeVar("_F", bound=Callable[..., Any])
_PACKAGE = Path(__file__).resolve().parent.parent


def kernel_sources() -> list[Path]:
    """Return every file that holds kernels, in a fixed order."""
    return sorted(_PACKAGE.rglob("_kernels*.py"))


@functools.cache
def cache_folder() -> Path:
    """Return the folder for compiled kernels of exactly these sources and versions."""
    digest = hashlib.sha256()
    for version in (sys.version, numba.__version__, np.__version__):
        digest.update(version.encode())
    for source in kernel_sources():
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    base = os.environ.get("SFUMATO_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "sfumato" / "kernels" / digest.hexdigest()[:16]
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
    except OSError:
        # Without a home the code is compiled anew: a shared folder could hold somebody else's.
        folder = Path(tempfile.mkdtemp(prefix="sfumato-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def is_compiled() -> bool:
    """Say whether kernels were compiled before on this machine."""
    return any(cache_folder().rglob("*.nbi"))


def kernel(function: _F) -> _F:
    """Compile a plain loop over arrays; the machine code is kept for the next process."""
    # Numba looks at the setting here, once; other users of numba in this process keep theirs.
    theirs = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        compiled: _F = numba.njit(cache=True, nogil=True, boundscheck=False)(function)
    finally:
        numba.config.CACHE_DIR = theirs
    return compiled
