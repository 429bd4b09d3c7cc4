"""Ways to protect sets, by the names that recipes use."""

from __future__ import annotations

from typing import Any

_ALL: tuple[type[Any], ...] = ()

METHODS: dict[str, type[Any]] = {method.name: method for method in _ALL}
"""every method, by the name that recipes use"""
