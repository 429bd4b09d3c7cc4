"""Libraries for networks are an extra: they are loaded when somebody asks for them."""

from __future__ import annotations

import importlib
from typing import Any

from sfumato.core.errors import MissingPart

_REMEDIES = {
    "igraph": "pip install 'sfumato[graph]'",
    "networkx": "pip install 'sfumato[graph]'",
    "scipy": "pip install 'sfumato[learn]'",
}


def part(module: str) -> Any:
    """Load a module of an extra, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.split(".", maxsplit=1)[0]
        raise MissingPart(f"{name} is not installed", remedy=_REMEDIES[name]) from None
