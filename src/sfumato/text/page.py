"""A page: a text with its words, cut once and shared by all detectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

Read = TypeVar("Read")

_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u200c\u200d"
TOKEN = re.compile(rf"[^\W_][^\W_{_MARKS}]*(?:[{_MARKS}]+[^\W_{_MARKS}]*)*|[^\w\s]|_")
"""a run of letters and digits with the marks that combine with them, or any other single character"""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Words and other characters of a text in their order: ``words[i] == text[starts[i]:ends[i]]``."""

    words: list[str]
    starts: list[int]
    ends: list[int]

    def __len__(self) -> int:
        return len(self.words)


def tokenise(text: str) -> Tokens:
    """Cut a text into words and other characters; white space belongs to none.

    >>> tokenise("SH-62, 5mg o'Hara").words
    ['SH', '-', '62', ',', '5mg', 'o', "'", 'Hara']
    """
    found = [(match.group(), match.start(), match.end()) for match in TOKEN.finditer(text)]
    if not found:
        return Tokens([], [], [])
    words, starts, ends = zip(*found, strict=True)
    return Tokens([*words], [*starts], [*ends])


@dataclass(frozen=True)
class Page:
    """One text, prepared for detectors."""

    text: str = field(repr=False)

    @cached_property
    def tokens(self) -> Tokens:
        """Its words."""
        return tokenise(self.text)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each word stands, in lower case: the numbers of its tokens."""
        found: dict[str, list[int]] = {}
        for place, word in enumerate(self.tokens.words):
            found.setdefault(word.lower(), []).append(place)
        return found

    @cached_property
    def numbers(self) -> list[int]:
        """The tokens that begin with a digit."""
        return [place for place, word in enumerate(self.tokens.words) if "0" <= word[0] <= "9"]

    def once(self, key: str, read: Callable[[Page], Read]) -> Read:
        """Return what was read off this page under a key; the first to ask does the reading for all."""
        if key not in self.__dict__:
            self.__dict__[key] = read(self)
        found: Read = self.__dict__[key]
        return found
