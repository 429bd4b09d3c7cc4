"""What several commands share: options, consoles, and names with commas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

Delimiter = Annotated[
    str | None, typer.Option(help="What parts the values of a CSV file; found if not given.")
]
Encoding = Annotated[str, typer.Option(help="The encoding of a CSV file.")]
Codes = Annotated[
    str | None,
    typer.Option(help="The column that holds codes, for sets of them; of a search log two, with a comma."),
]
Visit = Annotated[str | None, typer.Option(help="Of codes: the column that says what a visit is.")]
Separator = Annotated[str | None, typer.Option(help="Of codes: what parts those of one cell.")]
CodeSystem = Annotated[str | None, typer.Option(help="Of codes: icd9cm or icd10cm.")]
CodesLayout = Annotated[
    str | None, typer.Option(help="Of codes: long, cells, lists, baskets or search-log; guessed.")
]
Replace = Annotated[bool, typer.Option("--replace", help="Swap what is there already, after the check.")]


def consoles() -> tuple[Console, Console]:
    """Return standard output for results and standard error for progress."""
    from rich.console import Console

    return Console(), Console(stderr=True)


def say(console: Console, said: str) -> None:
    """Print a sentence as it is: no colours, no markup, lines broken by the terminal alone."""
    console.print(said, highlight=False, markup=False, soft_wrap=True)


def listed(names: str | None) -> list[str]:
    """Read names with commas between them."""
    return [name.strip() for name in names.split(",") if name.strip()] if names else []
