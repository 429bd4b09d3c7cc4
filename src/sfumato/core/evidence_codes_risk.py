"""How exposed people are by their codes, as evidence for the steward: shares and counts, no codes."""

from __future__ import annotations

from pydantic import Field

from sfumato.core.errors import BadInput, nearest
from sfumato.core.evidence import Part, RiskFigure


class KnownCodes(Part):
    """Shares of people whom somebody finds by so many codes; missing where not all could be counted."""

    known: int = Field(description="how many codes are known")
    worst_unique: float | None = Field(description="people whom some such codes single out")
    worst_below: float | None = Field(description="people with such codes that fewer than k hold")
    random_unique: float | None = Field(description="chance that codes drawn from a person are theirs alone")
    random_below: float | None = Field(description="chance that fewer than k hold what was drawn")


class CoarserCodes(Part):
    """The same, with codes said less precisely."""

    name: str
    codes: int = Field(description="different codes that are left")
    unique: float | None = Field(description="people whose whole set nobody else has")
    steps: list[KnownCodes]


class AloneBy(Part):
    """People by how many codes suffice to single them out."""

    by_size: list[int] = Field(description="entry i: by i + 1 codes, not by fewer")
    more: int = Field(description="by more codes than were looked at")
    never: int = Field(description="not even by all of their codes")


class CodesRiskEvidence(Part):
    """What ``sfumato risk`` found about sets of codes. Prints as a short table."""

    records: int = Field(description="people of the file")
    people: int = Field(description="those whom the figures are about")
    codes: int = Field(description="different codes")
    occurrences: int
    empty: int = Field(description="people without any code")
    visits: int | None = None
    k: int
    searched: str = Field(description="where an adversary looks: in the file, or in a list of the population")
    figures: list[RiskFigure]
    steps: list[KnownCodes]
    alone: AloneBy | None = Field(default=None, description="missing where not all sets could be looked at")
    coarser: list[CoarserCodes] = Field(default=[], description="codes said less precisely")
    said: list[str] = Field(default=[], description="what a reader must know, and what was mended on the way")

    def figure(self, name: str) -> RiskFigure:
        """Return a figure by its name."""
        found = {one.name: one for one in self.figures}
        if name not in found:
            raise BadInput(f"there is no figure '{name}'", remedy=nearest(name, found))
        return found[name]

    def __str__(self) -> str:
        lines = [
            f"{self.people:,} people with {self.codes:,} different codes, looked for in the {self.searched}"
        ]
        lines += [f"  {one}" for one in self.figures]
        return "\n".join([*lines, *(f"  ({sentence})" for sentence in self.said)])
