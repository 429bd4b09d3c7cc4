"""Notes with what was found, missed and taken too much; told apart by form and words, not by colour alone."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.report.markup import Child, Markup, element, together
from sfumato.report.sections import section
from sfumato.report.words import count, shorten
from sfumato.text.annotation import Annotated
from sfumato.text.evaluate.compared import Compared, Outcome, Token, runs

_LONGEST = 20_000
_CLASS = {Outcome.FOUND: "found", Outcome.MISSED: "missed", Outcome.TOO_MUCH: "excess"}
_SIGN = {Outcome.FOUND: "✓", Outcome.MISSED: "✗ missed", Outcome.TOO_MUCH: "+ too much"}


def highlighted(notes: Sequence[Annotated], compared: Sequence[Compared], most: int) -> Markup:
    """Build the section of notes: those that leak first and opened, then those with something too much."""

    def rank(place: int) -> tuple[bool, bool, int]:
        outcomes = {token.outcome for token in compared[place].tokens}
        return Outcome.MISSED not in outcomes, Outcome.TOO_MUCH not in outcomes, place

    order = sorted(range(len(notes)), key=rank)[:most]
    legend = [
        element("li", element("span", _marked(text, outcome, ""), class_="note"))
        for text, outcome in (
            ("found", Outcome.FOUND),
            ("stays", Outcome.MISSED),
            ("not identifying", Outcome.TOO_MUCH),
        )
    ]
    left = len(notes) - len(order)
    return section(
        "notes",
        "The notes",
        element("ul", legend, class_="legend"),
        [_note(notes[place], compared[place], opened=rank(place)[0] is False) for place in order],
        element("p", f"{count(left, 'more note')} not shown.") if left else None,
    )


def _note(note: Annotated, compared: Compared, *, opened: bool) -> Markup:
    missed, excess = (
        sum(token.outcome is outcome for token in compared.tokens)
        for outcome in (Outcome.MISSED, Outcome.TOO_MUCH)
    )
    parts: list[Child] = []
    at = 0
    text = note.text[:_LONGEST]
    for run in runs(compared.tokens):
        start, end = run[0].start, run[-1].end
        if end > len(text):
            break
        parts += (text[at:start], _marked(text[start:end], run[0].outcome, _tag(run[0])))
        at = end
    parts.append(text[at:])
    cut = len(note.text) - len(text)
    named = together(
        shorten(note.id or "note", 60),
        f": {count(compared.gold_tokens, 'identifying token')}, ",
        f"{missed} missed, {excess} too much",
    )
    return element(
        "details",
        element("summary", named),
        element("div", parts, class_="note"),
        element("p", f"{count(cut, 'more character')} not shown.") if cut else None,
        class_="one",
        open=opened,
    )


def _tag(token: Token) -> str:
    gold = token.gold.kind.value if token.gold else ""
    hit = token.found.kind.value if token.found else ""
    return gold if not hit or gold == hit else f"{gold} as {hit}" if gold else hit


def _marked(text: str, outcome: Outcome, tag: str) -> Markup:
    """Mark a text with a line, a frame or a dashed frame, and with a sign in words: colour is not needed."""
    return element(
        "mark",
        text,
        element("span", f"{_SIGN[outcome]} {tag}".rstrip(), class_="tag"),
        class_=_CLASS[outcome],
    )
