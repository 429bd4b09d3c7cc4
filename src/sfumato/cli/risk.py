"""How the risk of a file looks on the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace as replace_fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sfumato.cli.codes_risk import CodesColumns, show_codes_risk
from sfumato.cli.graph_read import is_network_file
from sfumato.cli.places import refuse_release
from sfumato.core.errors import BadInput
from sfumato.core.evidence import RiskEvidence, RiskFigure
from sfumato.core.evidence_codes_risk import CodesRiskEvidence
from sfumato.core.files import real_path
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.core.verdict import Threat
from sfumato.recipe.api import risk
from sfumato.recipe.codes.init import CodesProposal
from sfumato.recipe.dna.init import is_dna_file
from sfumato.recipe.init import Proposal, propose_either, read_as
from sfumato.table.risk.journalist import ITS_OWN_POPULATION
from sfumato.table.risk.prosecutor import DEFAULT_THRESHOLD

_OF_TABLES = (
    "identifier",
    "population_person",
    "sampling_fraction",
    "population_size",
    "weight",
    "household",
    "suda",
)
_NO_CODES = "this is about sets of codes, and the file is taken as a table"
_NAME_THEM = "name the column that holds the codes with --codes, or leave it out"
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
    columns: CodesColumns | None = None,
    k: int | None = None,
    **asked: Any,
) -> RiskEvidence | CodesRiskEvidence:
    """Measure and print how exposed the people of a file are; ``asked`` are other arguments of ``risk``.

    Where ``columns`` name codes, or the file seems to hold sets of them and no quasi-identifier is named, it
    is measured by codes.
    """
    if is_dna_file(data):
        raise BadInput(
            "this is a file of sequences or genotypes",
            where=str(data),
            remedy=f"measure it with 'sfumato dna risk {shlex.quote(str(data))}'",
        )
    named = columns is not None and columns.named
    if quasi is None and not named and is_network_file(data):
        raise BadInput(
            "this is a file of a network",
            where=str(data),
            remedy=f"measure it with 'sfumato graph risk {shlex.quote(str(data))}', or name columns of a "
            "table with --quasi",
        )
    if report is not None:
        _check_place(report, replace=replace)
    proposal = None
    if quasi is None and not named:
        proposal = propose_either(data, delimiter=delimiter, encoding=encoding)
    of_codes = proposal if isinstance(proposal, CodesProposal) else None
    if named or of_codes is not None:
        _refuse_of_tables(quasi, asked)
        columns = CodesColumns() if columns is None else columns
        columns = replace_fields(columns, person=person)
        return show_codes_risk(
            data,
            columns if of_codes is None else columns.guessed_from(of_codes),
            as_json,
            console,
            guessed=of_codes is not None,
            sensitive=asked.get("sensitive"),
            population=population,
            k=k,
            up_to=asked.get("up_to"),
            threshold=asked.get("threshold"),
            delimiter=delimiter,
            encoding=encoding,
            report=report,
            progress=progress,
        )
    _refuse_of_codes(columns, k)
    if asked.get("threshold") is None:
        asked["threshold"] = float(DEFAULT_THRESHOLD)
    if quasi is None:
        assert isinstance(proposal, Proposal)
        taken = (person, asked.get("weight"), asked.get("household"), *asked.get("sensitive", ()))
        quasi = [name for name in proposal.schema.quasi if name not in taken]
        person = person or proposal.schema.person
        hidden = [name for name in proposal.schema.with_role(Role.IDENTIFIER) if name not in taken]
        asked["identifier"] = asked.get("identifier") or hidden
        if not as_json:
            listed = escape(", ".join(quasi))
            console.print(f"Quasi-identifiers (guessed; choose with --quasi): {listed}", highlight=False)
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


def _refuse_of_tables(quasi: list[str] | None, asked: dict[str, Any]) -> None:
    """Refuse options that codes do not have, rather than to pass over them in silence."""
    given = {"quasi": quasi, **{key: asked.get(key) for key in _OF_TABLES}}
    for key, value in given.items():
        if value:
            raise BadInput(
                "this is about tables, and the risk of codes is measured",
                where=f"--{key.replace('_', '-')}",
                remedy="leave it out" if key == "quasi" else "leave it out, or name columns with --quasi",
            )


def _refuse_of_codes(columns: CodesColumns | None, k: int | None) -> None:
    if k is not None:
        raise BadInput(_NO_CODES, where="--k", remedy=_NAME_THEM)
    if columns is None:
        return
    for key in ("visit", "separator", "system", "layout"):
        if getattr(columns, key) is not None:
            raise BadInput(_NO_CODES, where=f"--{key}", remedy=_NAME_THEM)


def _check_place(report: Path, *, replace: bool) -> None:
    """Refuse a place for the report before anything is computed."""
    refuse_release(report, "a report about raw data", "--report")
    if report.is_dir():
        raise BadInput("this is a folder", where=str(report), remedy="name a file, such as risk.html")
    if not real_path(report).parent.is_dir():
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
    _print_others(found, console)
    for sentence in (*found.said, *dict.fromkeys(one.said for one in found.figures if _told_below(one))):
        console.print(f"Note: {escape(sentence)}.", highlight=False, soft_wrap=True)


def _print_others(found: RiskEvidence, console: Console) -> None:
    """Show what becomes of candidates when one more column is known."""
    if not found.exposure:
        return
    lines = [
        (
            one.column,
            f"{one.fewer:,} ({_percent(one.fewer / one.people)})",
            "; ".join(why for why in one.why if why != one.role),
        )
        for one in sorted(found.exposure, key=lambda one: -one.fewer)
        if one.people
    ]
    title = f"people with fewer than {found.exposure[0].k} candidates when one more column is known"
    console.print(_lines(title, lines))


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
