"""Numbers that a learned model holds for a day, an age or a number of somebody, and that count something.

"0.01", "10-12 days", "a 1/2-mile", "10.00 p.m.", "up to 6000": a form that says so
weighs more than the words that a model has learned. What is said here makes a proposal doubtful, no more:
with a detector that knows the form of a date, or a label beside a number, it is still taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.text.languages.en.date_context import unit_follows
from sfumato.text.page import Page

OLDEST_EVER = 125
"""nobody was older"""
_SHORT = 4
"""letters of a month or a weekday that is cut short: a full stop behind a longer one ends a sentence"""
_DECIMAL = re.compile(r"0\.\d")
_DECIMALS_AFTER = re.compile(r"\.\d{1,2}(?![\d./-])")
_CLOCK_AFTER = re.compile(r"\s?[ap]\.?\s?m\b", re.IGNORECASE)
_FRACTION = re.compile(r"(\d)/(\d)")
_JOINED_WORD = re.compile(r"-[a-z]{2}")
_SCORE = re.compile(r"\d{1,2}/10")
_AMOUNTS = frozenset(("to", "than", "about", "over", "approximately", "least", "most", "nearly", "almost"))


def sentence_end(words: Sequence[str], first: int, last: int) -> int:
    """Return the last word of a date that a full stop and another sentence follow: of ``Monday. 91`` the
    first.
    """
    for place in range(first + 1, last):
        if words[place] == "." and words[place - 1].isalpha() and len(words[place - 1]) > _SHORT:
            return place - 1
    return last


def counts_time_or_parts(page: Page, first: int, last: int) -> bool:
    """Say whether what is held for a date is a decimal, a duration, a fraction, a time or a score.

    >>> from sfumato.text.page import Page
    >>> page = Page("for 10-12 days, 1/2-mile, until 10-12")
    >>> [counts_time_or_parts(page, first, first + 2) for first in (1, 6, 12)]
    [True, True, False]
    """
    text, start, end = page.text, page.tokens.starts[first], page.tokens.ends[last]
    said = text[start:end]
    if _DECIMAL.match(said) or _CLOCK_AFTER.match(text, end):
        return True
    if first == last and _DECIMALS_AFTER.match(text, end):
        return True
    fraction = _FRACTION.fullmatch(said)
    if fraction and fraction[1] < fraction[2] and _JOINED_WORD.match(text, end):
        return True
    if _SCORE.fullmatch(said) and start > 1 and text[start - 1] in "-–" and text[start - 2].isdigit():
        return True
    return said[:1].isdigit() and first < last and not said[-4:].isdigit() and unit_follows(text, end)


def is_no_age(words: Sequence[str], first: int, last: int) -> bool:
    """Say whether a number is higher than anybody is old, or a letter stands where one should.

    >>> is_no_age(["peaked", "at", "260"], 2, 2), is_no_age(["lived", "to", "104"], 2, 2)
    (True, False)
    """
    number = words[first]
    if first != last:
        return False
    return (number.isdecimal() and len(number) < 10 and int(number) > OLDEST_EVER) or number in ("a", "A")


def is_amount(words: Sequence[str], first: int, last: int) -> bool:
    """Say whether few digits follow a word that counts: ``up to 6000``, ``more than 1500``.

    >>> is_amount(["up", "to", "6000"], 2, 2), is_amount(["badge", "6000"], 1, 1)
    (True, False)
    """
    if first != last or not words[first].isdecimal() or len(words[first]) > 4 or not first:
        return False
    return words[first - 1].lower() in _AMOUNTS and words[first].endswith("00")
