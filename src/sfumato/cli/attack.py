"""``sfumato attack``: run adversaries against a release or a file, and show what they learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from sfumato.cli.attack_shown import check_bound, refuse_place, shown, spelt
from sfumato.core.errors import BadInput
from sfumato.core.progress import Progress
from sfumato.recipe.attack import AttackReport, attack
from sfumato.recipe.codes.attack import attack_codes
from sfumato.recipe.init import propose, read_as
from sfumato.recipe.on_disk import kind_of, release_folder
from sfumato.recipe.text.attack import attack_text


@dataclass(frozen=True)
class AttackCall:
    """What somebody typed: the target, options by their names, and where to print."""

    target: Path
    with_: Path | None
    map: Sequence[str]
    original: Path | None
    person: str | None
    attacks: Sequence[str]
    other: Sequence[Path]
    population: Path | None
    population_person: str | None
    recipe: Path | None
    quasi: str | None
    sensitive: str | None
    victims: Path | None
    at_most: float | None
    as_json: bool
    delimiter: str | None
    encoding: str
    console: Console
    progress: Progress

    @property
    def asked(self) -> list[Any] | None:
        """The attacks that were named, as a recipe spells them."""
        return [spelt(text) for text in self.attacks] or None

    def read(self, path: Path | None) -> Any:
        """Read another file as the target is read; a delimiter is found for each where none was given."""
        return None if path is None else read_as(path, self.delimiter, self.encoding)

    def refuse(self, options: str, holds: str, remedy: str) -> None:
        """Refuse options that are about tables."""
        for name in options.split():
            if getattr(self, name):
                option = name.replace("_", "-")
                raise BadInput(f"--{option} is for tables, and this release holds {holds}", remedy=remedy)

    def shown(self, found: AttackReport, said: Sequence[str] = ()) -> bool:
        """Print what was found, and say whether every attack stayed within the bound."""
        return shown(found, self.at_most, self.victims, said, self.as_json, self.console)


def run_attack_command(call: AttackCall) -> bool:
    """Attack, print, and say whether every attack stayed within the bound."""
    check_bound(call.at_most)
    if call.victims is not None:
        refuse_place(call.victims, call.target)
    kind = kind_of(release_folder(call.target)) if call.target.is_dir() else "table"
    return _ON.get(kind, _on_table)(call)


def _on_table(call: AttackCall) -> bool:
    known, hidden, person = _names(call.quasi), _names(call.sensitive), call.person
    said: list[str] = []
    data: Any = call.target
    if not call.target.is_dir():
        data = call.read(call.target)
        if known is None:
            known, hidden, person, told = _guessed(call.target, hidden, person, call.delimiter, call.encoding)
            said.append(told)
    found = attack(
        data,
        call.asked,
        with_=call.read(call.with_),
        columns=_mapped(call.map),
        quasi=known,
        sensitive=hidden,
        person=person,
        hierarchies=call.recipe,
        original=call.read(call.original),
        others=[other if other.is_dir() else call.read(other) for other in call.other],
        population=call.read(call.population),
        population_person=call.population_person,
        victims=call.victims is not None,
        progress=call.progress,
    )
    return call.shown(found, said)


def _on_codes(call: AttackCall) -> bool:
    call.refuse(
        "quasi sensitive recipe population population_person other",
        "sets of codes",
        "leave it out: the release tells what is sensitive and what items stand for",
    )
    found = attack_codes(
        call.target,
        call.asked,
        original=call.read(call.original),
        with_=call.read(call.with_),
        person=call.person,
        columns=_mapped(call.map),
        victims=call.victims is not None,
        progress=call.progress,
    )
    return call.shown(found)


def _on_notes(call: AttackCall) -> bool:
    call.refuse(
        "quasi sensitive recipe population population_person original",
        "notes",
        "leave it out; 'attacks' in the recipe are run with the truth at hand",
    )
    if len(call.other) > 1:
        raise BadInput("--other is one file of texts", remedy="put them together")
    found = attack_text(
        call.target,
        call.asked,
        with_=call.read(call.with_),
        others=call.read(call.other[0]) if call.other else None,
        person=call.person,
        columns=_mapped(call.map),
        victims=call.victims is not None,
        progress=call.progress,
    )
    return call.shown(found)


def _on_dna(call: AttackCall) -> bool:
    """Attack a release of DNA by what tables and DNA have in common; ``sfumato dna attack`` takes more."""
    from sfumato.cli.dna_attack import Held, run_dna_attack
    from sfumato.cli.dna_read import Reading

    call.refuse(
        "quasi sensitive recipe population population_person other map",
        "DNA",
        "leave it out, or see 'sfumato dna attack --help'",
    )
    return run_dna_attack(
        call.target,
        Held(original=call.original, with_=call.with_, reading=Reading(person=call.person)),
        call.attacks,
        victims=call.victims,
        at_most=call.at_most,
        as_json=call.as_json,
        console=call.console,
        progress=call.progress,
    )


def _on_network(call: AttackCall) -> bool:
    """Attack a released network by what tables and networks have in common; ``sfumato graph attack`` takes
    more."""
    from sfumato.cli.graph_attack import run_graph_attack
    from sfumato.cli.graph_known import Held

    call.refuse(
        "quasi sensitive recipe population population_person other map person",
        "a network",
        "leave it out, or see 'sfumato graph attack --help'",
    )
    return run_graph_attack(
        call.target,
        Held(original=call.original, with_=call.with_),
        call.attacks,
        victims=call.victims,
        at_most=call.at_most,
        as_json=call.as_json,
        console=call.console,
        progress=call.progress,
    )


_ON: dict[str, Callable[[AttackCall], bool]] = {
    "codes": _on_codes,
    "text": _on_notes,
    "dna": _on_dna,
    "graph": _on_network,
}
"""by the kind of the release; all others are attacked as tables, or refused there"""


def _names(given: str | None) -> list[str] | None:
    return None if given is None else [name.strip() for name in given.split(",") if name.strip()]


def _guessed(
    target: Path, sensitive: list[str] | None, person: str | None, delimiter: str | None, encoding: str
) -> tuple[list[str], list[str], str | None, str]:
    """Guess roles as ``sfumato risk`` does, and say so."""
    schema = propose(target, delimiter=delimiter, encoding=encoding).schema
    hidden = list(schema.sensitive) if sensitive is None else sensitive
    known = [name for name in schema.quasi if name not in hidden]
    if not known:
        raise BadInput(
            "no column looks like a quasi-identifier", where=str(target), remedy="name them with --quasi"
        )
    told = f"Quasi-identifiers (guessed; choose with --quasi): {', '.join(known)}"
    if sensitive is None:
        told += f"\nSensitive (guessed; choose with --sensitive): {', '.join(hidden) or 'none'}"
    return known, hidden, person or schema.person, told


def _mapped(given: Sequence[str]) -> dict[str, str]:
    """Read ``zip=postcode``: the column of the release, then that of the file."""
    found = {}
    for text in given:
        name, sign, other = text.partition("=")
        if not sign or not name.strip() or not other.strip():
            raise BadInput(
                f"--map cannot be '{text}'",
                remedy="write the column of the release, '=', the column of the file: zip=postcode",
            )
        found[name.strip()] = other.strip()
    return found
