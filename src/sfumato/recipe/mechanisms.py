"""The mechanisms that the evidence of a release speaks of, for promises that rest on them."""

from __future__ import annotations

from typing import Any

from sfumato.core.errors import BadInput
from sfumato.core.evidence import PublicEvidence
from sfumato.table.methods.safepub import SafePub
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.perturbation.estimator import mechanism_from_text


def mechanisms_in(evidence: PublicEvidence) -> tuple[Mechanism, ...]:
    """Read how columns were randomised, and how records were sampled."""
    try:
        found = [
            mechanism_from_text(m.model_dump()) for step in evidence.perturbation for m in step.mechanisms
        ]
        return (*found, *_sampled(evidence.recipe.get("method")))
    except (ValueError, TypeError, KeyError, ZeroDivisionError, BadInput):
        raise BadInput(
            "a mechanism in the evidence is not as it should be", remedy="get the release again"
        ) from None


def _sampled(method: Any) -> tuple[Mechanism, ...]:
    """Read what SafePub spends; the levels that it was given do not matter to that."""
    given = method.get(SafePub.name) if isinstance(method, dict) else None
    if given is None:
        return ()
    searched = given.get("search_epsilon")
    levels: dict[str, int] | None = {} if searched is None else None
    return (SafePub(given["epsilon"], given["delta"], levels, searched).mechanism,)
