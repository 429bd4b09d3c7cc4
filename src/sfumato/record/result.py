"""What a chain found, step by step and in all. Prints as a table of sentences, and shows no value."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.attack import AttackResult, Scored


@dataclass(frozen=True)
class StepResult:
    """How far the adversary is after one step."""

    file: str
    on: tuple[str, ...]
    learned: tuple[str, ...]
    records: int
    """records of this file"""
    followed: int
    """people who have at least one candidate record here"""
    unique: int
    """people with exactly one"""
    lost: int
    """people without any, of those who were followed until here"""
    sampled: int | None
    """how many people were followed, taken by chance, where all would have been too many"""
    candidates: float
    """candidate records of those who are followed, on average"""
    success: float
    """the share of all attacked people whose record in this file the adversary names rightly"""
    scored: Scored

    def __str__(self) -> str:
        on = ", ".join(self.on)
        behind = f"; {self.lost:,} have none" if self.lost else ""
        behind += f"; a sample of {self.sampled:,} was followed" if self.sampled is not None else ""
        verb = "claimed" if self.scored is Scored.CLAIMED else "found"
        return (
            f"{self.file} (on {on}): {self.followed:,} people have candidates, {self.unique:,} just one, "
            f"{self.candidates:.1f} on average{behind}; {self.share} {verb}"
        )

    @property
    def share(self) -> str:
        """The success in words of figures; a little is not nothing."""
        return "< 0.1 %" if 0 < self.success < 0.0005 else f"{100 * self.success:.1f} %"


@dataclass(frozen=True)
class ChainResult:
    """A whole chain: after every step, who can still be found; at its end, what was learned about whom."""

    people: int
    """people of the first file"""
    steps: tuple[StepResult, ...]
    identity: AttackResult
    attributes: tuple[AttackResult, ...]
    notes: tuple[str, ...] = ()

    @property
    def results(self) -> tuple[AttackResult, ...]:
        """All results, identity first."""
        return (self.identity, *self.attributes)

    def __str__(self) -> str:
        lines = [f"{self.people:,} people are known", *(str(step) for step in self.steps)]
        return "\n".join([*lines, *(str(result) for result in self.results), *self.notes])
