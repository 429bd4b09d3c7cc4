"""Columns of names: values that are given names or family names, whatever the column is called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.text.lexicon import Lexicon

MOST_ARE_NAMES = 0.6
"""from this share of its values on, a column holds names"""
_FEWEST = 3
_LOOKED_AT = 200
_NAME = re.compile(
    r"[^\W\d_a-z][^\W\d_]*(?:[ .,'’-]{1,2}[^\W\d_]+){0,4}\.?|[^\W\d_]{2,}[ .,_'’-]{1,2}[^\W\d_]{2,}"
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
"""initials say nothing"""
_TITLES = (
    "Dr",
    "Mr",
    "Mrs",
    "Ms",
    "Miss",
    "Prof",
    "Herr",
    "Frau",
    "Sra",
    "Don",
    "Doña",
    "Mme",
    "Mlle",
    "Dott",
)
"""what follows is a name, though it be a word that everybody uses"""


@cache
def _lexicon() -> Lexicon:
    from sfumato.text.word_list import word_list

    return word_list("en")


def are_names_of_persons(values: Sequence[str]) -> bool:
    """Whether most of some distinct values are names of people, by a lexicon of names of many countries.

    Words that everybody uses (White, Sales) and medical ones are no names here, and neither are towns where
    more values are towns than names.

    >>> are_names_of_persons(["Ada", "Jürgen", "Nguyen"]), are_names_of_persons(["White", "Black", "Asian"])
    (True, False)
    """
    looked = [value.strip() for value in values if value.strip()][:_LOOKED_AT]
    written = [value for value in looked if _NAME.fullmatch(value)]
    if len(written) < _FEWEST or len(written) < MOST_ARE_NAMES * len(looked):
        return False
    names = sum(_is_name(value) for value in written)
    towns = sum(_is_town(value) for value in written)
    return names >= MOST_ARE_NAMES * len(looked) and names > towns


def _is_name(value: str) -> bool:
    from sfumato.text.lexicon import Mark

    given_or_family = Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.FAMILY
    other = Mark.WORD_COMMON | Mark.MEDICAL | Mark.DRUG | Mark.NATIONALITY
    words = _WORDS.findall(value)
    if len(words) > 1 and words[0] in _TITLES and words[1][0].isupper():
        return True
    found = False
    for word in words:
        marks = _lexicon().marks(word)
        if marks & other and not (found and marks & given_or_family):
            return False
        found = found or bool(marks & given_or_family and marks & Mark.NAME_COMMON)
    return found


def _is_town(value: str) -> bool:
    from sfumato.text.lexicon import Mark

    marks = [_lexicon().marks(word) for word in _WORDS.findall(value)]
    return bool(marks) and all(mark & (Mark.CITY | Mark.STATE | Mark.COUNTRY | Mark.COUNTY) for mark in marks)
