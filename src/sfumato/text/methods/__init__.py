"""Methods: what is done to notes."""

from __future__ import annotations

from sfumato.text.methods.deidentify import Deidentify

METHODS: dict[str, type[Deidentify]] = {kind.name: kind for kind in (Deidentify,)}
"""by the name that recipes use"""

__all__ = ["METHODS", "Deidentify"]
