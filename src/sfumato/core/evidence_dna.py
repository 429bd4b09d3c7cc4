"""Evidence about released DNA: what everybody may see, and what the steward keeps.

Public is what the released bytes show: rows and how open their cells are, or figures of sites and what was
spent on noise. Names of samples, how many people were read, which sites were left out and how well an
attacker does is the steward's.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.core.evidence import Bin, HouseEvidence, Part, ReleaseEvidence, RiskFigure


class RowsEvidence(Part):
    """What released sequences or genotypes show, counted from their bytes."""

    rows: int
    positions: int | None = Field(description="cells of each row; missing where lengths differ")
    different: int = Field(description="different rows")
    smallest: int = Field(description="rows of the smallest group that looks alike")
    groups: list[Bin] = Field(description="sizes of the groups that look alike")
    exact: int = Field(description="cells that say one thing")
    partly: int = Field(description="cells that say one of some things, such as R or 0/.")
    open: int = Field(description="cells that say nothing, N or ./.")
    letters: dict[str, int] = Field(default={}, description="how often each value is written")


class PeakEvidence(Part):
    """The most significant of some neighbouring sites."""

    chromosome: str
    sites: int = Field(description="neighbouring sites of one chromosome, in the order of the file")
    highest: float | None = Field(description="their largest −log10 p; missing where none of them has a p")


class FiguresEvidence(Part):
    """What released statistics show."""

    sites: int
    columns: list[str]
    people: int | None = Field(default=None, description="counted over so many, where that is published")
    cases: int | None = None
    epsilon: str | None = Field(default=None, description="of differential privacy, as a decimal")
    delta: str | None = None
    neighbours: str = Field(default="", description="whom differential privacy compares")
    meaning: list[str] = Field(default=[], description="what the price leaves to an adversary")
    randomness: str = Field(default="", description="where noise came from")
    peaks: list[PeakEvidence] = Field(
        default=[], description="−log10 of the released p along the sites, where there is a column p"
    )


class DnaEvidence(ReleaseEvidence):
    """What everybody may see of released DNA."""

    kind: Literal["dna"] = "dna"
    form: Literal["sequences", "genotypes", "statistics"]
    rows: RowsEvidence | None = None
    figures: FiguresEvidence | None = None
    schema_sha256: str = Field(description="fingerprint of schema.json, which names the positions")
    stripped: list[str] = Field(
        default=[], description="what of the input files is not released, such as headers and sample names"
    )


class ReadDnaEvidence(Part):
    """The data as they were read."""

    rows: int = Field(description="sequences, or people with genotypes")
    persons: int
    positions: int | None = Field(description="before anything was left out")
    varying: int | None = Field(default=None, description="positions where at least two rows differ")
    different: int | None = Field(default=None, description="different rows")
    missing: int = Field(default=0, description="cells that were not known")
    left_out: dict[str, int] = Field(default={}, description="sites or rows, by the reason")


class CurvePoint(Part):
    """How well an attacker does who uses so many sites."""

    sites: int
    auc: float
    low: float | None = None
    high: float | None = None
    power: float | None = Field(default=None, description="share of members told at the false positive rate")


class CurveEvidence(Part):
    """An attacker's success over the number of sites, on people who were held out."""

    attack: str
    what: str = Field(description="which figures were attacked: all sites, or those that are released")
    points: list[CurvePoint]
    false_positives: float | None = Field(default=None, description="share of others wrongly told, for power")


class StewardDnaEvidence(HouseEvidence, DnaEvidence):
    """What the steward keeps of released DNA."""

    read: ReadDnaEvidence
    notes: list[str] = Field(default=[], description="what was mended, left out or guessed in reading")
    risk_before: list[RiskFigure] = Field(default=[], description="rows as they were read")
    risk_after: list[RiskFigure] = Field(default=[], description="rows as they are released")
    risk_said: list[str] = Field(default=[], description="what holds for all figures of risk")
    search: dict[str, int | float | str] = Field(default={}, description="figures of the search")
    curves: list[CurveEvidence] = Field(default=[], description="attackers of published statistics")
    sizes_before: list[Bin] = Field(default=[], description="sizes of groups of equal rows, as read")
    by_position: list[float] = Field(
        default=[], description="share of the cells that are still exact, along the positions (at most 400)"
    )
    open_by_position: list[float] = Field(
        default=[], description="share of the cells that say nothing any more, along the same positions"
    )
