"""What became of the claims of a release."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """What became of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class Finding:
    """A claim, whether it is borne out, and why."""

    claim: str
    status: Status
    detail: str

    def __str__(self) -> str:
        return f"{self.status}: {self.claim} ({self.detail})"


@dataclass(frozen=True)
class Verification:
    """All findings about one release."""

    findings: tuple[Finding, ...]

    @property
    def refuted(self) -> tuple[Finding, ...]:
        """The claims that do not hold."""
        return tuple(finding for finding in self.findings if finding.status is Status.REFUTED)


def many(number: int, one: str, more: str = "") -> str:
    """Write a number with its noun.

    >>> many(1, "row"), many(2000, "class", "classes")
    ('1 row', '2,000 classes')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def finding(claim: str, holds: bool, yes: str, no: str) -> Finding:
    """Confirm a claim, or refute it."""
    return Finding(claim, Status.CONFIRMED if holds else Status.REFUTED, yes if holds else no)


def written_again(claim: str, same: bool) -> Finding:
    """Confirm that a file holds nothing that a reader passes over: written again, it is the same."""
    return finding(claim, same, "written once more, it is the same", "written once more, it would be another")
