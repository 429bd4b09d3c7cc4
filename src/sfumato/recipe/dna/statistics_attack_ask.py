"""Attacks on statistics of sites that a recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.dna.attacks import ATTACKS, BeaconAttack, CaseOrControl, Homer, LikelihoodRatio
from sfumato.engine.sources import Source
from sfumato.recipe.attack_ask import AskedAttack, asked_attacks

STATISTICS_ATTACKS: dict[str, type[Any]] = {
    kind.name: kind for kind in (Homer, LikelihoodRatio, CaseOrControl, BeaconAttack)
}
"""adversaries of released statistics that a recipe can name"""


def asked_statistics_attacks(given: Any) -> tuple[AskedAttack, ...]:
    """Read the attacks of a recipe: members are the people of the data, strangers those of the reference."""
    listed = given if isinstance(given, list | tuple) else [given]
    for number, one in enumerate(listed):
        name = one if isinstance(one, str) else next(iter(one), "") if isinstance(one, dict) else ""
        if name in ATTACKS and name not in STATISTICS_ATTACKS:
            raise BadInput(
                f"the attack '{name}' is not about statistics that a recipe releases",
                where=f"attacks[{number}]",
                remedy=f"for statistics there are: {', '.join(STATISTICS_ATTACKS)}",
            )
    return checked(asked_attacks(given, _refused, registry=STATISTICS_ATTACKS))


def checked(found: Sequence[AskedAttack]) -> tuple[AskedAttack, ...]:
    """Refuse what attacks on statistics do not hold."""
    for number, one in enumerate(found):
        if one.people is not None or one.others or one.columns:
            raise _held(f"attacks[{number}], {one.attack.name}")
    return tuple(found)


def _refused(_: Any) -> Path | Source:
    raise _held("attacks")


def _held(where: str) -> BadInput:
    return BadInput(
        "everybody in the data is attacked, beside strangers of the reference: no other file is held",
        where=where,
        remedy="leave 'with', 'map' and 'others' out",
    )
