"""The shipped lexicon of a language: words in one table, phrases in one automaton over words.

``data/words.xz`` holds a line for every combination of marks that occurs: the marks as a number, then all
words that have exactly these. ``data/phrases.xz`` is the same with phrases between tabs. Words are folded (no
case), and looked up as they are written and without accents ("Bùi" finds "bui"). Phrases are sequences of
words, so that any white space, line break or accent between their letters is as good as any other (Aho &
Corasick, "Efficient string matching", 1975: the automaton reads each word of the text once).

>>> from sfumato.text.lexicon import Mark
>>> english = word_list("en")
>>> Mark(english.marks("Nguyễn")) & Mark.FAMILY
<Mark.FAMILY: 4>
>>> from sfumato.text.page import tokenise
>>> [found[:2] for found in english.phrases(tokenise("moved to New\\nYork"))]
[(2, 4)]
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput, nearest
from sfumato.text.folding import bare, folded
from sfumato.text.language import LANGUAGES
from sfumato.text.page import Tokens
from sfumato.text.word_table import WordTable

if TYPE_CHECKING:
    import ahocorasick

REMEMBERED = 100_000
"""how many written forms of words are remembered, before the memory is emptied and fills again"""


_NO_PHRASE = "\0\0"
_SIDE = 256


def _code(number: int) -> str:
    """Spell the number of a word as two letters; the first and the second never look alike.

    An automaton over whole words would have tens of thousands of branches at its root, which pyahocorasick
    searches one after the other; with two letters for a word it builds in a fifth of the time.
    """
    return chr(0x100 + number // _SIDE) + chr(0x4000 + number % _SIDE)


class _Remembered(dict[str, tuple[int, str]]):
    """From a word as it is written to its marks and its code in phrases; asked once for each form."""

    def __init__(self, words: WordTable, codes: dict[str, str]) -> None:
        super().__init__()
        self.words = words
        self.codes = codes

    def __missing__(self, word: str) -> tuple[int, str]:
        plain = folded(word)
        stripped = bare(plain)
        marks = self.words.get(stripped, 0)
        if plain is not stripped:
            marks |= self.words.get(plain, 0)
        found = (marks, self.codes.get(stripped, _NO_PHRASE))
        if len(self) >= REMEMBERED:
            self.clear()
        if len(word) < 64:
            self[word] = found
        return found


@dataclass(frozen=True, eq=False)
class WordList:
    """A lexicon in memory: made by :func:`word_list`, or by :meth:`of` from lists of one's own."""

    _remembered: _Remembered
    _automaton: ahocorasick.Automaton

    @classmethod
    def of(cls, words: dict[str, int], phrases: dict[tuple[str, ...], int]) -> WordList:
        """Make a lexicon of folded words, and of phrases of two or more folded words without accents."""
        return cls._made(WordTable.of(words), phrases.items())

    @classmethod
    def _made(cls, words: WordTable, phrases: Iterable[tuple[tuple[str, ...], int]]) -> WordList:
        import ahocorasick

        codes: dict[str, str] = {}
        said: dict[tuple[int, int], tuple[int, int]] = {}
        automaton = ahocorasick.Automaton()
        for phrase, marks in phrases:
            key = [codes.get(word) or codes.setdefault(word, _code(len(codes))) for word in phrase]
            value = (len(key), marks)
            automaton.add_word("".join(key), said.setdefault(value, value))
        if len(automaton):
            automaton.make_automaton()
        return cls(_Remembered(words, codes), automaton)

    def marks(self, word: str) -> int:
        """Return what a word may be: marks added up, 0 for an unknown word."""
        return self._remembered[word][0]

    def all_marks(self, words: Iterable[str]) -> list[int]:
        """Return the marks of many words."""
        remembered = self._remembered
        return [remembered[word][0] for word in words]

    def phrases(self, tokens: Tokens) -> list[tuple[int, int, int]]:
        """Return phrases of two or more tokens: the first, the one after the last, and their marks."""
        if not self._automaton:
            return []
        remembered = self._remembered
        coded = "".join([remembered[word][1] for word in tokens.words])
        found = []
        for last, (length, marks) in self._automaton.iter(coded):
            end = last // 2 + 1
            found.append((end - length, end, marks))
        return found


@cache
def word_list(language: str) -> WordList:
    """Return the lexicon of a language; it is read once in a process."""
    if language not in LANGUAGES:
        raise BadInput(
            f"there is no language '{language}'", where="language", remedy=nearest(language, LANGUAGES)
        )
    return WordList._made(WordTable.read(_packed(language, "words.xz")), _phrases(language))


def _phrases(language: str) -> Iterator[tuple[tuple[str, ...], int]]:
    for line in _packed(language, "phrases.xz").split(b"\n"):
        number, *listed = line.decode().split("\t")
        marks = int(number)
        for phrase in listed:
            yield tuple(phrase.split(" ")), marks


def _packed(language: str, name: str) -> bytes:
    packed = files("sfumato.text.languages").joinpath(language, "data", name).read_bytes()
    return lzma.decompress(packed)
