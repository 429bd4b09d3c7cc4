"""What the evidence of every kind of release tells in the same words: verdicts, versions, the day."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from typing import Any, Protocol

from sfumato.__about__ import __version__
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.verdict import Threat, Verdict

_PARTS = ("duckdb", "numpy", "numba", "pyarrow")


class Promise(Protocol):
    """A model, of whatever kind of data."""

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
