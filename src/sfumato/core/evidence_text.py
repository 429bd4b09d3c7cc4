"""Evidence about releases of notes: what everybody may see, and what the steward keeps.

Public are counts of what was replaced and how, and what was measured on annotated notes: numbers over all
notes. Whose notes they are, how many people there are, and every single note before and after is the
steward's.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.core.evidence import (
    AgreementEvidence,
    ColumnEvidence,
    HouseEvidence,
    MaskingEvidence,
    Part,
    PolicyEvidence,
    ReleaseEvidence,
)


class ReplacedEvidence(Part):
    """Things of one kind that were found, and what was done with them."""

    kind: str = Field(description="NAME, DATE, LOCATION, …")
    how: str = Field(description="tag, surrogate, shifted, year, kept, …")
    number: int


class SearchedEvidence(Part):
    """How notes were searched."""

    language: str
    model: str = Field(description="shipped, none, or 'of the house' where the steward trained it")
    threshold: float = Field(description="from this certainty on something that was found is replaced")
    known: dict[str, str] = Field(description="columns that were searched for, and what they are")
    written: str | None = Field(description="the column with the day a note was written")


class KindScore(Part):
    """How much of one kind is found, in tokens."""

    kind: str
    tokens: int
    recall: float | None
    precision: float | None


class MeasuredEvidence(Part):
    """What the same search finds in annotated notes: numbers alone."""

    notes: int
    tokens: int = Field(description="words and numbers that point at people")
    recall: float
    recall_at_least: float = Field(description="with 95 % confidence, in notes of the same sort")
    precision: float
    leak_free: int = Field(description="notes in which nothing was missed")
    kinds: list[KindScore] = Field(default=[])
    said: list[str] = Field(default=[], description="what a reader must know to take it rightly")


class ResidualEvidence(Part):
    """What may still stand in the released notes, going by the annotated ones."""

    expected: float = Field(description="words that point at people and were missed, to be expected")
    at_most: float = Field(description="with 95 % confidence")
    notes_expected: float
    notes_at_most: float


class FoundAgainEvidence(Part):
    """What patterns and lexicons find when they read the release itself, beside what was put there."""

    characters: int = Field(description="of the released notes, from the first on, that were read again")
    kinds: dict[str, int] = Field(description="things found with certainty, by kind; empty: none")


class TextEvidence(ReleaseEvidence):
    """What everybody may see of released notes."""

    kind: Literal["text"] = "text"
    columns: list[ColumnEvidence]
    text_column: str
    notes: int = Field(description="texts in the release; missing ones are not counted")
    empty: int = Field(description="of them those without a word")
    characters: int = Field(description="of the released texts")
    searched: SearchedEvidence
    replacement: str = Field(description="what stands where something was found")
    transformations: str = Field(description="what was done, in words")
    replaced: list[ReplacedEvidence]
    measured: MeasuredEvidence | None = Field(
        default=None, description="missing where no annotated notes were given"
    )
    residual: ResidualEvidence | None = None
    found_again: FoundAgainEvidence | None = Field(
        default=None, description="missing where made-up values stand in the notes, which would be found"
    )
    not_promised: str = Field(description="what nobody promises about notes")
    withheld_records: int = Field(default=0, description="rows of people who did not consent, left out first")
    policy: PolicyEvidence | None = Field(default=None, description="what was asked for other columns")
    repairs: list[str] = Field(default=[], description="damaged values that were mended, by column")


class TextReadEvidence(Part):
    """What was read: true numbers."""

    rows: int
    people: int
    characters: int
    missing: int = Field(description="rows without a text")
    touched: int = Field(description="notes in which something was replaced")
    other_encoding: int = Field(description="lines (of a folder: files) that were not UTF-8")
    lone_surrogates: int = Field(description="values that held half a character")
    withheld_persons: int = 0


class SingledOutEvidence(Part):
    """Whom ages, dates and the sex single out that can be read in notes, before or after."""

    told: dict[str, int] = Field(description="people of whom an age, a day, a year, the sex … can be read")
    silent: int = Field(description="people of whom none of it can be read")
    unique: int = Field(description="people who are alone with the combination of it")
    few: int = Field(description="people who share it with fewer than four others")


class StewardTextEvidence(HouseEvidence, TextEvidence):
    """What the steward keeps of released notes."""

    read: TextReadEvidence
    sampled: int = Field(description="notes that notes.html shows before and after")
    singled_out_before: SingledOutEvidence | None = Field(
        default=None, description="missing where the notes are too long together"
    )
    singled_out_after: SingledOutEvidence | None = None
    agreement: AgreementEvidence | None = None
    masking: MaskingEvidence | None = None
