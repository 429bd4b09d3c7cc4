"""Fill templates: every slot becomes a span of its kind, fixed text stays outside. Same seed, same notes."""

from __future__ import annotations

import random
import re
from types import ModuleType

from sfumato.text.annotation import Annotated
from sfumato.text.kinds import Kind
from sfumato.text.span import Span
from tests.text.corpus import dev_templates, final_templates, negatives
from tests.text.corpus.slots import SLOTS, Case

HALVES: dict[str, tuple[ModuleType, tuple[str, ...]]] = {
    "dev": (dev_templates, negatives.DEV),
    "final": (final_templates, negatives.FINAL),
}
_SLOT = re.compile(r"\{(\w+)\}")
_WIDTH = 58
_CAPITALS_KEPT = frozenset({Kind.EMAIL, Kind.URL})


def notes_of(half: str, each: int = 12, seed: int = 7) -> tuple[Annotated, ...]:
    """Return some notes of every template of ``dev`` or ``final``."""
    templates, sentences = HALVES[half]
    return tuple(
        _note(templates, name, sentences, number, random.Random(f"{seed} {half} {name} {number}"))
        for name in templates.TEMPLATES
        for number in range(each)
    )


def _note(
    templates: ModuleType, name: str, sentences: tuple[str, ...], number: int, chance: random.Random
) -> Annotated:
    case = Case(chance)
    left = list(sentences)
    chance.shuffle(left)
    parts: list[str] = []
    spans: list[Span] = []
    length = 0
    template: str = templates.TEMPLATES[name]
    pieces = _SLOT.split(template)
    for place, piece in enumerate(pieces):
        kind, label, value = None, "", piece
        if place % 2:
            if piece == "negative":
                value = left.pop()
            else:
                kind, label, draw = SLOTS[piece]
                value = draw(case)
        if kind not in _CAPITALS_KEPT:
            value = value.upper() if name in templates.UPPER else value
            value = value.lower() if name in templates.LOWER and label != "initials" else value
        if kind is not None:
            spans.append(Span(length, length + len(value), kind, label))
        parts.append(value)
        length += len(value)
    text = "".join(parts)
    if name in templates.WRAPPED:
        text = _wrapped(text)
    return Annotated(text, tuple(spans), id=f"{name} {number + 1}", template=name)


def _wrapped(text: str) -> str:
    """Break lines at blanks, also inside names and addresses; every character keeps its place."""
    letters = list(text)
    start = 0
    blank = -1
    for place, letter in enumerate(letters):
        if letter == "\n":
            start, blank = place + 1, -1
        elif letter == " ":
            blank = place
        if place - start >= _WIDTH and blank >= 0:
            letters[blank] = "\n"
            start, blank = blank + 1, -1
    return "".join(letters)
