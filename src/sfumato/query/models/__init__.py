"""Promises about releases under differential privacy, by the names that recipes use."""

from typing import Any

from sfumato.query.models.differential_identifiability import IdentifiabilityPromise
from sfumato.query.models.differential_privacy import DpPromise

MODELS: dict[str, type[Any]] = {model.name: model for model in (DpPromise, IdentifiabilityPromise)}
"""every model by the name that recipes use"""

__all__ = ["MODELS", "DpPromise", "IdentifiabilityPromise"]
