"""How the findings of a verification look on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sfumato.core.findings import Status, Verification

_LOOKS = {
    Status.CONFIRMED: "[green]✓ confirmed[/green]",
    Status.REFUTED: "[bold red]✗ REFUTED[/bold red]",
    Status.NOT_CHECKED: "[yellow]– not checked[/yellow]",
}


def show_verification(found: Verification, console: Console) -> None:
    """Print one line for each claim, and the sum."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold", style="dim")
    for finding in found.findings:
        table.add_row(_LOOKS[finding.status], escape(finding.claim), escape(finding.detail))
    console.print(table)
    confirmed = sum(finding.status is Status.CONFIRMED for finding in found.findings)
    open_claims = sum(finding.status is Status.NOT_CHECKED for finding in found.findings)
    console.print(
        f"{confirmed} confirmed, {len(found.refuted)} refuted, {open_claims} not checked", highlight=False
    )
