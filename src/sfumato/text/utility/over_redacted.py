"""Over-redacted: how much of what was replaced pointed at nobody, going by annotated notes."""

from __future__ import annotations

from sfumato.core.errors import BadInput
from sfumato.text.evaluate.evaluation import Evaluation


def over_redacted(evaluation: Evaluation, changed: int, tokens: int) -> tuple[float, float]:
    """Estimate the share of all words and numbers that was replaced and identified nobody.

    With the precision p measured on annotated notes *like these*, changed · (1 − p) / tokens; also its upper
    end, by the interval of p (``text/evaluate/intervals.py``). What counts as identifying is the scope of the
    evaluation.
    """
    if evaluation.precision.value is None:
        raise BadInput(
            "nothing was found in the annotated notes, so that over-redaction cannot be estimated",
            where="over_redacted",
            remedy="measure on annotated notes that hold identifiers",
        )
    if not 0 <= changed <= tokens or not tokens:
        raise BadInput("of no words nothing can be said", where="over_redacted")
    share = changed / tokens
    return share * (1 - evaluation.precision.value), share * (1 - evaluation.precision.low)
