"""Verify what releases of every kind claim: their bytes, their files, their promises, their attacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from sfumato.__about__ import __version__
from sfumato.core.errors import BadInput
from sfumato.core.evidence import ReleaseEvidence, VerdictEvidence
from sfumato.core.files import Unreadable, read_bytes
from sfumato.core.findings import Finding, Status, finding, many
from sfumato.core.fingerprint import sha256_of
from sfumato.release.names import EVIDENCE, REPORT, SCHEMA
from sfumato.report import render


def fingerprint(path: Path, evidence: ReleaseEvidence) -> Finding:
    """Compare the data with the fingerprint that the evidence gives."""
    return finding(
        "the data are those that were released",
        sha256_of(path) == evidence.data.sha256,
        "the fingerprint is the same",
        "the fingerprint is another: the file was changed",
    )


def as_released(schema: Path, sha256: str, beside: Mapping[str, str], expected: Collection[str]) -> bool:
    """Say whether the schema and the files that belong to the data are those that were released.

    ``beside`` gives the fingerprint of each such file, ``expected`` their names.
    """
    return (
        sha256_of(schema) == sha256
        and set(beside) == set(expected)
        and all(sha256_of(schema.with_name(name)) == told for name, told in beside.items())
    )


def files(release: Path, evidence: ReleaseEvidence, more: Collection[str] = ()) -> Finding:
    """What else lies in the folder was not made by the release; ``more`` files belong to the data."""
    known = {EVIDENCE, SCHEMA, REPORT, evidence.data.file, *more}
    others = sorted(path.name for path in release.iterdir() if path.name not in known)
    return finding(
        "the folder holds the release and nothing else",
        not others,
        many(len(known), "file"),
        f"{many(len(others), 'file')} more",
    )


def report_told(path: Path, evidence: ReleaseEvidence) -> Finding:
    """The page that people read must say what the evidence says, word for word."""
    claim = "the report is that of the evidence"
    if path.is_symlink():
        return Finding(claim, Status.REFUTED, "it leads elsewhere")
    try:
        expected = render(evidence).encode()
    except (ArithmeticError, LookupError, ValueError):
        return Finding(claim, Status.REFUTED, "the evidence holds what no report can say")
    try:
        # A page that is longer is another one, and is not read to its end.
        same = read_bytes(path, len(expected)) == expected
    except Unreadable as problem:
        if problem.missing:
            return Finding(claim, Status.NOT_CHECKED, "there is none")
        return Finding(claim, Status.REFUTED, "it is no plain file")
    except BadInput:
        same = False
    except OSError:
        return Finding(claim, Status.REFUTED, "it could not be read")
    if not same and evidence.software.get("sfumato") != __version__:
        return Finding(claim, Status.NOT_CHECKED, "this version writes it otherwise")
    return finding(claim, same, "written again", "it says something else")


def in_words(claim: VerdictEvidence) -> str:
    """Name a promise with its parameters."""
    spelt = ", ".join(f"{key} = {value}" for key, value in claim.parameters.items())
    return f"{claim.model} with {spelt}" if spelt else claim.model


def about_the_recipe(evidence: ReleaseEvidence) -> Finding:
    """Nobody may promise one thing and check another."""
    checked = [{claim.model: claim.parameters} for claim in evidence.verdicts]
    return finding(
        "the verdicts are about the promises of the recipe",
        evidence.recipe.get("models") == checked,
        many(len(checked), "promise"),
        "recipe and verdicts disagree",
    )


def attacks(evidence: ReleaseEvidence) -> list[Finding]:
    """Name the attacks that were bounded: adversaries were run with what only the steward holds."""
    listed = evidence.recipe.get("attacks")
    found = []
    for told in listed if isinstance(listed, list) else []:
        for name, bounds in told.items() if isinstance(told, dict) else ():
            told_bounds = bounds.items() if isinstance(bounds, dict) else ()
            spelt = ", ".join(f"{key} {value}" for key, value in told_bounds)
            found.append(
                Finding(
                    f"the attack {name} keeps its bound ({spelt})",
                    Status.NOT_CHECKED,
                    "it was run in the house: only the steward can repeat it, or you with 'sfumato attack'",
                )
            )
    return found
