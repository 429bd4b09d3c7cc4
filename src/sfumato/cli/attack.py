"""``sfumato attack``: run adversaries against a release or a file, and show what they learn."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sfumato.cli.places import refuse_release
from sfumato.core.attack import MOST_VICTIMS, AttackResult
from sfumato.core.errors import BadInput
from sfumato.core.progress import Progress
from sfumato.core.verdict import Threat
from sfumato.recipe.attack import LEARNED, AttackReport, attack, cells_of
from sfumato.recipe.attack_ask import exceeded
from sfumato.recipe.codes.attack import attack_codes
from sfumato.recipe.init import propose, read_as
from sfumato.recipe.on_disk import kind_of, release_folder
from sfumato.recipe.text.attack import attack_text

HEADS = ("attack", "on", "people", "success", "without the target", "guess", "sure of")
LONG_NAME = 16
"""letters in the name of a column beyond which it is broken on narrow terminals"""


def run_attack_command(
    target: Path,
    *,
    with_: Path | None,
    mapped: Sequence[str],
    original: Path | None,
    person: str | None,
    attacks: Sequence[str],
    others: Sequence[Path],
    population: Path | None,
    recipe: Path | None,
    quasi: str | None,
    sensitive: str | None,
    victims: Path | None,
    at_most: float | None,
    as_json: bool,
    delimiter: str | None,
    encoding: str,
    console: Console,
    progress: Progress,
) -> bool:
    """Attack, print, and say whether every attack stayed within the bound."""
    _check_bound(at_most)
    if victims is not None:
        _refuse_place(victims, target)
    known, hidden = _names(quasi), _names(sensitive)
    said: list[str] = []
    data: Any = target
    if target.is_dir() and kind_of(release_folder(target)) == "codes":
        _refuse_for_codes(
            quasi=quasi, sensitive=sensitive, recipe=recipe, population=population, other=others
        )
        found = attack_codes(
            target,
            [_spelt(text) for text in attacks] or None,
            original=_read(original, delimiter, encoding),
            with_=_read(with_, delimiter, encoding),
            person=person,
            columns=_mapped(mapped),
            victims=victims is not None,
            progress=progress,
        )
        return _shown(found, at_most, victims, said, as_json, console)
    if target.is_dir() and kind_of(release_folder(target)) == "dna":
        return _on_dna(
            target,
            with_,
            original,
            person,
            attacks,
            victims,
            at_most,
            as_json,
            console,
            progress,
            quasi=quasi,
            sensitive=sensitive,
            recipe=recipe,
            population=population,
            other=others,
            map=mapped,
        )
    if target.is_dir() and kind_of(release_folder(target)) == "graph":
        return _on_network(
            target,
            with_,
            original,
            attacks,
            victims,
            at_most,
            as_json,
            console,
            progress,
            quasi=quasi,
            sensitive=sensitive,
            recipe=recipe,
            population=population,
            other=others,
            map=mapped,
            person=person,
        )
    if target.is_dir() and kind_of(release_folder(target)) == "text":
        _refuse_for_notes(
            quasi=quasi,
            sensitive=sensitive,
            recipe=recipe,
            population=population,
            original=original,
        )
        found = attack_text(
            target,
            [_spelt(text) for text in attacks] or None,
            with_=_read(with_, delimiter, encoding),
            others=_only(others, delimiter, encoding),
            person=person,
            columns=_mapped(mapped),
            victims=victims is not None,
            progress=progress,
        )
        return _shown(found, at_most, victims, said, as_json, console)
    if not target.is_dir():
        data = read_as(target, delimiter, encoding)
        if known is None:
            known, hidden, person, told = _guessed(target, hidden, person, delimiter, encoding)
            said.append(told)
    found = attack(
        data,
        [_spelt(text) for text in attacks] or None,
        with_=_read(with_, delimiter, encoding),
        columns=_mapped(mapped),
        quasi=known,
        sensitive=hidden,
        person=person,
        hierarchies=recipe,
        original=_read(original, delimiter, encoding),
        others=[other if other.is_dir() else _read(other, delimiter, encoding) for other in others],
        population=_read(population, delimiter, encoding),
        victims=victims is not None,
        progress=progress,
    )
    return _shown(found, at_most, victims, said, as_json, console)


def _on_dna(
    target: Path,
    with_: Path | None,
    original: Path | None,
    person: str | None,
    attacks: Sequence[str],
    victims: Path | None,
    at_most: float | None,
    as_json: bool,
    console: Console,
    progress: Progress,
    **options: object,
) -> bool:
    """Attack a release of DNA by what tables and DNA have in common; ``sfumato dna attack`` takes more."""
    from sfumato.cli.dna_attack import Held, run_dna_attack
    from sfumato.cli.dna_read import Reading

    _refuse_options(options, "DNA", "sfumato dna attack --help")
    held = Held(original=original, with_=with_, reading=Reading(person=person))
    return run_dna_attack(
        target,
        held,
        attacks,
        victims=victims,
        at_most=at_most,
        as_json=as_json,
        console=console,
        progress=progress,
    )


def _on_network(
    target: Path,
    with_: Path | None,
    original: Path | None,
    attacks: Sequence[str],
    victims: Path | None,
    at_most: float | None,
    as_json: bool,
    console: Console,
    progress: Progress,
    **options: object,
) -> bool:
    """Attack a released network by what tables and networks have in common; ``sfumato graph attack`` takes
    more."""
    from sfumato.cli.graph_attack import run_graph_attack
    from sfumato.cli.graph_known import Held

    _refuse_options(options, "a network", "sfumato graph attack --help")
    return run_graph_attack(
        target,
        Held(original=original, with_=with_),
        attacks,
        victims=victims,
        at_most=at_most,
        as_json=as_json,
        console=console,
        progress=progress,
    )


def _refuse_options(options: Mapping[str, object], holds: str, see: str) -> None:
    """Refuse options that are about tables, and say where those for this kind are."""
    for name, given in options.items():
        if given:
            raise BadInput(
                f"--{name} is for tables, and this release holds {holds}",
                remedy=f"leave it out, or see '{see}'",
            )


def _shown(
    found: AttackReport,
    at_most: float | None,
    victims: Path | None,
    said: list[str],
    as_json: bool,
    console: Console,
) -> bool:
    """Print what was found, and say whether every attack stayed within the bound."""
    broken = [one for one in found if at_most is not None and exceeded({"at-most": at_most}, one)]
    if victims is not None:
        said.append(_write_victims(found, victims))
    if as_json:
        console.print_json(json.dumps(as_plain(found, broken), ensure_ascii=False))
        return not broken
    show_report(found, console)
    for line in said:
        console.print(line, highlight=False, markup=False)
    for one in broken:
        assert at_most is not None
        of = f" on '{one.column}'" if one.column else ""
        console.print(
            f"{one.attack}{of} succeeds more often than the {100 * at_most:g} % that are allowed",
            style="bold red",
            highlight=False,
            markup=False,
        )
    return not broken


def _refuse_for_codes(**options: object) -> None:
    """Refuse options that are about columns of tables."""
    for name, given in options.items():
        if given:
            raise BadInput(
                f"--{name} is for tables, and this release holds sets of codes",
                remedy="leave it out: the release tells what is sensitive and what items stand for",
            )


def _refuse_for_notes(**options: object) -> None:
    """Refuse options that are about columns of tables, or that tell nothing about released notes."""
    for name, given in options.items():
        if given:
            raise BadInput(
                f"--{name} is for tables, and this release holds notes",
                remedy="leave it out; 'attacks' in the recipe are run with the truth at hand",
            )


def _only(others: Sequence[Path], delimiter: str | None, encoding: str) -> Any:
    """Read the one file of texts from elsewhere."""
    if len(others) > 1:
        raise BadInput("--other is one file of texts", remedy="put them together")
    return _read(others[0], delimiter, encoding) if others else None


def show_report(found: AttackReport, console: Console) -> None:
    """Print a table for each kind of disclosure, then what a reader must know."""
    for threat in Threat:
        some = found.of(threat)
        if not some:
            continue
        table = Table(title=f"{threat}: {LEARNED[threat]}", title_justify="left", box=None, pad_edge=False)
        for place, head in enumerate(HEADS):
            # Names are not broken in the middle, unless they would leave no room for the figures.
            short = place == 0 or (place == 1 and all(len(one.column or "") <= LONG_NAME for one in some))
            table.add_column(head, justify="left" if place < 2 else "right", overflow="fold", no_wrap=short)
        for result in some:
            table.add_row(*(escape(cell) for cell in cells_of(result)))
        console.print(table)
    for sentence in found.said:
        console.print(f"- {sentence}", highlight=False, markup=False, soft_wrap=True)


def as_plain(found: AttackReport, broken: Sequence[AttackResult] = ()) -> dict[str, Any]:
    """Return a report as plain data; victims are not in it."""
    return {
        "attacks": [
            {
                "attack": one.attack,
                "title": found.titles.get(one.attack, ""),
                "threat": str(one.threat),
                "column": one.column,
                "attempts": one.attempts,
                "success": one.success,
                "baseline": one.baseline,
                "advantage": one.advantage,
                "guessing": one.guessing,
                "certain": one.certain,
                "highest": one.highest,
                "scored": str(one.scored),
                "details": dict(one.details),
                "note": one.note,
                "exceeded": any(one is other for other in broken),
            }
            for one in found
        ],
        "not_run": [
            {"attack": one.attack, "threat": str(one.threat), "column": one.column, "reason": one.reason}
            for one in found.not_run
        ],
        "notes": list(found.notes),
    }


def _check_bound(at_most: float | None) -> None:
    if at_most is not None and not 0 <= at_most <= 1:
        raise BadInput("--at-most must be a share between 0 and 1", remedy="write 0.1 for 10 %")


def _names(given: str | None) -> list[str] | None:
    return None if given is None else [name.strip() for name in given.split(",") if name.strip()]


def _read(path: Path | None, delimiter: str | None, encoding: str) -> Any:
    """Read another file as the target is read; a delimiter is found for each where none was given."""
    return None if path is None else read_as(path, delimiter, encoding)


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


def _spelt(text: str) -> Any:
    """Read an attack as a recipe spells it."""
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, str | dict):
        raise BadInput(
            f"--attack cannot be '{text}'", remedy="write a name, or 'skewness: {factor: 3}' in quotes"
        )
    return found


def _refuse_place(victims: Path, target: Path) -> None:
    """Who was hit never lies where a release is shared from, and overwrites nothing."""
    refuse_release(victims, "who was hit", "--victims")
    if target.is_dir() and victims.resolve().is_relative_to(target.resolve()):
        raise BadInput(
            "who was hit must not lie in a release", where=str(victims), remedy="choose another --victims"
        )
    if victims.exists():
        raise BadInput("there is already a file", where=str(victims), remedy="choose another --victims")


def _write_victims(found: AttackReport, path: Path) -> str:
    """Write rows and confidences, nothing else; return what to say about it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["attack", "column", "row", "confidence", "candidates"])
    rows = 0
    for result in found:
        for victim in result.victims:
            writer.writerow(
                [
                    result.attack,
                    result.column or "",
                    victim.row,
                    f"{victim.confidence:.6g}",
                    victim.candidates,
                ]
            )
            rows += 1
    try:
        path.touch(0o600, exist_ok=False)
        path.write_text(out.getvalue(), encoding="utf-8")
    except OSError:
        raise BadInput(
            "the victims cannot be written there", where=str(path), remedy="choose another --victims"
        ) from None
    cut = any(len(result.victims) == MOST_VICTIMS for result in found)
    most = f", at most {MOST_VICTIMS:,} of each attack" if cut else ""
    return f"Victims: {path} ({rows:,} {'row' if rows == 1 else 'rows'}{most}; keep it in the house)"
