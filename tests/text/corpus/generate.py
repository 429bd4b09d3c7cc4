"""Fill templates: every slot becomes a span of its kind, fixed text stays outside. Same seed, same notes."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from sfumato.text.annotation import Annotated
from sfumato.text.kinds import Kind
from sfumato.text.span import Span
from tests.text.corpus.challenge import CHALLENGE_SLOTS, ChallengeCase
from tests.text.corpus.held import HELD_SLOTS, HeldCase
from tests.text.corpus.people import DATA, sections
from tests.text.corpus.slots import SLOTS, Case, Slot
from tests.text.corpus.unseen import UNSEEN_SLOTS, UnseenCase

HALVES = ("dev", "final", "challenge", "held", "unseen")
_CASES = {"challenge": ChallengeCase, "held": HeldCase, "unseen": UnseenCase}
_SLOTS = {"challenge": CHALLENGE_SLOTS, "held": HELD_SLOTS, "unseen": UNSEEN_SLOTS}
_HEAD = re.compile(r"(.+?)(?: \[(capitals|lower case|wrapped)\])?")
_SLOT = re.compile(r"\{(\w+)\}")
_WIDTH = 58
_AS_IT_IS = frozenset({Kind.EMAIL, Kind.URL})


@dataclass(frozen=True)
class Template:
    """A note with slots; ``manner`` says how all of it is written."""

    name: str
    manner: str
    text: str


def templates_of(half: str) -> tuple[Template, ...]:
    """Read the templates of one of the ``HALVES``."""
    found = []
    for head, text in sections(DATA / f"{half}.txt").items():
        match = _HEAD.fullmatch(head)
        assert match is not None
        found.append(Template(match[1], match[2] or "", text))
    return tuple(found)


def slots_of(half: str) -> dict[str, Slot]:
    """Return what templates of one of the ``HALVES`` may hold."""
    return _SLOTS.get(half, SLOTS)


def notes_of(half: str, each: int = 12, seed: int = 7) -> tuple[Annotated, ...]:
    """Return some notes of every template of one of the ``HALVES``."""
    sentences = (DATA / f"{half}_negatives.txt").read_text(encoding="utf-8").splitlines()
    return tuple(
        _note(
            template,
            sentences,
            number,
            _case(half, f"{seed} {half} {template.name} {number}"),
            slots_of(half),
        )
        for template in templates_of(half)
        for number in range(each)
    )


def _case(half: str, seed: str) -> Case:
    return _CASES.get(half, Case)(random.Random(seed))


def _note(
    template: Template, sentences: list[str], number: int, case: Case, slots: dict[str, Slot]
) -> Annotated:
    left = case.chance.sample(sentences, len(sentences))
    parts: list[str] = []
    spans: list[Span] = []
    length = 0
    for place, piece in enumerate(_SLOT.split(template.text)):
        kind, label, value = None, "", piece
        if piece == "negative" and place % 2:
            value = left.pop()
        elif place % 2:
            kind, label, draw = slots[piece]
            value = draw(case)
        if template.manner == "capitals" and kind not in _AS_IT_IS:
            value = value.upper()
        elif template.manner == "lower case" and label != "initials":
            value = value.lower()
        if kind is not None:
            spans.append(Span(length, length + len(value), kind, label))
        parts.append(value)
        length += len(value)
    text = "".join(parts)
    if template.manner == "wrapped":
        text = _wrapped(text)
    return Annotated(text, tuple(spans), id=f"{template.name} {number + 1}", template=template.name)


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
