"""Evidence about released sets of codes: what everybody may see, and what the steward keeps.

Public is what the released bytes show. Which codes were left out, how often, which itemsets a policy
lists and how exposed people were before is the steward's.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.core.evidence import HouseEvidence, Part, ReleaseEvidence, RiskFigure


class SizeBin(Part):
    """Items that stand for about as many codes; ``high`` is None in the last, open bin."""

    low: int
    high: int | None
    items: int
    occurrences: int


class ShownEvidence(Part):
    """What the released file shows, counted from its bytes."""

    records: int
    empty: int = Field(description="records that show no item")
    items: int = Field(description="different items that are shown")
    occurrences: int = Field(description="items of all records together")
    sensitive: int = Field(default=0, description="different items that are marked as sensitive")
    sizes: list[SizeBin] = Field(default=[], description="for how many codes the items stand")
    clusters: int | None = Field(default=None, description="clusters of a disassociated release")
    at_root: int | None = Field(
        default=None, description="items of all records together that stand for every code there is"
    )


class CodesEvidence(ReleaseEvidence):
    """What everybody may see of released sets of codes."""

    kind: Literal["codes"] = "codes"
    form: Literal["sets", "disassociated"] = Field(
        default="sets", description="one set for each person, or clusters of chunks"
    )
    layout: str = Field(description="how records lie in the file")
    schema_sha256: str = Field(description="fingerprint of schema.json, which says what items stand for")
    shown: ShownEvidence
    quasi: list[str] = Field(
        default=[], description="quasi-identifiers that stand beside the items of each record"
    )


class OriginalEvidence(Part):
    """The sets as they were read."""

    records: int
    empty: int
    codes: int = Field(description="different codes")
    occurrences: int
    visits: int | None = None


class BecameEvidence(Part):
    """What became of the codes: of single occurrences, and of codes as such."""

    kept: int = Field(description="occurrences that are shown as they were")
    generalised: int = Field(description="occurrences that are shown by an item of several codes")
    suppressed: int = Field(description="occurrences that no item of their record covers")
    codes_suppressed: int = Field(description="codes that the release shows nowhere")
    emptied: int = Field(description="records that had codes and show none")


class PolicyFileEvidence(Part):
    """A policy that was used, kept as a file in the steward's folder."""

    what: str
    file: str
    constraints: int


class StewardCodesEvidence(HouseEvidence, CodesEvidence):
    """What the steward keeps of released sets of codes."""

    original: OriginalEvidence
    became: BecameEvidence | None = Field(description="missing where records are not one to one")
    notes: list[str] = Field(default=[], description="what was mended, left out or guessed in reading")
    risk_before: list[RiskFigure]
    risk_after: list[RiskFigure]
    risk_said: list[str] = Field(default=[], description="what holds for all figures of risk")
    search: dict[str, int | float | str] = Field(default={}, description="figures of the search")
    policies: list[PolicyFileEvidence] = Field(default=[], description="those that were used")
    truth: str = Field(default="", description="what the check of truthfulness found")
    keeps_more: str = Field(
        default="", description="where half of the release says nothing: the nearest setting that keeps more"
    )
