"""Attacks on released notes: adversaries that are really run."""

from typing import Any

from sfumato.text.attacks.contract import Attack, Identified, Knowledge, OtherNotes, ReleasedNotes
from sfumato.text.attacks.date_offset import DateOffset
from sfumato.text.attacks.hidden_in_plain_sight import HiddenInPlainSight
from sfumato.text.attacks.rare_terms import RareTerms
from sfumato.text.attacks.text_linkage import TextLinkage

_ALL: tuple[type[Any], ...] = (TextLinkage, RareTerms, DateOffset, HiddenInPlainSight)
ATTACKS: dict[str, type[Any]] = {attack.name: attack for attack in _ALL}
"""every attack on notes by the name that recipes use"""

__all__ = [
    "ATTACKS",
    "Attack",
    "DateOffset",
    "HiddenInPlainSight",
    "Identified",
    "Knowledge",
    "OtherNotes",
    "RareTerms",
    "ReleasedNotes",
    "TextLinkage",
]
