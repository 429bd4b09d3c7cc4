"""Auditing a ledger: read everything, believe nothing, recompute all of it from the log.

The chain shows entries that were changed, removed or put in another order; a head that was kept outside shows
that the end was cut off or that the whole chain was written anew. Then the log is played again (``replay``):
no charge was beyond the limits of its time, every answer belongs to a charge and is the one that was stored
first, and every table has exactly the rows that follow from the log (``tables_fit``). An audit that finds
nothing says that, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from sfumato.query.ledger.chain import Head
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.query.ledger.replay import MOST_PROBLEMS, Problem
from sfumato.query.ledger.tables_fit import replayed

if TYPE_CHECKING:
    from sfumato.query.ledger.sql_ledger import SqlLedger

__all__ = ["MOST_PROBLEMS", "AuditResult", "Problem", "refuse_refuted", "verify_chain"]


@dataclass(frozen=True)
class AuditResult:
    """What an audit found."""

    entries: int
    charges: int
    answers: int
    head: Head
    problems: tuple[Problem, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def __str__(self) -> str:
        seen = f"{self.entries} entries, {self.charges} charges, {self.answers} answers, head {self.head}"
        if self.holds:
            return f"not refuted: chain, totals and answers fit together ({seen})"
        return "\n".join([f"refuted ({seen})", *(f"- {problem}" for problem in self.problems)])


def verify_chain(ledger: SqlLedger, head: Head | None = None) -> AuditResult:
    """Check the chain, against a head that was kept outside where one is given, and recompute every total."""
    return ledger.read(lambda connection: _verify(connection, head))


def _verify(connection: Connection, kept: Head | None) -> AuditResult:
    found = replayed(connection, kept)
    charges, answers = len(found.charged), len(found.answers)
    return AuditResult(found.head.sequence, charges, answers, found.head, tuple(found.problems))


def refuse_refuted(connection: Connection) -> None:
    """Refuse a ledger in which anything differs from what its log adds up to."""
    problems = replayed(connection).problems
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise LedgerUnavailable(
            f"the ledger was changed past its log: {problems[0]}{more}",
            where="ledger",
            remedy="put the newest copy that fits back; 'sfumato audit ledger' lists all that differs",
        )
