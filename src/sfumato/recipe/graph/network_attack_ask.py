"""Attacks on networks that a recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sfumato.core.attack import Need
from sfumato.core.errors import BadInput
from sfumato.engine.sources import Source
from sfumato.graph.attacks import ATTACKS
from sfumato.recipe.attack_ask import AskedAttack, asked_attacks


@dataclass(frozen=True)
class NetworkFile:
    """A network with names that an adversary holds."""

    path: Path


def asked_network_attacks(given: Sequence[Any], folder: Path) -> tuple[AskedAttack, ...]:
    """Read the attacks of a recipe; what an adversary holds is a network with names."""
    return checked_network_attacks(
        asked_attacks(given, lambda one: network_file(one, folder), registry=ATTACKS), "attacks"
    )


def network_file(given: Any, folder: Path) -> Path | Source:
    """Return the network that an adversary holds."""
    if not isinstance(given, str | Path):
        raise BadInput(
            "what an adversary holds is the file of a network", where="attacks", remedy="write 'with: FILE'"
        )
    return cast("Source", NetworkFile(folder / given))


def checked_network_attacks(found: Sequence[AskedAttack], where: str) -> tuple[AskedAttack, ...]:
    """Refuse what attacks on networks cannot hold."""
    for number, one in enumerate(found):
        place = f"{where}[{number}], {one.attack.name}"
        for key, told in (("map", one.columns), ("others", one.others)):
            if told:
                raise BadInput(f"'{key}' is for tables", where=place, remedy="leave it out")
        needs = Need.PEOPLE in one.attack.needs
        if needs and one.people is None:
            raise BadInput(
                "this adversary holds another network of the same people, and none is given",
                where=place,
                remedy="write 'with: other.csv', where people have the names that they have in the data",
            )
        if not needs and one.people is not None:
            raise BadInput("this adversary holds no file", where=place, remedy="leave 'with' out")
    return tuple(found)
