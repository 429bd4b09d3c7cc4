"""What a check says: does the promise hold, by how much, and if not, where does it break."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Basis(StrEnum):
    """What a promise can be checked from."""

    RELEASE = "release"
    """the published bytes alone"""
    POPULATION = "release and population"
    """the release and a list of the population it comes from"""
    ORIGINAL = "release and original"
    """the release and the original data"""
    MECHANISM = "mechanism"
    """only from how the release was made"""


class Threat(StrEnum):
    """What an adversary may learn about a person."""

    IDENTITY = "identity"
    """which record is theirs"""
    ATTRIBUTE = "attribute"
    """a sensitive value of theirs"""
    MEMBERSHIP = "membership"
    """that they are in the data at all"""
    INFERENCE = "inference"
    """something likely about them, from patterns of the whole"""


@dataclass(frozen=True)
class Witness:
    """Where a promise breaks: the columns, the first row numbers, the size of the class. No values.

    Rows are numbered from 1, in the order in which the published data lie.
    """

    columns: tuple[str, ...]
    rows: tuple[int, ...]
    size: int

    def __str__(self) -> str:
        shown = ", ".join(str(row) for row in self.rows)
        return f"a class of {self.size} on {', '.join(self.columns)} (row {shown})"


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check. Prints as a sentence.

    >>> print(Verdict("k-anonymity", True, required="k ≥ 5", achieved="k = 7", basis=Basis.RELEASE))
    k-anonymity holds: required k ≥ 5, achieved k = 7
    """

    model: str
    holds: bool
    required: str
    achieved: str
    basis: Basis
    protects_from: tuple[Threat, ...] = ()
    witness: Witness | None = None
    violations: int = 0
    """classes that break the promise"""
    note: str = ""

    def __str__(self) -> str:
        state = "holds" if self.holds else "does not hold"
        broken = f"; {self.witness}" if self.witness else ""
        note = f" ({self.note})" if self.note else ""
        return f"{self.model} {state}: required {self.required}, achieved {self.achieved}{broken}{note}"
