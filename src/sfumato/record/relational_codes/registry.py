"""What recipes about a table and codes call by name."""

from __future__ import annotations

from typing import Any

from sfumato.record.relational_codes.k_km_anonymity import KKmAnonymity
from sfumato.record.relational_codes.method import RelationalCodes

RECORD_MODELS: dict[str, type[Any]] = {KKmAnonymity.name: KKmAnonymity}
"""every promise about a table and codes together, by the name that recipes use"""
RECORD_METHODS: dict[str, type[Any]] = {RelationalCodes.name: RelationalCodes}
"""every method, by the name that recipes use"""
