"""Evidence about releases under differential privacy: what everybody may see, and what the steward keeps.

Public is what follows from metadata, from the price, and from noisy numbers. How many people were read, how
far noisy counts are from true ones and what the true shares are is the steward's. Money is written as text,
so that not one digit is lost.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.core.evidence import DataEvidence, HouseEvidence, Part, ReleaseEvidence


class PriceEvidence(Part):
    """What was spent, in exact decimals."""

    epsilon: str | None = Field(default=None, description="missing where only ρ is known")
    delta: str = "0"
    rho: str | None = Field(default=None, description="of concentrated differential privacy, where known")


class StepEvidence(Part):
    """One use of the budget; the steps add up to what was spent."""

    what: str
    epsilon: str | None = Field(default=None, description="where ε adds up")
    rho: str | None = Field(default=None, description="where ρ adds up")


class ErrorEvidence(Part):
    """What could be said of an error beforehand, from the price and the metadata alone."""

    what: str
    people: float = Field(description="expected root mean square error of one count, in people")


class MeaningEvidence(Part):
    """What ε means for somebody who has narrowed it down to so many people, all equally likely."""

    among: int
    at_most: float = Field(description="the chance to pick the right one afterwards")


class HouseholdEvidence(Part):
    """What the price means for people together; ``epsilon`` is missing where nothing is promised."""

    people: int
    epsilon: str | None
    delta: str | None


class DomainEvidence(Part):
    """A column as it is released: its size is public, and so is each of its values."""

    name: str
    type: str
    positions: int = Field(description="values or bins of the public domain, missing among them")


class NoisyTableEvidence(Part):
    """A table of noisy counts."""

    columns: list[str]
    cells: int
    error: float | None = Field(description="expected root mean square error of a cell, in people")
    data: DataEvidence


class QueryEvidence(ReleaseEvidence):
    """What everybody may see of a release under differential privacy."""

    kind: Literal["query"] = "query"
    form: Literal["records", "tables", "records and tables"]
    data_set: str
    neighbours: str = Field(description="add-remove, or substitution: whom the promise compares")
    spent: PriceEvidence
    steps: list[StepEvidence]
    expected_error: list[ErrorEvidence]
    published: dict[str, int | float | str] = Field(description="what the method tells: noisy, or public")
    domains: list[DomainEvidence]
    tables: list[NoisyTableEvidence]
    meaning: list[MeaningEvidence]
    households: list[HouseholdEvidence]
    not_promised: str = Field(description="what no price promises")
    randomness: str = Field(description="where the noise came from")
    metadata_sha256: str = Field(description="of the file that declares what is public; empty in memory")
    schema_sha256: str = Field(description="of schema.json, which holds the public domains")

    @property
    def written(self) -> list[DataEvidence]:
        """The records, and the tables of counts."""
        files = [self.data, *(table.data for table in self.tables)]
        return list({file.file: file for file in files}.values())


class ReadEvidence(Part):
    """What was read, and what was left out before anything was counted: true numbers."""

    rows: int
    people: int
    without_person: int = Field(description="rows that name nobody: they could all be one person's")
    beyond_one_row: int = Field(description="further rows of people of whom one row counts")
    made_missing: dict[str, int] = Field(description="values that fit no declaration, by column")


class MeasuredTableEvidence(Part):
    """How far a noisy table is from the truth, beside what was expected."""

    columns: list[str]
    cells: int
    expected: float | None
    measured: float = Field(description="root mean square error of a cell, in people")


class MarginalEvidence(Part):
    """Shares of people by the values of one column, before and after."""

    name: str
    labels: list[str]
    before: list[float]
    after: list[float]


class StewardQueryEvidence(HouseEvidence, QueryEvidence):
    """What the steward keeps of a release under differential privacy."""

    read: ReadEvidence
    measured: list[MeasuredTableEvidence]
    marginals: list[MarginalEvidence]
    notes: list[str] = Field(default=[], description="what could not be measured, and why")
