"""Names of people from all over the world: common, rare, ambiguous, and some that stand in no list."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"


def sections(path: Path) -> dict[str, str]:
    """Read a file whose sections begin with ``=== name``; lines before the first are comments."""
    _, *parts = ("\n" + path.read_text(encoding="utf-8")).split("\n=== ")
    return {head: body + "\n" for head, body in (part.rstrip("\n").split("\n", 1) for part in parts)}


WORDS = {
    name: body.replace("\n", " ").strip().split(", ") for name, body in sections(DATA / "words.txt").items()
}


@dataclass(frozen=True)
class Person:
    """Somebody who does not exist."""

    first: str
    last: str
    middle: str
    female: bool

    @property
    def full(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def initials(self) -> str:
        return self.first[0].upper() + self.last[0].upper()


def invented(chance: random.Random) -> str:
    """Put a name together that stands in no list."""
    return "".join(chance.choice(WORDS[part]) for part in ("beginnings", "middles", "endings"))


def family(chance: random.Random) -> str:
    """Draw a family name: one in eight ambiguous, one in nine invented, one in twelve double."""
    draw = chance.random()
    if draw < 0.125:
        return chance.choice(WORDS["ambiguous families"])
    if draw < 0.236:
        return invented(chance)
    if draw < 0.32:
        return "-".join(chance.choice(WORDS["families"]).replace(" ", "") for _ in range(2))
    return chance.choice(WORDS["families"])


def given(chance: random.Random, female: bool) -> str:
    """Draw a given name: one in ten ambiguous, one in seventeen invented."""
    draw = chance.random()
    if draw < 0.1:
        return chance.choice(WORDS["ambiguous given"])
    if draw < 0.16:
        return invented(chance)
    return chance.choice(WORDS["women" if female else "men"])


def person(chance: random.Random) -> Person:
    """Draw a person."""
    female = chance.random() < 0.5
    return Person(given(chance, female), family(chance), chance.choice("ABCDEFGHJKLMNPRSTVW"), female)
