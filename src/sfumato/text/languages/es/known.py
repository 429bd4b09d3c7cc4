"""What the Spanish model proposes, checked against what is known.

- *What a policy keeps must be known.* Policies keep countries, sexes, words for relatives and professions,
  since they identify nobody. A model that takes a name for one of these would let it stay. So its word counts
  only where the lexicon, or a closed list, knows every word of the span; all else becomes a kind that is
  replaced. What has a capital behind a relative or a profession is a name.
- *A date that can be read as one is one*, however the model cuts it: a half of it cannot be moved.
- *Who a title or a field names is what it says*: behind ``Paciente:`` stands no doctor.
- *Places and numbers are no ordinary words in small letters*; such proposals are doubtful.
- *Ordinary words beside a tag* of earlier de-identification are no part of what the tag hides.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from sfumato.text.detectors.contract import Detector
from sfumato.text.detectors.patterns.already import Already
from sfumato.text.kept import SEXES, pieces
from sfumato.text.kinds import Kind
from sfumato.text.languages.es.dates import SpanishDates
from sfumato.text.languages.es.names import SpanishNames
from sfumato.text.lexicon import Lexicon, Mark
from sfumato.text.page import Page, Tokens, tokenise
from sfumato.text.span import DOUBTFUL, LIKELY, Span

_NAMES = int(Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.FAMILY | Mark.CITY)
_ORDINARY = int(Mark.WORD | Mark.WORD_COMMON | Mark.RELATIVE | Mark.PROFESSION | Mark.MEDICAL | Mark.TITLE)
_NEAR = 3


def names_country(lexicon: Lexicon, tokens: Tokens) -> bool:
    """Say whether words are the name of a country that the lexicon knows."""
    if len(tokens) == 1:
        return bool(lexicon.marks(tokens.words[0]) & Mark.COUNTRY)
    return any(
        first == 0 and end == len(tokens) and marks & Mark.COUNTRY
        for first, end, marks in lexicon.phrases(tokens)
    )


@dataclass(frozen=True)
class _Ordered:
    """Spans that share no text, in their order."""

    spans: list[Span]
    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, spans: Iterable[Span]) -> _Ordered:
        found: list[Span] = []
        for span in sorted(spans):
            if not found or span.start >= found[-1].end:
                found.append(span)
        return cls(found, [span.start for span in found], [span.end for span in found])

    def near(self, span: Span, distance: int = -1) -> list[Span]:
        """Return those that share text with a span, or are no further from it than so many characters."""
        first = bisect_left(self.ends, span.start - distance)
        return self.spans[first : bisect_right(self.starts, span.end + distance)]


@dataclass(frozen=True)
class Checked:
    """A learned detector whose proposals are checked."""

    inner: Detector
    lexicon: Lexicon = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the detector inside."""
        return self.inner.name

    def find(self, page: Page) -> Iterator[Span]:
        """Propose what the detector inside proposes, as far as it holds."""
        text = page.text
        dates = _Ordered.of(span for span in SpanishDates().find(page) if span.certainty >= LIKELY)
        names = _Ordered.of(span for span in SpanishNames().find(page) if span.certainty >= LIKELY)
        tags = _Ordered.of(
            span for span in (Already().find(page) if "**" in text else ()) if text[span.start] in "*["
        )
        for span in self.inner.find(page):
            if span.kind is Kind.DATE:
                for date in dates.near(span):
                    if date.start <= span.start and span.end <= date.end:
                        span = replace(span, start=date.start, end=date.end)
            elif span.kind is Kind.NAME:
                for name in names.near(span):
                    span = replace(span, label=name.label or span.label)
            if not self._is_beside(span, tags.near(span, _NEAR), text):
                yield from self._parted(span, text)

    def _parted(self, span: Span, text: str) -> Iterator[Span]:
        """Propose what stands with a capital behind a relative or a profession as the name that it is."""
        if span.kind is Kind.PROFESSION or (span.kind is Kind.OTHER and span.label == "kinship"):
            parts = [*pieces(text, span, "es")]
            if any(part.kind is Kind.NAME and part.of(text)[0].isupper() for part in parts):
                yield from parts
                return
        yield self.checked(span, text)

    def _is_beside(self, span: Span, near: list[Span], text: str) -> bool:
        """Say whether a span is tags, and ordinary words next to them."""
        rest = span.of(text)
        for tag in near:
            inside = slice(max(tag.start - span.start, 0), max(tag.end - span.start, 0))
            rest = rest[: inside.start] + " " * len(rest[inside]) + rest[inside.stop :]
        return bool(near) and all(map(self._is_ordinary, tokenise(rest).words))

    def checked(self, span: Span, text: str) -> Span:
        """Return a span as it is if it may stay or never would; otherwise as one that is replaced.

        A place or a number that is ordinary words in small letters is doubtful.
        """
        if span.kind in (Kind.LOCATION, Kind.ID) and self._is_prose(span.of(text)):
            span = replace(span, label="", certainty=min(span.certainty, DOUBTFUL))
        if span.kind is Kind.LOCATION and span.label == "country":
            known = names_country(self.lexicon, tokenise(span.of(text)))
            return span if known else replace(span, label="city")
        if span.kind is Kind.SEX:
            known = all(word.lower() in SEXES for word in tokenise(span.of(text)).words if word.isalpha())
            return span if known else replace(span, kind=Kind.OTHER, label="")
        if span.kind is Kind.PROFESSION or (span.kind is Kind.OTHER and span.label == "kinship"):
            known = all(map(self._is_ordinary, tokenise(span.of(text)).words))
            return span if known else replace(span, kind=Kind.OTHER, label="")
        return span

    def _is_prose(self, shown: str) -> bool:
        words = [word for word in tokenise(shown).words if word[0].isalnum()]
        if sum(map(len, words)) == 1 and not words[0].isdigit():
            return True
        return all(word.islower() and self._is_ordinary(word) for word in words)

    def _is_ordinary(self, word: str) -> bool:
        if not word[0].isalpha():
            return not any(letter.isdigit() for letter in word) or len(word) < 3
        marks = self.lexicon.marks(word)
        known = bool(marks & _ORDINARY)
        return known and (word.islower() or not marks & _NAMES)
