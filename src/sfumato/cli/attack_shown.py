"""What commands that attack have in common: how attacks are spelt, how results are shown, who was hit."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sfumato.cli.places import refuse_release
from sfumato.core.attack import MOST_VICTIMS, AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.files import real_path
from sfumato.core.plain_yaml import parse_yaml
from sfumato.core.system import could_not
from sfumato.core.verdict import Threat
from sfumato.core.whole_file import write_whole
from sfumato.recipe.attack import COMPARED, LEARNED, AttackReport, cells_of, has_limits
from sfumato.recipe.attack_ask import asked_attacks, exceeded
from sfumato.recipe.attack_target import held_by

HEADS = ("attack", "on", "people", "success", "without the target", "guess", "sure of")
LONG_NAME = 16
"""letters in the name of a column beyond which it is broken on narrow terminals"""


def check_bound(at_most: float | None) -> None:
    """Refuse what is not a share."""
    if at_most is not None and not 0 <= at_most <= 1:
        raise BadInput("--at-most must be a share between 0 and 1", remedy="write 0.1 for 10 %")


def refuse_place(victims: Path, target: Path) -> None:
    """Who was hit never lies where a release is shared from, and overwrites nothing."""
    refuse_release(victims, "who was hit", "--victims")
    if target.is_dir() and real_path(victims).is_relative_to(real_path(target)):
        raise BadInput(
            "who was hit must not lie in a release", where=str(victims), remedy="choose another --victims"
        )
    if victims.exists():
        raise BadInput("there is already a file", where=str(victims), remedy="choose another --victims")


def spelt(text: str, option: str = "--attack", example: str = "'skewness: {factor: 3}'") -> Any:
    """Read an attack, or a measure, as a recipe spells it."""
    try:
        found = parse_yaml(text, option).data
    except BadInput:
        found = None
    if not isinstance(found, str | dict):
        raise BadInput(f"{option} cannot be '{text}'", remedy=f"write a name, or {example} in quotes")
    return found


def asked_by_name(given: Sequence[str], registry: Mapping[str, type[Any]], remedy: str) -> list[Any] | None:
    """Read attacks as recipes spell them; bounds and files are options of commands."""
    if not given:
        return None
    asked = asked_attacks([spelt(text) for text in given], held_by, registry=registry)
    for number, one in enumerate(asked):
        if one.bounds or one.people is not None or one.columns or one.others:
            raise BadInput(
                "bounds and files are options of this command", where=f"--attack {number + 1}", remedy=remedy
            )
    return [one.attack for one in asked]


def shown(
    found: AttackReport,
    at_most: float | None,
    victims: Path | None,
    said: Sequence[str],
    as_json: bool,
    console: Console,
) -> bool:
    """Print what was found, and say whether every attack stayed within the bound."""
    broken = [one for one in found if at_most is not None and exceeded({"at-most": at_most}, one)]
    if victims is not None:
        said = [*said, _write_victims(found, victims)]
    if as_json:
        console.print_json(json.dumps(as_plain(found, broken), ensure_ascii=False))
        return not broken
    show_report(found, console)
    for line in said:
        console.print(line, highlight=False, markup=False)
    for one in broken:
        assert at_most is not None
        of = f" on '{one.column}'" if one.column else ""
        never = f", counting {one.unproven:,} people whom it never compared" if one.unproven else ""
        console.print(
            f"{one.attack}{of} only makes claims that no truth can settle: no bound is kept"
            if one.scored is Scored.CLAIMED
            else f"{one.attack}{of} succeeds more often than the {100 * at_most:g} % that are allowed{never}",
            style="bold red",
            highlight=False,
            markup=False,
        )
    return not broken


def show_report(found: AttackReport, console: Console) -> None:
    """Print a table for each kind of disclosure, then what a reader must know."""
    for threat in Threat:
        some = found.of(threat)
        if not some:
            continue
        table = Table(title=f"{threat}: {LEARNED[threat]}", title_justify="left", box=None, pad_edge=False)
        limited = has_limits(some)
        for place, head in enumerate((*HEADS, COMPARED) if limited else HEADS):
            # Names are not broken in the middle, unless they would leave no room for the figures.
            short = place == 0 or (place == 1 and all(len(one.column or "") <= LONG_NAME for one in some))
            table.add_column(head, justify="left" if place < 2 else "right", overflow="fold", no_wrap=short)
        for result in some:
            table.add_row(*(escape(cell) for cell in cells_of(result, compared=limited)))
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
                "compared": one.compared,
                "not_compared": None if one.compared is None else (one.not_compared or 0) + one.left_out,
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
        write_whole(path, out.getvalue(), private=True, new=True)
    except OSError as problem:
        raise could_not(problem, "the victims cannot be written there", where=str(path)) from None
    cut = any(len(result.victims) == MOST_VICTIMS for result in found)
    most = f", at most {MOST_VICTIMS:,} of each attack" if cut else ""
    return f"Victims: {path} ({rows:,} {'row' if rows == 1 else 'rows'}{most}; keep it in the house)"
