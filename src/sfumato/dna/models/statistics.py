"""Promises about published statistics, by the names that recipes use."""

from __future__ import annotations

from typing import Any

from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.models.private import DifferentialPrivacy

_ALL: tuple[type[Any], ...] = (MembershipBound, DifferentialPrivacy)
STATISTICS_MODELS: dict[str, type[Any]] = {model.name: model for model in _ALL}
"""every promise about statistics"""
