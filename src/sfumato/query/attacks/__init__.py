"""Attacks on a statistical database and its noise: adversaries who ask, really run."""

from typing import Any

from sfumato.query.attacks.averaging import Averaging
from sfumato.query.attacks.collusion import Collusion
from sfumato.query.attacks.differencing import Differencing
from sfumato.query.attacks.exhaustion import Exhaustion
from sfumato.query.attacks.floating_point import LeastSignificantBits, Precision
from sfumato.query.attacks.possible_worlds import PossibleWorlds
from sfumato.query.attacks.reconstruction import Reconstruction

_ALL: tuple[type[Any], ...] = (
    Differencing,
    Averaging,
    Exhaustion,
    Collusion,
    Reconstruction,
    LeastSignificantBits,
    Precision,
    PossibleWorlds,
)
ATTACKS: dict[str, type[Any]] = {attack.name: attack for attack in _ALL}
"""every attack on a statistical database by its name"""

__all__ = [
    "ATTACKS",
    "Averaging",
    "Collusion",
    "Differencing",
    "Exhaustion",
    "LeastSignificantBits",
    "PossibleWorlds",
    "Precision",
    "Reconstruction",
]
