"""``sfumato dna risk``: how exposed people are by their sequences or genotypes."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console

from sfumato.cli.dna_read import Reading
from sfumato.cli.progress import TerminalProgress
from sfumato.core.progress import Progress
from sfumato.dna.reading.rows import Rows
from sfumato.dna.risk import DnaRisk, exposure


def show_dna_risk(
    data: Path,
    reading: Reading,
    k: int,
    sets: int,
    seed: int,
    as_json: bool,
    console: Console,
    errors: Console,
) -> None:
    """Read rows, measure, and print what was counted."""
    with TerminalProgress(errors) as progress:
        read, found = measured(data, reading, k, sets, seed, progress)
    show(data.name, read, found, read.data.persons is not None, as_json, console)


def measured(
    data: Path, reading: Reading, k: int, sets: int, seed: int, progress: Progress
) -> tuple[Rows, DnaRisk]:
    """Read rows and measure how exposed their people are."""
    progress.step("reading")
    read, rows = reading.alignment(data, progress)
    states = reading.states(data, read)
    told = None if states is None else states.states.tolist()
    return read, exposure(rows, k=k, sets=sets, phenotype=told, seed=seed, progress=progress)


def show(name: str, read: Rows, found: DnaRisk, named: bool, as_json: bool, console: Console) -> None:
    """Print figures: numbers and positions, no value and no name of a sample."""
    left_out = {what: number for what, number in read.counted.items() if number}
    if as_json:
        console.print_json(json.dumps({**found.to_dict(), "said": list(found.said), "left_out": left_out}))
        return
    console.print(f"Risk of {name}", style="italic", highlight=False, markup=False)
    console.print(str(found), highlight=False, markup=False, soft_wrap=True)
    for what, number in left_out.items():
        console.print(f"  ({what}: {number:,})", highlight=False, markup=False, soft_wrap=True)
    if not named:
        console.print("every row was taken as another person: name the person with --person")
