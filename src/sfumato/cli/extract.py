"""What ``sfumato policies`` does: extract, say what can be had, write for the steward."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from sfumato.cli.codes_risk import CodesColumns
from sfumato.cli.places import refuse_release
from sfumato.codes.contract import Constraint
from sfumato.codes.icd import System
from sfumato.codes.policies import format_constraints
from sfumato.core.progress import SILENT, Progress
from sfumato.engine.sources import BasketFile
from sfumato.hierarchy import from_spec
from sfumato.recipe.codes.policies import (
    GWAS,
    PRIVACY,
    Policies,
    extract_policies,
    refuse_existing_policies,
    write_policies,
)
from sfumato.recipe.codes.risk import read_for_risk
from sfumato.recipe.init import read_as


def run_policies(
    data: Path,
    columns: CodesColumns,
    out: Path,
    console: Console,
    *,
    k: int,
    known: str | None,
    size: int | None,
    diseases: list[str],
    hierarchy: str | None,
    overlaps: str,
    show_values: bool,
    replace: bool,
    delimiter: str | None,
    encoding: str,
    progress: Progress = SILENT,
) -> Policies:
    """Extract, say what is feasible, write for the steward; codes are printed only if asked for."""
    refuse_release(out / PRIVACY, "a policy that was extracted from raw data", "--out")
    refuse_existing_policies(out, replace=replace)
    guessed = not columns.named
    columns = columns.found_in(data, delimiter, encoding)
    if guessed:
        told = f"Sets of codes (guessed; choose with --codes): {columns}"
        console.print(told, highlight=False, soft_wrap=True, markup=False)
    source = read_as(data, delimiter, encoding)
    read, _ = read_for_risk(
        source,
        code=columns.codes,
        person=columns.person,
        visit=columns.visit,
        layout="baskets" if isinstance(source, BasketFile) else columns.layout,
        separator=columns.separator,
        system=columns.system,
        progress=progress,
    )
    asked: str | list[str] | None = diseases or None
    if diseases == [GWAS] or (not diseases and columns.system == System.ICD9CM):
        asked = GWAS
    found = extract_policies(
        read,
        k=k,
        known=known,
        size=size,
        diseases=asked,
        system=columns.system,
        hierarchy=None if hierarchy is None else from_spec(hierarchy, Path()),
        overlaps=overlaps,
        progress=progress,
    )
    paths = write_policies(found, out, replace=replace)
    _print(found, paths, console, show_values=show_values)
    return found


def _print(found: Policies, paths: list[Path], console: Console, *, show_values: bool) -> None:
    def line(text: str) -> None:
        console.print(text, highlight=False, soft_wrap=True, markup=False)

    for sentence in str(found).splitlines():
        line(f"{sentence[0].upper()}{sentence[1:]}.")
    for note in found.notes:
        line(f"Note: {note}.")
    if found.utility is None:
        line("No utility policy: name what analysts count with --diseases.")
    if show_values:
        if len(found.privacy):
            _print_codes("Privacy constraints", found.privacy.constraints, console)
        if found.utility is not None:
            _print_codes("Utility constraints", found.utility.constraints, console)
    if paths:
        line(f"To keep:  {', '.join(map(str, paths))}")
    if len(found.privacy):
        line(
            "In a recipe they are the constraints of the model privacy-constraints, and utility-constraints; "
            "cba and ugaclip are methods for them."
        )


def _print_codes(title: str, constraints: tuple[Constraint, ...], console: Console) -> None:
    console.print(f"\n{title}", style="bold", highlight=False)
    console.print(format_constraints(constraints), highlight=False, soft_wrap=True, markup=False, end="")
