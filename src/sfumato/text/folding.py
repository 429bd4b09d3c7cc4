"""Folding: a word without what writers vary (case, accents, the sort of apostrophe), for looking it up."""

from __future__ import annotations

import unicodedata

from sfumato.text.page import tokenise


def listed(words: str) -> frozenset[str]:
    """Return a list of words that is written down between white space.

    >>> sorted(listed("dr mr"))
    ['dr', 'mr']
    """
    return frozenset(words.split())


_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ß": "ss", "ŋ": "n"}
)
_MARKED = "’‘ʼ`´′"
_APOSTROPHES: dict[int, str | None] = {
    **dict.fromkeys(map(ord, _MARKED), "'"),
    **dict.fromkeys(map(ord, "\u200c\u200d"), None),
}


def folded(word: str) -> str:
    """Return a word without case, its accents in one form, and one sort of apostrophe.

    >>> folded("DE\u0301J\u00c0"), folded("\u2019")
    ('d\u00e9j\u00e0', "'")
    """
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", word.casefold()).translate(_APOSTROPHES)


def bare(word: str) -> str:
    """Return a folded word without accents, in letters from a to z where there are such.

    >>> bare(folded("Tr\u1ea7n")), bare(folded("\u0141ukasz"))
    ('tran', 'lukasz')
    """
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word.translate(_LETTERS))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def parted(phrase: str) -> tuple[str, ...]:
    """Return a phrase as the words that a text would be cut into, folded and without accents.

    >>> parted("Parkinson\u2019s disease")
    ('parkinson', "'", 's', 'disease')
    """
    return tuple(bare(folded(word)) for word in tokenise(phrase).words)
