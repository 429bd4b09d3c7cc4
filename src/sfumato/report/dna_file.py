"""What a report says of a file of DNA as a whole, whatever it holds."""

from __future__ import annotations

from sfumato.core.evidence_dna import DnaEvidence
from sfumato.report.markup import Child
from sfumato.report.sections import ORDERS


def file_facts(evidence: DnaEvidence, truth: str) -> list[tuple[str, Child]]:
    """Return method, truth, what of the input is not in the release, who was counted, and the order."""
    return [
        ("Method", evidence.method),
        ("Truthfulness", truth),
        ("Not released", ", ".join(evidence.stripped) or "nothing is listed"),
        ("Who was counted", evidence.people),
        ("Order", ORDERS.get(evidence.order, evidence.order)),
    ]


def promised(evidence: DnaEvidence, model: str, key: str) -> float | None:
    """Return a parameter of a promise; where it is given several times the strictest.

    For k that is the largest, for bounds on an attacker the smallest.
    """
    values = [
        float(value)
        for verdict in evidence.verdicts
        if verdict.model == model
        and isinstance(value := verdict.parameters.get(key), int | float)
        and not isinstance(value, bool)
    ]
    return (max if key == "k" else min)(values, default=None)
