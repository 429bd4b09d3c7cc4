"""Patterns that are tried only where they can begin: at numbers, or at the words that announce them.

A regular expression that searches a whole text costs its length times its alternatives. Here the words of a
page are indexed once (``Page.places``); a rule names the words it may begin with, and its expression is
matched at those places alone. So the cost goes with what is rare, and stays linear in the length of a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import Span

Accept = Callable[["re.Match[str]"], bool]


def always(_: re.Match[str]) -> bool:
    """Accept every match."""
    return True


def compiled(pattern: str) -> re.Pattern[str]:
    """Compile an expression as patterns here are written: spread out, letters of any case."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


@dataclass(frozen=True)
class Rule:
    """One pattern: the words it begins with, its expression, and what its group ``v`` is.

    Without words it is tried at every number. Without a group ``v`` the whole match is the span.
    """

    words: frozenset[str]
    regex: re.Pattern[str]
    kind: Kind
    label: str
    certainty: float
    accept: Accept = always

    @cached_property
    def group(self) -> str | int:
        """The group that is the span."""
        return "v" if "v" in self.regex.groupindex else 0


@dataclass(frozen=True)
class Rules:
    """A detector made of rules; all that match propose."""

    name: str
    rules: tuple[Rule, ...]

    @cached_property
    def _by_word(self) -> dict[str, list[Rule]]:
        found: dict[str, list[Rule]] = {}
        for rule in self.rules:
            for word in rule.words:
                found.setdefault(word, []).append(rule)
        return found

    @cached_property
    def _at_numbers(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if not rule.words)

    def find(self, page: Page) -> Iterator[Span]:
        """Propose what the rules match."""
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & self._by_word.keys():
            for place in page.places[word]:
                for rule in self._by_word[word]:
                    yield from self._matched(rule, text, starts[place])
        if self._at_numbers:
            for place in page.numbers:
                for rule in self._at_numbers:
                    yield from self._matched(rule, text, starts[place])

    def _matched(self, rule: Rule, text: str, start: int) -> Iterator[Span]:
        found = rule.regex.match(text, start)
        if found is not None and rule.accept(found):
            first, end = found.span(rule.group)
            if first < end:
                yield Span(first, end, rule.kind, rule.label, rule.certainty, self.name)


def begins_number(text: str, start: int) -> bool:
    """Say whether a number begins here, and does not go on: not the 21 of 7/21, 3.21 or 12-21.

    >>> begins_number("on 7/21", 3), begins_number("on 7/21", 5), begins_number("end. 21", 5)
    (True, False, True)
    """
    if start == 0:
        return True
    before = text[start - 1]
    if before in "./-,:'\u2013" and start > 1:
        return not text[start - 2].isalnum()
    return not (before.isalnum() or before == "_")


def words_before(text: str, start: int, count: int = 3, reach: int = 40) -> list[str]:
    """Return the last words before a place on the same line, the nearest first, lower-case.

    >>> words_before("BP was 128/74", 7)
    ['was', 'bp']
    """
    line = text[max(0, start - reach) : start]
    line = line[line.rfind("\n") + 1 :]
    return re.findall(r"[^\W_]+", line.lower())[::-1][:count]


def words_after(text: str, end: int, count: int = 2, reach: int = 30) -> list[str]:
    """Return the next words after a place on the same line, lower-case.

    >>> words_after("3/10 pain today", 4)
    ['pain', 'today']
    """
    return re.findall(r"[^\W_]+", text[end : end + reach].split("\n", 1)[0].lower())[:count]
