"""One note, token by token and span by span: what was annotated beside what was found.

A token is a word of ``page.tokenise`` that holds a letter or a digit. Let G be the characters of annotated
spans that count, N those of annotated spans that do not (``scope.py``), F those of found spans. A token is

- *identifying* when it shares a character with G; it is **found** when F covers all the characters that it
  shares with G (one letter that stays is a leak), **missed** otherwise;
- *neutral* when it shares none with G and one with N: it counts for nothing;
- *too much* when it shares none with either and one with F.

Of an annotated span we say that it is *exact* (a found span with the same two ends), *covered* (all its
tokens are found), *touched* (a found span shares a character with it).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.annotation.cover import Cover
from sfumato.text.evaluate.scope import HIPAA, Scope
from sfumato.text.page import tokenise
from sfumato.text.span import Span


class Outcome(StrEnum):
    """What became of a token."""

    FOUND = "found"
    MISSED = "missed"
    TOO_MUCH = "too much"


@dataclass(frozen=True, slots=True)
class Token:
    """A token that was annotated or found; ``gold`` and ``found`` are what it is held for."""

    start: int
    end: int
    outcome: Outcome
    gold: Span | None
    found: Span | None


@dataclass(frozen=True, slots=True)
class Fate:
    """An annotated span and what became of it. ``found`` is the found span that shares most with it."""

    span: Span
    exact: bool
    covered: bool
    touched: bool
    found: Span | None

    @property
    def typed(self) -> bool:
        """Whether it was found with both ends and its kind right."""
        return self.exact and self.found is not None and self.found.kind is self.span.kind


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of one note. Holds offsets and no text."""

    words: int
    """all tokens of the note, also those that nobody annotated or found"""
    tokens: tuple[Token, ...]
    fates: tuple[Fate, ...]
    found: tuple[Span, ...]
    """found spans that count; those that share characters with neutral annotations only are left out"""
    exactly_typed: int
    """how many of them have the ends and the kind of an annotated one"""
    exactly: int
    """how many have the ends of an annotated one"""

    @property
    def leaks(self) -> bool:
        """Whether an identifying token stays."""
        return any(token.outcome is Outcome.MISSED for token in self.tokens)

    @property
    def gold_tokens(self) -> int:
        """Identifying tokens."""
        return sum(token.gold is not None for token in self.tokens)

    @property
    def found_tokens(self) -> int:
        """Identifying tokens that were found."""
        return sum(token.outcome is Outcome.FOUND for token in self.tokens)


def compare(note: Annotated, found: Iterable[Span], scope: Scope = HIPAA) -> Compared:
    """Compare what was found in a note with what was annotated.

    >>> from sfumato.text.kinds import Kind
    >>> note = Annotated("Ada Lovelace, aged 36", (Span(0, 12, Kind.NAME), Span(19, 21, Kind.AGE)))
    >>> found = [Span(0, 3, Kind.NAME), Span(14, 18, Kind.NAME)]
    >>> [token.outcome.value for token in compare(note, found).tokens]
    ['found', 'missed', 'too much']
    """
    text = note.text
    gold = _ordered(span for span in note.spans if scope.counts(span, text))
    neutral = _ordered(span for span in note.spans if not scope.counts(span, text))
    kept = _ordered(span for span in found if scope.counts(span, text))
    where = tokenise(text)
    words = 0
    tokens: list[Token] = []
    of_gold, of_neutral, of_found = Cover(gold), Cover(neutral), Cover(kept)
    for word, start, end in zip(where.words, where.starts, where.ends, strict=True):
        if not any(character.isalnum() for character in word):
            continue
        words += 1
        token = _judged(start, end, of_gold, of_neutral, of_found)
        if token is not None:
            tokens.append(token)
    fates = tuple(_fate(span, tokens, of_found) for span in gold)
    ends = {(span.start, span.end) for span in gold}
    typed = {(span.start, span.end, span.kind) for span in gold}
    return Compared(
        words,
        tuple(tokens),
        fates,
        tuple(
            one for one in kept if of_gold.over(one.start, one.end) or not of_neutral.over(one.start, one.end)
        ),
        exactly_typed=len({(one.start, one.end, one.kind) for one in kept} & typed),
        exactly=len({(one.start, one.end) for one in kept} & ends),
    )


def _judged(start: int, end: int, gold: Cover, neutral: Cover, found: Cover) -> Token | None:
    annotated = gold.over(start, end)
    hits = found.over(start, end)
    if annotated:
        pieces = ((max(start, span.start), min(end, span.end)) for span in annotated)
        found_all = all(_covered(begin, stop, hits) for begin, stop in pieces)
        outcome = Outcome.FOUND if found_all else Outcome.MISSED
        return Token(start, end, outcome, annotated[0], hits[0] if hits else None)
    if hits and not neutral.over(start, end):
        return Token(start, end, Outcome.TOO_MUCH, None, hits[0])
    return None


def _covered(start: int, end: int, spans: Sequence[Span]) -> bool:
    """Say whether spans, sorted by where they begin, leave no character of a stretch uncovered."""
    for span in spans:
        if span.start > start:
            return False
        start = max(start, span.end)
        if start >= end:
            return True
    return False


def _fate(span: Span, tokens: Sequence[Token], found: Cover) -> Fate:
    hits = found.over(span.start, span.end)
    best = max(
        hits,
        key=lambda hit: (
            (hit.start, hit.end) == (span.start, span.end),
            min(hit.end, span.end) - max(hit.start, span.start),
            hit.kind is span.kind,
        ),
        default=None,
    )
    first = bisect_left(tokens, span.start + 1, key=lambda token: token.end)
    last = bisect_left(tokens, span.end, lo=first, key=lambda token: token.start)
    missed = any(tokens[place].outcome is Outcome.MISSED for place in range(first, last))
    return Fate(
        span,
        exact=best is not None and (best.start, best.end) == (span.start, span.end),
        covered=bool(hits) and not missed,
        touched=bool(hits),
        found=best,
    )


def _ordered(spans: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(sorted(spans))


def runs(tokens: Iterable[Token]) -> list[tuple[Token, ...]]:
    """Put neighbouring tokens together that belong to the same two spans and have the same fate."""
    found: list[list[Token]] = []
    for token in tokens:
        last = found[-1][-1] if found else None
        if (
            last is not None
            and last.outcome is token.outcome
            and (last.gold, last.found) == (token.gold, token.found)
        ):
            found[-1].append(token)
        else:
            found.append([token])
    return [tuple(run) for run in found]
