"""Promises about sets, by the names that recipes use."""

from typing import Any

from sfumato.codes.models.complete_k_anonymity import CompleteItemsetAnonymity, CompleteKAnonymity
from sfumato.codes.models.k_m_anonymity import KmAnonymity

_ALL: tuple[type[Any], ...] = (
    KmAnonymity,
    CompleteItemsetAnonymity,
    CompleteKAnonymity,
)
MODELS: dict[str, type[Any]] = {model.name: model for model in _ALL}
"""every model by the name that recipes use"""

__all__ = [
    "MODELS",
    "CompleteItemsetAnonymity",
    "CompleteKAnonymity",
    "KmAnonymity",
]
