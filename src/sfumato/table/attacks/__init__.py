"""Attacks on tables: adversaries that are really run."""

from typing import Any

_ALL: tuple[Any, ...] = ()
ATTACKS: dict[str, type[Any]] = {attack.name: attack for attack in _ALL}
"""every attack by the name that recipes use"""

__all__ = ["ATTACKS"]
