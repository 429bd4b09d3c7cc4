"""What a learned proposal must hold to be believed: a telephone number has digits, a date a day or a month.

A model that weighs words one by one may draw the word beside a number into it, or hold a heading for a name.
Some things have a form that nothing learned can talk away: of "workstation 10.0.0.7" only the number is an
address. Ordinary words in small letters are no names where names are written with capitals. What is not
believed stays a doubtful proposal: it is taken when another detector agrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Lexicon, Mark
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL

_CALENDAR = Mark.MONTH | Mark.WEEKDAY | Mark.HOLIDAY
_ORDINARY = Mark.WORD_COMMON | Mark.MEDICAL
_KNOWN = _ORDINARY | Mark.WORD | Mark.DRUG
_TELLING = Mark.NAME_COMMON | Mark.CITY | Mark.COUNTY | Mark.STATE | Mark.COUNTRY | Mark.HOSPITAL
_NUMBERS = frozenset({Kind.PHONE, Kind.SSN, Kind.IP, Kind.ID})
_LEAST_DIGITS = {Kind.PHONE: 4, Kind.SSN: 4, Kind.IP: 4, Kind.ID: 3}
_LONG = 3
"""letters that a word of a web address has at least, one of them more"""
_FEW_CAPITALS = 20
"""where fewer than one word in so many has a capital, small letters say nothing"""
_ENDS = frozenset('.!?:•*-–—|>"“(;')


def has_capitals(page: Page) -> bool:
    """Say whether capitals are used in a text, so that a word without one is no name."""
    return page.once("capitals", _has_capitals)


def _has_capitals(page: Page) -> bool:
    letters = [word for word in page.tokens.words if word[0].isalpha()]
    return sum(word[0].isupper() for word in letters) * _FEW_CAPITALS > len(letters)


@dataclass(frozen=True)
class Plausible:
    """Judges runs of words that a model holds for something."""

    lexicon: Lexicon

    def judged(
        self, page: Page, first: int, last: int, kind: Kind, certainty: float
    ) -> tuple[int, int, float]:
        """Return the run without words at its ends that cannot belong to it, and how certain it still is."""
        words = page.tokens.words
        if kind in _NUMBERS:
            return self._number(words, first, last, kind, certainty)
        if kind is Kind.DATE:
            return self._date(words, first, last, certainty)
        if kind is Kind.EMAIL:
            believed = "@" in words[first : last + 1]
        elif kind is Kind.URL:
            parts = words[first : last + 1]
            believed = ("." in parts or "/" in parts) and max(map(len, parts)) > _LONG
        elif kind in (Kind.NAME, Kind.LOCATION):
            believed = not self._ordinary(page, first, last)
        else:
            believed = True
        return first, last, certainty if believed else min(certainty, DOUBTFUL)

    def _number(
        self, words: Sequence[str], first: int, last: int, kind: Kind, certainty: float
    ) -> tuple[int, int, float]:
        digits = sum(letter.isdigit() for word in words[first : last + 1] for letter in word[:40])
        if digits < _LEAST_DIGITS[kind]:
            return first, last, min(certainty, DOUBTFUL)
        while self._word(words[first]):
            first += 1
        while self._word(words[last]):
            last -= 1
        return first, last, certainty

    def _word(self, word: str) -> bool:
        """Say whether it is a word of the language, and no part of a number."""
        return word.isalpha() and len(word) > 1 and not word.isupper() and bool(self.lexicon.marks(word))

    def _date(self, words: Sequence[str], first: int, last: int, certainty: float) -> tuple[int, int, float]:
        start, end = first, last
        while first <= last and not self._dated(words[first]):
            first += 1
        while last > first and not self._dated(words[last]):
            last -= 1
        if first > last:
            return start, end, min(certainty, DOUBTFUL)
        alone = words[first] if first == last else ""
        if alone.isdigit() and not (len(alone) == 4 and alone[:2] in ("18", "19", "20")):
            certainty = min(certainty, DOUBTFUL)
        return first, last, certainty

    def _dated(self, word: str) -> bool:
        return any(letter.isdigit() for letter in word[:40]) or bool(self.lexicon.marks(word) & _CALENDAR)

    def _ordinary(self, page: Page, first: int, last: int) -> bool:
        """Say whether a run is made of ordinary words, written in a way that says nothing of a name."""
        words = [word for word in page.tokens.words[first : last + 1] if word[0].isalnum()]
        if not words or any(word[0].isdigit() for word in words):
            return not words
        marks = [self.lexicon.marks(word) for word in words]
        if all(word.islower() for word in words):
            return has_capitals(page) and all(
                mark & _ORDINARY or (mark & _KNOWN and not mark & _TELLING) for mark in marks
            )
        if any(mark & _TELLING or not mark & _ORDINARY for mark in marks):
            return False
        return all(word.isupper() for word in words) or (
            len(words) == 1 and (first == 0 or self._begins(page, first))
        )

    @staticmethod
    def _begins(page: Page, place: int) -> bool:
        tokens = page.tokens
        gap = page.text[tokens.ends[place - 1] : tokens.starts[place]]
        return tokens.words[place - 1] in _ENDS or "\n" in gap or "\r" in gap
