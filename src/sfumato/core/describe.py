"""What the evidence of every kind of release tells in the same words: verdicts, versions, the day."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from typing import Any, Protocol

from sfumato.__about__ import __version__
from sfumato.core.evidence import MeasureEvidence, VerdictEvidence
from sfumato.core.measure import Measure, Measured
from sfumato.core.verdict import Threat, Verdict

_PARTS = ("duckdb", "numpy", "numba", "pyarrow")


class Promise(Protocol):
    """A model, of whatever kind of data."""

    @property
    def protects_from(self) -> tuple[Threat, ...]:
        """The threats it answers."""

    def in_words(self) -> str:
        """Say in one sentence what is promised."""


def software() -> dict[str, str]:
    """Return the versions of what made a release."""
    versions = {part: metadata.version(part) for part in _PARTS}
    return {"sfumato": __version__, "python": platform.python_version(), **versions}


def today() -> str:
    """Return the day on which a release is made; the minute would say when the run was."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


def verdict_told(model: Promise, verdict: Verdict, parameters: Mapping[str, Any]) -> VerdictEvidence:
    """Describe a verdict, and what its promise leaves open."""
    return VerdictEvidence(
        model=verdict.model,
        parameters=dict(parameters),
        holds=verdict.holds,
        required=verdict.required,
        achieved=verdict.achieved,
        basis=str(verdict.basis),
        protects_from=[str(threat) for threat in verdict.protects_from],
        does_not_protect_from=[str(t) for t in Threat if t not in verdict.protects_from],
        note=verdict.note,
        meaning=model.in_words(),
    )


def means_what_it_says(claim: VerdictEvidence, model: Promise) -> bool:
    """Compare the words of a claim with those of its model."""
    threats = [str(threat) for threat in model.protects_from]
    open_ = [str(threat) for threat in Threat if threat not in model.protects_from]
    told = (claim.protects_from, claim.does_not_protect_from, claim.meaning)
    return told == (threats, open_, model.in_words())


def measure_told(measure: Measure, found: Measured) -> MeasureEvidence:
    """Describe what a measure found."""
    return MeasureEvidence(
        name=measure.name,
        title=measure.title,
        value=found.value,
        range=measure.range,
        meaning=measure.meaning,
        details=dict(found.details),
    )
