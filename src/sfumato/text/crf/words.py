"""What a word looks like to the model: its case, its digits, its affixes, and what the lexicon knows of it.

Two views of the same word. Its **class** is one small number (``Title`` case and a name that is no ordinary
word; two digits that can be a month), made for looking at several neighbours at once. Its **traits** are many
short strings that are weighed one by one. Neither spells the word out, but for words of the vocabulary, which
holds none that stands for people (see ``train.py``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container

from sfumato.text.lexicon import Mark

VERSION = 1
"""of the features: a model is read only by the code that knows its features"""
EDGE = 0
"""the class of what lies beyond the text or the line"""
_PUNCTUATION = ".,:;()/-'\"#@&+*=%_[]<>"
_DIGITS = ("1", "month", "day", "2", "3", "year", "4", "5", "6", "7", "8", "9", "10", "long", "A9", "9A")
_CASES = ("lower", "Title", "UPPER", "mixed", "letter")
_SENSES = (
    *("month", "weekday", "title", "relative", "street", "organisation", "eponym", "hidden name"),
    *("name or word", "common name", "name", "place", "drug", "medical", "common", "word", "unknown"),
)
_CLASSES = (
    "edge",
    "symbol",
    *_PUNCTUATION,
    *(f"digits {name}" for name in _DIGITS),
    *(f"{case} {sense}" for case in _CASES for sense in _SENSES),
)
_NUMBER = {name: place for place, name in enumerate(_CLASSES)}
CLASSES = len(_CLASSES)
"""how many classes there are"""

_PERSON = int(Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.FAMILY)
_PLACE = int(Mark.CITY | Mark.STATE | Mark.COUNTRY | Mark.COUNTY)
_CLINICAL = int(Mark.MEDICAL | Mark.DRUG)
_MARKS = [(int(mark), f"m={mark.name}") for mark in Mark]


def case_of(word: str) -> str:
    """Say how a word is cased.

    >>> [case_of(word) for word in ("spleen", "Ada", "MRI", "McCoy", "J")]
    ['lower', 'Title', 'UPPER', 'mixed', 'letter']
    """
    if len(word) == 1 and word.isupper():
        return "letter"
    if word.islower():
        return "lower"
    if word.isupper():
        return "UPPER"
    return "Title" if word[0].isupper() and word[1:].islower() else "mixed"


def sense_of(marks: int) -> str:
    """Say what a word most likely is, by the lexicon alone; a name that is also a word is its own sense."""
    for mark, sense in (
        (Mark.MONTH, "month"),
        (Mark.WEEKDAY, "weekday"),
        (Mark.TITLE, "title"),
        (Mark.RELATIVE, "relative"),
        (Mark.STREET, "street"),
        (Mark.ORGANISATION, "organisation"),
        (Mark.EPONYM, "eponym"),
    ):
        if marks & mark:
            return sense
    if marks & _PERSON:
        if marks & Mark.WORD_COMMON:
            return "hidden name"
        if marks & (Mark.WORD | _CLINICAL):
            return "name or word"
        return "common name" if marks & Mark.NAME_COMMON else "name"
    if marks & _CLINICAL:
        return "drug" if marks & Mark.DRUG else "medical"
    if marks & Mark.WORD_COMMON:
        return "common"
    if marks & _PLACE:
        return "place"
    return "word" if marks & Mark.WORD else "unknown"


def _digits(word: str) -> str:
    if not word.isdigit():
        return "9A" if word[0].isdigit() else "A9"
    length = len(word)
    value = int(word) if length <= 4 and word.isdecimal() else -1
    if length == 2:
        return "month" if 1 <= value <= 12 else "day" if 1 <= value <= 31 else "2"
    if length == 4:
        return "year" if 1880 <= value <= 2100 else "4"
    return str(length) if length <= 10 else "long"


def class_of(word: str, marks: int) -> int:
    """Return the class of a word.

    >>> class_of("11", 0) == class_of("07", 0), class_of("11", 0) == class_of("47", 0)
    (True, False)
    """
    if not word[0].isalnum():
        return _NUMBER.get(word, _NUMBER["symbol"])
    if any(letter.isdigit() for letter in word):
        return _NUMBER[f"digits {_digits(word)}"]
    return _NUMBER[f"{case_of(word)} {sense_of(marks)}"]


def folded(word: str) -> str:
    """Return a word without case and accents, as the vocabulary keeps it.

    >>> folded("Trần")
    'tran'
    """
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def traits_of(word: str, marks: int, vocabulary: Container[str]) -> list[str]:
    """Return what the model weighs about a word by itself.

    >>> traits_of("Fevers", int(Mark.WORD), ("fevers",))
    ['w=fevers', 'c=Title word', 's=ers', 'p=fev', 'e=rs', 'n=6', 'm=WORD', 'g=Title 2048']
    """
    if not word[0].isalnum():
        return [f"w={word}" if word in _PUNCTUATION else "w=symbol"]
    flat = folded(word)
    if any(letter.isdigit() for letter in word):
        shape = "".join("9" if c.isdigit() else "A" if c.isupper() else "a" for c in word[:14])
        return [f"c={_CLASSES[class_of(word, marks)]}", f"d={shape}", f"n={min(len(word), 12)}"]
    case = case_of(word)
    found = [f"w={flat}"] if flat in vocabulary else []
    found.append(f"c={case} {sense_of(marks)}")
    # An affix is never the whole of a word, nor nearly: short names would stand in the model.
    if len(flat) >= 5:
        found += [f"s={flat[-3:]}", f"p={flat[:3]}"]
    if len(flat) >= 4:
        found.append(f"e={flat[-2:]}")
    found.append(f"n={min(len(flat), 12)}")
    found += [name for mark, name in _MARKS if marks & mark]
    found.append(f"g={case} {marks}")
    return found
