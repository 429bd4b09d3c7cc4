"""Promises about released notes."""

from __future__ import annotations

from typing import Any

from sfumato.text.models.known_identifiers import KnownIdentifiersRemoved

MODELS: dict[str, type[Any]] = {kind.name: kind for kind in (KnownIdentifiersRemoved,)}
"""by the name that recipes use"""

__all__ = ["MODELS", "KnownIdentifiersRemoved"]
