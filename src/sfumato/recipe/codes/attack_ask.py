"""Attacks on sets that a recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sfumato.codes.attacks import ATTACKS
from sfumato.core.attack import Need
from sfumato.core.errors import BadInput
from sfumato.recipe.attack_ask import AskedAttack, asked_attacks
from sfumato.recipe.job import held_in_recipe


def asked_set_attacks(given: Sequence[Any], folder: Path) -> tuple[AskedAttack, ...]:
    """Read the attacks of a recipe; an identified file has the columns of the data."""
    found = asked_attacks(given, lambda one: held_in_recipe(one, folder), registry=ATTACKS)
    return checked_set_attacks(found)


def checked_set_attacks(found: Sequence[AskedAttack]) -> tuple[AskedAttack, ...]:
    """Refuse what attacks on sets cannot hold."""
    for number, one in enumerate(found):
        where = f"attacks[{number}], {one.attack.name}"
        for key, told in (("map", one.columns), ("others", one.others)):
            if told:
                raise BadInput(f"'{key}' is for tables", where=where, remedy="leave it out")
        if one.people is not None and Need.PEOPLE not in one.attack.needs:
            raise BadInput(
                "this adversary holds no file",
                where=where,
                remedy="leave 'with' out, or run linked-codes",
            )
    return tuple(found)
