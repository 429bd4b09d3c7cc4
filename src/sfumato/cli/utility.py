"""``sfumato utility``: what a release has lost, whoever made it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import Delimiter, Encoding, consoles, listed


def utility(
    original: Annotated[
        Path, typer.Argument(help="The table before it was protected: a CSV or Parquet file.")
    ],
    released: Annotated[Path, typer.Argument(help="The release: a folder, or a CSV or Parquet file.")],
    quasi: Annotated[
        str | None,
        typer.Option(
            help="The quasi-identifiers, with commas (default: those of the release, or changed columns)."
        ),
    ] = None,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", help="A task to measure as well, spelt as in a recipe; several times if you like."
        ),
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="The recipe of the release: lends its hierarchies.")
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What has this release lost? Measure it, whoever made it."""
    console, _ = consoles()
    from rich.table import Table

    from sfumato.cli.attack_shown import spelt
    from sfumato.recipe.attack_target import hierarchies_from
    from sfumato.recipe.init import read_as
    from sfumato.recipe.measured import utility as measured

    before = read_as(original, delimiter, encoding)
    after = released if released.is_dir() else read_as(released, delimiter, encoding)
    laid = hierarchies_from(recipe)
    names = listed(quasi)
    found = measured(before, after, quasi=names, hierarchies=laid)
    if measures:
        tasks = [spelt(text, "--measure", "'query-error: {sql: [age = 30]}'") for text in measures]
        names = names or [str(next(iter(found.values())).details["columns"])]
        found |= measured(before, after, quasi=listed(",".join(names)), hierarchies=laid, measures=tasks)
    if as_json:
        console.print_json(data={name: one.model_dump(mode="json") for name, one in found.items()})
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("measure", "value", "range", "meaning"):
        table.add_column(heading, justify="right" if heading == "value" else "left")
    for one in found.values():
        values = one.value if isinstance(one.value, list) else [one.value]
        table.add_row(one.title, ", ".join(f"{value:,.4f}" for value in values), one.range, one.meaning)
    console.print(table)
    about = next(iter(found.values())).details
    console.print(
        f"Measured on {about['columns']}; {about['suppressed_records']:,} records are not shown.",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
