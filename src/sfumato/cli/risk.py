"""How the risk of a file looks on the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sfumato.core.evidence import RiskEvidence
from sfumato.recipe.api import risk
from sfumato.recipe.init import propose, read_as


def show_risk(
    data: Path,
    quasi: list[str] | None,
    person: str | None,
    as_json: bool,
    console: Console,
    *,
    delimiter: str | None = None,
    encoding: str = "utf-8",
) -> RiskEvidence:
    """Measure and print how exposed the people of a file are."""
    if quasi is None:
        proposal = propose(data, delimiter=delimiter, encoding=encoding)
        quasi = list(proposal.schema.quasi)
        person = person or proposal.schema.person
        if not as_json:
            named = escape(", ".join(quasi))
            console.print(f"Quasi-identifiers (guessed; choose with --quasi): {named}", highlight=False)
    found = risk(read_as(data, delimiter, encoding), quasi=quasi, person=person)
    if as_json:
        console.print_json(found.model_dump_json())
        return found
    who = "persons" if person else "rows, taken as persons"
    table = Table(
        title=f"Risk of {escape(data.name)}: {found.persons:,} {who}", title_justify="left", box=None
    )
    table.add_column("")
    table.add_column("", justify="right")
    table.add_row(
        "alone with their quasi-identifiers", f"{found.uniques:,} ({100 * found.unique_share:.1f} %)"
    )
    table.add_row("highest chance to be found", f"{100 * found.highest_risk:.1f} %")
    table.add_row("average chance to be found", f"{100 * found.average_risk:.1f} %")
    table.add_row(
        f"with a chance above {100 * found.threshold:.0f} %", f"{100 * found.records_at_risk:.1f} %"
    )
    table.add_row("classes", f"{found.classes.number:,}")
    table.add_row("smallest class", f"{found.classes.smallest:,}")
    console.print(table)
    return found
