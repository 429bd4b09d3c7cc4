"""The order of what is written is drawn from the operating system: that of a file links to its source."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.system import system_errors
from sfumato.core.whole_file import write_whole
from sfumato.engine.contract import Order


def row_order(rows: int, order: Order, random: Random | None) -> NDArray[np.int64]:
    """Return in which order rows are written."""
    if order is Order.KEPT:
        return np.arange(rows, dtype=np.int64)
    return (random or SecretRandom()).permutation(rows)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, packed when its name ends with .gz. A packed file says neither when it was made nor its
    first name."""
    with system_errors(str(path)):
        write_whole(path, gzip.compress(content, mtime=0) if path.suffix.lower() == ".gz" else content)
        os.chmod(path, 0o644)
