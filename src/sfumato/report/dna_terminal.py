"""What the summary in the terminal says of released DNA."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.core.evidence_dna import DnaEvidence, RowsEvidence, StewardDnaEvidence
from sfumato.report.dna_rows import pairs_of
from sfumato.report.dna_statistics import strongest
from sfumato.report.words import count, number, percent

_MOST_RISKS = 3


def of_dna(evidence: DnaEvidence) -> Iterator[tuple[str, str]]:
    """Say what the file holds, and for the steward how exposed people were and are."""
    if evidence.rows is not None:
        yield from _of_rows(evidence, evidence.rows)
    figures = evidence.figures
    if figures is not None:
        people = (
            "" if figures.people is None else f", counted over {count(figures.people, 'person', 'people')}"
        )
        yield "sites", f"{number(figures.sites)} with {', '.join(figures.columns) or 'no figures'}{people}"
        if figures.epsilon is not None:
            delta = f", δ = {figures.delta}" if figures.delta not in (None, "0") else ""
            compared = f"; compared: {figures.neighbours}" if figures.neighbours else ""
            yield "price", f"ε = {figures.epsilon}{delta}{compared}"
    if isinstance(evidence, StewardDnaEvidence):
        yield from _of_steward(evidence)


def _of_rows(evidence: DnaEvidence, rows: RowsEvidence) -> Iterator[tuple[str, str]]:
    what = ("sequence", "sequences") if evidence.form == "sequences" else ("person", "people")
    wide = "of different lengths" if rows.positions is None else f"with {count(rows.positions, 'position')}"
    yield "rows", f"{count(rows.rows, *what)} {wide}"
    yield (
        "groups",
        f"{count(rows.different, 'group')} that look alike, the smallest of {number(rows.smallest)}",
    )
    cells = rows.exact + rows.partly + rows.open
    if cells:
        told = (("exact", rows.exact), ("partly open", rows.partly), ("open", rows.open))
        yield "cells", ", ".join(f"{percent(amount / cells)} {word}" for word, amount in told)
        if 2 * rows.open > cells:
            yield "advice", "most cells are open: figures of sites in place of rows keep more (docs/dna.md)"


def _of_steward(evidence: StewardDnaEvidence) -> Iterator[tuple[str, str]]:
    if evidence.read.left_out:
        yield (
            "left out",
            ", ".join(f"{reason}: {number(amount)}" for reason, amount in evidence.read.left_out.items()),
        )
    risks = [
        f"{one.title} {percent(one.value)} → {percent(other.value)}"
        for one, other in pairs_of(evidence)[:_MOST_RISKS]
        if not one.people
    ]
    if risks:
        yield "risk", ", ".join(risks)
    worst = strongest(evidence)
    if worst is not None:
        yield "attacker", f"tells members from others with an AUC of {number(worst)} at best (a guess: 0.5)"
