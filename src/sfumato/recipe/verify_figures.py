"""Verify what releases of figures claim alike, be they of sites or of a network."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from sfumato.core.errors import SfumatoError
from sfumato.core.evidence import ReleaseEvidence
from sfumato.core.findings import Finding, Status, finding, many
from sfumato.core.fingerprint import sha256_of
from sfumato.recipe.query.warned import OF_THE_SYSTEM
from sfumato.recipe.verify_every import fingerprint

HELD = "the file holds the figures that its schema declares"
UNREADABLE = (SfumatoError, OSError, EOFError, zlib.error, pa.ArrowException, ValueError, OverflowError)
"""what readers raise when a file is not what it should be"""


def fingerprint_and_size(path: Path, evidence: ReleaseEvidence) -> Finding:
    """Compare the data with the fingerprint and the size that the evidence gives."""
    found = fingerprint(path, evidence)
    if found.status is Status.CONFIRMED and path.stat().st_size != evidence.data.bytes:
        return Finding(found.claim, Status.REFUTED, "the file has another size")
    return found


def schema_as_released(path: Path, sha256: str) -> Finding:
    """Compare the schema with the fingerprint that the evidence gives."""
    return finding(
        "the schema is the one that was released",
        sha256_of(path) == sha256,
        "the fingerprint is the same",
        "the fingerprint is another: the schema was changed",
    )


def not_held(problem: BaseException) -> Finding:
    """Say why a file does not hold figures."""
    return Finding(
        HELD, Status.REFUTED, problem.what if isinstance(problem, SfumatoError) else "it cannot be read"
    )


def drawn_in_secret(claim: str, randomness: str) -> Finding:
    """Noise of a generator that somebody can start again hides nothing; of other noise nobody can tell."""
    if randomness != OF_THE_SYSTEM:
        return Finding(claim, Status.REFUTED, "noise came from a seeded generator, or elsewhere")
    return Finding(
        claim, Status.NOT_CHECKED, "it rests on how the release was made: nobody can check it afterwards"
    )


def left_open(evidence: ReleaseEvidence, expected: Iterable[str]) -> Finding:
    """What is warned of follows from what everybody can read, so that nobody can strike a warning out."""
    told = list(expected)
    return finding(
        "what is left open is told",
        bool(told) and evidence.warnings == told,
        many(len(evidence.warnings), "warning"),
        "a warning is missing, or there is another",
    )
