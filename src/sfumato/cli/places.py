"""Where files that are for the steward alone may be written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.files import read_text, real_path

EVIDENCE = "evidence.json"
_MOST_JSON = 200 << 20


def refuse_release(path: Path, what: str, option: str) -> None:
    """Refuse a place from which a release is shared: what was learned from raw data never lies there."""
    if any(folder.name == "release" or _is_release(folder) for folder in real_path(path).parents):
        raise BadInput(
            f"{what} must not lie in a release", where=str(path), remedy=f"choose another place for {option}"
        )


def check_new_file(path: Path, ends: Sequence[str], replace: bool, what: str, option: str = "--out") -> None:
    """Refuse a place before anything is computed: in a release, taken, or with another name."""
    refuse_release(path, what, option)
    if not path.name.lower().endswith(tuple(ends)):
        raise BadInput(
            "the name does not say what to write", where=str(path), remedy=f"end it with {', '.join(ends)}"
        )
    if path.is_dir() or not real_path(path).parent.is_dir():
        raise BadInput("nothing can be written there", where=str(path), remedy="check the folder")
    if path.exists() and not replace:
        raise BadInput(
            "there is already a file", where=str(path), remedy="choose another name, or give --replace"
        )


def _is_release(folder: Path) -> bool:
    """Say whether a folder holds the public evidence of a release, whatever it is called."""
    try:
        found = json.loads(read_text(folder / EVIDENCE, most=_MOST_JSON))
    except (BadInput, OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("edition") == "public"
