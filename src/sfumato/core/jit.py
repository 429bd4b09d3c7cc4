"""How kernels are compiled: one decorator, one cache folder that can never answer with stale code.

Numba's own cache does not notice a change in a jitted function of *another* file. So the cache
folder is named by a hash of every kernel source and of the versions that compiled it, and a kernel
calls only kernels of its own file.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
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
    return Path(base) / "sfumato" / "kernels" / digest.hexdigest()[:16]


def is_compiled() -> bool:
    """Say whether kernels were compiled before on this machine."""
    return any(cache_folder().rglob("*.nbi"))


def kernel(function: _F) -> _F:
    """Compile a plain loop over arrays; the machine code is kept for the next process."""
    numba.config.CACHE_DIR = str(cache_folder())
    compiled: _F = numba.njit(cache=True, nogil=True, boundscheck=False)(function)
    return compiled
