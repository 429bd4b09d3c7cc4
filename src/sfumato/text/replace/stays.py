"""What a policy keeps, and whether it is what its label says.

Labels come from finders and annotators, and may be wrong: of "Troy, Tennessee" one may call the whole a
state, and of "7/4 14:30" the whole a time. What stays because of its label is therefore looked at once more.
"""

from __future__ import annotations

import re

from sfumato.text.dates import read_date
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Mark
from sfumato.text.page import tokenise
from sfumato.text.policy import TextPolicy
from sfumato.text.replace.addresses import STATES
from sfumato.text.span import Span
from sfumato.text.word_list import word_list

_TIME = re.compile(
    r"T?\d{1,2}[:.]\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|(?<!\d)\d{3,4}(?![\d/-])|\d{1,2}(?=\s?[ap]\.?\s?m\b)"
    r"|(?<=[+-])\d{2}:?\d{2}|\d{1,2}(?=\s?(?:h|hrs?|hours|o['’]clock)\b)",
    re.IGNORECASE,
)
_STATES = frozenset(name.casefold() for pair in STATES.items() for name in pair)
_LARGE = ("state", "country")


def stays(policy: TextPolicy, span: Span, text: str, language: str) -> bool:
    """Say whether a policy keeps what stands in a span.

    >>> from sfumato.text.policy import SAFE_HARBOR
    >>> stays(SAFE_HARBOR, Span(0, 2, Kind.LOCATION, "state"), "TN", "en")
    True
    >>> stays(SAFE_HARBOR, Span(0, 4, Kind.LOCATION, "state"), "Troy", "en")
    False
    """
    if not policy.keeps(span):
        return False
    if span.kind.value in policy.kept:
        return True
    if span.kind is Kind.DATE and span.label == "time":
        return is_time(text, language)
    if span.kind is Kind.LOCATION and span.label in _LARGE:
        return is_state_or_country(text, language)
    return True


def is_time(text: str, language: str) -> bool:
    """Say whether a text is a time of day and holds no day.

    >>> [is_time(said, "en") for said in ("14:30", "9am", "noon", "7/4 14:30", "Monday 9am")]
    [True, True, True, False, False]
    """
    rest = _TIME.sub(" ", text)
    if any(map(str.isdigit, rest)):
        return False
    return not any(read_date(word, language) for word in re.findall(r"[^\W\d_]{3,}", rest))


def is_state_or_country(text: str, language: str) -> bool:
    """Say whether a text is the name of a state or a country, and nothing else.

    >>> [is_state_or_country(said, "en") for said in ("New York", "Nigeria", "Troy, Tennessee")]
    [True, True, False]
    """
    name = " ".join(text.replace(".", "").split()).casefold()
    if name in _STATES:
        return True
    lexicon, tokens = word_list(language), tokenise(text.strip(" ."))
    large = Mark.STATE | Mark.COUNTRY
    if len(tokens) == 1:
        return bool(lexicon.marks(tokens.words[0].lower()) & large)
    return any(
        first == 0 and end == len(tokens) and marks & large for first, end, marks in lexicon.phrases(tokens)
    )
