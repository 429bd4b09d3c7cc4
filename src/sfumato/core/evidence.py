"""Evidence: what a release claims, in a form that anyone can re-check. Published as JSON Schema.

Two audiences, two documents. ``PublicEvidence`` goes out with the data and holds only what the
released bytes show anyway, or what says nothing about single people. ``StewardEvidence`` stays in
the house: it adds what was computed from the raw data.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

EVIDENCE_VERSION = 1


class Part(BaseModel):
    """A part of the evidence: fixed, and with no room for fields that nobody decided on."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class VerdictEvidence(Part):
    """The outcome of one check."""

    model: str
    parameters: dict[str, int | float | str]
    holds: bool
    required: str
    achieved: str
    basis: str = Field(description="what the promise was checked from")
    protects_from: list[str]
    does_not_protect_from: list[str]
    note: str = ""


class Bin(Part):
    """Classes of similar size; ``high`` is None in the last, open bin."""

    low: int
    high: int | None
    classes: int
    records: int


class ClassesEvidence(Part):
    """Sizes of the classes: groups of records that look alike on the quasi-identifiers."""

    number: int
    smallest: int
    largest: int
    mean: float
    bins: list[Bin]


class ColumnEvidence(Part):
    """What a column shows in the release."""

    name: str
    role: str
    type: str
    treatment: str = Field(description="in words: unchanged, generalised to level 2 of 4, …")
    level: int | None = None
    height: int | None = None
    distinct: int | None = Field(default=None, description="different values in the release")
    example_path: list[str] = Field(
        default=[], description="labels of one made-up or hierarchy value from precise to coarse; never data"
    )


class DataEvidence(Part):
    """The released file."""

    file: str
    sha256: str
    rows: int
    bytes: int


class PublicEvidence(Part):
    """What everybody may see."""

    format: Literal["sfumato-evidence"] = "sfumato-evidence"
    edition: Literal["public", "steward"] = "public"
    version: int = EVIDENCE_VERSION
    title: str
    created: str
    software: dict[str, str]
    recipe: dict[str, object] = Field(description="the recipe without paths, addresses and secrets")
    data: DataEvidence
    columns: list[ColumnEvidence]
    verdicts: list[VerdictEvidence]
    classes: ClassesEvidence
    people: str = Field(description="who was counted: persons, or rows taken as persons")
    missing: str = Field(description="how missing values were read")
    suppressed_records: int
    suppressed_policy: str
    order: str
    truthful: bool = Field(description="generalised and suppressed only: no value was invented")
    method: str
    warnings: list[str]


class RiskEvidence(Part):
    """How exposed the people are: each number is about identity, on the declared quasi-identifiers."""

    records: int
    persons: int
    classes: ClassesEvidence
    uniques: int
    unique_share: float
    highest_risk: float = Field(description="prosecutor: 1 / smallest class")
    average_risk: float = Field(description="prosecutor: classes / records")
    threshold: float
    records_at_risk: float = Field(description="share of records with a risk above the threshold")


class MeasureEvidence(Part):
    """One measure of utility: lower is better."""

    name: str
    title: str
    value: float | list[float]
    range: str
    meaning: str


class AttributeLoss(Part):
    """How much one column lost: 0 nothing, 1 everything."""

    name: str
    loss: float


class InputEvidence(Part):
    """The input, fingerprinted with a key so that nobody can test guesses against it."""

    rows: int
    fingerprint: str
    key: str = Field(description="where the key lies, not the key")


class SearchEvidence(Part):
    """What the search found."""

    score: float | list[float] | None
    bound: float | list[float] | None
    optimal: bool
    levels: dict[str, int] | None
    details: dict[str, int | float | str]


class StewardEvidence(PublicEvidence):
    """What the steward keeps."""

    edition: Literal["public", "steward"] = "steward"
    input: InputEvidence
    risk_before: RiskEvidence
    risk_after: RiskEvidence
    utility: list[MeasureEvidence]
    attribute_loss: list[AttributeLoss]
    search: SearchEvidence
    seconds: dict[str, float]
