"""How names are written again: folded, as initials, with one slip of the keyboard.

One slip is one letter left out, put in, replaced, or two neighbours swapped (Damerau, "A technique for
computer detection and correction of spelling errors", 1964). Words one slip apart share a word that has one
letter less than either (or equal one of them), so an index of those finds them without comparing all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from sfumato.text.folding import bare
from sfumato.text.folding import folded as without_case
from sfumato.text.page import tokenise

_PARTICLES = (
    "al ap bin bint da dal das de degli del della den der di do dos du e el ibn la las le los mc ml san st "
    "ten ter the van vande vander von y zu zum zur"
)
_TITLES = "dr mr mrs ms miss md do rn np pa lpn phd pharmd dds jr sr ii iii iv esq prof sir dame and"
PARTICLES = frozenset(_PARTICLES.split())
"""words inside names that are no name by themselves"""
_NO_PART = PARTICLES | frozenset(_TITLES.split())


_REMEMBERED = 64
"""letters of a word that is remembered: what is longer is no word, and would fill the memory"""


def folded(word: str) -> str:
    """Return a word without case and accents.

    >>> folded("Trần"), folded("ESTEFANÍA"), folded("Straße")
    ('tran', 'estefania', 'strasse')
    """
    return _folded(word) if len(word) < _REMEMBERED else bare(without_case(word))


@lru_cache(maxsize=1 << 16)
def _folded(word: str) -> str:
    return bare(without_case(word))


def name_parts(name: str) -> list[str]:
    """Return the words of a name that are a name by themselves: no initials, titles or particles.

    >>> name_parts("van der Berg, Eleanor M.")
    ['Berg', 'Eleanor']
    """
    return [
        word
        for word in tokenise(name).words
        if len(word) > 1 and word[0].isalpha() and folded(word) not in _NO_PART
    ]


def compounds_of(name: str) -> list[str]:
    """Return the names of several words that are often written as one, as one.

    >>> compounds_of("O'Brien-Smith, Mary-Jane"), compounds_of("van der Berg, Eleanor M.")
    (['OBrienSmith', 'MaryJane'], [])
    """
    found = []
    for chunk in re.split(r"[\s,;/()]+", name):
        words = [word for word in tokenise(chunk).words if word[0].isalpha()]
        if len(words) > 1:
            found.append("".join(words))
    return found


def initials_of(name: str) -> list[str]:
    """Return how somebody of this name may sign: given name first, whatever order it is written in.

    >>> initials_of("Whitfield, Eleanor M"), initials_of("Eleanor Whitfield"), initials_of("Whitfield")
    (['EW', 'EMW'], ['EW'], [])
    """
    family, comma, given = name.partition(",")
    if not comma:
        words = [word for word in _lettered(name) if folded(word) not in _NO_PART]
        ordered = words
    else:
        ordered = [word for part in (given, family) for word in _lettered(part)]
        ordered = [word for word in ordered if folded(word) not in _NO_PART]
    if len(ordered) < 2 or sum(len(word) > 1 for word in ordered) < 2:
        return []
    letters = [word[0].upper() for word in ordered]
    short = letters[0] + letters[-1]
    return [short] if len(letters) == 2 else [short, "".join(letters)]


def _lettered(text: str) -> list[str]:
    return [word for word in tokenise(text).words if word[0].isalpha()]


@dataclass(frozen=True)
class Misspelt:
    """Names with all words that are one letter shorter."""

    SHORTEST: ClassVar[int] = 5
    """names with fewer letters are one slip away from too many words"""
    LONGEST: ClassVar[int] = 40
    """what has more letters is no name"""
    words: frozenset[str]
    shorter: frozenset[str]
    letters: frozenset[str]
    """all letters of the names"""

    @classmethod
    def of(cls, names: Iterable[str]) -> Misspelt:
        """Index folded names."""
        long = frozenset(name for name in names if cls.SHORTEST <= len(name) <= cls.LONGEST)
        return cls(long, frozenset(cut for name in long for cut in _cuts(name)), frozenset("".join(long)))

    def near(self, word: str) -> bool:
        """Say whether a folded word is one slip away from a name; the first letter is never the slip.

        >>> names = Misspelt.of(["whitfield"])
        >>> [names.near(word) for word in ("whitfeild", "whitfild", "whitfieldd", "whitfjeld", "whitman")]
        [True, True, True, True, False]
        """
        if not self.words or not self.SHORTEST <= len(word) <= self.LONGEST + 1:
            return False
        if word in self.shorter:
            return True
        for at, cut in enumerate(_cuts(word), 1):
            if cut in self.words:
                return True
            if cut in self.shorter and any(
                word[:at] + letter + word[at + 1 :] in self.words for letter in self.letters
            ):
                return True
        return any(
            word[:at] + word[at + 1] + word[at] + word[at + 2 :] in self.words
            for at in range(1, len(word) - 1)
        )


def _cuts(word: str) -> Iterator[str]:
    """Return the word without each of its letters but the first."""
    return (word[:at] + word[at + 1 :] for at in range(1, len(word)))
