"""Libraries that read files of DNA are an extra: they are loaded when a file asks for them."""

from __future__ import annotations

import importlib
from typing import Any

from sfumato.core.errors import MissingPart

_NAMES = {"cyvcf2": "cyvcf2", "bed_reader": "bed-reader", "Bio": "biopython"}


def part(module: str) -> Any:
    """Load a module of the extra ``dna``, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = _NAMES[module.split(".", maxsplit=1)[0]]
        raise MissingPart(f"{name} is not installed", remedy="pip install 'sfumato[dna]'") from None


def htslib() -> Any:
    """Load cyvcf2 and keep its C library quiet: what that prints on the terminal names samples."""
    cyvcf2 = part("cyvcf2")
    cyvcf2.cyvcf2.set_htslib_log_level(0)
    return cyvcf2
