"""Attacks on notes that a recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sfumato.core.attack import Need
from sfumato.core.errors import BadInput
from sfumato.recipe.attack_ask import AskedAttack, asked_attacks
from sfumato.recipe.job import held_in_recipe
from sfumato.text.attacks import ATTACKS


def asked_text_attacks(given: Sequence[Any], folder: Path) -> tuple[AskedAttack, ...]:
    """Read the attacks of a recipe; ``map`` says what the columns of an identified file are."""
    found = asked_attacks(given, lambda one: held_in_recipe(one, folder), registry=ATTACKS)
    return checked_text_attacks(found)


def checked_text_attacks(found: Sequence[AskedAttack]) -> tuple[AskedAttack, ...]:
    """Refuse what attacks on notes cannot hold."""
    for number, one in enumerate(found):
        where = f"attacks[{number}], {one.attack.name}"
        if one.others and Need.OTHERS not in one.attack.needs:
            raise BadInput("this adversary holds no texts from elsewhere", where=where, remedy="leave it out")
        if any(isinstance(other, Path) for other in one.others) or len(one.others) > 1:
            raise BadInput("'others' is one file of texts", where=where, remedy="write others: [posts.csv]")
    return tuple(found)
