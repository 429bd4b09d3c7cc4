"""Promises about released notes."""

from __future__ import annotations

from typing import Any

from sfumato.text.models.detected_identifiers import DetectedIdentifiersRemoved
from sfumato.text.models.known_identifiers import KnownIdentifiersRemoved
from sfumato.text.models.recall_at_least import RecallAtLeast
from sfumato.text.models.t_plausibility import TPlausibility

_ALL: tuple[type[Any], ...] = (
    KnownIdentifiersRemoved,
    DetectedIdentifiersRemoved,
    RecallAtLeast,
    TPlausibility,
)
MODELS: dict[str, type[Any]] = {model.name: model for model in _ALL}
"""every model by the name that recipes use"""

__all__ = [
    "MODELS",
    "DetectedIdentifiersRemoved",
    "KnownIdentifiersRemoved",
    "RecallAtLeast",
    "TPlausibility",
]
