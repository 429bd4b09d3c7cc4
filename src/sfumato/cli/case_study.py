"""``sfumato case-study``: how exposed diagnosis codes are, and what each remedy leaves of them."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput
from sfumato.core.jit import is_compiled
from sfumato.recipe.case_study.figures import NOTHING, counted, share, unique_by_all, unique_by_visit
from sfumato.recipe.case_study.page import places_of_pictures, write_case_study
from sfumato.recipe.case_study.source import Source
from sfumato.recipe.case_study.study import SWEEP, Study, study


def run_case_study(
    source: Source, k: int, out: Path, replace: bool, console: Console, errors: Console
) -> None:
    """Study a file, write the page and its pictures, and show what each remedy keeps."""
    for path in (out, *places_of_pictures(out, 1)):
        if path.is_dir():
            raise BadInput("this is a folder", where=str(path), remedy="name a file, such as case-study.md")
        if path.exists() and not replace:
            raise BadInput(
                "there is already such a file",
                where=str(path),
                remedy="choose another place with --out, or give --replace",
            )
    if not is_compiled():
        errors.print("compiling (once, about a quarter of a minute)", highlight=False)
    with TerminalProgress(errors) as progress:
        found = study(source, k=k, sweep=SWEEP, progress=progress)
    page, pictures = write_case_study([found], out)
    show_case_study(found, console)
    for title, path in (("The page:", page), *(("A picture:", picture) for picture in pictures)):
        console.print(f"{title:11} {path}", highlight=False, soft_wrap=True, markup=False)


def show_case_study(found: Study, console: Console) -> None:
    """Print who is unique, and what is left after each remedy, in 80 columns."""
    risk = found.as_released
    said = f"{found.people:,} people: {unique_by_all(risk)} unique by all of their codes"
    if risk.visits is not None:
        said += f", {unique_by_visit(risk)} by one visit"
    if found.shorter is not None:
        said += f"; {unique_by_all(found.shorter)} by three digits"
    console.print(f"{said}.", highlight=False)
    table = Table(
        title=f"What each remedy leaves, k = {found.k}",
        title_justify="left",
        title_style="bold",
        box=None,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    table.add_column("remedy", no_wrap=True)
    for heading in ("diseases\ncounted", "codes\nleft out", "occurrences\nleft out", "CPU\nseconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name in found.methods:
        one = found.editions[name]
        if one is None:
            table.add_row(name, *(NOTHING for _ in range(4)))
            continue
        lost = f"{one.codes_lost:,} of {found.codes:,}"
        table.add_row(name, counted(found, one), lost, share(one.occurrences_lost), f"{one.seconds:.2f}")
    console.print(table)
