"""Texts that come from outside: bounded, printable, and storable in every database."""

from __future__ import annotations

import re

from sfumato.core.errors import BadInput

_HALF = re.compile("[\ud800-\udfff]")
LONGEST_NAME = 200
LONGEST_QUESTION = 1_000_000


def name_checked(text: str, where: str, *, empty: bool = False) -> str:
    """Return a name of an analyst, group, data set, window or version, or refuse it.

    >>> name_checked("ann", "analyst")
    'ann'
    """
    if not isinstance(text, str) or (not text and not empty):
        raise BadInput("a name is needed", where=where, remedy="give a short text")
    if len(text) > LONGEST_NAME or (text and not text.isprintable()) or text != text.strip():
        raise BadInput(
            f"the name has more than {LONGEST_NAME} letters, unprintable ones or blanks around it",
            where=where,
            remedy="choose a plain short name",
        )
    return text


def storable(text: str) -> bool:
    """Say whether every database can keep a text: no half letters, no letter number 0."""
    return "\0" not in text and not _HALF.search(text)


def question_checked(text: str) -> str:
    """Return a canonical question, or refuse what cannot be kept."""
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_QUESTION or not storable(text):
        raise BadInput(
            "the question is empty, too long or holds broken letters",
            where="question",
            remedy="write it anew",
        )
    return text
