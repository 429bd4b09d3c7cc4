"""A page read with a lexicon: for every token what it may be and how it is written, worked out once for all.

Detectors that reason from dictionaries (names, places, organisations, the clinical allow-list) walk over the
same numbers: the marks of the lexicon in the low bits, the shape of the word above them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from sfumato.text.lexicon import Mark
from sfumato.text.page import Page, Tokens
from sfumato.text.word_list import REMEMBERED, WordList, word_list

CAPITAL = 1 << 24
"""begins with a capital and goes on otherwise: Ada, McCoy"""
UPPER = 1 << 25
"""two or more letters, all capitals: ADA"""
LOWER = 1 << 26
"""letters, none of them a capital"""
INITIAL = 1 << 27
"""one capital letter"""
NUMBER = 1 << 28
"""holds a digit"""
RAISED = CAPITAL | UPPER
"""written as names are"""
GIVEN = int(Mark.GIVEN_FEMALE | Mark.GIVEN_MALE)
NAMED = GIVEN | int(Mark.FAMILY)
"""somewhere in the world somebody is called so"""
NO_NAME = int(Mark.DRUG | Mark.MONTH | Mark.WEEKDAY | Mark.HOLIDAY)


_PREFIXED = re.compile(
    r"(?:d|da|de|del|dela|della|di|du|la|le|lo|mac|mc|o|van|vander|von|al|el)[^\W\d_a-z][^\W\d_]{2}"
)
"""a name whose small prefix is written together with it: delaCruz, vanDyke"""
_LANGUAGE = int(Mark.WORD | Mark.WORD_COMMON)
"""what a name loses when it has accents: English has them in hardly any word"""


class _Facts(dict[str, int]):
    """From a word as it is written to its marks and its shape."""

    def __init__(self, lexicon: WordList) -> None:
        super().__init__()
        self.lexicon = lexicon

    def __missing__(self, word: str) -> int:
        facts = int(self.lexicon.marks(word))
        if not word.isascii() and facts & NAMED and facts & _LANGUAGE:
            facts &= ~_LANGUAGE
        digits = any(letter.isdigit() for letter in word[:40])
        if not digits:
            if len(word) == 1:
                facts |= INITIAL if word.isupper() else LOWER if word.isalpha() else 0
            elif word.islower():
                facts |= LOWER
            elif word.isupper():
                facts |= UPPER
            elif word[0].isupper() or _PREFIXED.match(word):
                facts |= CAPITAL
        if digits:
            facts |= NUMBER
        if len(self) >= REMEMBERED:
            self.clear()
        if len(word) < 64:
            self[word] = facts
        return facts


@cache
def _facts(language: str) -> _Facts:
    return _Facts(word_list(language))


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with the facts of its tokens. A few facts of 0 follow the last: looking ahead is safe."""

    text: str
    tokens: Tokens
    facts: list[int]
    phrases: list[tuple[int, int, int]]
    """first token, token after the last, marks"""
    phrases_at: dict[int, list[tuple[int, int]]]
    """the same by their first token"""
    lexicon: WordList

    def word(self, place: int) -> str:
        """Return a token in lower case; nothing outside the text."""
        words = self.tokens.words
        return words[place].lower() if 0 <= place < len(words) else ""

    def marks(self, word: str) -> int:
        """Return what the lexicon says of a word that does not stand in the text as such."""
        return self.lexicon.marks(word)

    def fact(self, place: int) -> int:
        """Return the facts of a token; 0 outside the text."""
        return self.facts[place] if place >= 0 else 0

    def glued(self, place: int) -> bool:
        """Say whether nothing stands between a token and the next."""
        tokens = self.tokens
        return 0 <= place < len(tokens.words) - 1 and tokens.ends[place] == tokens.starts[place + 1]

    def beside(self, place: int) -> bool:
        """Say whether the next token stands on the same line and near: no line end, no tab, no wide gap."""
        tokens = self.tokens
        if not 0 <= place < len(tokens.words) - 1:
            return False
        return self.text[tokens.ends[place] : tokens.starts[place + 1]] in _NEAR

    def line_start(self, place: int) -> bool:
        """Say whether a token is the first of its line."""
        if place <= 0:
            return True
        gap = self.text[self.tokens.ends[place - 1] : self.tokens.starts[place]]
        return "\n" in gap or "\r" in gap

    def sentence_start(self, place: int) -> bool:
        """Say whether a capital may stand here only because a sentence begins."""
        return self.line_start(place) or self.tokens.words[place - 1] in _SENTENCE_ENDS


_NEAR = frozenset(("", " ", "  ", "\u00a0", " \u00a0", "\u00a0 ", "\u2009", "\u202f"))
_SENTENCE_ENDS = frozenset('.!?:•*-–—|>"“(;')


def reading(page: Page, language: str) -> Reading:
    """Return a page read with the lexicon of a language."""
    return page.once(f"dictionary:{language}", lambda page: _read(page, language))


def _read(page: Page, language: str) -> Reading:
    tokens = page.tokens
    known = _facts(language)
    facts = [known[word] for word in tokens.words]
    facts += (0, 0, 0, 0)
    phrases = known.lexicon.phrases(tokens)
    at: dict[int, list[tuple[int, int]]] = {}
    for first, end, marks in phrases:
        at.setdefault(first, []).append((end, marks))
    return Reading(page.text, tokens, facts, phrases, at, known.lexicon)
