"""Where results that would only cost time are kept between runs."""

from __future__ import annotations

import os
from pathlib import Path


def cache_base() -> Path | None:
    """Return the folder for caches, or None where the system knows no home for this user."""
    named = os.environ.get("SFUMATO_CACHE") or os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named)
    try:
        return Path.home() / ".cache"
    except RuntimeError:
        return None
