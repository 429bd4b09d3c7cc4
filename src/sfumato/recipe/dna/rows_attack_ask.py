"""Attacks on rows of DNA that a recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sfumato.core.attack import Need
from sfumato.core.errors import BadInput
from sfumato.dna.attacks import ATTACKS, Kinship, SequenceLinkage
from sfumato.dna.reading import Content, content_of
from sfumato.engine.sources import Source
from sfumato.recipe.attack_ask import AskedAttack, asked_attacks
from sfumato.recipe.dna.rows_phenotype import PhenotypeOfRows
from sfumato.recipe.job import held_in_recipe

_KINDS: tuple[type[Any], ...] = (SequenceLinkage, Kinship, PhenotypeOfRows)
ROW_ATTACKS: dict[str, type[Any]] = {kind.name: kind for kind in _KINDS}
"""adversaries of released rows that a recipe can name"""


_REMEDIES = {
    Kinship.name: "write 'with: relatives.vcf', where samples are named after their relatives in the data",
    PhenotypeOfRows.name: "write 'with: patients.csv', a table of people and their diagnoses",
}


@dataclass(frozen=True)
class DnaFile:
    """A file of sequences or genotypes that an adversary holds."""

    path: Path


def asked_row_attacks(given: Sequence[Any], folder: Path) -> tuple[AskedAttack, ...]:
    """Read the attacks of a recipe; what an adversary holds is a file like the data."""
    return checked_row_attacks(
        asked_attacks(_known(given), lambda one: held(one, folder), registry=ROW_ATTACKS)
    )


def held(given: Any, folder: Path) -> Path | Source:
    """Return the file that an adversary holds: DNA, or a table."""
    if isinstance(given, str) and content_of(folder / given) is not Content.TABLE:
        return cast("Source", DnaFile(folder / given))
    return held_in_recipe(given, folder)


def _known(given: Any) -> Any:
    """Point to the right place for attacks on statistics."""
    listed = given if isinstance(given, list | tuple) else [given]
    for number, one in enumerate(listed):
        name = one if isinstance(one, str) else next(iter(one), "") if isinstance(one, dict) else ""
        if name in ATTACKS and name not in ROW_ATTACKS:
            raise BadInput(
                f"the attack '{name}' is not about rows that a recipe releases",
                where=f"attacks[{number}]",
                remedy=f"for rows there are: {', '.join(ROW_ATTACKS)}",
            )
    return given


def checked_row_attacks(found: Sequence[AskedAttack]) -> tuple[AskedAttack, ...]:
    """Refuse what attacks on rows cannot hold."""
    for number, one in enumerate(found):
        where = f"attacks[{number}], {one.attack.name}"
        for key, told in (("map", one.columns), ("others", one.others)):
            if told:
                raise BadInput(f"'{key}' is for tables", where=where, remedy="leave it out")
        needs = Need.PEOPLE in one.attack.needs
        if needs and one.people is None:
            raise BadInput(
                "this adversary knows people by name, and no file of them is given",
                where=where,
                remedy=_REMEDIES[one.attack.name],
            )
        if not needs and one.people is not None:
            raise BadInput("this adversary holds no file", where=where, remedy="leave 'with' out")
    return tuple(found)
