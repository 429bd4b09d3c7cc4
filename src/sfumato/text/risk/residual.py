"""Residual risk: how many identifying tokens, and how many notes with one, a release is expected to hold.

From an evaluation on annotated notes *like those that are released*: of N released notes,

    leaking notes  ≈ N · (1 − f),      f the share of notes without a leak,
    leaked tokens  ≈ N · t · (1 − r),  r the recall of tokens, t identifying tokens per note,

with the intervals of f and r (``text/evaluate/intervals.py``), t taken as measured. The upper end counts:
when nothing was missed in n notes, up to about 3/n of others may still leak. It is an estimate about notes of
the same sort; notes of another ward or another year may leak more, and it says nothing about *what* leaks.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.errors import BadInput
from sfumato.text.evaluate.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Expected:
    """A number with the interval that holds it."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:,.0f} ({self.low:,.0f} to {self.high:,.0f})"


@dataclass(frozen=True)
class ResidualRisk:
    """What a release of so many notes is expected to leak. Numbers only."""

    released: int
    evaluated: int
    confidence: float
    recall: float
    recall_at_least: float
    leaked_tokens: Expected
    leaking_notes: Expected

    def __str__(self) -> str:
        return (
            f"In {self.released:,} released notes, {self.leaking_notes} are expected to hold an identifying "
            f"token, {self.leaked_tokens} tokens in all ({100 * self.confidence:g} % confidence, from "
            f"{self.evaluated:,} annotated notes; recall {100 * self.recall:.2f} %, at least "
            f"{100 * self.recall_at_least:.2f} %)."
        )


def residual_risk(evaluation: Evaluation, released: int) -> ResidualRisk:
    """Estimate what stays in a number of released notes.

    >>> from sfumato.text.annotation import Annotated
    >>> from sfumato.text.evaluate import evaluate
    >>> from sfumato.text.kinds import Kind
    >>> from sfumato.text.span import Span
    >>> notes = [Annotated("Ada is well", (Span(0, 3, Kind.NAME),))] * 100
    >>> print(residual_risk(evaluate(notes, [note.spans for note in notes]), 1000).leaking_notes)
    0 (0 to 37)
    """
    if released < 0:
        raise BadInput("a release cannot hold fewer than no notes", where="residual_risk")
    recall, free = evaluation.recall, evaluation.leak_free_share
    if recall.value is None or free.value is None:
        raise BadInput(
            "nothing identifying was annotated, so that what stays cannot be estimated",
            where="residual_risk",
            remedy="evaluate on annotated notes that hold identifiers, as those that are released do",
        )
    each = evaluation.tokens.gold / evaluation.notes * released
    return ResidualRisk(
        released,
        evaluation.notes,
        recall.confidence,
        recall.value,
        recall.at_least,
        Expected(each * (1 - recall.value), each * (1 - recall.high), each * (1 - recall.low)),
        Expected(released * (1 - free.value), released * (1 - free.high), released * (1 - free.low)),
    )
