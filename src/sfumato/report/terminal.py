"""A compact summary of the evidence for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sfumato.core.evidence import (
    AttackEvidence,
    HouseEvidence,
    PublicEvidence,
    ReleaseEvidence,
    StewardEvidence,
)
from sfumato.core.evidence_codes import CodesEvidence, StewardCodesEvidence
from sfumato.core.evidence_dna import DnaEvidence
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.core.evidence_query import QueryEvidence, StewardQueryEvidence
from sfumato.core.evidence_text import StewardTextEvidence, TextEvidence
from sfumato.report.answer import headline, left_out, little_left
from sfumato.report.attacks import hit_most
from sfumato.report.codes_risk import before_and_after
from sfumato.report.dna_terminal import of_dna
from sfumato.report.graph_terminal import of_graph
from sfumato.report.markup import clean
from sfumato.report.words import count, number, numbers, percent, shorten

if TYPE_CHECKING:
    from rich.console import RenderableType

_MOST_MEASURES = 4
_MOST_ATTACKS = 6
_MOST_RISKS = 3
_LONGEST = 500


def _line(value: str) -> str:
    """Return a text that stays on its line and cannot steer the terminal."""
    return shorten(clean(value).replace("\n", " ").replace("\t", " "), _LONGEST)


def _attack(attack: AttackEvidence) -> str:
    """Say how often an adversary is right, before and after."""
    assert attack.after is not None
    of = f" on {attack.column}" if attack.column else ""
    before = "" if attack.before is None else f"{percent(attack.before.success)} → "
    return f"{attack.name}{of} {before}{percent(attack.after.success)}"


def _figures(evidence: ReleaseEvidence) -> Iterator[tuple[str, str]]:
    """Say what the file holds, and for the steward what it risks and what was lost."""
    if isinstance(evidence, PublicEvidence):
        yield from _of_table(evidence)
    elif isinstance(evidence, CodesEvidence):
        yield from _of_codes(evidence)
    elif isinstance(evidence, QueryEvidence):
        yield from _of_query(evidence)
    elif isinstance(evidence, TextEvidence):
        yield from _of_text(evidence)
    elif isinstance(evidence, DnaEvidence):
        yield from of_dna(evidence)
    elif isinstance(evidence, GraphEvidence):
        yield from of_graph(evidence)
    if isinstance(evidence, HouseEvidence):
        attacks = [one for one, _ in hit_most(evidence.attacks)][:_MOST_ATTACKS]
        if attacks:
            yield "attacks", ", ".join(map(_attack, attacks))
        measured = evidence.utility[:_MOST_MEASURES]
        if measured:
            yield "loss", ", ".join(f"{one.name} {numbers(one.value)}" for one in measured)


def _of_table(evidence: PublicEvidence) -> Iterator[tuple[str, str]]:
    yield "records", f"{number(evidence.data.rows)} in the file. {left_out(evidence)}"
    classes = evidence.risk_after.classes if isinstance(evidence, StewardEvidence) else evidence.classes
    yield "groups", f"{count(classes.number, 'group')}, the smallest of {number(classes.smallest)}"
    if isinstance(evidence, StewardEvidence):
        before, after = evidence.risk_before, evidence.risk_after
        yield (
            "risk",
            f"highest {percent(before.highest_risk)} → {percent(after.highest_risk)}, "
            f"average {percent(before.average_risk)} → {percent(after.average_risk)}, "
            f"one of a kind {number(before.uniques)} → {number(after.uniques)}",
        )


def _of_codes(evidence: CodesEvidence) -> Iterator[tuple[str, str]]:
    shown = evidence.shown
    empty = f", {number(shown.empty)} of them show none" if shown.empty else ""
    yield "records", f"{count(shown.records, 'record')} with {count(shown.items, 'different item')}{empty}"
    if isinstance(evidence, StewardCodesEvidence):
        if evidence.became is not None:
            became = evidence.became
            yield (
                "codes",
                f"{number(became.kept)} shown as they were, {number(became.generalised)} generalised, "
                f"{number(became.suppressed)} left out",
            )
        if evidence.keeps_more:
            yield "keeps more", evidence.keeps_more
        risks = before_and_after(evidence)[:_MOST_RISKS]
        if risks:
            yield "risk", ", ".join(f"{title} {before} → {after}" for title, before, after in risks)


def _of_query(evidence: QueryEvidence) -> Iterator[tuple[str, str]]:
    drawn = count(evidence.data.rows, "record") + " drawn, " if evidence.form != "tables" else ""
    yield "release", f"{drawn}{count(len(evidence.tables), 'table')} of noisy counts"
    yield "neighbours", evidence.neighbours
    errors = ", ".join(f"{one.what} ± {number(one.people)}" for one in evidence.expected_error)
    if errors:
        yield "error", f"expected of one count, in people: {errors}"
    if isinstance(evidence, StewardQueryEvidence):
        yield "people", f"{number(evidence.read.people)} were read"


def _of_text(evidence: TextEvidence) -> Iterator[tuple[str, str]]:
    found = sum(one.number for one in evidence.replaced)
    yield "notes", f"{count(evidence.notes, 'note')}, {count(found, 'thing')} found in them"
    by_kind: dict[str, int] = {}
    for one in evidence.replaced:
        by_kind[one.kind] = by_kind.get(one.kind, 0) + one.number
    if by_kind:
        listed = sorted(by_kind.items(), key=lambda pair: -pair[1])
        yield "found", ", ".join(f"{kind} {number(amount)}" for kind, amount in listed)
    measured = evidence.measured
    if measured is not None:
        yield (
            "measured",
            f"recall {percent(measured.recall)} (at least {percent(measured.recall_at_least)}), precision "
            f"{percent(measured.precision)}, {number(measured.leak_free)} of {number(measured.notes)} notes "
            "without a miss",
        )
    if isinstance(evidence, StewardTextEvidence) and evidence.read.other_encoding:
        lines = count(evidence.read.other_encoding, "line or file", "lines or files")
        yield "encoding", f"{lines} were not UTF-8, and were read as Windows-1252"


def summary(evidence: ReleaseEvidence) -> RenderableType:
    """Return a panel: verdicts, records left out, and for the steward loss and risk before and after."""
    # Rich takes a noticeable part of the start-up time; only who shows a summary pays for it.
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    holds = all(verdict.holds for verdict in evidence.verdicts)
    good = bool(evidence.verdicts) and not little_left(evidence)
    colour = "red" if not holds else "green" if good else "yellow"
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")

    for verdict in evidence.verdicts:
        sign, word, tone = ("✓", "holds", "green") if verdict.holds else ("✗", "does not hold", "bold red")
        grid.add_row(
            Text(_line(verdict.model)),
            Text.assemble(
                (f"{sign} {word}", tone), _line(f": required {verdict.required}, achieved {verdict.achieved}")
            ),
        )
    for what, said in _figures(evidence):
        grid.add_row(what, Text(_line(said)))
    for warning in evidence.cautions:
        grid.add_row(Text("warning", style="yellow"), Text(_line(warning)))
    return Panel(
        grid,
        title=Text(headline(evidence), style=f"bold {colour}"),
        title_align="left",
        border_style=colour,
        padding=(1, 2),
        expand=False,
    )
