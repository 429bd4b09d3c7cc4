"""How much memory there is, and how much may be used."""

from __future__ import annotations

import os
import re

from sfumato.core.errors import BadInput

_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}

LEAST = 32 << 20


def in_bytes(limit: str) -> int:
    """Read a memory limit.

    >>> in_bytes("2GB")
    2147483648
    """
    parsed = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt])i?b?\s*", limit.lower())
    if parsed is None:
        raise BadInput("the memory limit is not understood", remedy="give a memory limit such as '2GB'")
    size = int(float(parsed[1]) * _UNITS[parsed[2]])
    if size < LEAST:
        raise BadInput("the memory limit is too low to work with", remedy=f"give at least {LEAST >> 20}MB")
    return size


def half_of_memory() -> int:
    """Return half of the machine's memory in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
