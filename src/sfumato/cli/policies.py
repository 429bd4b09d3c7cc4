"""``sfumato policies``: which codes an adversary may know together, and which analysts need apart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import (
    Codes,
    CodesLayout,
    CodeSystem,
    Delimiter,
    Encoding,
    Replace,
    Separator,
    Visit,
    consoles,
    listed,
)


def policies(
    data: Annotated[Path, typer.Argument(help="A file with sets of codes.")],
    out: Annotated[Path, typer.Option(help="Folder for the policies; never in a release.")],
    codes: Codes = None,
    person: Annotated[str | None, typer.Option(help="The column that names the person.")] = None,
    visit: Visit = None,
    separator: Separator = None,
    system: CodeSystem = None,
    layout: CodesLayout = None,
    k: Annotated[int, typer.Option(min=2, help="What fewer people hold is to be protected.")] = 5,
    known: Annotated[
        str | None,
        typer.Option("--from", help="What an adversary may know: visits (if there are any) or history."),
    ] = None,
    size: Annotated[
        int | None, typer.Option(min=1, help="Any so many codes of it (default: all of it).")
    ] = None,
    diseases: Annotated[
        str | None,
        typer.Option(help="What analysts count: gwas (usual for icd9cm), or codes and nodes, with commas."),
    ] = None,
    hierarchy: Annotated[
        str | None, typer.Option(help="A hierarchy for names of nodes: icd9cm, or a CSV file.")
    ] = None,
    overlaps: Annotated[str, typer.Option(help="Diseases that share codes: merge or refuse.")] = "merge",
    show_values: Annotated[bool, typer.Option("--show-values", help="Print the codes, too.")] = False,
    replace: Replace = False,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
) -> None:
    """Of codes: what must be protected, what analysts need, and whether both can be had."""
    console, errors = consoles()
    from sfumato.cli.codes_risk import CodesColumns
    from sfumato.cli.extract import run_policies
    from sfumato.cli.progress import TerminalProgress

    with TerminalProgress(errors) as progress:
        run_policies(
            data,
            CodesColumns(tuple(listed(codes)), person, visit, separator, system, layout),
            out,
            console,
            k=k,
            known=known,
            size=size,
            diseases=listed(diseases),
            hierarchy=hierarchy,
            overlaps=overlaps,
            show_values=show_values,
            replace=replace,
            delimiter=delimiter,
            encoding=encoding,
            progress=progress,
        )
