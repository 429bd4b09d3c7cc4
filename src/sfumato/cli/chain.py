"""``sfumato chain``: join files one after the other, as an adversary would, and show how far that leads."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sfumato.cli.places import refuse_release
from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import Progress
from sfumato.core.system import could_not
from sfumato.core.whole_file import write_whole
from sfumato.record import ChainResult, chain


def run_chain_command(
    spec: Path, victims: Path | None, as_json: bool, console: Console, progress: Progress
) -> ChainResult:
    """Carry a chain out and print what it found."""
    if victims is not None:
        _refuse_place(victims)
    found = chain(spec, victims=victims is not None, progress=progress)
    if victims is not None:
        _write_victims(found, victims)
    if as_json:
        console.print_json(json.dumps(as_plain(found), ensure_ascii=False))
    else:
        show_chain(found, console)
    return found


def show_chain(found: ChainResult, console: Console) -> None:
    """Print a line for each step, then what was learned."""
    table = Table(
        title=f"{found.people:,} people are known by the first file",
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    claimed = any(step.scored is Scored.CLAIMED for step in found.steps)
    heads = ("file", "joined on", "with candidates", "just one", "average", "claimed" if claimed else "found")
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place < 2 else "right", overflow="fold")
    for step in found.steps:
        table.add_row(
            escape(step.file),
            escape(", ".join(step.on)),
            f"{step.followed:,}",
            f"{step.unique:,}",
            f"{step.candidates:.1f}",
            step.share,
        )
    console.print(table)
    for sentence in (*found.results, *found.notes):
        console.print(f"- {sentence}", highlight=False, markup=False, soft_wrap=True)


def as_plain(found: ChainResult) -> dict[str, Any]:
    """Return a result as plain data; victims are not in it."""
    return {
        "people": found.people,
        "steps": [
            {
                "file": step.file,
                "on": list(step.on),
                "learned": list(step.learned),
                "records": step.records,
                "followed": step.followed,
                "unique": step.unique,
                "lost": step.lost,
                "sampled": step.sampled,
                "candidates": step.candidates,
                "success": step.success,
                "scored": str(step.scored),
            }
            for step in found.steps
        ],
        "results": [_plain(result) for result in found.results],
        "notes": list(found.notes),
    }


def _plain(result: AttackResult) -> dict[str, Any]:
    return {
        "threat": str(result.threat),
        "column": result.column,
        "attempts": result.attempts,
        "success": result.success,
        "baseline": result.baseline,
        "guessing": result.guessing,
        "certain": result.certain,
        "highest": result.highest,
        "scored": str(result.scored),
        "details": dict(result.details),
        "note": result.note,
    }


def _refuse_place(victims: Path) -> None:
    """Who was hit never lies where a release is shared from, and overwrites nothing."""
    refuse_release(victims, "who was hit", "--victims")
    if victims.exists():
        raise BadInput("there is already a file", where=str(victims), remedy="choose another --victims")


def _write_victims(found: ChainResult, path: Path) -> None:
    """Write rows of the first file and confidences, nothing else."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["row", "confidence", "candidates"])
    for victim in found.identity.victims:
        writer.writerow([victim.row, f"{victim.confidence:.6g}", victim.candidates])
    try:
        write_whole(path, out.getvalue(), private=True, new=True)
    except OSError as problem:
        raise could_not(problem, "the victims cannot be written there", where=str(path)) from None
