"""Where files that are for the steward alone may be written."""

from __future__ import annotations

import json
from pathlib import Path

from sfumato.core.errors import BadInput

EVIDENCE = "evidence.json"


def refuse_release(path: Path, what: str, option: str) -> None:
    """Refuse a place from which a release is shared: what was learned from raw data never lies there."""
    if any(folder.name == "release" or _is_release(folder) for folder in path.resolve().parents):
        raise BadInput(
            f"{what} must not lie in a release", where=str(path), remedy=f"choose another place for {option}"
        )


def _is_release(folder: Path) -> bool:
    """Say whether a folder holds the public evidence of a release, whatever it is called."""
    try:
        found = json.loads((folder / EVIDENCE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("edition") == "public"
