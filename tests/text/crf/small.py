"""A lexicon and notes small enough to read, for tests of the learned model."""

from __future__ import annotations

import random
from dataclasses import dataclass

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Mark
from sfumato.text.page import Tokens
from sfumato.text.span import Span

WORDS = {
    "ada": Mark.GIVEN_FEMALE,
    "grace": Mark.GIVEN_FEMALE | Mark.WORD,
    "byron": Mark.FAMILY,
    "hopper": Mark.FAMILY | Mark.WORD,
    "dr": Mark.TITLE,
    "mrs": Mark.TITLE,
    "hospital": Mark.ORGANISATION,
    "fever": Mark.WORD | Mark.MEDICAL,
    "seen": Mark.WORD | Mark.WORD_COMMON,
    "by": Mark.WORD | Mark.WORD_COMMON,
    "may": Mark.MONTH | Mark.WORD_COMMON,
}
PHRASES = {("new", "york"): Mark.CITY | Mark.STATE}
GIVEN = ("Ada", "Grace", "Zebulon", "Mirzet", "Oluwaseun", "Piet", "Yuki", "Thandiwe")
FAMILY = ("Byron", "Hopper", "Quagliozzi", "Okonkwo", "Vandersteen", "Bùi", "Szczepanski", "Abebe")
PLACES = ("New York", "Saint Ottokar Hospital", "Klow", "Szohod Hospital")
FORMS = (
    "Patient: {full}\nSeen by Dr. {other} on {date} for fever.",
    "Mrs. {family} has a fever since {date}; lives in {place}.\nSeen by Dr. {other} today",
    "NAME: {family}, {given}   SEEN: {date}\nThe fever of Mrs. {family} is gone.",
    "Referring physician: {full}\nFever since {date}; seen by Dr. {other}.",
    "{given} was seen with fever at {place} by Dr. {other}.",
)


@dataclass(frozen=True)
class SmallLexicon:
    """A lexicon of the words above."""

    def marks(self, word: str) -> int:
        return int(WORDS.get(word.lower(), 0))

    def phrases(self, tokens: Tokens) -> list[tuple[int, int, int]]:
        words = [word.lower() for word in tokens.words]
        return [
            (place, place + len(phrase), int(marks))
            for phrase, marks in PHRASES.items()
            for place in range(len(words))
            if tuple(words[place : place + len(phrase)]) == phrase
        ]


def small_notes(count: int, seed: int = 1, given: tuple[str, ...] = GIVEN) -> list[Annotated]:
    """Return notes with their spans, the same ones for the same seed."""
    draw = random.Random(seed)
    notes = []
    for number in range(count):
        values = {
            "given": (draw.choice(given), Kind.NAME),
            "full": (f"{draw.choice(given)} {draw.choice(FAMILY)}", Kind.NAME),
            "family": (draw.choice(FAMILY), Kind.NAME),
            "other": (draw.choice(FAMILY), Kind.NAME),
            "place": (draw.choice(PLACES), Kind.LOCATION),
            "date": (f"{draw.randint(1, 12)}/{draw.randint(1, 28)}/{draw.randint(1990, 2024)}", Kind.DATE),
        }
        text, spans = "", []
        for part in draw.choice(FORMS).replace("}", "{").split("{"):
            if part in values:
                value, kind = values[part]
                spans.append(Span(len(text), len(text) + len(value), kind))
                text += value
            else:
                text += part
        notes.append(Annotated(text, tuple(spans), str(number)))
    return notes
