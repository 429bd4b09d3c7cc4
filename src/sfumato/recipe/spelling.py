"""How a proposed recipe spells names, hierarchies and comments in YAML."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

_WORDS = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")
"""what YAML does not take as text without quotes"""


def quoted(text: str) -> str:
    """Write a text as YAML; JSON strings are YAML too, and need no guessing about what must be quoted.

    >>> quoted("zip_code"), quoted("no"), quoted("a: b")
    ('zip_code', '"no"', '"a: b"')
    """
    plain = text.replace("_", "a").replace("-", "a").replace(".", "a").replace("/", "a")
    if plain.isascii() and plain.isalnum() and text[0].isalpha() and text.lower() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)


def flow(spec: Any, folder: Path) -> str:
    """Write a hierarchy on one line; paths are seen from the recipe's folder."""
    if isinstance(spec, str):
        return spec
    if set(spec) == {"csv"}:
        spec = {"csv": Path(os.path.relpath(spec["csv"], folder)).as_posix()}
    return json.dumps(spec, ensure_ascii=False)


def comment(text: str) -> str:
    """Write a text on one line."""
    return " ".join(text.split())
