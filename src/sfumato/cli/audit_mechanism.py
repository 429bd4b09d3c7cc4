"""The work behind ``sfumato audit mechanism``: run mechanisms, bound their ε from below, tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from sfumato.cli.progress import TerminalProgress
from sfumato.core.errors import BadInput, nearest
from sfumato.dp.audit.auditor import AuditFinding, Case
from sfumato.dp.exact import exact

if TYPE_CHECKING:
    from rich.console import Console


def sound() -> dict[str, Case]:
    """Return every mechanism of ours: noise and choices first, then the database."""
    from sfumato.dp.audit import catalogue
    from sfumato.query.attacks import audited

    return {**catalogue.MECHANISMS, **audited.MECHANISMS}


def broken() -> dict[str, Case]:
    """Return every mechanism that is broken on purpose."""
    from sfumato.dp.audit import broken as mechanisms
    from sfumato.query.attacks import broken as databases

    return {**mechanisms.BROKEN, **databases.BROKEN}


def list_mechanisms(console: Console) -> None:
    """Print the names."""
    table = _table("name", "what it is", "claims")
    for case in sound().values():
        table.add_row(case.name, case.title, str(case.claim))
    for case in broken().values():
        table.add_row(case.name, f"broken: {case.title}", str(case.claim))
    console.print(table)


def audit_mechanisms(
    name: str | None,
    samples: int | None,
    confidence: float,
    those_broken: bool,
    console: Console,
    errors: Console,
) -> bool:
    """Audit one mechanism or all; print a table; return whether a claim was refuted."""
    cases = _chosen(name, those_broken)
    if not 0.0 < confidence < 1.0:
        raise BadInput("the confidence lies between 0 and 1", where="--confidence", remedy="try 0.99")
    # Many audits have many chances to be wrong: each gets its share of them.
    each = float(1 - (1 - exact(confidence)) / len(cases))
    found: list[AuditFinding] = []
    with TerminalProgress(errors) as progress:
        for case in cases:
            found.append(case.audit(samples=samples, confidence=each, progress=progress))
    table = _table("mechanism", "claims", "at least", "runs", "verdict")
    for one in found:
        verdict = "refuted" if one.refuted else "not refuted"
        table.add_row(one.name, str(one.claim), _figures(one), f"{one.samples:,}", verdict)
    console.print(table)
    refuted = sum(one.refuted for one in found)
    of = f"{refuted} of {len(found)} claims refuted" if refuted else "No claim was refuted"
    console.print(
        f"{of}; all figures hold together with {100 * confidence:g} % confidence. "
        "What is not refuted is not proved: other inputs or rarer events may tell more.",
        soft_wrap=True,
        highlight=False,
    )
    return refuted > 0


def _chosen(name: str | None, those_broken: bool) -> list[Case]:
    if name is None:
        return list((broken() if those_broken else sound()).values())
    known = {**sound(), **broken()}
    if name not in known:
        raise BadInput(f"there is no mechanism '{name}'", where="mechanism", remedy=nearest(name, known))
    return [known[name]]


def _figures(one: AuditFinding) -> str:
    return f"ε = {one.epsilon:.3f}" + (f", δ = {one.delta:.3g}" if one.claim.delta and one.delta else "")


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, no_wrap=name == "mechanism")
    return table
