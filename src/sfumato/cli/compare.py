"""``sfumato compare``: the sweep, its progress bar, and what is printed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from sfumato.cli.stop import STOP
from sfumato.core.errors import BadInput
from sfumato.core.plain_yaml import parse_yaml
from sfumato.recipe.compare import DEFAULT_RISKS, DEFAULT_UTILITY, HTML, compare, refuse_existing_comparison
from sfumato.report.compare import terminal_table


class BarProgress:
    """A bar on a terminal; in a log, one line for each configuration."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = time.monotonic()
        self._bar = (
            Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:3.0f} %"),
                TimeElapsedColumn(),
                TextColumn("[dim]{task.fields[note]}[/dim]"),
                console=console,
                transient=True,
            )
            if console.is_terminal
            else None
        )
        self._task = self._bar.add_task("", total=1.0, note="") if self._bar else None

    def __enter__(self) -> BarProgress:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def step(self, what: str) -> None:
        """Begin a new step of the work."""
        STOP.check()
        if self._bar and self._task is not None:
            self._bar.update(self._task, description=what)
        else:
            self._log(what)

    def update(self, done: float, note: str = "") -> None:
        """Move the bar."""
        STOP.check()
        if self._bar and self._task is not None:
            self._bar.update(self._task, completed=done, note=note)
        elif note:
            self._log(f"{100 * done:.0f} %: {note}")

    def _log(self, line: str) -> None:
        elapsed = time.monotonic() - self._started
        self._console.print(f"[dim]{elapsed:6.1f} s  {line}[/dim]", highlight=False)


def run_compare(
    recipe: Path,
    out: Path | None,
    methods: list[str],
    vary: list[str],
    risk: list[str],
    utility: str | None,
    risk_at_most: float | None,
    loss_at_most: float | None,
    workers: int | None,
    cache: bool,
    replace: bool,
    console: Console,
    errors: Console,
) -> bool:
    """Compare, write the folder, print the table; say whether what was asked for was found."""
    target = out if out is not None else recipe.parent / "compare"
    refuse_existing_comparison(target, replace=replace)
    with BarProgress(errors) as progress:
        found = compare(
            recipe,
            methods=[_method(text) for text in methods],
            vary=_varied(vary),
            risk=risk or DEFAULT_RISKS,
            utility=utility or DEFAULT_UTILITY,
            risk_at_most=risk_at_most,
            loss_at_most=loss_at_most,
            workers=workers,
            cache=cache,
            progress=progress,
        )
        folder = found.write(target, replace=replace)
    console.print(terminal_table(found.evidence))
    if found.answer is not None:
        console.print(f"\n{found.answer.said}", highlight=False, markup=False)
    console.print(f"\nMap: {folder / HTML}", soft_wrap=True, highlight=False, markup=False)
    released = any(not one.failed for one in found.evidence.configurations)
    return released and (found.answer is None or found.answer.met)


def _method(text: str) -> Any:
    """Read a method as a recipe would: a name, or a name with its parameters."""
    spelt = _yaml(text, "--method")
    if not isinstance(spelt, str | dict):
        raise BadInput("--method is no name", remedy="for example --method 'mondrian: {strict: false}'")
    return spelt


def _varied(texts: list[str]) -> dict[str, list[Any]]:
    """Read ``k=2,5,10``."""
    found: dict[str, list[Any]] = {}
    for text in texts:
        key, sign, values = text.partition("=")
        if not sign or not key.strip() or not values.strip():
            raise BadInput("--vary is not understood", remedy="for example --vary k=2,5,10")
        found[key.strip()] = list(_yaml(f"[{values}]", "--vary"))
    return found


def _yaml(text: str, option: str) -> Any:
    try:
        return parse_yaml(text, option).data
    except BadInput as problem:
        raise BadInput(
            f"{option} is not understood: {problem.what}", remedy="spell it as in a recipe"
        ) from None
