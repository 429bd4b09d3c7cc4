"""Attacks on sets: adversaries who know some of a person's codes, really run."""

from typing import Any

from sfumato.codes.attacks.cover import CoverProblem
from sfumato.codes.attacks.known_codes import KnownCodes
from sfumato.codes.attacks.linked_codes import LinkedCodes
from sfumato.codes.attacks.sensitive_code import SensitiveCode
from sfumato.codes.attacks.visit import KnownVisit
from sfumato.codes.attacks.whole_set import WholeSet

_ALL: tuple[type[Any], ...] = (KnownCodes, WholeSet, KnownVisit, LinkedCodes, SensitiveCode, CoverProblem)
ATTACKS: dict[str, type[Any]] = {attack.name: attack for attack in _ALL}
"""every attack on sets by the name that recipes use"""

__all__ = ["ATTACKS", "CoverProblem", "KnownCodes", "KnownVisit", "LinkedCodes", "SensitiveCode", "WholeSet"]
