"""How the risk of a file looks on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sfumato.cli.places import refuse_release
from sfumato.core.errors import BadInput
from sfumato.core.evidence import RiskEvidence, RiskFigure
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.recipe.api import risk
from sfumato.recipe.init import propose, read_as
from sfumato.table.risk.journalist import ITS_OWN_POPULATION

MOST_LINES = 8
"""columns and combinations that are shown"""
_HEADINGS = {
    Threat.IDENTITY: "identity: which record is a person's",
    Threat.ATTRIBUTE: "attribute: a sensitive value of a person",
    Threat.MEMBERSHIP: "membership: who is in the data at all",
    Threat.INFERENCE: "inference: what everybody else's records say",
}


def show_risk(
    data: Path,
    quasi: list[str] | None,
    person: str | None,
    as_json: bool,
    console: Console,
    *,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    population: Path | None = None,
    report: Path | None = None,
    replace: bool = False,
    progress: Progress = SILENT,
    **asked: Any,
) -> RiskEvidence:
    """Measure and print how exposed the people of a file are; ``asked`` are other arguments of ``risk``."""
    if report is not None:
        _check_place(report, replace=replace)
    if quasi is None:
        proposal = propose(data, delimiter=delimiter, encoding=encoding)
        taken = (person, asked.get("weight"), asked.get("household"), *asked.get("sensitive", ()))
        quasi = [name for name in proposal.schema.quasi if name not in taken]
        person = person or proposal.schema.person
        if not as_json:
            named = escape(", ".join(quasi))
            console.print(f"Quasi-identifiers (guessed; choose with --quasi): {named}", highlight=False)
    found = risk(
        read_as(data, delimiter, encoding),
        quasi=quasi,
        person=person,
        population=None if population is None else read_as(population, None, encoding),
        progress=progress,
        **asked,
    )
    if report is not None:
        from sfumato.report.risk import write_risk

        today = datetime.now(UTC).strftime("%Y-%m-%d")
        write_risk(found, report, title=f"Risk of {data.name}", created=today)
    if as_json:
        console.print_json(found.model_dump_json())
        return found
    _print(found, data.name, console)
    if report is not None:
        console.print(f"Report: {report}", soft_wrap=True, highlight=False, markup=False)
    return found


def _check_place(report: Path, *, replace: bool) -> None:
    """Refuse a place for the report before anything is computed."""
    refuse_release(report, "a report about raw data", "--report")
    if report.is_dir():
        raise BadInput("this is a folder", where=str(report), remedy="name a file, such as risk.html")
    if not report.resolve().parent.is_dir():
        raise BadInput("the report cannot be written there", where=str(report), remedy="check the folder")
    if report.exists() and not replace:
        raise BadInput(
            "there is already a report",
            where=str(report),
            remedy="choose another name, or give --replace",
        )


def _print(found: RiskEvidence, name: str, console: Console) -> None:
    who = "rows, taken as persons" if found.people.startswith("rows") else "persons"
    console.print(f"[italic]Risk of {escape(name)}: {found.persons:,} {who}[/italic]", highlight=False)
    for kind in Threat:
        lines = _prosecutor(found) if kind is Threat.IDENTITY else []
        lines += [
            (one.title, _value(one), _note(one))
            for one in found.figures
            if one.threat == kind and one.said != ITS_OWN_POPULATION
        ]
        if lines:
            console.print(_lines(_HEADINGS[kind], lines))
    if any(one.said == ITS_OWN_POPULATION for one in found.figures):
        console.print(
            "Journalist and marketer risk: at most as above; --population tells more.",
            style="dim",
            highlight=False,
        )
    _print_columns(found, console)
    for sentence in (*found.said, *dict.fromkeys(one.said for one in found.figures if _told_below(one))):
        console.print(f"Note: {escape(sentence)}.", highlight=False, soft_wrap=True)


def _prosecutor(found: RiskEvidence) -> list[tuple[str, str, str]]:
    return [
        (
            "alone with these columns",
            f"{found.uniques:,} ({_percent(found.unique_share)})",
            "in this file",
        ),
        ("highest chance to be found", _percent(found.highest_risk), "prosecutor"),
        ("average chance to be found", _percent(found.average_risk), "prosecutor"),
        (f"with a chance above {found.threshold:.3g}", _percent(found.records_at_risk), "prosecutor"),
        ("classes", f"{found.classes.number:,}", f"the smallest of {found.classes.smallest:,}"),
    ]


def _lines(title: str, lines: Sequence[tuple[str, str, str]]) -> Table:
    table = Table(title=f"\n{title}", title_justify="left", title_style="bold", box=None, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold", style="dim")
    for line in lines:
        table.add_row(*map(escape, line))
    return table


def _value(one: RiskFigure) -> str:
    if one.value is None:
        return "not known"
    if not one.people:
        return _percent(one.value)
    if 0 < one.value < 0.05:
        return "< 0.1"
    return f"{one.value:,.0f}" if float(one.value).is_integer() else f"{one.value:,.1f}"


def _note(one: RiskFigure) -> str:
    return one.said if one.value is None else one.meaning


def _told_below(one: RiskFigure) -> bool:
    return bool(one.said) and one.value is not None and one.said != ITS_OWN_POPULATION


def _percent(share: float) -> str:
    """Write a share; what is not quite nothing or not quite everything is not rounded to it."""
    written = f"{100 * share:.1f} %"
    if written == "0.0 %" and share > 0:
        return "< 0.1 %"
    return "> 99.9 %" if written == "100.0 %" and share < 1 else written


def _print_columns(found: RiskEvidence, console: Console) -> None:
    """Show which columns identify, alone and together."""
    if not found.attributes:
        return
    with_suda = any(one.contribution is not None for one in found.attributes)
    table = Table(title="\nwhich columns identify", title_justify="left", title_style="bold", box=None)
    table.add_column("")
    for heading in ("values", "tell apart", "alone by it", *(("SUDA",) if with_suda else ())):
        table.add_column(heading, justify="right", header_style="dim")
    for one in found.attributes[:MOST_LINES]:
        apart = "–" if one.separation is None else _percent(one.separation)
        cells = [f"{one.distinct:,}", apart, _percent(one.unique_share)]
        if with_suda:
            cells.append("–" if one.contribution is None else _percent(one.contribution))
        table.add_row(escape(one.name), *cells)
    console.print(table)
    if found.growth:
        steps = Table(box=None)
        for heading in ("columns known", "least", "mean", "greatest share alone"):
            steps.add_column(heading, justify="right", header_style="dim")
        for step in found.growth:
            steps.add_row(str(step.columns), *(_percent(s) for s in (step.least, step.mean, step.greatest)))
        console.print(steps)
    for known in found.identifying[:MOST_LINES]:
        console.print(
            f"{escape(', '.join(known.columns))}: {_percent(known.unique_share)} are alone", highlight=False
        )
