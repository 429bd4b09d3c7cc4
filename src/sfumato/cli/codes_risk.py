"""How the risk of sets of codes looks on the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sfumato.core.errors import BadInput
from sfumato.core.evidence import RiskFigure
from sfumato.core.evidence_codes_risk import CodesRiskEvidence, KnownCodes
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.engine.sources import BasketFile
from sfumato.recipe.codes.init import CodesProposal
from sfumato.recipe.codes.risk import UP_TO, codes_risk
from sfumato.recipe.init import propose_either, read_as

_USUAL_K = 5


@dataclass(frozen=True)
class CodesColumns:
    """Which columns of a file hold what, as options name them; None where they do not."""

    codes: tuple[str, ...] = ()
    person: str | None = None
    visit: str | None = None
    separator: str | None = None
    system: str | None = None
    layout: str | None = None

    @property
    def named(self) -> bool:
        """Whether the codes are named."""
        return bool(self.codes)

    def guessed_from(self, proposal: CodesProposal) -> CodesColumns:
        """Take what a proposal says of the file where the options say nothing."""
        guess = proposal.guess
        return CodesColumns(
            guess.codes,
            self.person or guess.person,
            self.visit or guess.visit,
            self.separator or guess.separator,
            self.system or proposal.system,
            self.layout or guess.layout,
        )

    def found_in(self, data: Path, delimiter: str | None, encoding: str) -> CodesColumns:
        """Guess the columns where the codes are not named."""
        if self.named:
            return self
        proposal = propose_either(data, kind="codes", delimiter=delimiter, encoding=encoding)
        assert isinstance(proposal, CodesProposal)
        return self.guessed_from(proposal)

    def __str__(self) -> str:
        told = [f"codes {', '.join(self.codes)}"]
        told += [f"{role} {name}" for role, name in (("person", self.person), ("visit", self.visit)) if name]
        told += [f"layout {self.layout}"] if self.layout else []
        return "; ".join([*told, f"system {self.system}"] if self.system else told)


def show_codes_risk(
    data: Path,
    columns: CodesColumns,
    as_json: bool,
    console: Console,
    *,
    guessed: bool = False,
    sensitive: list[str] | None = None,
    population: Path | None = None,
    k: int | None = None,
    up_to: int | None = None,
    threshold: float | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    report: Path | None = None,
    progress: Progress = SILENT,
) -> CodesRiskEvidence:
    """Measure and print how exposed the people of a file are by their codes."""
    if up_to == 0:
        raise BadInput("an adversary knows at least one code", where="--up-to", remedy="write --up-to 2")
    if guessed and not as_json:
        told = f"Sets of codes (guessed; choose with --codes or --quasi): {columns}"
        console.print(escape(told), highlight=False, soft_wrap=True)
    source = read_as(data, delimiter, encoding)
    found = codes_risk(
        source,
        code=columns.codes,
        person=columns.person,
        visit=columns.visit,
        layout="baskets" if isinstance(source, BasketFile) else columns.layout,
        separator=columns.separator,
        system=columns.system,
        sensitive=sensitive or (),
        population=None if population is None else read_as(population, None, encoding),
        k=_USUAL_K if k is None else k,
        up_to=UP_TO if up_to is None else up_to,
        threshold=0.5 if threshold is None else threshold,
        progress=progress,
    )
    if report is not None:
        from sfumato.report.codes_exposure import write_codes_risk

        today = datetime.now(UTC).strftime("%Y-%m-%d")
        write_codes_risk(found, report, title=f"Risk of {data.name}", created=today)
    if as_json:
        console.print_json(found.model_dump_json())
        return found
    _print(found, data.name, console)
    if report is not None:
        console.print(f"Report: {report}", soft_wrap=True, highlight=False, markup=False)
    return found


def _print(found: CodesRiskEvidence, name: str, console: Console) -> None:
    where = "" if found.searched == "file" else ", looked for in the list of the population"
    people = "1 person" if found.people == 1 else f"{found.people:,} people"
    console.print(
        f"[italic]Risk of {escape(name)}: {people}, {found.codes:,} different codes, "
        f"{found.occurrences / max(found.records, 1):.1f} codes in the mean{where}[/italic]",
        highlight=False,
        soft_wrap=True,
    )
    _print_whole(found, console)
    _print_steps(f"somebody knows some of the codes (few: fewer than {found.k})", found.steps, console)
    for coarse in found.coarser:
        title = f"the same, {coarse.name} ({coarse.codes:,} different codes)"
        _print_steps(title, coarse.steps, console)
    said = (
        "At worst: by the most telling codes of a person. At random: the mean over people with so many codes."
    )
    console.print(said, style="dim", highlight=False, soft_wrap=True)
    if found.alone is not None:
        _print_alone(found, console)
    attribute = [one for one in found.figures if one.threat == Threat.ATTRIBUTE]
    if attribute:
        table = _plain("attribute: a sensitive code of a person")
        for one in attribute:
            table.add_row(escape(one.title), percent(one.value), escape(one.meaning))
        console.print(table)
    notes = dict.fromkeys(
        [*found.said, *(one.said for one in attribute), *(one.said for one in _whole(found) if one.said)]
    )
    for sentence in notes:
        console.print(f"Note: {escape(sentence)}.", highlight=False, soft_wrap=True)


def _whole(found: CodesRiskEvidence) -> list[RiskFigure]:
    wanted = ("unique-set", "set-below-k", "held-set-unique", "held-set-below-k")
    return [one for one in found.figures if one.name in wanted or one.name.startswith("visit-")]


def _print_whole(found: CodesRiskEvidence, console: Console) -> None:
    table = _plain("identity: which record is a person's")
    for one in _whole(found):
        table.add_row(escape(one.title), percent(one.value), escape(one.meaning))
    console.print(table)


def _print_steps(title: str, steps: list[KnownCodes], console: Console) -> None:
    table = Table(title=f"\n{title}", title_justify="left", title_style="bold", box=None)
    table.add_column("codes known", justify="right", header_style="dim")
    for heading in ("unique at worst", "at random", "few at worst", "at random"):
        table.add_column(heading, justify="right", header_style="dim")
    for step in steps:
        shares = (step.worst_unique, step.random_unique, step.worst_below, step.random_below)
        table.add_row(str(step.known), *map(percent, shares))
    console.print(table)


def _print_alone(found: CodesRiskEvidence, console: Console) -> None:
    alone = found.alone
    assert alone is not None
    told = [f"{people:,} by {size}" for size, people in enumerate(alone.by_size, 1)]
    told += [f"{alone.more:,} by more", f"{alone.never:,} never"]
    console.print(f"People whom codes single out: {', '.join(told)}.", highlight=False, soft_wrap=True)


def _plain(title: str) -> Table:
    table = Table(title=f"\n{title}", title_justify="left", title_style="bold", box=None, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold", style="dim")
    return table


def percent(share: float | None) -> str:
    """Write a share; what is not quite nothing or not quite everything is not rounded to it.

    >>> percent(None), percent(0.00001), percent(0.5)
    ('not known', '< 0.1 %', '50.0 %')
    """
    if share is None:
        return "not known"
    written = f"{100 * share:.1f} %"
    if written == "0.0 %" and share > 0:
        return "< 0.1 %"
    return "> 99.9 %" if written == "100.0 %" and share < 1 else written
